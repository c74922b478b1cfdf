/**
 * Two logged runs side by side: their steps are matched by turn and agent, because after the divergence, one
 * run may have a step more in a turn than the other. Only the next step of each is held in memory.
 */
import { compareText, WORLD_ID } from '../../base/ids.js';
import type { LogReader } from '../../log/reader.js';
import type { RunRecord, StepRecord } from '../../trajectory/records.js';

/** One of the two runs. Its reader must stay open while the run is read. */
export interface DiffSide {
  reader: LogReader;
  run: RunRecord;
}

/** The two runs that are compared. */
export interface RunSides<T = DiffSide> {
  a: T;
  b: T;
}

/** The step of one agent or of the world in a turn, in both runs; at least one of them has it. */
export interface AlignedStep {
  turn: number;
  agent: string;
  a: StepRecord | null;
  b: StepRecord | null;
}

/** Starts after the steps that both share. */
export function* alignedSteps({ a, b }: RunSides, from: number): Generator<AlignedStep> {
  const order = turnOrder({ a, b });
  const [stepsOfA, stepsOfB] = [stepsOf(a, from), stepsOf(b, from)];
  let [nextA, nextB] = [next(stepsOfA), next(stepsOfB)];
  while (nextA !== null || nextB !== null) {
    const first = nextA === null ? 1 : nextB === null ? -1 : order(nextA, nextB);
    const moment = { a: first <= 0 ? nextA : null, b: first >= 0 ? nextB : null };
    const { turn, agent } = (moment.a ?? moment.b) as StepRecord;
    yield { turn, agent, ...moment };
    if (first <= 0) nextA = next(stepsOfA);
    if (first >= 0) nextB = next(stepsOfB);
  }
}

function stepsOf({ reader, run }: DiffSide, from: number): Iterator<StepRecord> {
  // A run in progress is read up to here.
  const to = reader.runs().find(({ runId }) => runId === run.runId)?.steps ?? 0;
  return reader.steps(run.runId, { from, to });
}

function next(steps: Iterator<StepRecord>): StepRecord | null {
  const { done, value } = steps.next();
  return done === true ? null : value;
}

/** Turns by number; within a turn, the agents in the scenarios' order, the world last. */
function turnOrder({ a, b }: RunSides): (one: StepRecord, two: StepRecord) => number {
  const ids = [...a.run.scenario.agents, ...b.run.scenario.agents].map(({ id }) => id);
  const rank = (agent: string): number => (agent === WORLD_ID ? ids.length : ids.indexOf(agent));
  return (one, two) =>
    one.turn - two.turn || rank(one.agent) - rank(two.agent) || compareText(one.agent, two.agent);
}

/**
 * The number of first steps that two runs of one file share because one was forked from the other, or both
 * from a third; these steps are stored once. 0 for runs that share none.
 */
export function sharedSteps({ a, b }: RunSides): number {
  if (a.reader.path !== b.reader.path) return 0;
  if (a.run.runId === b.run.runId) return Number.MAX_SAFE_INTEGER;
  const stepsOfA = stepsByAncestor(a);
  const stepsOfB = stepsByAncestor(b);
  const shared = [...stepsOfA].flatMap(([runId, kept]) => {
    const countOfB = stepsOfB.get(runId);
    return countOfB === undefined ? [] : [Math.min(kept, countOfB)];
  });
  return Math.max(0, ...shared);
}

/** By run: how many of its first steps this one has. */
function stepsByAncestor({ reader, run }: DiffSide): ReadonlyMap<string, number> {
  const stepsByRun = new Map<string, number>();
  let [ancestor, steps] = [run, Number.MAX_SAFE_INTEGER];
  for (;;) {
    stepsByRun.set(ancestor.runId, steps);
    const { parent } = ancestor;
    // An untrusted log may contain a cycle.
    if (parent === undefined || stepsByRun.has(parent.runId)) return stepsByRun;
    steps = Math.min(steps, parent.step - 1);
    ancestor = reader.run(parent.runId);
  }
}

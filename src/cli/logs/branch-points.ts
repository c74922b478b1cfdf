/**
 * The steps of a run that `branch` replays, and what is still to be played for each. Earlier results count, so
 * an interrupted branching continues where it stopped.
 */
import { WORLD_ID } from '../../base/ids.js';
import { lookUp } from '../../base/look-up.js';
import type { Costs, RegretKind, StepCost } from '../../export/costs.js';
import type { LogReader } from '../../log/reader.js';
import type { RunRecord } from '../../trajectory/records.js';
import { givenReplies } from '../../replay/restored-history.js';

/** The steps to branch: those that delayed success, or those whose answer was the best one. */
export type BranchedSteps = 'costly' | 'best';

/** A step to branch. */
export interface BranchPoint {
  run: RunRecord;
  step: number;
  turn: number;
  agent: string;
  /** In turns: 0 for a best one; null if the step made success impossible. */
  regret: number | null;
  kind: RegretKind | null;
}

/**
 * The steps to branch, costliest first; of equal ones, the earlier first. `isAnsweredByModel`: whether a model
 * would answer in the agent's place.
 */
export function branchPoints(
  reader: LogReader,
  run: RunRecord,
  {
    costs,
    isAnsweredByModel,
    at,
  }: { costs: Costs; isAnsweredByModel: (controller: string) => boolean; at: BranchedSteps },
): readonly BranchPoint[] {
  const points: BranchPoint[] = [];
  for (const { step, turn, agent } of reader.steps(run.runId, { snapshots: false })) {
    const cost = costs?.get(step);
    if (agent === WORLD_ID || cost === undefined || !isBranchPoint(cost, at)) continue;
    const [firstCall] = reader.calls(run.runId, step);
    if (firstCall === undefined || !isAnsweredByModel(firstCall.request.controller)) continue;
    points.push({ run, step, turn, agent, regret: cost.regret, kind: cost.regretKind });
  }
  return points.toSorted((a, b) => (b.regret ?? Infinity) - (a.regret ?? Infinity) || a.step - b.step);
}

/** An answer counts as the best one only if a search proved it; an estimate is not enough. */
function isBranchPoint({ regret, regretKind }: StepCost, at: BranchedSteps): boolean {
  if (at === 'best') return regretKind === 'exact' && regret === 0;
  return regretKind === 'fatal' || (regret ?? 0) > 0;
}

/** The forks of a step with another answer. */
export function forksWithNewAnswer(reader: LogReader, { run, step, agent }: BranchPoint): readonly string[] {
  return forksOf(reader, run.runId, step).filter(
    (runId) => lookUp(givenReplies(reader.run(runId)), agent) === undefined,
  );
}

/**
 * Each different answer to the step's request, with the number of runs that are missing to reach `rollouts`.
 * Native tool calls can't be replayed as text and are left out.
 */
export function missingRollouts(
  reader: LogReader,
  { run, step }: BranchPoint,
  rollouts: number,
): readonly { reply: string; missing: number }[] {
  const counts = new Map<string, number>();
  for (const runId of [run.runId, ...forksOf(reader, run.runId, step)]) {
    const [call] = reader.calls(runId, step);
    if (call?.end?.kind !== 'replied' || call.end.reply.toolCalls.length > 0) continue;
    const { content } = call.end.reply;
    counts.set(content, (counts.get(content) ?? 0) + 1);
  }
  return [...counts].map(([reply, count]) => ({ reply, missing: Math.max(0, rollouts - count) }));
}

/** The forks in the order in which they began. */
export function forksOf(reader: LogReader, runId: string, step: number): readonly string[] {
  return reader
    .runs()
    .filter(({ parent }) => parent?.runId === runId && parent.step === step)
    .map((one) => one.runId);
}

/**
 * How far each decision of a run came, for each agent that a player plays: whether what it needs had reached it, what
 * it saw, whether its first replies could be read, and which of its steps were decisions at all.
 */
import { isServerFault } from '../base/problem.js';
import type { LogReader } from '../log/reader.js';
import { playedAgents } from '../scenario/world-part.js';
import { lastFailure } from '../trajectory/attempts.js';
import { count, namedCounts } from '../trajectory/named-counts.js';
import type { NamedCounts } from '../trajectory/named-counts.js';
import type { LoggedProbe, RunRecord, StepOutline } from '../trajectory/records.js';
import { isLostToServer, isUncontrolled } from '../trajectory/uncontrolled.js';
import { reachedIn } from './knowledge.js';

export interface SeatFunnel {
  agent: string;
  /** How many facts its scenario says that it needs. */
  needed: number;
  /** When all of them had reached it; null if they never had, or it needs none. */
  reached: { turn: number; step: number } | null;
  /** Questions that were answered with the picture and with a grey one, by kind. */
  seen: readonly SeenKind[];
  /** Questions without an answer to a grey picture. */
  unpaired: number;
  answered: AnsweredReplies;
  /** The steps that it decided; a WAIT forced by replies that could not be read is no decision. */
  decisions: readonly { step: number; turn: number }[];
}

/** Turns that an agent's decisions lost, each known only for some of them. */
export interface DecidedTurns {
  /** After all that it needs had reached it: by the search, which knows the whole world. */
  informed: { steps: number; exact: number; estimated: number; lost: number };
  /**
   * At its other decisions: against the sighted player, which played on from before and after the step. `played`: at
   * how many it did; `undecided`: how many of these it did not win from before the step. Null if the world has no
   * sighted player.
   */
  sighted: { steps: number; played: number; undecided: number; lost: number } | null;
}

/** `decided` is null if nothing was searched, or nothing counts as success. */
export type DecidedSeat = SeatFunnel & { decided: DecidedTurns | null };

export interface SeenKind {
  kind: LoggedProbe['kind'];
  asked: number;
  right: number;
  greyRight: number;
}

export interface AnsweredReplies {
  /** Steps whose agent was asked and whose server answered; `lost` are those without an answer of the server. */
  asked: number;
  lost: number;
  /** First replies in which an action was read, accepted or not, by the parser's tier. */
  tiers: NamedCounts;
  /** The other first replies, by problem. */
  problems: NamedCounts;
  /** First replies whose action was read and refused, by problem. */
  refused: NamedCounts;
  /** WAITs because no reply could be read. */
  forcedWaits: number;
}

/** Throws StorageError if the log is damaged. */
export function seatFunnels(
  reader: LogReader,
  { runId, scenario }: Pick<RunRecord, 'runId' | 'scenario'>,
): readonly SeatFunnel[] {
  const agents = playedAgents(scenario);
  const facts = scenario.measures?.facts ?? [];
  const needed = new Map(
    agents.map((id) => [id, facts.filter(({ agent }) => agent === undefined || agent === id)]),
  );
  const reached = reachedIn(reader, runId, needed);
  const steps = new Map<string, StepOutline[]>(agents.map((id) => [id, []]));
  for (const { step } of reader.played(runId)) steps.get(step.agent)?.push(step);
  const probes = reader.probes(runId);
  return [...steps].map(([agent, own]) => ({
    agent,
    needed: needed.get(agent)?.length ?? 0,
    reached: reached.get(agent) ?? null,
    ...seenIn(probes.filter((probe) => probe.agent === agent)),
    answered: answeredIn(own),
    decisions: own.filter(isDecision).map(({ step, turn }) => ({ step, turn })),
  }));
}

/** A question that was asked twice has the same words in the same step. */
function seenIn(probes: readonly LoggedProbe[]): Pick<SeatFunnel, 'seen' | 'unpaired'> {
  const keyOf = ({ step, kind, question }: LoggedProbe): string => JSON.stringify([step, kind, question]);
  const controls = new Map(
    probes.flatMap((probe) => (probe.picture === 'grey' ? [[keyOf(probe), probe] as const] : [])),
  );
  const kinds = new Map<string, SeenKind>();
  let unpaired = 0;
  for (const probe of probes) {
    if (probe.picture === 'grey') continue;
    const control = controls.get(keyOf(probe));
    const { kind } = probe;
    const { asked, right, greyRight } = kinds.get(kind) ?? { asked: 0, right: 0, greyRight: 0 };
    if (control === undefined) unpaired += 1;
    else
      kinds.set(kind, {
        kind,
        asked: asked + 1,
        right: right + (probe.verdict === 'right' ? 1 : 0),
        greyRight: greyRight + (control.verdict === 'right' ? 1 : 0),
      });
  }
  return { seen: [...kinds.values()], unpaired };
}

type Step = Pick<StepOutline, 'acts'>;

function answeredIn(steps: readonly Step[]): AnsweredReplies {
  const [tiers, problems, refused] = [0, 1, 2].map(() => new Map<string, number>()) as [Sums, Sums, Sums];
  let [asked, lost, forcedWaits] = [0, 0, 0];
  for (const step of steps) {
    if (isUncontrolled(step)) continue;
    const tries = step.acts.filter(({ insteadOf }) => insteadOf === null);
    const first = tries.find(({ result }) => result.ok || !isServerFault(result.problem.code));
    const standIn = step.acts.at(-1)?.insteadOf ?? null;
    if (first === undefined && (standIn === null || isServerFault(standIn.code))) {
      lost += 1;
      continue;
    }
    asked += 1;
    if (standIn !== null && !isDecision(step) && !isLostToServer(step)) forcedWaits += 1;
    if (first === undefined || !(first.reading?.ok ?? first.intent !== null)) {
      const problem = first === undefined || first.result.ok ? standIn : first.result.problem;
      count(problems, problem?.code ?? 'unparsable');
      continue;
    }
    count(tiers, first.reading?.rung ?? 'none');
    if (!first.result.ok) count(refused, first.result.problem.code);
  }
  return {
    asked,
    lost,
    tiers: namedCounts(tiers),
    problems: namedCounts(problems),
    refused: namedCounts(refused),
    forcedWaits,
  };
}
type Sums = Map<string, number>;

/** What the agent chose, and a WAIT after an action that was read and refused. */
function isDecision(step: Step): boolean {
  const standIn = step.acts.at(-1)?.insteadOf ?? null;
  return standIn === null || lastFailure(step)?.reading?.ok === true;
}

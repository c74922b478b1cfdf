/**
 * How far each decision of a run came, for each agent that a player plays: whether what it needs had reached it, what
 * it saw, whether its first replies could be read, and which of its steps were decisions at all.
 */
import { isServerFault } from '../base/problem.js';
import type { LogReader } from '../log/reader.js';
import { playedAgents } from '../scenario/world-part.js';
import { firstAnswered, lastFailure } from '../trajectory/attempts.js';
import { sumByName } from '../trajectory/named-counts.js';
import type { NamedCounts } from '../trajectory/named-counts.js';
import type { LoggedProbe, RunRecord, StepOutline } from '../trajectory/records.js';
import { isLostToServer, isUncontrolled } from '../trajectory/uncontrolled.js';
import { grouped } from '../base/grouped.js';
import { reachedIn } from './knowledge.js';

export interface SeatFunnel {
  agent: string;
  /** How many facts its scenario says that it needs. */
  needed: number;
  /** When all of them had reached it; null if they never had, or it needs none. */
  reached: { turn: number; step: number } | null;
  /** Questions that were answered with the picture and with a grey one. */
  seen: readonly SeenKind[];
  /** Questions without an answer to a grey picture. */
  unpaired: number;
  answered: AnsweredReplies;
  /** The steps that it decided; a WAIT forced by replies that could not be read is no decision. */
  decisions: readonly { step: number; turn: number }[];
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
  /** WAITs because no reply could be read. */
  forcedWaits: number;
  /** First replies in which an action was read, accepted or not, by the parser's tier. */
  tiers: NamedCounts;
  /** The other first replies, by problem. */
  problems: NamedCounts;
  /** First replies whose action was read and refused, by problem. */
  refused: NamedCounts;
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
    answered: sumOfAnswers(own.map(answeredIn)),
    decisions: own.filter(isDecision).map(({ step, turn }) => ({ step, turn })),
  }));
}

/** A question that was asked twice has the same words in the same step. */
function seenIn(probes: readonly LoggedProbe[]): Pick<SeatFunnel, 'seen' | 'unpaired'> {
  const keyOf = ({ step, kind, question }: LoggedProbe): string => JSON.stringify([step, kind, question]);
  const isRight = ({ verdict }: LoggedProbe): number => (verdict === 'right' ? 1 : 0);
  const asked = probes.filter(({ picture }) => picture !== 'grey');
  const grey = new Map(
    probes.filter(({ picture }) => picture === 'grey').map((probe) => [keyOf(probe), probe]),
  );
  const pairs = asked.flatMap((probe): readonly SeenKind[] => {
    const control = grey.get(keyOf(probe));
    if (control === undefined) return [];
    return [{ kind: probe.kind, asked: 1, right: isRight(probe), greyRight: isRight(control) }];
  });
  return { seen: sumByKind(pairs), unpaired: asked.length - pairs.length };
}

export function sumByKind(all: readonly SeenKind[]): readonly SeenKind[] {
  return grouped(all, ({ kind }) => kind).map((same) => ({
    kind: same[0].kind,
    ...sumByName(same.map(({ kind: _kind, ...counts }) => counts)),
  }));
}

type Step = Pick<StepOutline, 'acts'>;

const NO_REPLIES: AnsweredReplies = {
  asked: 0,
  lost: 0,
  forcedWaits: 0,
  tiers: {},
  problems: {},
  refused: {},
};

function answeredIn(step: Step): AnsweredReplies {
  if (isUncontrolled(step)) return NO_REPLIES;
  const first = firstAnswered(step);
  const standIn = standInOf(step);
  if (first === undefined && (standIn === null || isServerFault(standIn.code)))
    return { ...NO_REPLIES, lost: 1 };
  const isForced = !isDecision(step) && !isLostToServer(step);
  const asked = { ...NO_REPLIES, asked: 1, forcedWaits: isForced ? 1 : 0 };
  const problem = first === undefined || first.result.ok ? null : first.result.problem;
  if (first === undefined || !(first.reading?.ok ?? first.intent !== null))
    return { ...asked, problems: { [(problem ?? standIn)?.code ?? 'unparsable']: 1 } };
  const tiers = { [first.reading?.rung ?? 'none']: 1 };
  return problem === null ? { ...asked, tiers } : { ...asked, tiers, refused: { [problem.code]: 1 } };
}

export function sumOfAnswers(all: readonly AnsweredReplies[]): AnsweredReplies {
  const steps = [NO_REPLIES, ...all].map(({ asked, lost, forcedWaits }) => ({ asked, lost, forcedWaits }));
  return {
    ...sumByName(steps),
    tiers: sumByName(all.map(({ tiers }) => tiers)),
    problems: sumByName(all.map(({ problems }) => problems)),
    refused: sumByName(all.map(({ refused }) => refused)),
  };
}

/** What the agent chose, and a WAIT after an action that was read and refused. */
function isDecision(step: Step): boolean {
  return standInOf(step) === null || lastFailure(step)?.reading?.ok === true;
}

/** Why a step was settled without a choice of its agent. */
function standInOf({ acts }: Step) {
  return acts.at(-1)?.insteadOf ?? null;
}

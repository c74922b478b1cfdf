/**
 * The funnel of decisions, for each scenario and player: needed facts reached the agent, it saw them, its replies were
 * read, and it decided well. Each figure has its own runs, steps or questions behind it, and they are never averaged
 * into one. Pure; `seat-funnel.ts` reads the log.
 */
import { sumByName, total } from '../trajectory/named-counts.js';
import type { BatchRecord } from '../scenario/batch-record.js';
import { distinctByPlayers } from './distinct-runs.js';
import { grouped } from '../base/grouped.js';
import { estimate } from './report.js';
import type { Estimate } from './report-cell.js';
import { isEnded, playersOf } from './run-labels.js';
import type { RunMetrics } from './run-metrics.js';
import { sumByKind, sumOfAnswers } from './seat-funnel.js';
import type { AnsweredReplies, DecidedSeat, DecidedTurns, SeenKind } from './seat-funnel.js';
import { mean } from '../base/mean.js';
import { bootstrap, wilson } from './statistics.js';
import type { Interval } from './statistics.js';

export interface FunnelRun {
  run: RunMetrics;
  seats: readonly DecidedSeat[];
}

export interface Share {
  /** Null for `seen`, if a grey picture was enough for all. */
  share: number | null;
  interval: Interval | null;
}

/** Of an agent in a scenario with the same players. */
export interface FunnelTotal {
  scenario: string;
  players: string;
  agent: string;
  /** Whether other agents of these runs have totals of their own. */
  hasOthers: boolean;
  /** Distinct runs that ended. */
  runs: number;
  /** Null if the scenario does not say what the agent needs. */
  reached: (Share & { runs: number; medianTurn: number | null }) | null;
  /** Null without questions that were also asked with a grey picture. */
  seen: (Share & { questions: number; kinds: readonly SeenKind[] }) | null;
  unpaired: number;
  /** Null if no step had a reply. */
  answered: (Share & AnsweredReplies) | null;
  /** Turns lost per step over the runs, as regret is; null if nothing was searched. */
  decided: { informed: Estimate | null; sighted: Estimate | null; counts: DecidedTurns } | null;
}

interface SeatOfRun {
  run: RunMetrics;
  seat: DecidedSeat;
  hasOthers: boolean;
}

/** Of runs that ended; one that repeats another counts once. */
export function funnelTotals(
  all: readonly FunnelRun[],
  batches?: readonly BatchRecord[],
): readonly FunnelTotal[] {
  const ended = all.filter(({ run }) => isEnded(run));
  return distinctByPlayers(ended, ({ run, seats }) => [run.seed, run.trajectory, seats], batches).flatMap(
    (runs) => {
      const seats = runs.flatMap(({ run, seats: own }) =>
        own.map((seat) => ({ run, seat, hasOthers: own.length > 1 })),
      );
      return grouped(seats, ({ seat }) => seat.agent).map(totalOf);
    },
  );
}

function totalOf(group: readonly [SeatOfRun, ...SeatOfRun[]]): FunnelTotal {
  const [{ run, seat, hasOthers }] = group;
  const seats = group.map((one) => one.seat);
  const names = { scenario: run.scenario, players: playersOf(run), agent: seat.agent };
  const seed = Object.values(names).join('/');
  const share = (name: string, figure: (some: readonly DecidedSeat[]) => number | null): Share => ({
    share: figure(seats),
    interval: bootstrap(seats, `${seed}/${name}`, figure),
  });
  const turns = seats.flatMap(({ reached }) => reached?.turn ?? []).toSorted((a, b) => a - b);
  const kinds = sumByKind(seats.flatMap(({ seen }) => seen));
  const answered = sumOfAnswers(seats.map((one) => one.answered));
  const questions = total(kinds.map(({ asked }) => asked));
  const reached = {
    share: turns.length / seats.length,
    interval: wilson(turns.length, seats.length),
    runs: turns.length,
    medianTurn: turns[(turns.length - 1) >> 1] ?? null,
  };
  return {
    ...names,
    hasOthers,
    runs: seats.length,
    reached: seat.needed === 0 ? null : reached,
    seen: questions === 0 ? null : { ...share('seen', seenIn), questions, kinds },
    unpaired: total(seats.map(({ unpaired }) => unpaired)),
    answered: answered.asked === 0 ? null : { ...share('answered', readIn), ...answered },
    decided: decidedIn(
      seats.flatMap(({ decided }) => decided ?? []),
      seed,
    ),
  };
}

/**
 * The share of right answers, corrected for those that the same player gives to a grey picture; all kinds of questions
 * have the same weight. Null if there are none, or if a grey picture is enough for all.
 */
function seenIn(seats: readonly DecidedSeat[]): number | null {
  const kinds = sumByKind(seats.flatMap(({ seen }) => seen));
  const right = mean(kinds.map((one) => one.right / one.asked));
  const guessed = mean(kinds.map((one) => one.greyRight / one.asked));
  return right === null || guessed === null || guessed === 1 ? null : (right - guessed) / (1 - guessed);
}

/** The share of steps whose first reply could be read; null if none had a reply. */
function readIn(seats: readonly DecidedSeat[]): number | null {
  const read = total(seats.map(({ answered }) => total(answered.tiers)));
  const asked = total(seats.map(({ answered }) => answered.asked));
  return asked === 0 ? null : read / asked;
}

function decidedIn(all: readonly DecidedTurns[], seed: string): FunnelTotal['decided'] {
  if (all.length === 0) return null;
  const informed = all.map((one) => one.informed);
  const sighted = all.flatMap((one) => one.sighted ?? []);
  const perStep = <Turns extends { lost: number }>(
    name: string,
    runs: readonly Turns[],
    known: (one: Turns) => number,
  ): Estimate | null => {
    const means = runs.flatMap((one) => (known(one) === 0 ? [] : one.lost / known(one)));
    return estimate(means, `${seed}/${name}`);
  };
  return {
    informed: perStep('informed', informed, ({ exact, estimated }) => exact + estimated),
    sighted: perStep('sighted', sighted, ({ played, undecided }) => played - undecided),
    counts: { informed: sumByName(informed), sighted: sighted.length === 0 ? null : sumByName(sighted) },
  };
}

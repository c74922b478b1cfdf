/**
 * The funnel of decisions, for each scenario and player: needed facts reached the agent, it saw them, its replies were
 * read, and it decided well. Each figure has its own runs, steps or questions behind it, and they are never averaged
 * into one. Pure; `seat-funnel.ts` reads the log.
 */
import type { NamedCounts } from '../trajectory/named-counts.js';
import { grouped } from './grouped.js';
import { estimate, sumByName } from './report.js';
import type { Estimate } from './report-cell.js';
import { inPlayedOrder, isEnded, playersOf } from './run-labels.js';
import type { RunMetrics } from './run-metrics.js';
import type { AnsweredReplies, DecidedSeat, DecidedTurns, SeatFunnel, SeenKind } from './seat-funnel.js';
import { bootstrap, mean, wilson } from './statistics.js';
import type { Interval } from './statistics.js';

export interface FunnelRun {
  run: RunMetrics;
  seats: readonly DecidedSeat[];
}

interface Share {
  share: number;
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
  /** Null without questions that were also asked with a grey picture; `share`, if a grey picture was enough for all. */
  seen: {
    share: number | null;
    interval: Interval | null;
    questions: number;
    kinds: readonly SeenKind[];
  } | null;
  unpaired: number;
  /** Null if no step had a reply. */
  answered: (Share & AnsweredReplies) | null;
  decided: {
    /** Turns lost per step over the runs, as regret is. */
    informed: Estimate | null;
    sighted: Estimate | null;
    counts: DecidedTurns;
  } | null;
}

/** Of runs that ended; one that repeats another counts once. */
export function funnelTotals(all: readonly FunnelRun[]): readonly FunnelTotal[] {
  const ended = all.filter(({ run }) => isEnded(run));
  const inOrder = inPlayedOrder(ended.map(({ run }) => run));
  const identityOf = ({ run, seats }: FunnelRun): string =>
    JSON.stringify([run.scenario, playersOf(run), run.seed, run.trajectory, seats]);
  const distinct = grouped(ended, identityOf).map(([first]) => first);
  const seats = distinct.flatMap(({ run, seats: own }) =>
    own.map((seat) => ({ run, seat, hasOthers: own.length > 1 })),
  );
  return grouped(seats, ({ run, seat }) => JSON.stringify([run.scenario, playersOf(run), seat.agent]))
    .map((group) => totalOf(group))
    .toSorted((a, b) => (a.scenario === b.scenario ? inOrder(a.players, b.players) : 0));
}

type SeatOfRun = { run: RunMetrics; seat: DecidedSeat; hasOthers: boolean };

function totalOf(group: readonly [SeatOfRun, ...SeatOfRun[]]): FunnelTotal {
  const [{ run, seat, hasOthers }] = group;
  const seats = group.map((one) => one.seat);
  const label = [run.scenario, playersOf(run), seat.agent].join('/');
  const turns = seats.flatMap(({ reached }) => reached?.turn ?? []).toSorted((a, b) => a - b);
  const answered = sumOfAnswers(seats.map((one) => one.answered));
  const read = (all: readonly AnsweredReplies[]): number | null =>
    ratio(
      all.reduce((sum, { tiers }) => sum + total(tiers), 0),
      all.reduce((sum, { asked }) => sum + asked, 0),
    );
  const answeredShare = read([answered]);
  const kinds = kindsOf(seats);
  return {
    scenario: run.scenario,
    players: playersOf(run),
    agent: seat.agent,
    hasOthers,
    runs: group.length,
    reached:
      seat.needed === 0
        ? null
        : {
            share: turns.length / seats.length,
            interval: wilson(turns.length, seats.length),
            runs: turns.length,
            medianTurn: turns[(turns.length - 1) >> 1] ?? null,
          },
    seen:
      kinds.length === 0
        ? null
        : {
            share: seenIn(seats),
            interval: bootstrap(seats, `${label}/seen`, seenIn),
            questions: kinds.reduce((sum, { asked }) => sum + asked, 0),
            kinds,
          },
    unpaired: seats.reduce((sum, { unpaired }) => sum + unpaired, 0),
    answered:
      answeredShare === null
        ? null
        : {
            share: answeredShare,
            interval: bootstrap(
              seats.map((one) => one.answered),
              `${label}/answered`,
              read,
            ),
            ...answered,
          },
    decided: decidedIn(
      seats.flatMap(({ decided }) => decided ?? []),
      label,
    ),
  };
}

function ratio(part: number, all: number): number | null {
  return all === 0 ? null : part / all;
}

export function total(counts: NamedCounts): number {
  return Object.values(counts).reduce((sum, times) => sum + times, 0);
}

function kindsOf(seats: readonly SeatFunnel[]): readonly SeenKind[] {
  return grouped(
    seats.flatMap(({ seen }) => seen),
    ({ kind }) => kind,
  ).map((same) => {
    const sum = (of: (one: SeenKind) => number): number => same.reduce((all, one) => all + of(one), 0);
    return {
      kind: same[0].kind,
      asked: sum(({ asked }) => asked),
      right: sum(({ right }) => right),
      greyRight: sum(({ greyRight }) => greyRight),
    };
  });
}

/**
 * The share of right answers, corrected for those that the same player gives to a grey picture; all kinds of questions
 * have the same weight. Null if there are none, or if a grey picture is enough for all.
 */
function seenIn(seats: readonly SeatFunnel[]): number | null {
  const kinds = kindsOf(seats);
  const right = mean(kinds.map((one) => one.right / one.asked));
  const guessed = mean(kinds.map((one) => one.greyRight / one.asked));
  return right === null || guessed === null || guessed === 1 ? null : (right - guessed) / (1 - guessed);
}

function sumOfAnswers(all: readonly AnsweredReplies[]): AnsweredReplies {
  const sums = sumByName(all.map(({ asked, lost, forcedWaits }) => ({ asked, lost, forcedWaits })));
  return {
    ...(sums as unknown as Pick<AnsweredReplies, 'asked' | 'lost' | 'forcedWaits'>),
    tiers: sumByName(all.map(({ tiers }) => tiers)),
    problems: sumByName(all.map(({ problems }) => problems)),
    refused: sumByName(all.map(({ refused }) => refused)),
  };
}

function decidedIn(all: readonly DecidedTurns[], label: string): FunnelTotal['decided'] {
  if (all.length === 0) return null;
  const informed = all.map((one) => one.informed);
  const sighted = all.flatMap((one) => one.sighted ?? []);
  const means = (turns: readonly { lost: number; known: number }[]): readonly number[] =>
    turns.flatMap(({ lost, known }) => (known === 0 ? [] : [lost / known]));
  const sums = <Part extends object>(parts: readonly Part[]) => sumByName(parts as never) as unknown as Part;
  return {
    informed: estimate(
      means(informed.map(({ lost, exact, estimated }) => ({ lost, known: exact + estimated }))),
      `${label}/informed`,
    ),
    sighted: estimate(
      means(sighted.map(({ lost, played, undecided }) => ({ lost, known: played - undecided }))),
      `${label}/sighted`,
    ),
    counts: { informed: sums(informed), sighted: sighted.length === 0 ? null : sums(sighted) },
  };
}

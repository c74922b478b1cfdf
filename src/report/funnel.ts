/**
 * The funnel of decisions, for each scenario and player: needed facts reached the agent, it saw them, its replies were
 * read, and it decided well. Each figure has its own runs, steps or questions behind it, and they are never averaged
 * into one. Pure; `seat-funnel.ts` reads the log.
 */
import { counted, whole } from '../base/counted.js';
import { count, namedCounts } from '../trajectory/named-counts.js';
import type { NamedCounts } from '../trajectory/named-counts.js';
import { csvLines } from './csv.js';
import { columnsInUse, legendOf, textTable } from './figure-table.js';
import type { FigureColumn, FigureTable } from './figure-table.js';
import { estimateText, ratioText, shareIntervalText } from './figure-text.js';
import { grouped } from './grouped.js';
import { latexFloat } from './latex.js';
import { markdownTable } from './overview-markdown.js';
import { estimate } from './report.js';
import type { Estimate } from './report-cell.js';
import { inPlayedOrder, isEnded, playersOf } from './run-labels.js';
import type { RunMetrics } from './run-metrics.js';
import type { AnsweredReplies, SeatFunnel, SeenKind } from './seat-funnel.js';
import { bootstrap, mean, wilson } from './statistics.js';
import type { Interval } from './statistics.js';

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

export interface FunnelRun {
  run: RunMetrics;
  /** `decided` is null if nothing was searched, or nothing counts as success. */
  seats: readonly (SeatFunnel & { decided: DecidedTurns | null })[];
}

export interface Share {
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

type SeatOfRun = { run: RunMetrics; seat: FunnelRun['seats'][number]; hasOthers: boolean };

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

function total(counts: NamedCounts): number {
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
  const sum = (of: (one: AnsweredReplies) => number): number => all.reduce((sums, one) => sums + of(one), 0);
  const byName = (of: (one: AnsweredReplies) => NamedCounts): NamedCounts => {
    const sums = new Map<string, number>();
    for (const [word, times] of all.flatMap((one) => Object.entries(of(one)))) count(sums, word, times);
    return namedCounts(sums);
  };
  return {
    asked: sum(({ asked }) => asked),
    lost: sum(({ lost }) => lost),
    tiers: byName(({ tiers }) => tiers),
    problems: byName(({ problems }) => problems),
    refused: byName(({ refused }) => refused),
    forcedWaits: sum(({ forcedWaits }) => forcedWaits),
  };
}

function decidedIn(all: readonly DecidedTurns[], label: string): FunnelTotal['decided'] {
  if (all.length === 0) return null;
  const perStep = ({ lost }: { lost: number }, steps: number): readonly number[] =>
    steps === 0 ? [] : [lost / steps];
  const sumOf = <Part extends object>(parts: readonly Part[], zero: Part): Part =>
    parts.reduce((sums, part) => {
      const entries = Object.entries<number>(sums as never).map(([name, value]) => [
        name,
        value + (part[name as keyof Part] as number),
      ]);
      return Object.fromEntries(entries) as Part;
    }, zero);
  const informed = all.map((one) => one.informed);
  const sighted = all.flatMap((one) => one.sighted ?? []);
  return {
    informed: estimate(
      informed.flatMap((one) => perStep(one, one.exact + one.estimated)),
      `${label}/informed`,
    ),
    sighted: estimate(
      sighted.flatMap((one) => perStep(one, one.played - one.undecided)),
      `${label}/sighted`,
    ),
    counts: {
      informed: sumOf(informed, { steps: 0, exact: 0, estimated: 0, lost: 0 }),
      sighted: sighted.length === 0 ? null : sumOf(sighted, { steps: 0, played: 0, undecided: 0, lost: 0 }),
    },
  };
}

/** Each figure with its numbers, for CSV, and with its words, for tables. */
const FUNNEL_FIGURES: readonly (FigureColumn<FunnelTotal> & { csv: (row: FunnelTotal) => CsvFields })[] = [
  {
    head: 'players',
    format: 'text',
    csv: ({ scenario, players, agent }) => ({ scenario, players, agent }),
    of: nameOf,
  },
  { head: 'runs', csv: ({ runs }) => ({ runs }), of: ({ runs }) => whole(runs) },
  {
    head: 'reached (95 %)',
    meaning: 'runs in which all needed facts (measures.facts) reached the agent',
    csv: ({ reached }) => ({ ...ranged('reached', reached?.share, reached), reached_runs: reached?.runs }),
    of: ({ reached }) => shareIntervalText(reached?.share ?? null, reached?.interval ?? null),
  },
  {
    head: 'turn',
    meaning: 'the median of the turns in which the last of them did',
    csv: ({ reached }) => ({ reached_turn: reached?.medianTurn }),
    of: ({ reached }) => wholeOrDash(reached?.medianTurn ?? null),
  },
  {
    head: 'seen (95 %)',
    meaning:
      'right answers to questions, less those that it guesses with a grey picture: (right − grey) / (1 − grey), all kinds alike',
    csv: ({ seen }) => ranged('seen', seen?.share, seen),
    of: ({ seen }) => shareIntervalText(seen?.share ?? null, seen?.interval ?? null),
  },
  {
    head: 'questions',
    csv: ({ seen }) => ({ questions: seen?.questions }),
    of: ({ seen }) => wholeOrDash(seen?.questions ?? null),
  },
  {
    head: 'answered (95 %)',
    meaning: 'steps whose first reply could be read',
    csv: ({ answered }) => ranged('answered', answered?.share, answered),
    of: ({ answered }) => shareIntervalText(answered?.share ?? null, answered?.interval ?? null),
  },
  {
    head: 'steps',
    csv: ({ answered }) => ({
      steps: answered?.asked,
      lost: answered?.lost,
      forced_waits: answered?.forcedWaits,
    }),
    of: ({ answered }) => wholeOrDash(answered?.asked ?? null),
  },
  {
    head: 'refused',
    meaning: 'first replies that were read and refused',
    csv: ({ answered }) => ({ refused: answered === null ? null : total(answered.refused) }),
    of: ({ answered }) =>
      answered === null ? '–' : ratioText(total(answered.refused), total(answered.tiers)),
  },
  {
    head: 'lost, informed',
    meaning: 'turns lost per decision after all needed facts had reached the agent, by the search (regret)',
    isInUse: ({ decided }) => decided !== null,
    csv: ({ decided }) => ({
      ...ranged('informed', decided?.informed?.mean, decided?.informed),
      ...prefixed('informed', decided?.counts.informed),
    }),
    of: ({ decided }) => estimateText(decided?.informed ?? null, 2),
  },
  {
    head: 'lost to sighted',
    meaning:
      'turns lost per other decision, against the sighted player going on from before and after it; below 0, the decision was better than that of the sighted player',
    isInUse: ({ decided }) => decided !== null,
    csv: ({ decided }) => ({
      ...ranged('sighted', decided?.sighted?.mean, decided?.sighted),
      ...prefixed('sighted', decided?.counts.sighted),
    }),
    of: ({ decided }) => estimateText(decided?.sighted ?? null, 2),
  },
];

type CsvFields = Readonly<Record<string, string | number | null | undefined>>;

function ranged(
  name: string,
  value: number | null | undefined,
  figure: { interval: Interval | null } | null | undefined,
): CsvFields {
  const { low, high } = figure?.interval ?? {};
  return { [name]: value, [`${name}_low`]: low, [`${name}_high`]: high };
}

function prefixed(name: string, counts: object | null | undefined): CsvFields {
  return Object.fromEntries(
    Object.entries<number>((counts ?? {}) as never).map(([key, value]) => [`${name}_${key}`, value]),
  );
}

function nameOf({ players, agent, hasOthers }: FunnelTotal): string {
  return hasOthers ? `${players} · ${agent}` : players;
}

function wholeOrDash(value: number | null): string {
  return value === null ? '–' : whole(value);
}

/** A line for each row, with the numbers of the figures. */
export function funnelCsv(totals: readonly FunnelTotal[]): string {
  const rows = totals.map((row) =>
    FUNNEL_FIGURES.reduce<CsvFields>((fields, { csv }) => ({ ...fields, ...csv(row) }), {}),
  );
  const heads = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return csvLines([heads, ...rows.map((row) => heads.map((head) => row[head] ?? null))]);
}

export function funnelMarkdown(totals: readonly FunnelTotal[]): string {
  return `${markdownTable(textTable(funnelTable(totals)))}\n`;
}

export function funnelLatex(totals: readonly FunnelTotal[]): string {
  const table = funnelTable(totals);
  const { notes = [], legend = '' } = table;
  const caption =
    'How far decisions came. Each figure has its own runs, questions or steps behind it, so they are not averaged.';
  const float = latexFloat(table, { caption, label: 'tab:funnel', notes: [...notes, legend] });
  return `% \\usepackage{booktabs,graphicx}\n${float}\n`;
}

/** Rows of several scenarios name theirs. */
export function funnelTable(totals: readonly FunnelTotal[]): FigureTable<FunnelTotal> {
  const isOne = new Set(totals.map(({ scenario }) => scenario)).size <= 1;
  const rows = isOne
    ? totals
    : totals.map((one) => ({ ...one, players: `${one.scenario} · ${one.players}` }));
  const columns = columnsInUse(FUNNEL_FIGURES, rows);
  return {
    columns,
    rows,
    notes: rows.flatMap(notesOn),
    legend: `${legendOf(columns)} The intervals resample runs (of reached: Wilson’s).`,
  };
}

/** What is behind the figures of a row, and which are not claimed, and why. */
function notesOn(one: FunnelTotal): readonly string[] {
  const { reached, seen, unpaired, answered, decided } = one;
  const notes: string[] = [];
  if (reached === null)
    notes.push('reached is not known: the scenario names no needed facts (measures.facts)');
  if (seen === null)
    notes.push(
      unpaired > 0
        ? `seen is not known: ${counted(unpaired, 'question')} without an answer to a grey picture (probes.grey)`
        : 'seen is not known: no questions were asked (probes)',
    );
  else {
    const kinds = seen.kinds.map(
      ({ kind, asked, right, greyRight }) => `${kind} ${right} of ${asked}, grey ${greyRight}`,
    );
    notes.push(`right: ${kinds.join('; ')}`);
  }
  if (answered !== null) {
    const words = (counts: NamedCounts): string =>
      Object.entries(counts)
        .map(([word, times]) => `${word} ${times}`)
        .join(', ') || 'none';
    notes.push(
      `first replies read: ${words(answered.tiers)}; not read: ${words(answered.problems)}; refused: ${words(answered.refused)}; forced WAITs: ${answered.forcedWaits}, which are no decisions`,
    );
    if (answered.lost > 0) notes.push(`${counted(answered.lost, 'step')} lost to the server`);
  }
  if (decided !== null) {
    const { informed, sighted } = decided.counts;
    notes.push(
      `lost, informed: ${counted(informed.steps, 'decision')}, ${informed.exact} exact, ${informed.estimated} estimated, ${informed.steps - informed.exact - informed.estimated} not known`,
      sighted === null
        ? 'lost to sighted is not known: the world has no sighted player'
        : `lost to sighted: played on at ${sighted.played} of ${counted(sighted.steps, 'decision')}, ${sighted.undecided} undecided, because it did not win from before them`,
    );
  }
  return notes.map((note) => `${nameOf(one)}: ${note}.`);
}

/** The funnel of decisions (`funnel.ts`) as tables and as CSV. */
import { counted, whole } from '../base/counted.js';
import type { NamedCounts } from '../trajectory/named-counts.js';
import { csvLines } from './csv.js';
import { columnsInUse, legendOf, textTable } from './figure-table.js';
import type { FigureColumn, FigureTable } from './figure-table.js';
import { estimateText, ratioText, shareIntervalText } from './figure-text.js';
import { total } from './funnel.js';
import type { FunnelTotal } from './funnel.js';
import { latexFloat } from './latex.js';
import { markdownTable } from './overview-markdown.js';
import type { Interval } from './statistics.js';

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
      `first replies read: ${words(answered.tiers)}; not read: ${words(answered.problems)}; refused: ${words(answered.refused)}`,
    );
    if (answered.forcedWaits > 0)
      notes.push(`${counted(answered.forcedWaits, 'WAIT')} forced by unread replies, and no decisions`);
    if (answered.lost > 0) notes.push(`${counted(answered.lost, 'step')} lost to the server`);
  }
  if (decided !== null) {
    const { informed, sighted } = decided.counts;
    if (informed.steps > 0)
      notes.push(
        `lost, informed: ${counted(informed.steps, 'decision')}, ${informed.exact} exact, ${informed.estimated} estimated, ${informed.steps - informed.exact - informed.estimated} not known`,
      );
    notes.push(
      sighted === null
        ? 'lost to sighted is not known: the world has no sighted player'
        : `lost to sighted: played on at ${sighted.played} of ${counted(sighted.steps, 'decision')}, ${sighted.undecided} undecided${sighted.undecided > 0 ? ', because it did not win from before them' : ''}`,
    );
  }
  return notes.map((note) => `${nameOf(one)}: ${note}.`);
}

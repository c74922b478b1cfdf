/** The funnel of decisions (`funnel.ts`) as tables and as CSV. */
import { counted, whole } from '../base/counted.js';
import { lookUp } from '../base/look-up.js';
import { total } from '../trajectory/named-counts.js';
import type { NamedCounts } from '../trajectory/named-counts.js';
import { csvLines } from './csv.js';
import { columnsInUse, legendOf } from './figure-table.js';
import type { FigureColumn, FigureTable } from './figure-table.js';
import { estimateText, ratioText, shareIntervalText } from './figure-text.js';
import type { FunnelTotal, Share } from './funnel.js';
import { grouped } from '../base/grouped.js';
import { latexFile, latexFloat } from './latex.js';
import type { Estimate } from './report-cell.js';
import { countList } from './run-notes.js';

interface FunnelFigure extends Pick<FigureColumn<FunnelTotal>, 'meaning' | 'isInUse'> {
  /** In CSV: of the figure, then of its interval. */
  fields: readonly string[];
  of: (row: FunnelTotal) => string | number | Share | Estimate | null | undefined;
  /** Absent for what only CSV has. */
  head?: string;
  format?: 'text';
  /** In tables, if it isn't shown as what it is. */
  text?: (row: FunnelTotal) => string;
}

const withInterval = (field: string): readonly string[] => [field, `${field}_low`, `${field}_high`];

const FUNNEL_FIGURES: readonly FunnelFigure[] = [
  { fields: ['scenario'], of: ({ scenario }) => scenario },
  { head: 'players', format: 'text', fields: ['players'], of: ({ players }) => players, text: nameOf },
  { fields: ['agent'], of: ({ agent }) => agent },
  { head: 'runs', fields: ['runs'], of: ({ runs }) => runs },
  {
    head: 'reached (95 %)',
    meaning: 'runs in which all needed facts (measures.facts) reached the agent',
    fields: withInterval('reached'),
    of: ({ reached }) => reached,
  },
  { fields: ['reached_runs'], of: ({ reached }) => reached?.runs },
  {
    head: 'turn',
    meaning: 'the median of the turns in which the last of them did',
    fields: ['reached_turn'],
    of: ({ reached }) => reached?.medianTurn,
  },
  {
    head: 'seen (95 %)',
    meaning:
      'right answers to questions, less those that it guesses with a grey picture: (right − grey) / (1 − grey), all kinds alike',
    fields: withInterval('seen'),
    of: ({ seen }) => seen,
  },
  { head: 'questions', fields: ['questions'], of: ({ seen }) => seen?.questions },
  {
    head: 'answered (95 %)',
    meaning: 'steps whose first reply could be read',
    fields: withInterval('answered'),
    of: ({ answered }) => answered,
  },
  { head: 'steps', fields: ['steps'], of: ({ answered }) => answered?.asked },
  { fields: ['lost'], of: ({ answered }) => answered?.lost },
  { fields: ['forced_waits'], of: ({ answered }) => answered?.forcedWaits },
  {
    head: 'refused',
    meaning: 'first replies that were read and refused',
    fields: ['refused'],
    of: ({ answered }) => answered && total(answered.refused),
    text: ({ answered }) => (answered ? ratioText(total(answered.refused), total(answered.tiers)) : '–'),
  },
  ...lostTurns('informed', {
    head: 'lost, informed',
    meaning: 'turns lost per decision after all needed facts had reached the agent, by the search (regret)',
    counts: ['estimated', 'exact', 'lost', 'steps'],
  }),
  ...lostTurns('sighted', {
    head: 'lost to sighted',
    meaning:
      'turns lost per other decision, against the sighted player going on from before and after it; below 0, the decision was better than that of the sighted player',
    counts: ['lost', 'played', 'steps', 'undecided'],
  }),
];

function lostTurns(
  name: 'informed' | 'sighted',
  { counts, ...words }: { head: string; meaning: string; counts: readonly string[] },
): readonly FunnelFigure[] {
  return [
    {
      ...words,
      isInUse: ({ decided }) => decided !== null,
      fields: withInterval(name),
      of: ({ decided }) => decided?.[name],
    },
    ...counts.map((count): FunnelFigure => ({
      fields: [`${name}_${count}`],
      of: ({ decided }) => lookUp(decided?.counts[name], count),
    })),
  ];
}

function figureText({ of, text }: FunnelFigure, row: FunnelTotal): string {
  if (text !== undefined) return text(row);
  const figure = of(row) ?? '–';
  if (typeof figure !== 'object') return typeof figure === 'number' ? whole(figure) : figure;
  return 'mean' in figure ? estimateText(figure, 2) : shareIntervalText(figure.share, figure.interval);
}

/** As many as it has fields. */
function figureValues({ of, fields }: FunnelFigure, row: FunnelTotal): readonly (string | number | null)[] {
  const figure = of(row) ?? null;
  if (figure === null) return fields.map(() => null);
  if (typeof figure !== 'object') return [figure];
  const { low = null, high = null } = figure.interval ?? {};
  return ['mean' in figure ? figure.mean : figure.share, low, high];
}

export function funnelCsv(totals: readonly FunnelTotal[]): string {
  return csvLines([
    FUNNEL_FIGURES.flatMap(({ fields }) => fields),
    ...totals.map((row) => FUNNEL_FIGURES.flatMap((figure) => figureValues(figure, row))),
  ]);
}

export function funnelLatex(totals: readonly FunnelTotal[]): string {
  const caption =
    'How far decisions came. Each figure has its own runs, questions or steps behind it, so they are not averaged.';
  return latexFile([latexFloat(funnelTable(totals), { caption, label: 'tab:funnel' })]);
}

/** Rows of several scenarios name theirs. */
export function funnelTable(totals: readonly FunnelTotal[]): FigureTable<FunnelTotal> {
  const isOne = new Set(totals.map(({ scenario }) => scenario)).size <= 1;
  const rows = isOne
    ? totals
    : totals.map((one) => ({ ...one, players: `${one.scenario} · ${one.players}` }));
  const figures = FUNNEL_FIGURES.flatMap((figure): readonly FigureColumn<FunnelTotal>[] => {
    const { head } = figure;
    return head === undefined ? [] : [{ ...figure, head, of: (row) => figureText(figure, row) }];
  });
  const columns = columnsInUse(figures, rows);
  return {
    columns,
    rows,
    notes: notesOn(rows),
    legend: `${legendOf(columns)} The intervals resample runs (of reached: Wilson’s).`,
  };
}

function nameOf({ players, agent, hasOthers }: FunnelTotal): string {
  return hasOthers ? `${players} · ${agent}` : players;
}

/** What is true of several rows is said once. */
function notesOn(rows: readonly FunnelTotal[]): readonly string[] {
  const all = rows.flatMap((row) => rowNotes(row).map((note) => ({ name: nameOf(row), note })));
  return grouped(all, ({ note }) => note).map((same) => {
    const [{ name, note }] = same;
    if (same.length === 1) return `${name}: ${note}.`;
    const names = same.map((one) => one.name).join('; ');
    return `${same.length === rows.length ? 'each' : `${names} (each)`}: ${note}.`;
  });
}

/** What is behind the figures of a row, and which are not claimed, and why. */
function rowNotes({ reached, seen, unpaired, answered, decided }: FunnelTotal): readonly string[] {
  const words = (counts: NamedCounts): string => countList(Object.entries(counts)) || 'none';
  const notGrey = `${counted(unpaired, 'question')} without an answer to a grey picture (probes.grey)`;
  const { forcedWaits = 0, lost = 0 } = answered ?? {};
  const { informed, sighted } = decided?.counts ?? {};
  const notes = [
    reached === null && 'reached is not known: the scenario names no facts that it needs (measures.facts)',
    seen !== null &&
      `right: ${seen.kinds.map(({ kind, asked, right, greyRight }) => `${kind} ${right} of ${asked}, grey ${greyRight}`).join('; ')}`,
    seen !== null && unpaired > 0 && `seen leaves out ${notGrey}`,
    seen === null && `seen is not known: ${unpaired > 0 ? notGrey : 'no questions were asked (probes)'}`,
    answered !== null &&
      `first replies read: ${words(answered.tiers)}; not read: ${words(answered.problems)}; refused: ${words(answered.refused)}`,
    forcedWaits > 0 && `${counted(forcedWaits, 'WAIT')} forced by unread replies, and no decisions`,
    lost > 0 && `${counted(lost, 'step')} lost to the server`,
    informed &&
      informed.steps > 0 &&
      `lost, informed: ${counted(informed.steps, 'decision')}, ${informed.exact} exact, ${informed.estimated} estimated, ${informed.steps - informed.exact - informed.estimated} not known`,
    sighted === null && 'lost to sighted is not known: the world has no sighted player',
    sighted &&
      `lost to sighted: played on at ${sighted.played} of ${counted(sighted.steps, 'decision')}, ${sighted.undecided} undecided${sighted.undecided > 0 ? ', because it did not win from before them' : ''}`,
  ];
  return notes.filter((note) => typeof note === 'string');
}

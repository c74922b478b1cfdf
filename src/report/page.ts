/**
 * A report as one HTML file that opens from disk, needs no network and runs no script. Names come from
 * scenarios and servers, so all of them are escaped. `page-plot.ts` draws the plots.
 */
import { lookUp } from '../base/look-up.js';
import { amount } from '../base/counted.js';
import type { ReportCell } from './report-cell.js';
import { pairingTexts } from './pairing-text.js';
import type { RunReport } from './report.js';
import { successPlot, turnsPlot } from './plot-bars.js';
import { dotPlot, stackedPlot } from './page-plot.js';
import { fileOf } from './page-file.js';
import { isEnded, playersOf, SUCCESS, isWon } from './run-labels.js';
import { escaped } from './markup.js';
import type { RunMetrics } from './run-metrics.js';
import { textTable } from './figure-table.js';
import type { FigureTable } from './figure-table.js';
import { agentsTable, cellsTable, overviewTable, runsTable } from './figures.js';
import { pairsTable } from './pair-table.js';
import { provenanceTexts } from '../log/provenance.js';
import { total } from '../trajectory/named-counts.js';
import { COUNTS_LEGEND, countsOf, countsText } from './run-counts.js';
import { problemNotes, shortfallTexts, waitsLegend } from './run-notes.js';

/**
 * The whole file; with links to the runs if `view` is the address of their page, relative to the report's
 * folder.
 */
export function pageOf(report: RunReport, view: string | null = null): string {
  const scenarios = [...new Set(report.cells.map(({ scenario }) => scenario))];
  const { overview } = report;
  const isCompared = overview.scenarios.length > 1 || overview.pairs.length > 0;
  const body = [
    `<h1>${scenarios.length === 1 ? escaped(scenarios[0] ?? '') : 'Report'}</h1>`,
    `<p class="lead">${leadOf(report)}</p>`,
    ...(isCompared
      ? [
          '<section>',
          ...(overview.scenarios.length < 2
            ? []
            : [`<h2>All scenarios</h2>${table(overviewTable(overview))}`]),
          ...(overview.pairs.length === 0
            ? []
            : [`<h3>Compared on the same seeds</h3>${table(pairsTable(overview))}`]),
          '</section>',
        ]
      : []),
    ...scenarios.map((scenario) => section(report, scenario, view)),
    `<section><h2>Where these figures come from</h2>${paragraphs(provenanceTexts(report))}</section>`,
    `<details><summary>Every run</summary>${table(runsTable(report.runs))}</details>`,
  ];
  return fileOf('Report', body);
}

/** A player with other settings is another row, not another player. */
function leadOf({ runs, notPlayed }: RunReport): string {
  const ended = runs.filter(isEnded).length;
  const lost = [
    [runs.length - ended, 'unfinished'],
    [notPlayed.length, 'not played'],
  ] as const;
  const lostNote = lost.flatMap(([count, word]) => (count === 0 ? [] : [`, ${count} ${word}`])).join('');
  const players = new Set(runs.map((run) => run.players)).size;
  const settings = new Set(runs.flatMap((run) => run.settings || [])).size;
  const settingsNote = settings < 2 ? '' : ` in ${settings} settings`;
  return `${amount(ended, 'finished run')}${lostNote}, by ${amount(players, 'player')}${settingsNote}. Lines are 95 % confidence intervals; ${COUNTS_LEGEND}.`;
}

function section(report: RunReport, scenario: string, view: string | null): string {
  const cells = report.cells.filter((cell) => cell.scenario === scenario);
  const pairings = pairingTexts(report, scenario).map((text) => `${text}.`);
  const agents = agentsTable(cells);
  const shortfalls = cells.flatMap((cell) =>
    shortfallTexts(cell).map((words) => `${cell.players}: ${words}.`),
  );
  const hasSeveralScenarios = new Set(report.cells.map((cell) => cell.scenario)).size > 1;
  return [
    '<section>',
    ...(hasSeveralScenarios ? [`<h2>${escaped(scenario)}</h2>`] : []),
    dotPlot(successPlot('Success', cells)),
    dotPlot(turnsPlot('Turns to win', cells)),
    endingsPlot(cells),
    errorsPlot(cells),
    problemList(cells),
    shortfalls.length === 0 ? '' : `<h3>Not counted</h3>${list(shortfalls)}`,
    ...(pairings.length === 0 ? [] : [`<h3>On the same seeds</h3>${list(pairings)}`]),
    table(cellsTable(cells, true)),
    ...(agents === null ? [] : [`<h3>By agent</h3>${table(agents)}`]),
    ...(view === null
      ? []
      : [
          runLinks(
            report.runs.filter((run) => run.scenario === scenario),
            view,
          ),
        ]),
    '</section>',
  ].join('\n');
}

const KINDS = [
  { word: 'no answer', of: ({ unanswered }: ReportCell) => total(unanswered) },
  { word: 'not understood', of: ({ unread }: ReportCell) => total(unread) },
  { word: 'refused', of: ({ refused }: ReportCell) => total(refused) },
  { word: 'forced WAITs', of: ({ standIns }: ReportCell) => standIns },
  { word: 'repeated', of: ({ repeated }: ReportCell) => repeated },
] as const;

function errorsPlot(cells: readonly ReportCell[]): string {
  const bars = cells
    .filter(({ steps }) => steps > 0)
    .map((cell) => ({
      name: cell.players,
      note: countsText(countsOf(cell)),
      shares: KINDS.map(({ of }) => (of(cell) / cell.steps) * 100),
    }));
  return stackedPlot('Errors per 100 steps', bars, KINDS);
}

/** The number of ways to end without success that have their own colour. */
const ENDINGS = 5;

/**
 * Success first, always green; then the other ways to end, most frequent first. If all runs ended in the same
 * way, nothing is drawn.
 */
function endingsPlot(cells: readonly ReportCell[]): string {
  const sums = new Map<string, number>();
  for (const cell of cells)
    for (const [ending, times] of Object.entries(allEndings(cell)))
      sums.set(ending, (sums.get(ending) ?? 0) + times);
  if (sums.size < 2) return '';
  const most = [...sums].toSorted(([, a], [, b]) => b - a).map(([ending]) => ending);
  const [won, others] = [most.filter(isSuccess), most.filter((ending) => !isSuccess(ending))];
  const namedEndings = others.slice(0, ENDINGS);
  const groups = [
    ...(won.length === 0
      ? []
      : [{ word: won.length === 1 ? (won[0] ?? '') : 'succeeded', of: won, isSuccess: true }]),
    ...namedEndings.map((word) => ({ word, of: [word] })),
    ...(others.length === namedEndings.length ? [] : [{ word: 'otherwise', of: others.slice(ENDINGS) }]),
  ];
  const stacks = cells.map((cell) => ({
    name: cell.players,
    note: countsText(countsOf(cell)),
    shares: groups.map(({ of }) => {
      const times = total(of.map((one) => lookUp(allEndings(cell), one) ?? 0));
      return (times / total(Object.values(allEndings(cell)))) * 100;
    }),
  }));
  return stackedPlot('How runs ended, per 100 runs', stacks, groups);
}

/** Including runs without a result: a failed server is neither a failure nor a success of its player. */
function allEndings({ endings, unfinished, missing }: ReportCell): ReportCell['endings'] {
  return { ...endings, ...unfinished, ...(missing.length === 0 ? {} : { 'not played': missing.length }) };
}

function isSuccess(ending: string): boolean {
  return ending.startsWith(SUCCESS);
}

/** By problem code, only as text, because there are too many codes for colours. */
function problemList(cells: readonly ReportCell[]): string {
  const lines = cells.flatMap((cell) => {
    const notes = problemNotes(cell);
    return notes.length === 0 ? [] : [`${cell.players}: ${notes.join(' · ')}`];
  });
  const legend = waitsLegend(cells);
  return lines.length === 0
    ? ''
    : `<h3>By problem</h3>${list(lines)}${paragraphs(legend === '' ? [] : [legend])}`;
}

function list(lines: readonly string[]): string {
  return `<ul>${lines.map((line) => `<li>${escaped(line)}</li>`).join('')}</ul>`;
}

function paragraphs(texts: readonly string[]): string {
  return texts.map((text) => `<p class="lead">${escaped(text)}</p>`).join('');
}

/** Text may wrap; figures don't. */
function table<Row>(figureTable: FigureTable<Row>): string {
  const { heads, isText, lines, below } = textTable(figureTable);
  const kind = (column: number): string => (isText[column] === true ? ' class="text"' : '');
  const head = heads.map((word, i) => `<th scope="col"${kind(i)}>${escaped(word)}</th>`).join('');
  const rows = lines.map(([first = '', ...rest]) => {
    const cells = rest.map((text, i) => `<td${kind(i + 1)}>${escaped(text)}</td>`).join('');
    return `<tr><th scope="row" class="text">${escaped(first)}</th>${cells}</tr>`;
  });
  return `<div class="wide"><table><thead><tr>${head}</tr></thead><tbody>${rows.join('')}</tbody></table></div>${paragraphs(below)}`;
}

/**
 * Links to the runs on the page of `view`: a line of seeds for each player. `view`: that page's address
 * relative to the report's folder, as a URL.
 */
function runLinks(runs: readonly RunMetrics[], view: string): string {
  const lines = [...new Set(runs.map(playersOf))].map((name) => {
    const playerRuns = runs.filter((run) => playersOf(run) === name);
    return `<li>${escaped(name)}: ${playerRuns.map((run) => linkOf(run, view)).join(' ')}</li>`;
  });
  return `<h3>Runs by seed</h3><ul class="runs">${lines.join('')}</ul>`;
}

function linkOf(run: RunMetrics, view: string): string {
  const address = `${view}#run=${encodeURIComponent(run.run.toWellFormed())}`;
  const title = `${run.status}: ${run.reason}`;
  return `<a href="${escaped(address)}" title="${escaped(title)}">${escaped(run.seed)}${isWon(run) ? '' : '\u00a0✗'}</a>`;
}

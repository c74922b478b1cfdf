/**
 * A report as one HTML file: opens from disk, needs no network and runs no script. Plots are SVG with the figures as text beside them, so
 * that nothing is told by colour or length alone. Names come from scenarios and servers: all of it is escaped.
 */
import { duration } from '../base/duration.js';
import type { Cell, Report } from './report.js';
import { PAGE_STYLE } from './page-style.js';
import { isEnded, playersOf } from './report.js';
import type { RunFigures } from './run-figures.js';
import {
  cachedWords,
  costWords,
  estimateWords,
  pairingWords,
  percent,
  shareWords,
  successWords,
  tokensWords,
  wastedWords,
  wrongWords,
} from './words.js';

/** The whole file. */
export function pageOf(report: Report): string {
  const scenarios = [...new Set(report.cells.map(({ scenario }) => scenario))];
  const body = [
    `<h1>${scenarios.length === 1 ? escaped(scenarios[0] ?? '') : 'Runs in figures'}</h1>`,
    `<p class="lead">${leadOf(report)}</p>`,
    ...scenarios.map((scenario) => section(report, scenario)),
    runsTable(report.runs),
  ];
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">`,
    '<title>Report · orchestrate</title>',
    `<style>${PAGE_STYLE}</style>`,
    '</head>',
    `<body><main>${body.join('\n')}</main></body>`,
    '</html>\n',
  ].join('\n');
}

function leadOf({ runs, cells }: Report): string {
  const ended = runs.filter(isEnded).length;
  const open = runs.length - ended;
  const players = new Set(cells.map((cell) => cell.players)).size;
  return `${number(ended, 'run')} that came to an end${open === 0 ? '' : `, ${open} that did not`}, by ${number(players, 'player')}. Lines show where the true value lies with 95 % certainty.`;
}

function number(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? '' : 's'}`;
}

function section(report: Report, scenario: string): string {
  const cells = report.cells.filter((cell) => cell.scenario === scenario);
  const pairings = report.pairings.filter((pairing) => pairing.scenario === scenario);
  const several = new Set(report.cells.map((cell) => cell.scenario)).size > 1;
  return [
    '<section>',
    ...(several ? [`<h2>${escaped(scenario)}</h2>`] : []),
    successPlot(cells),
    turnsPlot(cells),
    wrongPlot(cells),
    wrongList(cells),
    ...(pairings.length === 0
      ? []
      : [
          `<h3>On the same seeds</h3><ul>${pairings.map((one) => `<li>${escaped(pairingWords(one))}.</li>`).join('')}</ul>`,
        ]),
    cellsTable(cells),
    '</section>',
  ].join('\n');
}

/** Where a plot's names end and its bars begin and end, in SVG units. */
const [LEFT, RIGHT, WIDTH, ROW] = [200, 560, 720, 30];

interface Bar {
  readonly name: string;
  /** In shares of the plot's width. */
  readonly low: number | null;
  readonly at: number;
  readonly high: number | null;
  readonly words: string;
}

function successPlot(cells: readonly Cell[]): string {
  const bars = cells.flatMap(({ players, success, runs, isTooSmall }): readonly Bar[] => {
    if (success === null) return [];
    const { low, high } = success.interval;
    const words = isTooSmall
      ? `${percent(success.share)} of ${runs}: too few`
      : `${successWords({ success })} of ${runs}`;
    return [{ name: players, low, at: success.share, high, words }];
  });
  return dotPlot('Success', bars, ['0 %', '50 %', '100 %']);
}

function turnsPlot(cells: readonly Cell[]): string {
  const known = cells.flatMap(({ players, turns }) => (turns === null ? [] : [{ players, turns }]));
  const most = roundedUp(Math.max(1, ...known.map(({ turns }) => turns.interval?.high ?? turns.mean)));
  const bars = known.map(({ players, turns }): Bar => {
    const { mean, interval } = turns;
    const words = estimateWords(turns);
    return {
      name: players,
      low: interval === null ? null : interval.low / most,
      at: mean / most,
      high: interval === null ? null : interval.high / most,
      words,
    };
  });
  return dotPlot('Turns to win', bars, marksTo(most));
}

function dotPlot(title: string, bars: readonly Bar[], marks: readonly string[]): string {
  if (bars.length === 0) return '';
  const rows = bars.map(({ name, low, at, high, words }, i) => {
    const y = i * ROW + ROW / 2;
    const line =
      low === null || high === null
        ? ''
        : `<line class="interval" x1="${place(low)}" x2="${place(high)}" y1="${y}" y2="${y}"/>`;
    return `${nameAt(name, y)}${line}<circle class="dot" cx="${place(at)}" cy="${y}" r="6"/>${wordsAt(words, y)}`;
  });
  return plot(title, { rows, marks, height: bars.length * ROW });
}

const KINDS = [
  { word: 'not understood', of: ({ unread }: Cell) => total(unread) },
  { word: 'refused', of: ({ refused }: Cell) => total(refused) },
  { word: 'waits that stood in', of: ({ standIns }: Cell) => standIns },
  { word: 'repeated', of: ({ repeated }: Cell) => repeated },
] as const;

function total(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((sum, times) => sum + times, 0);
}

function wrongPlot(cells: readonly Cell[]): string {
  const played = cells.filter(({ steps }) => steps > 0);
  const shares = played.map((cell) => KINDS.map(({ of }) => (of(cell) / cell.steps) * 100));
  const highest = Math.max(...shares.map((list) => list.reduce((sum, share) => sum + share, 0)), 0);
  if (highest === 0) return '';
  const most = roundedUp(highest);
  const rows = played.map(({ players }, i) => {
    const y = i * ROW + ROW / 2;
    let from = 0;
    const pieces = (shares[i] ?? []).map((share, kind) => {
      const [x, width] = [place(from / most), ((RIGHT - LEFT) * share) / most];
      from += share;
      return width === 0
        ? ''
        : `<rect class="kind${kind}" x="${x}" y="${y - 8}" width="${width.toFixed(1)}" height="16"/>`;
    });
    return `${nameAt(players, y)}${pieces.join('')}${wordsAt((shares[i] ?? []).map((share) => share.toFixed(0)).join(' · '), y)}`;
  });
  const legend = KINDS.map(({ word }, kind) => `<span><i class="kind${kind}"></i>${word}</span>`).join(' ');
  const marks = marksTo(most);
  return `${plot('What went wrong, in 100 steps', { rows, marks, height: played.length * ROW })}<p class="legend">${legend}</p>`;
}

/** By problem code, in words alone: there are too many of them for colours. */
function wrongList(cells: readonly Cell[]): string {
  const lines = cells.flatMap((cell) => {
    const words = [...wrongWords(cell), ...wastedWords(cell)];
    return words.length === 0 ? [] : [`<li>${escaped(`${cell.players}: ${words.join(' · ')}`)}</li>`];
  });
  return lines.length === 0 ? '' : `<h3>By problem</h3><ul>${lines.join('')}</ul>`;
}

/** The next number that halves well: 2, 4, 10, 20, 40, 100 … */
function roundedUp(value: number): number {
  let unit = 1;
  while (unit * 10 < value) unit *= 10;
  return unit * ([1, 2, 4, 10].find((times) => unit * times >= value) ?? 10);
}

function marksTo(most: number): readonly string[] {
  return ['0', String(most / 2), String(most)];
}

interface Plotted {
  readonly rows: readonly string[];
  readonly marks: readonly string[];
  readonly height: number;
}

function plot(title: string, { rows, marks, height }: Plotted): string {
  const axis = marks.map((mark, i) => {
    const x = place(i / (marks.length - 1));
    return `<line class="grid" x1="${x}" x2="${x}" y1="0" y2="${height}"/><text class="mark" x="${x}" y="${height + 16}">${escaped(mark)}</text>`;
  });
  const box = `0 0 ${WIDTH} ${height + 22}`;
  return `<figure><figcaption>${escaped(title)}</figcaption><svg viewBox="${box}" role="img" aria-label="${escaped(title)}">${axis.join('')}${rows.join('')}</svg></figure>`;
}

function place(share: number): string {
  return (LEFT + (RIGHT - LEFT) * share).toFixed(1);
}

/** Longer names are cut in the middle, where names of models differ least. */
const NAME_MAX = 26;

function nameAt(name: string, y: number): string {
  const letters = Array.from(name);
  const half = (NAME_MAX - 1) / 2;
  const shown =
    letters.length <= NAME_MAX
      ? name
      : `${letters.slice(0, Math.ceil(half)).join('')}…${letters.slice(-Math.floor(half)).join('')}`;
  return `<text class="name" x="${LEFT - 12}" y="${y + 4}">${escaped(shown)}<title>${escaped(name)}</title></text>`;
}

function wordsAt(words: string, y: number): string {
  return `<text class="words" x="${RIGHT + 14}" y="${y + 4}">${escaped(words)}</text>`;
}

const HEADS = [
  'players',
  'runs',
  'success (95 %)',
  'turns to win',
  'first try',
  'repeated',
  'heard',
  'tokens',
  'cached',
  'time',
  'cost/success',
];

function cellsTable(cells: readonly Cell[]): string {
  const rows = cells.map((cell) => [
    cell.players,
    cell.open === 0 ? String(cell.runs) : `${cell.runs} + ${cell.open} open`,
    successWords(cell),
    estimateWords(cell.turns),
    shareWords(cell.firstTries, cell.steps),
    shareWords(cell.repeated, cell.steps),
    cell.said === 0 ? '–' : `${cell.said - cell.unheard} of ${cell.said}`,
    tokensWords(cell),
    cachedWords(cell),
    duration(cell.seconds * 1000),
    costWords(cell.costPerSuccess),
  ]);
  return table(HEADS, rows);
}

function runsTable(runs: readonly RunFigures[]): string {
  const heads = ['log', 'run', 'scenario', 'seed', 'players', 'end', 'turns', 'steps'];
  const rows = runs.map((run) => [
    run.log,
    run.run,
    run.scenario,
    run.seed,
    playersOf(run),
    run.status,
    String(run.turns),
    String(run.steps),
  ]);
  return `<details><summary>Every run</summary>${table(heads, rows)}</details>`;
}

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const head = heads.map((word) => `<th scope="col">${escaped(word)}</th>`).join('');
  const lines = rows.map(([first = '', ...rest]) => {
    const cells = rest.map((text) => `<td>${escaped(text)}</td>`).join('');
    return `<tr><th scope="row">${escaped(first)}</th>${cells}</tr>`;
  });
  return `<div class="wide"><table><thead><tr>${head}</tr></thead><tbody>${lines.join('')}</tbody></table></div>`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escaped(text: string): string {
  return text.toWellFormed().replace(/[&<>"']/g, (mark) => ENTITIES[mark] ?? mark);
}

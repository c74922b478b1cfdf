/**
 * What tables say of runs in sentences, the same in terminal and page: which runs don't count and why, how
 * runs ended, and their problems by code.
 */
import { amount, whole } from '../base/counted.js';
import type { NamedCounts } from '../trajectory/named-counts.js';
import { percent } from './figure-text.js';
import type { OverviewRow } from './overview.js';
import type { AgentFigures } from './run-metrics.js';
import type { ReportCell } from './report-cell.js';

/**
 * The reasons why fewer runs count than were planned, or than in other rows of the same scenario, one
 * sentence each; nothing if all count.
 */
export function shortfallTexts({
  open,
  missing,
  decidedAtStart,
  repeats,
  ignoresSeed,
}: ReportCell): readonly string[] {
  const by = (count: number, one: string, several: string): string => (count === 1 ? one : several);
  const seeds = missing.length;
  return [
    open > 0 && `${amount(open, 'run')} did not finish and ${by(open, 'is', 'are')} excluded from success`,
    seeds > 0 &&
      `${amount(seeds, 'run')} ${by(seeds, 'was', 'were')} not played: ${by(seeds, 'seed', 'seeds')} ${listText(missing)}`,
    decidedAtStart.length > 0 && decidedAtStartText(decidedAtStart),
    repeats > 0 &&
      (ignoresSeed
        ? `${repeats + 1} runs, identical step by step: only one distinct run, so no interval`
        : `${amount(repeats, 'run')} ${by(repeats, 'repeats', 'repeat')} another run step by step and ${by(repeats, 'is', 'are')} not counted`),
  ].filter((text) => text !== false);
}

/** Of seeds of one scenario: `2 seeds are won or lost before the first turn: 3, 7`. */
export function decidedAtStartText(seeds: readonly string[]): string {
  const isOne = seeds.length === 1;
  return `${amount(seeds.length, 'seed')} ${isOne ? 'is' : 'are'} won or lost before the first turn, whoever plays: ${listText(seeds)}`;
}

/** The maximum number of shown entries of a list. */
const LISTED = 6;

function listText(all: readonly string[]): string {
  const omitted = all.length - LISTED;
  return `${all.slice(0, LISTED).join(', ')}${omitted > 0 ? ` and ${omitted} more` : ''}`;
}

/**
 * The same for a row of the table over all scenarios, as one sentence, with what its losses could change at
 * most; '' if all of its runs count.
 */
export function rowShortfallText({ counts, cells, mean, leastMean }: OverviewRow): string {
  const { notPlayed, unfinished, repeats } = counts;
  const seedIndependent = cells.filter(({ ignoresSeed }) => ignoresSeed).length;
  const unseeded =
    seedIndependent === 0
      ? ''
      : ` (in ${amount(seedIndependent, 'scenario')} the seed changes nothing, so one run of each counts)`;
  const parts = [
    notPlayed === 0 ? '' : `${notPlayed} not played`,
    unfinished === 0 ? '' : `${unfinished} unfinished`,
    repeats === 0 ? '' : `${repeats} identical to another run${unseeded}`,
  ].filter((part) => part !== '');
  if (parts.length === 0) return '';
  const least =
    mean === null || leastMean === null || leastMean === mean
      ? ''
      : `; if none of the runs without a result had succeeded, the mean would be ${percent(leastMean)}`;
  return `not counted: ${parts.join(', ')}${least}`;
}

/**
 * The requests at which a row's server failed or held the answer back, also where no turn was lost: `3 of 812
 * requests got no answer from the server (crypt 2, vault 1)`; '' if there are none.
 */
export function failedRequestsText({ cells }: OverviewRow): string {
  const sum = (of: (cell: OverviewRow['cells'][number]) => number): number =>
    cells.reduce((total, cell) => total + of(cell), 0);
  const failed = sum(({ failedRequests }) => failedRequests);
  if (failed === 0) return '';
  const places = cells.flatMap(({ scenario, failedRequests }) =>
    failedRequests === 0 ? [] : [`${scenario} ${whole(failedRequests)}`],
  );
  const requests = amount(
    sum((cell) => cell.requests),
    'request',
  );
  return `${whole(failed)} of ${requests} got no answer from the server (${places.join(', ')})`;
}

/** How runs ended, most frequent first: `7 failed: the rat caught Ann`. Limited to `most`. */
export function endingTexts({ endings, unfinished }: ReportCell, most: number): readonly string[] {
  const all = [...Object.entries(endings), ...Object.entries(unfinished)].toSorted(([, a], [, b]) => b - a);
  const omitted = all.slice(most).reduce((sum, [, times]) => sum + times, 0);
  const shown = all.slice(0, most).map(([ending, times]) => `${whole(times)} ${ending}`);
  return omitted === 0 ? shown : [...shown, `${omitted} otherwise`];
}

/** What went wrong in a cell's runs, one text for each kind; nothing for kinds that did not occur. */
export function problemNotes(cell: ReportCell): readonly string[] {
  const { uncontrolled, wasted, replies, alike, runs } = cell;
  return [
    ...problemTexts(cell),
    ...waitTexts(cell),
    // The world waited for agents that no one controlled.
    ...(uncontrolled === 0 ? [] : [`${amount(uncontrolled, 'turn')} without a controller`]),
    ...(wasted === 0 ? [] : [`${amount(wasted, 'speculative call')} discarded, ${whole(replies)} used`]),
    // Their seeds differ, and they still count.
    ...(alike === 0
      ? []
      : [`${alike} of ${amount(runs, 'run')} took the same actions as a run with another seed`]),
  ];
}

/** Unanswered requests, unreadable replies and refused actions, by problem code. */
export function problemTexts(cell: Pick<ReportCell, 'unanswered' | 'unread' | 'refused'>): readonly string[] {
  const kinds = [
    ['no answer', cell.unanswered],
    ['not understood', cell.unread],
    ['refused', cell.refused],
  ] as const;
  return kinds.flatMap(([word, counts]) =>
    Object.keys(counts).length === 0 ? [] : [`${word}: ${countList(Object.entries(counts))}`],
  );
}

/** `8 forced WAITs (3 after refused actions): missing 5, late 2, illegal/blocked 1`, and `untimely intents: late 2`. */
export function waitTexts({
  standIns,
  waits,
  untimely,
  agents,
}: Pick<ReportCell, 'standIns' | 'waits' | 'untimely'> & {
  agents: readonly Pick<AgentFigures, 'standInsRefused'>[];
}): readonly string[] {
  const mostFirst = (counts: NamedCounts) => Object.entries(counts).toSorted(([, a], [, b]) => b - a);
  const ignored = mostFirst(untimely);
  // The codes alone don't tell turns that were lost to the rules from those that were lost to the form.
  const refused = agents.reduce((sum, { standInsRefused }) => sum + standInsRefused, 0);
  const after = refused === 0 ? '' : ` (${whole(refused)} after refused actions)`;
  return [
    ...(standIns === 0 ? [] : [`${amount(standIns, 'forced WAIT')}${after}: ${countList(mostFirst(waits))}`]),
    ...(ignored.length === 0 ? [] : [`untimely intents: ${countList(ignored)}`]),
  ];
}

/** `unparsable 12, late 1`; '' for none. */
export function countList(counts: readonly (readonly [word: string, times: number])[]): string {
  return counts.map(([word, times]) => `${word} ${whole(times)}`).join(', ');
}

const WAITS_LEGEND =
  'forced WAIT: an agent waited because no usable answer came: no intent came (missing), one came after its time (late), or the last attempt had the named problem; untimely intents: intents that came at the wrong time and were ignored.';

/** Explains `waitTexts` for runs that were served; '' for others, whose reasons are only problem codes. */
export function waitsLegend(
  cells: readonly (Pick<ReportCell, 'ticks'> & Parameters<typeof waitTexts>[0])[],
): string {
  return cells.some((cell) => cell.ticks > 0 && waitTexts(cell).length > 0) ? WAITS_LEGEND : '';
}

/**
 * Plots of the report's page: a list with a line for each player: name, bar, figures. Names and figures are
 * page text, which wraps and which a screen reader reads; only bars are SVG, relative to the available width,
 * and they contain nothing that the figures don't. A name that is too long ends in an ellipsis, and its
 * tooltip has the whole name.
 */
import { escaped } from './markup.js';
import { marksTo, roundedUp } from './plot-bars.js';
import type { DotPlot } from './plot-bars.js';

/** Nothing if no bar has a value. */
export function dotPlot({ title, bars, marks }: DotPlot): string {
  if (bars.every(({ at }) => at === null)) return '';
  const lines = bars.map(({ name, low, at, high, words }) => {
    const interval =
      low === null || high === null
        ? ''
        : `<line class="interval" x1="${percentText(low)}" x2="${percentText(high)}" y1="50%" y2="50%"/>`;
    const dot = at === null ? '' : `<circle class="dot" cx="${percentText(at)}" cy="50%" r="6"/>`;
    return lineOf({ name, shapes: `${interval}${dot}`, words, marks });
  });
  return plot(title, lines, marks);
}

/** Values of several kinds, one after the other on a line. */
export interface PlotStack {
  name: string;
  /** One for each kind. */
  shares: readonly number[];
  /** After its figures. */
  note: string;
}

/** The meaning of a segment of a stacked bar. */
export interface StackKind {
  word: string;
  /** The colour for success, which is used for nothing else. */
  isSuccess?: boolean;
}

/** Nothing if all of them are zero. */
export function stackedPlot(
  title: string,
  stacks: readonly PlotStack[],
  kinds: readonly StackKind[],
): string {
  const highest = Math.max(...stacks.map(({ shares }) => shares.reduce((sum, share) => sum + share, 0)), 0);
  if (highest === 0) return '';
  const most = roundedUp(highest);
  const marks = marksTo(most);
  const colours = coloursOf(kinds);
  const lines = stacks.map(({ name, shares, note }) => {
    const words = [...shares.map((share) => share.toFixed(0)), note].join(' · ');
    return lineOf({ name, shapes: segmentsOf(shares, most, colours), words, marks });
  });
  const legend = kinds.map(({ word }, i) => `<span><i class="${colours[i]}"></i>${escaped(word)}</span>`);
  return `${plot(title, lines, marks)}<p class="legend">${legend.join(' ')}</p>`;
}

/** A CSS class for each kind: green for success, numbered for the others. */
function coloursOf(kinds: readonly StackKind[]): readonly string[] {
  let others = 0;
  return kinds.map(({ isSuccess = false }) => (isSuccess ? 'won' : `kind${others++}`));
}

function segmentsOf(shares: readonly number[], most: number, colours: readonly string[]): string {
  let from = 0;
  const pieces = shares.map((share, i) => {
    const [x, width] = [percentText(from / most), percentText(share / most)];
    from += share;
    return share === 0 ? '' : `<rect class="${colours[i]}" x="${x}" y="25%" width="${width}" height="50%"/>`;
  });
  return pieces.join('');
}

interface PlotLine {
  name: string;
  shapes: string;
  words: string;
  marks: readonly string[];
}

function lineOf({ name, shapes, words, marks }: PlotLine): string {
  const grid = marks.map((_, i) => {
    const x = percentText(i / (marks.length - 1));
    return `<line class="grid" x1="${x}" x2="${x}" y1="0" y2="100%"/>`;
  });
  const [label, figures] = [escaped(name), escaped(words)];
  return `<li><span class="name" title="${label}">${label}</span><span class="track"><svg aria-hidden="true">${grid.join('')}${shapes}</svg></span><span class="words">${figures}</span></li>`;
}

function plot(title: string, lines: readonly string[], marks: readonly string[]): string {
  const axis = marks.map((mark) => `<span>${escaped(mark)}</span>`).join('');
  return `<figure><figcaption>${escaped(title)}</figcaption><ul class="plot">${lines.join('')}</ul><p class="axis" aria-hidden="true">${axis}</p></figure>`;
}

function percentText(share: number): string {
  return `${(share * 100).toFixed(2)}%`;
}

/**
 * Plots as a drawing of its own, for a paper: dot plots below one another, with what their figures mean and
 * where they come from. Lengths are in points.
 */
import { oneLine } from '../base/text.js';
import { PLAYERS_MEANING } from './figures.js';
import { meanPlot, successPlot, turnsPlot } from './plot-bars.js';
import type { DotPlot } from './plot-bars.js';
import { provenanceTexts } from '../log/provenance.js';
import type { RunReport } from './report.js';
import { COUNTS_LEGEND } from './run-counts.js';

export type PlotMark =
  | {
      kind: 'text';
      x: number;
      y: number;
      size: number;
      text: string;
      isBold: boolean;
    }
  | {
      kind: 'line';
      x: number;
      y: number;
      toX: number;
      toY: number;
      width: number;
      colour: PlotColour;
    }
  | {
      kind: 'dot';
      x: number;
      y: number;
      radius: number;
      colour: PlotColour;
    };

/** Red, green and blue, from 0 to 255. */
export type PlotColour = readonly [number, number, number];

export interface PlotSheet {
  /** Of its files, without the extension; each sheet has its own. */
  name: string;
  width: number;
  height: number;
  marks: readonly PlotMark[];
}

const INK: PlotColour = [44, 110, 143];
const GRID: PlotColour = [221, 216, 205];

/** The name, the track and the words of a line, from left to right. */
const MARGIN = 14;
const TRACK = 190;
const WORDS = 420;
const WIDTH = 600;
const TRACK_WIDTH = WORDS - TRACK - 20;
const SIZE = 9;
const LINE = 12;
const SMALL = { size: 7, line: 9 } as const;

/** One sheet over all scenarios, if there are several, and one for each scenario. */
export function plotSheets(report: RunReport): readonly PlotSheet[] {
  const { cells, overview } = report;
  const scenarios = [...new Set(cells.map(({ scenario }) => scenario))];
  const ofScenario = (name: string) => cells.filter(({ scenario }) => scenario === name);
  const all = [
    ...overview.scenarios.map((name) => successPlot(`Success: ${name}`, ofScenario(name))),
    meanPlot('Success: mean of the scenarios', overview.rows),
  ];
  return [
    ...(overview.scenarios.length < 2 ? [] : [sheetOf('all-scenarios', all, report)]),
    ...scenarios.map((name, i) =>
      sheetOf(
        fileNameOf(name, i),
        [successPlot(`Success: ${name}`, ofScenario(name)), turnsPlot('Turns to win', ofScenario(name))],
        report,
      ),
    ),
  ];
}

/** Scenarios have any names: a path, or one that differs from another only in case. */
function fileNameOf(scenario: string, index: number): string {
  return `${String(index + 1).padStart(2, '0')}-${scenario.replace(/[^\p{L}\p{N}_-]+/gu, '-').slice(0, 60)}`;
}

function sheetOf(name: string, plots: readonly DotPlot[], report: RunReport): PlotSheet {
  const marks: PlotMark[] = [];
  let y = MARGIN;
  const write = (
    x: number,
    text: string,
    { size, isBold = false }: { size: number; isBold?: boolean },
  ): void => {
    marks.push({ kind: 'text', x, y, size, text, isBold });
  };
  for (const { title, bars, marks: labels } of plots) {
    y += LINE;
    write(MARGIN, oneLine(title), { size: SIZE + 1, isBold: true });
    y += LINE / 2;
    const top = y;
    for (const { name: player, low, at, high, words } of bars) {
      const names = linesOf(player, TRACK - MARGIN - 10, SIZE);
      const texts = wordLines(words);
      const middle = y + LINE / 2 + 3;
      if (low !== null && high !== null)
        marks.push({
          kind: 'line',
          x: trackX(low),
          y: middle,
          toX: trackX(high),
          toY: middle,
          width: 2,
          colour: INK,
        });
      if (at !== null) marks.push({ kind: 'dot', x: trackX(at), y: middle, radius: 3.2, colour: INK });
      const first = y;
      for (const [i, line] of names.entries()) {
        y = first + (i + 1) * LINE;
        write(MARGIN, line, { size: SIZE });
      }
      for (const [i, line] of texts.entries()) {
        y = first + (i + 1) * LINE;
        write(WORDS, line, { size: SIZE });
      }
      y = first + Math.max(names.length, texts.length) * LINE + 3;
    }
    const grid = labels.map((_, i): PlotMark => {
      const x = trackX(i / (labels.length - 1));
      return { kind: 'line', x, y: top, toX: x, toY: y, width: 0.5, colour: GRID };
    });
    // Below everything that was drawn before.
    marks.unshift(...grid);
    y += SMALL.line;
    for (const [i, label] of labels.entries())
      write(trackX(i / (labels.length - 1)) - (label.length * SMALL.size) / 4, label, { size: SMALL.size });
  }
  y += LINE;
  const notes = [
    `Dots: the figure; lines: its 95 % interval. ${[...new Set(plots.map(({ meaning }) => meaning))].join('; ')}. ${COUNTS_LEGEND}. ${PLAYERS_MEANING}.`,
    ...provenanceTexts(report),
  ];
  for (const line of notes.flatMap((note) => linesOf(note, WIDTH - 2 * MARGIN, SMALL.size))) {
    y += SMALL.line;
    write(MARGIN, line, { size: SMALL.size });
  }
  return { name, width: WIDTH, height: y + MARGIN, marks };
}

/** A length as files have it. */
export function rounded(length: number): string {
  return String(Math.round(length * 100) / 100);
}

function trackX(share: number): number {
  return TRACK + share * TRACK_WIDTH;
}

/** On one line, or each part on its own, so that counts of runs stay together. */
function wordLines(words: string): readonly string[] {
  const width = WIDTH - WORDS - MARGIN;
  const lines = linesOf(words, width, SIZE);
  return lines.length === 1 ? lines : words.split(' · ').flatMap((part) => linesOf(part, width, SIZE));
}

/** An average letter of Helvetica is half as wide as high; characters of East Asia are as wide as high. */
const EAST_ASIA = 0x2e80;

/** At spaces; a word that is too long is broken. Nothing is left out. */
function linesOf(text: string, width: number, size: number): readonly string[] {
  const widthOf = (letters: readonly string[]): number =>
    letters.reduce((sum, letter) => sum + ((letter.codePointAt(0) ?? 0) < EAST_ASIA ? 0.54 : 1) * size, 0);
  const lines: string[][] = [[]];
  for (const word of oneLine(text)
    .split(' ')
    .map((one) => Array.from(one))) {
    const last = lines.at(-1) ?? [];
    const spaced = last.length === 0 ? word : [' ', ...word];
    if (widthOf([...last, ...spaced]) <= width) {
      last.push(...spaced);
      continue;
    }
    if (last.length > 0) lines.push([]);
    for (const letter of word) {
      if (widthOf([...(lines.at(-1) ?? []), letter]) > width) lines.push([]);
      lines.at(-1)?.push(letter);
    }
  }
  return lines.map((letters) => letters.join(''));
}

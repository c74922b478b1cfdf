/**
 * Counts the rows of an export while they are written: by split, scenario, model, agent and outcome, and
 * their tokens by model family.
 */
import { counted } from '../base/counted.js';
import { compareText } from '../base/ids.js';
import { FAMILIES, frameTokens } from '../model/frame-tokens.js';
import type { ModelFamily } from '../model/frame-tokens.js';
import type { PickedRun } from './picked-runs.js';
import type { ImageSize } from './pictures.js';
import type { ExportRow } from './row.js';
import { textUnits } from './prompt-turn.js';
import { rowKind } from './row-kinds.js';
import type { RowUnit } from './row-kinds.js';
import { DUPLICATE } from './rows.js';

export interface RowCount {
  name: string;
  rows: number;
}

export interface SplitCount extends RowCount {
  runs: number;
  pictures: number;
}

export interface FamilyTokens {
  family: ModelFamily;
  /** Tokens of the pictures, by the family's own rules. */
  pictures: number;
  /** With the texts, at about four characters per token. */
  all: number;
}

const CHARACTERS_PER_TOKEN = 4;

export class ExportTally {
  rows = 0;
  /** Positions of pictures in rows. */
  pictures = 0;
  duplicates = 0;
  /** Answers that were written in the protocol's own form, because they were read with decoration. */
  restated = 0;
  /** What a row is. */
  readonly unit: RowUnit;
  /** Rows that were left out because they have no picture and the format needs one. */
  unpictured = 0;
  /** UTF-16 units: counting code points would take longer and make the estimate no better. */
  #textUnits = 0;
  readonly #splits = new Map<string, { rows: number; pictures: number; runs: Set<string> }>();
  readonly #runs = new Set<string>();
  readonly #groups = new Set<string>();
  readonly #traces = new Set<string>();
  readonly #sharedRows = new Set<string>();
  readonly #leftOut = new Map<string, number>();
  readonly #counts = new Map<string, Map<string, number>>();
  readonly #sizes = new Map<string, number>();

  /**
   * `splits`: the names of the requested splits. Texts are counted only for units whose rows have messages.
   */
  constructor(unit: RowUnit, splits: readonly string[]) {
    for (const name of splits) this.#splits.set(name, { rows: 0, pictures: 0, runs: new Set() });
    this.unit = unit;
  }

  /** The number of rows with contents of another split, kept or left out. */
  get shared(): number {
    return this.#sharedRows.size;
  }

  addShared(row: ExportRow): void {
    this.#sharedRows.add(rowKind(this.unit).isTrace ? traceName(row) : String(this.#sharedRows.size));
  }

  /**
   * Counts a row, or what continues one: only the first sample of a trace is another row. `pictures`: the
   * sizes of its pictures as they were written.
   */
  add(split: string, row: ExportRow, pictures: readonly ImageSize[]): void {
    const { run, sample, probe } = row;
    const { hasMessages, isTrace } = rowKind(this.unit);
    this.pictures += pictures.length;
    if (sample.target.text !== sample.answer.text) this.restated += 1;
    const isContinued = isTrace && this.#traces.has(traceName(row));
    if (hasMessages) {
      const { messages } = sample.prompt();
      // A trace has the rules once.
      const told = isContinued ? messages.filter(({ role }) => role !== 'system') : messages;
      this.#textUnits += textUnits(told) + sample.target.text.length;
    }
    for (const { width, height } of pictures) {
      const size = `${width}x${height}`;
      this.#sizes.set(size, (this.#sizes.get(size) ?? 0) + 1);
    }
    const counts = this.#splits.get(split) ?? { rows: 0, pictures: 0, runs: new Set<string>() };
    this.#splits.set(split, counts);
    counts.pictures += pictures.length;
    if (isContinued) return;
    this.#traces.add(traceName(row));
    this.rows += 1;
    counts.rows += 1;
    counts.runs.add(run.ordinal);
    this.#runs.add(run.ordinal);
    this.#groups.add(run.group);
    this.#count('scenarios', sample.scenario);
    this.#count('players', sample.player);
    if (sample.lineup !== null) this.#count('lineups', sample.lineup);
    if (sample.model !== null) this.#count('models', sample.model);
    this.#count('agents', sample.agent);
    this.#count('outcomes', sample.outcome.status);
    if (probe !== null) this.#count('answers', `${probe.kind}: ${probe.expected}`);
  }

  /** Counts rows that were left out. */
  skip(reason: string, rows: number): void {
    if (reason === DUPLICATE) this.duplicates += rows;
    else this.#leftOut.set(reason, (this.#leftOut.get(reason) ?? 0) + rows);
  }

  /**
   * Replies that were left out because they were not understood or not carried out, by the code of their
   * problem; the most frequent first.
   */
  get leftOut(): readonly RowCount[] {
    return inOrder(this.#leftOut);
  }

  /** Counts a run whose rows are not those of samples. */
  addRun({ ordinal, summary }: PickedRun): void {
    this.#runs.add(ordinal);
    this.#count('scenarios', summary.name);
    this.#count('outcomes', summary.status);
  }

  /** The number of groups with rows; no split may separate a group. */
  get groups(): number {
    return this.#groups.size;
  }

  /** In the order in which they were requested. */
  get splits(): readonly SplitCount[] {
    return [...this.#splits].map(([name, { rows, pictures, runs }]) => ({
      name,
      rows,
      pictures,
      runs: runs.size,
    }));
  }

  /** Whether rows of the run are exported. */
  hasRun(ordinal: string): boolean {
    return this.#runs.has(ordinal);
  }

  /** "3 runs", or "2 of 3 runs" if rows of only some of them are exported. */
  describeRuns(all: number): string {
    const exported = this.#runs.size;
    return exported === 0 || exported === all ? counted(all, 'run') : `${exported} of ${counted(all, 'run')}`;
  }

  /** The most frequent first. */
  countsBy(
    kind: 'scenarios' | 'players' | 'lineups' | 'models' | 'agents' | 'outcomes' | 'answers',
  ): readonly RowCount[] {
    return inOrder(this.#counts.get(kind) ?? new Map());
  }

  get tokens(): readonly FamilyTokens[] {
    return FAMILIES.map((family) => {
      let pictures = 0;
      for (const [size, count] of this.#sizes) {
        const [width = 1, height = 1] = size.split('x').map(Number);
        pictures += count * frameTokens(family, width, height);
      }
      return { family, pictures, all: pictures + Math.ceil(this.#textUnits / CHARACTERS_PER_TOKEN) };
    });
  }

  #count(kind: string, name: string): void {
    const counts = this.#counts.get(kind) ?? new Map<string, number>();
    this.#counts.set(kind, counts);
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
}

/** What all samples of one trace have in common, and no others. */
function traceName({ run, sample }: ExportRow): string {
  return `${run.ordinal} ${sample.agent}`;
}

/** The most frequent first. */
function inOrder(counts: ReadonlyMap<string, number>): readonly RowCount[] {
  return [...counts]
    .map(([name, rows]) => ({ name, rows }))
    .sort((a, b) => b.rows - a.rows || compareText(a.name, b.name));
}

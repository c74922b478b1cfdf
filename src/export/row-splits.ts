/**
 * Assigns each row to a split, and detects leakage between splits: a picture that a model is trained on must
 * not occur in the test split. A picture (or an observation, if no picture was sent) belongs to the split of
 * the first row that shows it. Memory: 128 bits per picture or observation.
 */
import { assert } from '../base/assert.js';
import { sha256 } from '../base/canonical.js';
import { Fingerprints, shownFingerprints } from './fingerprints.js';
import type { PickedRun } from './picked-runs.js';
import { assignSplits } from './splits.js';
import type { DataSplit } from './splits.js';
import type { ExportSample } from './sample.js';

/**
 * What a split never separates: runs of one scenario and seed, all runs of a scenario, or rows with the same
 * picture or observation.
 */
export const SPLIT_BY = ['seed', 'scenario', 'image'] as const;
export type SplitBy = (typeof SPLIT_BY)[number];

export interface SplitSettings {
  splits: readonly DataSplit[];
  splitBy: SplitBy;
  seed: string | null;
}

export interface RowSplit {
  split: string;
  /** Whether another split has a picture or the observation of the row. */
  isShared: boolean;
}

export class RowSplits {
  readonly #settings: SplitSettings;
  readonly #splitOfRun: ReadonlyMap<string, string>;
  readonly #shownIn = new Map<string, Fingerprints>();

  constructor(runs: readonly PickedRun[], settings: SplitSettings, isWanted: (run: PickedRun) => boolean) {
    const { splits, splitBy, seed } = settings;
    this.#settings = settings;
    const grouped = splitBy === 'scenario' ? runs.map((run) => ({ ...run, group: run.scenarioGroup })) : runs;
    this.#splitOfRun = assignSplits(grouped, splits, seed ?? '0', isWanted);
    for (const { name } of splits) this.#shownIn.set(name, new Fingerprints());
  }

  assign(run: PickedRun, sample: ExportSample): RowSplit {
    const { splits, splitBy } = this.#settings;
    const runSplit = this.#splitOfRun.get(run.ordinal);
    assert(runSplit !== undefined, 'every run must have a split');
    if (splits.length === 1) return { split: runSplit, isShared: false };
    const prints = shownFingerprints(sample);
    const split = splitBy === 'image' ? this.#splitOfPicture(prints.at(-1)?.join() ?? '') : runSplit;
    const others = [...this.#shownIn].filter(([name]) => name !== split).map(([, seen]) => seen);
    return { split, isShared: prints.some((print) => others.some((seen) => seen.has(print))) };
  }

  /** Records that the row is exported: its contents belong to its split from now on. */
  record(split: string, sample: ExportSample): void {
    if (this.#settings.splits.length === 1) return;
    for (const print of shownFingerprints(sample)) this.#shownIn.get(split)?.add(print);
  }

  /** The split that follows from the picture and the seed alone, whatever else is exported. */
  #splitOfPicture(print: string): string {
    const { splits, seed } = this.#settings;
    const digits = sha256(`orchestrate-split-image-v1\n${seed ?? '0'}\n${print}`).slice(0, 13);
    let remaining = (parseInt(digits, 16) / 16 ** 13) * splits.reduce((sum, { share }) => sum + share, 0);
    const found = splits.find(({ share }) => (remaining -= share) < 0) ?? splits.at(-1);
    return found?.name ?? '';
  }
}

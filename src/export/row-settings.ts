/**
 * The settings for the rows of an export, as plain data: which rows, how much each contains, and how many.
 */
import type { SampleFilter } from './filter.js';
import type { History } from './history.js';
import type { Words } from './questions.js';
import type { RowUnit } from './row-kinds.js';

/** What a row contains. */
export interface RowSettings {
  selection: SampleFilter;
  history: History;
  duplicates: 'drop' | 'keep';
  /** Whether answers that were not understood or not carried out make rows too. */
  all: boolean;
  /** Whether a training target is the answer as received, instead of in the protocol's own form. */
  verbatim: boolean;
  /** Texts to hide, ignoring case. */
  redact: readonly string[];
  /** Maximum number of rows; null if there is no maximum. */
  limit: number | null;
  /** The seed for choosing these rows; null for the first ones. */
  seed: string | null;
  unit: RowUnit;
  /** Maximum number of questions per moment, if rows are questions. */
  questions: number;
  /** Whether the turn's text is included. */
  words: Words;
  /**
   * Maximum number of steps per search for the cost of a step; null for no search, in which case no costs are
   * known.
   */
  effort: number | null;
  /**
   * The number of finished runs with each answer of a pair that are needed before their outcomes say which is
   * better.
   */
  rollouts: number;
}

/**
 * A row of a data set, from the log that it is read from to the file that a format writes. Whatever is costly
 * to read is a function of its sample and of the pictures there, which are encoded by the format that writes
 * them.
 */
import type { PairReason, Rollouts } from './better.js';
import type { Fingerprint } from './fingerprints.js';
import type { PickedRun } from './picked-runs.js';
import type { NumberedProbe, QuestionPools } from './questions.js';
import type { ExportSample } from './sample.js';

export interface ExportRow {
  run: PickedRun;
  sample: ExportSample;
  /** In a row that is a pair, the worse answer; the sample's is the better one. Otherwise null. */
  rejected: RejectedAnswer | null;
  /** What may be asked about the sample's moment, until questions are chosen. Otherwise null. */
  pools: QuestionPools | null;
  /** In a row that is a question, what its sample asks. Otherwise null. */
  probe: NumberedProbe | null;
  /** Identifies duplicates; null if duplicates are kept, or until a question is chosen. */
  fingerprint: Fingerprint | null;
}

/** The worse of two answers to one request. */
export interface RejectedAnswer {
  sample: ExportSample;
  /** Why the other one is better. */
  because: PairReason | 'correction';
  /** The runs that gave each of the two answers to this request. */
  rollouts: { chosen: Rollouts; rejected: Rollouts };
}

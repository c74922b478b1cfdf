/** What an export tells when it is done: for the manifest, the data card and people. */
import type { DataFile } from './format.js';
import type { Inputs } from './inputs.js';
import type { ExportTally } from './tally.js';

export interface ExportReport {
  readonly format: string;
  readonly inputs: Inputs;
  readonly tally: ExportTally;
  readonly files: readonly DataFile[];
  readonly images: { readonly files: number; readonly bytes: number };
  /** Of all data files and pictures. */
  readonly bytes: number;
}

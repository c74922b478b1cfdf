/** The result of an export, for the manifest, the data card and people. */
import type { DataFile } from './format.js';
import type { ExportInputs } from './inputs.js';
import type { SplitSettings } from './row-splits.js';
import type { ExportTally } from './tally.js';

/** The keys by which the report groups splits. */
export type SplitChoice = Pick<SplitSettings, 'splitBy'> & { readonly shared: 'drop' | 'keep' };

export interface ExportReport {
  readonly format: string;
  readonly inputs: ExportInputs;
  readonly settings: SplitChoice;
  readonly tally: ExportTally;
  readonly files: readonly DataFile[];
  readonly images: { readonly files: number; readonly bytes: number };
  /** Bytes of all data files and pictures. */
  readonly bytes: number;
}

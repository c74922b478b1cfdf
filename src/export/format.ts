/**
 * The contract of an export format, which turns rows into files. It writes to the
 * target and knows nothing about logs, filters or splits.
 */
import type { Feature } from './features.js';
import type { ImagesFolder } from './images-folder.js';
import type { PictureEncoder } from './pictures.js';
import type { ExportRow } from './row.js';
import type { RowUnit } from './row-kinds.js';
import type { ExportTarget, WrittenFile } from './target.js';

/** What a format needs to write the rows of one split. */
export interface FormatContext {
  split: string;
  target: ExportTarget;
  /** Writes pictures as separate files, each once. */
  images: ImagesFolder;
  /** Numbers of names, from 1 in the order of their first use: the same in all splits. */
  numbers: NameNumbers;
  /** The licences of the art, from the tilesets; sorted. */
  licences: readonly string[];
  /** Makes the pictures of samples as they are written. */
  encoder: PictureEncoder;
  /** Rows in one file, for a format that writes several. */
  shardRows: number;
  /** Whether some of the exported agents call tools natively. */
  hasToolCalls: boolean;
}

export type NameNumbers = Map<string, number>;

/** A data file of a split, and the number of its rows. */
export interface DataFile extends WrittenFile {
  rows: number;
}

export interface SplitWriter {
  add(row: ExportRow): Promise<void>;
  /** Ends the writing; returns the files that were written. */
  end(): Promise<readonly DataFile[]>;
}

export interface ExportFormat {
  name: string;
  about: string;
  /** Whether rows without a picture are left out. */
  needsPicture: boolean;
  /** Whether rows from a world without a map are left out. */
  needsScene?: boolean;
  /** Whether a row contains the events after the reply. */
  includesEvents?: boolean;
  /** What a row is; by default a reply. */
  unit?: RowUnit;
  /** The path below the folder at which the hub's reader finds the rows of a split. */
  dataFiles: (split: string) => string;
  /**
   * The types of a row's columns, or those of each member of `members` by its name; absent if they are not
   * the same in all rows.
   */
  features?: readonly Feature[] | Readonly<Record<string, readonly Feature[]>>;
  /** Whether messages in the columns hold native tool calls where there are any (`withToolCalls`). */
  hasMessages?: boolean;
  /** Whether its files hold native tool calls, though not in typed columns. */
  hasCalls?: boolean;
  /** How to open the data, for people who find it on the hub; the card has it below the command that uploads it. */
  upload?: readonly string[];
  /** Further settings for the hub's reader, if any. */
  readerSettings?: Readonly<Record<string, boolean>>;
  /**
   * The members of the file's one JSON object that hold rows: to the hub, each is a table. Absent if the
   * whole file is one table.
   */
  members?: readonly string[];
  open(context: FormatContext): SplitWriter;
  /** Writes files next to the splits that have rows, after these; absent if there are none. */
  writeCompanionFiles?(target: ExportTarget, splits: readonly string[]): void;
}

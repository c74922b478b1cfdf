/**
 * What a format is: how rows become files. A format gets each row with its sample (the logged observation and its scene are in it) and its
 * pictures, whose bytes are made only where they are asked for; it writes to the target and knows nothing of logs, filters or splits.
 */
import type { Feature } from './features.js';
import type { ImagesFolder } from './images-folder.js';
import type { PreferencePair } from './pairs.js';
import type { RowPicture } from './pictures.js';
import type { NumberedProbe } from './questions.js';
import type { Unit } from './row-wishes.js';
import type { ExportSample } from './sample.js';
import type { ExportTarget, WrittenFile } from './target.js';

/** A sample on its way to a file. */
export interface ExportRow {
  readonly sample: ExportSample;
  /** For a paired format: the other reply; else null. */
  readonly pair: PreferencePair | null;
  /** Of a format of questions: what the sample's messages ask; else null. */
  readonly asked: NumberedProbe | null;
  readonly pictures: readonly RowPicture[];
}

export interface FormatOptions {
  /** Rows in one file, where a format writes several. */
  readonly shardRows: number;
  /** `png` or `webp`. */
  readonly ending: string;
}

/** What a format writes the rows of one split with. */
export interface FormatContext {
  readonly split: string;
  readonly target: ExportTarget;
  /** Pictures as files of their own, each once. */
  readonly images: ImagesFolder;
  /** Numbers of names, from 1 in the order of their first use: the same in all splits. */
  readonly numbers: NameNumbers;
  /** Of the art, as stated by the tilesets; sorted. */
  readonly licences: readonly string[];
  readonly options: FormatOptions;
}

export type NameNumbers = Map<string, number>;

/** A data file of a split, and the rows in it. */
export interface DataFile extends WrittenFile {
  readonly rows: number;
}

export interface SplitWriter {
  add(row: ExportRow): Promise<void>;
  /** The files that it wrote. */
  end(): Promise<readonly DataFile[]>;
}

export interface ExportFormat {
  readonly name: string;
  readonly about: string;
  /** Whether rows without a picture have no place in it. */
  readonly needsPicture: boolean;
  /** Whether rows of a world without a map have no place in it. */
  readonly needsScene?: boolean;
  /** Whether a row tells what happened upon the reply. */
  readonly tellsEvents?: boolean;
  /** What a row is; a reply where it isn't said. */
  readonly unit?: Unit;
  /** Where the hub's reader finds the rows of a split, below the folder. */
  readonly dataFiles: (split: string) => string;
  /** The types of a row's columns, of each member of `members` by its name; absent if they are not the same in all rows. */
  readonly features?: readonly Feature[] | Readonly<Record<string, readonly Feature[]>>;
  /** Further settings for the hub's reader; absent for none. */
  readonly readWith?: Readonly<Record<string, boolean>>;
  /** Members of the data file's one object that hold rows: each is a table of its own to the hub. Absent: all of it is one. */
  readonly members?: readonly string[];
  open(context: FormatContext): SplitWriter;
  /** Files beside the splits that have rows, written last; absent for none. */
  beside?(target: ExportTarget, splits: readonly string[]): void;
}

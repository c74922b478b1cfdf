/**
 * A Parquet file, written row group by row group, so that memory holds one group at any length of the file. A
 * value that repeats within a group (a picture in many rows) is stored once.
 */
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import type { ColumnSource, SchemaElement } from 'hyparquet-writer';
import { lookUp } from '../base/look-up.js';
import type { TargetFile, WrittenFile } from './target.js';

export interface ParquetColumn {
  name: string;
  /** The column's schema element and those below it, in order. */
  schema: readonly SchemaElement[];
  /** Whether the bytes are already compressed. */
  isPacked?: boolean;
}

export type ParquetRow = Readonly<Record<string, unknown>>;

/** A group ends at whichever limit is reached first. */
const GROUP_ROWS = 512;
const GROUP_BYTES = 8_000_000;

export class ParquetFile {
  readonly #file: TargetFile;
  readonly #columns: readonly ParquetColumn[];
  readonly #bytes = new ByteWriter();
  readonly #writer: ParquetWriter;
  #rows: ParquetRow[] = [];
  #pendingBytes = 0;

  constructor(
    file: TargetFile,
    columns: readonly ParquetColumn[],
    metadata: Readonly<Record<string, string>> = {},
  ) {
    this.#file = file;
    this.#columns = columns;
    this.#writer = new ParquetWriter({
      writer: this.#bytes,
      schema: [
        { name: 'root', num_children: columns.length },
        ...columns.flatMap(({ schema }) => [...schema]),
      ],
      kvMetadata: Object.entries(metadata).map(([key, value]) => ({ key, value })),
      createdBy: 'orchestrate',
    });
  }

  /** `bytes` is roughly the size of the row. */
  add(row: ParquetRow, bytes: number): void {
    this.#rows.push(row);
    this.#pendingBytes += bytes;
    if (this.#rows.length >= GROUP_ROWS || this.#pendingBytes >= GROUP_BYTES) this.#writeGroup();
  }

  keep(): WrittenFile {
    this.#writeGroup();
    void this.#writer.finish();
    this.#flush();
    return this.#file.keep();
  }

  #writeGroup(): void {
    const rows = this.#rows;
    if (rows.length === 0) return;
    const columnData = this.#columns.map(({ name, isPacked = false }): ColumnSource => ({
      name,
      data: rows.map((row) => lookUp(row, name) ?? null),
      ...(isPacked ? { codec: 'UNCOMPRESSED', statistics: false } : {}),
    }));
    // The bytes go to memory, so there is nothing to wait for.
    void this.#writer.write({ columnData, rowGroupSize: rows.length });
    this.#rows = [];
    this.#pendingBytes = 0;
    this.#flush();
  }

  #flush(): void {
    this.#file.write(this.#bytes.getBytes().slice());
    this.#bytes.index = 0;
  }
}

type Repetition = 'REQUIRED' | 'OPTIONAL';

export function textColumn(name: string, repetition: Repetition = 'OPTIONAL'): SchemaElement {
  return { name, type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: repetition };
}

/** A column whose values are BigInts. */
export function integerColumn(name: string, repetition: Repetition = 'OPTIONAL'): SchemaElement {
  return { name, type: 'INT64', repetition_type: repetition };
}

export function booleanColumn(name: string, repetition: Repetition = 'OPTIONAL'): SchemaElement {
  return { name, type: 'BOOLEAN', repetition_type: repetition };
}

export function numberColumn(name: string): SchemaElement {
  return { name, type: 'DOUBLE', repetition_type: 'OPTIONAL' };
}

export function bytesColumn(name: string): SchemaElement {
  return { name, type: 'BYTE_ARRAY', repetition_type: 'OPTIONAL' };
}

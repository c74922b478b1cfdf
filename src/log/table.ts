/**
 * What follows from a table's columns: its SQL in every version, the checks of a row's values and of its JSON,
 * the row's hash, and the way from a record to a row and back.
 */
import { known } from '../base/assert.js';
import { sha256 } from '../base/canonical.js';
import { isRecord } from '../base/json.js';
import { damaged } from './damaged.js';
import type { RowValues } from './row-values.js';
import { snakeCase } from '../trajectory/column-kinds.js';
import type { Column, ColumnGroup, Columns, RecordOf, RowWith } from '../trajectory/column-kinds.js';

export type SqlValue = string | number | null;

/**
 * Logs of versions 1 to 4 have the tables of version 1 and what was added to them, also after an upgrade;
 * later ones those of version 5.
 */
export type BaseVersion = 1 | 5;
export const NEWEST_BASE: BaseVersion = 5;

export interface TableOptions {
  /** The version of the log that added it; 1 by default. */
  since?: number;
  /** Columns of the primary key, in whose order the rows are stored unless `hasRowNumbers`. */
  key?: string;
  hasRowNumbers?: true;
  constraints?: readonly string[];
  /** Of the tables of version 1, if they are others. */
  firstConstraints?: readonly string[];
}

/** A column with its place in records. */
interface Mapping {
  name: string;
  column: Column;
  since: number;
  /** The record's field. */
  field: string;
  /** Of a column of a group: the field within that field. */
  inner: string | null;
}

export type RowOf<T> = T extends Table<infer C> ? RowWith<C> : never;

type Values = Readonly<Record<string, unknown>>;

export class Table<C extends Columns> {
  readonly name: string;
  /** The newest version of the log that added the table or a column. */
  readonly newest: number;
  /** With a value for each column, in their order. */
  readonly insert: string;
  readonly #since: number;
  readonly #options: TableOptions;
  readonly #mappings: readonly Mapping[];
  readonly #hashed: readonly string[];
  readonly #groups = new Map<string, string[]>();

  constructor(name: string, columns: C, options: TableOptions = {}) {
    const { since = 1 } = options;
    this.name = name;
    this.#since = since;
    this.#options = options;
    const mapping = (field: string, inner: string | null, column: Column): Mapping => ({
      name: column.name ?? snakeCase(inner ?? field),
      column,
      since: column.since ?? since,
      field,
      inner,
    });
    this.#mappings = Object.entries<Column | ColumnGroup<object>>(columns).flatMap(([field, column]) =>
      'columns' in column
        ? Object.entries(column.columns as Readonly<Record<string, Column>>).map(([inner, one]) =>
            mapping(field, inner, one),
          )
        : [mapping(field, null, column)],
    );
    this.newest = Math.max(...this.#mappings.map((one) => one.since));
    const names = this.#mappings.map((one) => one.name);
    this.insert = `INSERT INTO ${name} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`;
    const hashed = this.#mappings.filter(({ column }) => column.isHashed ?? true);
    this.#hashed = hashed.filter(({ column }) => column.group === undefined).map((one) => one.name);
    for (const { name: key, column } of hashed) {
      if (column.group === undefined) continue;
      this.#groups.set(column.group, [...(this.#groups.get(column.group) ?? []), key]);
    }
  }

  /** What a version adds to a log that began with the tables of `base`: the table, or columns of it. */
  ddl(version: number, base: BaseVersion): readonly string[] {
    if (Math.max(this.#since, base) === version) {
      const { key, hasRowNumbers, constraints = [], firstConstraints = constraints } = this.#options;
      const lines = this.#mappings
        .filter(({ since }) => since <= version)
        .map(({ name, column }) => columnSql(name, column, base));
      const keys = key === undefined ? [] : [`PRIMARY KEY (${key})`];
      const ends = base === 1 ? [...keys, ...firstConstraints] : [...constraints, ...keys];
      const words = [
        ...(base === 1 ? ['STRICT'] : []),
        ...(key === undefined || hasRowNumbers ? [] : ['WITHOUT ROWID']),
      ];
      const create = `CREATE TABLE ${this.name} (\n  ${[...lines, ...ends].join(',\n  ')}\n)`;
      return [[create, words.join(', ')].filter((part) => part !== '').join(' ')];
    }
    // Without a CHECK, for which SQLite would read all rows that are there; `check` tests the value anyway.
    return this.#mappings
      .filter(({ since }) => since === version && version > base && this.#since < version)
      .map(({ name, column }) => `ALTER TABLE ${this.name} ADD COLUMN ${name} ${column.type}`);
  }

  /**
   * A record's row, with its hash if the table has one. `given`: columns that differ from the record's
   * fields, or have none. `hash`: of a row without its hash.
   */
  encode(
    record: Partial<RecordOf<C>>,
    given: Readonly<Partial<Record<keyof C, SqlValue>>>,
    hash: (row: RowWith<C>) => string = (row) => this.hash(row),
  ): Readonly<Record<string, SqlValue>> {
    const row: Record<string, unknown> = {};
    for (const { name, column, field, inner } of this.#mappings) {
      let value: unknown = (given as Values)[field];
      if (value === undefined && column.presence !== 'never') {
        value = (record as Values)[field];
        if (inner !== null && isRecord(value)) value = value[inner];
        if (column.json !== undefined && value != null) value = JSON.stringify(value);
      }
      row[name] = value ?? null;
    }
    if (row['sha256'] === null) row['sha256'] = hash(row as RowWith<C>);
    return row as Readonly<Record<string, SqlValue>>;
  }

  /**
   * The record of a row, without the fields that `skip` names. Columns that a log of an older version lacks
   * are as if they were null.
   */
  decode(row: RowWith<C>, label: string, values: RowValues): RecordOf<C>;
  decode<S extends keyof RecordOf<C>>(
    row: RowWith<C>,
    label: string,
    values: RowValues,
    skip: readonly S[],
  ): Omit<RecordOf<C>, S>;
  decode(row: object, label: string, values: RowValues, skip: readonly unknown[] = []): object {
    const record: Record<string, unknown> = {};
    for (const { name, column, field, inner } of this.#mappings) {
      if (column.presence === 'never' || skip.includes(field)) continue;
      const stored = (row as Values)[name] ?? null;
      if (stored === null && column.presence === 'later') continue;
      const value =
        stored === null
          ? (column.ifNull ?? null)
          : column.json === undefined
            ? stored
            : this.#jsonOf(column, stored, `the ${name} of ${label}`, values);
      if (inner === null) record[field] = value;
      else record[field] = { ...(record[field] as object | undefined), [inner]: value };
    }
    return record;
  }

  /** The JSON of one field. */
  json<K extends keyof RecordOf<C> & string>(
    row: object,
    field: K,
    label: string,
    values: RowValues,
  ): RecordOf<C>[K] {
    const { name, column } = known(
      this.#mappings.find((one) => one.field === field),
      'a column',
    );
    return this.#jsonOf(column, (row as Values)[name], `the ${name} of ${label}`, values) as RecordOf<C>[K];
  }

  #jsonOf({ json, isReplayed }: Column, stored: unknown, label: string, values: RowValues): unknown {
    return values.json(stored, label, known(json, 'a JSON column'), isReplayed);
  }

  /**
   * Throws StorageError if a value is not allowed. SQLite's own checks are not enough: a changed byte passes
   * them. `names`: only these columns.
   */
  check(row: object, label: string, path: string, names: readonly (keyof RowWith<C>)[] | null = null): void {
    const only: readonly unknown[] | null = names;
    for (const { name, column } of this.#mappings)
      if ((only === null || only.includes(name)) && !column.is((row as Values)[name]))
        throw damaged(path, `${name} of ${label} is invalid: expected ${column.expected}`);
    const isNull = (name: string): boolean => (row as Values)[name] == null;
    for (const group of names === null ? this.#groups.values() : [])
      if (group.some(isNull) && !group.every(isNull))
        throw damaged(path, `one of ${group.join(' and ')} of ${label} is missing`);
  }

  hash(row: object): string {
    const values = row as Values;
    return rowHash(this.name, [...this.#hashed.map((name) => values[name]), ...this.laterValues(row)]);
  }

  get hasLaterValues(): boolean {
    return this.#groups.size > 0;
  }

  /** What the hash of a row has of later columns, after the others; nothing if they are null. */
  laterValues(row: object): readonly SqlValue[] {
    const values = row as Readonly<Record<string, SqlValue>>;
    return [...this.#groups].flatMap(([group, names]) =>
      values[names[0] ?? ''] == null
        ? []
        : [...(group === '' ? [] : [group]), ...names.map((name) => values[name] ?? null)],
    );
  }
}

/**
 * SHA-256 over a label with the table's name and the row's values, one per line. Texts are preceded by their
 * lengths, so that different rows never give the same input; SQLite stores no lone surrogates, so none is
 * hashed.
 */
export function rowHash(table: string, values: readonly unknown[]): string {
  let text = `orchestrate-${table}-v2`;
  for (const value of values)
    text += typeof value === 'string' ? `\n${value.length}:${value}` : `\n${String(value)}`;
  return sha256(text.toWellFormed());
}

/** The tables of version 1 are STRICT, so their columns check no type. */
function columnSql(name: string, column: Column, base: BaseVersion): string {
  const { type, where, after, isOptional, sql, firstSql } = column;
  const own = base === 1 ? (firstSql ?? sql) : sql;
  const conditions = [
    ...(base === 1 ? [] : [`typeof($) = '${type.toLowerCase()}'`]),
    ...(where === undefined ? [] : [where]),
  ].join(' AND ');
  const words = [
    type,
    ...(isOptional ? [] : ['NOT NULL']),
    ...(conditions === ''
      ? []
      : [`CHECK (${isOptional && base > 1 ? `$ IS NULL OR ${conditions}` : conditions})`]),
    ...(after === undefined ? [] : [after]),
  ];
  return `$ ${own ?? words.join(' ')}`.replaceAll('$', name);
}

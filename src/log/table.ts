/**
 * A table of the log as data: each column once. The table's SQL in every version, the checks of a row's
 * values and of its JSON, the row's hash, and the way from a record to a row and back follow from it.
 */
import type { z } from 'zod';
import { known } from '../base/assert.js';
import { sha256 } from '../base/canonical.js';
import { isRecord } from '../base/json.js';
import { damaged } from './failures.js';
import type { RowValues } from './row-values.js';

export type SqlValue = string | number | null;

/**
 * Logs of versions 1 to 4 have the tables of version 1 and what was added to them, also after an upgrade;
 * later ones those of version 5.
 */
export type BaseVersion = 1 | 5;

/** A column; `V` is its value in a row. In SQL, `$` is its name. */
export interface Column<V = unknown> {
  type: 'INTEGER' | 'REAL' | 'TEXT' | 'BLOB';
  /** SQLite checks it, besides the type. */
  where?: string;
  /** `UNIQUE` or `REFERENCES …`. */
  after?: string;
  isOptional?: boolean;
  /** Its SQL in place of what follows from the above: in all logs, or in those of version 1. */
  sql?: string;
  firstSql?: string;
  is: (value: unknown) => value is V;
  /** The expected value, in a message. */
  expected: string;
  /** The shape of its JSON; absent for other columns. */
  json?: z.ZodType;
  /** A list that `verify` makes again, and that may therefore be of another shape in unchecked mode. */
  isReplayed?: boolean;
  /** The version of the log that added it; by default that of its table. */
  since?: number;
  /** The record's field, or `outer.inner`; null if records have none; by default the name in camel case. */
  field?: string | null;
  /** Instead of null in a record; `absent` if the field is then missing. */
  ifNull?: unknown;
  /** Whether the row's hash covers it; true by default. */
  isHashed?: boolean;
  /**
   * Of a hashed column that a later version added: those of one group are null together, and then the row
   * hashes as it did before they were added. Otherwise the group's name, if it is not '', and their values
   * are hashed after the other columns.
   */
  group?: string;
}

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
  outer: string | null;
  inner: string | null;
}

export type RowOf<T> =
  T extends Table<infer C> ? { readonly [K in keyof C]: C[K] extends Column<infer V> ? V : never } : never;

type Values = Readonly<Record<string, unknown>>;

export class Table<C extends Readonly<Record<string, Column>>> {
  readonly name: string;
  /** The newest version of the log that added the table or a column. */
  readonly newest: number;
  /** With a value for each column, in their order. */
  readonly insert: string;
  readonly #since: number;
  readonly #columns: C;
  readonly #options: TableOptions;
  readonly #mappings: readonly Mapping[];
  readonly #hashed: readonly string[];
  readonly #groups = new Map<string, string[]>();

  constructor(name: string, columns: C, options: TableOptions = {}) {
    const { since = 1 } = options;
    this.name = name;
    this.#since = since;
    this.#columns = columns;
    this.#options = options;
    this.#mappings = Object.entries(columns).map(([key, column]) => {
      const [outer = null, inner = null] =
        column.field === null ? [] : (column.field ?? camelCase(key)).split('.');
      return { name: key, column, since: column.since ?? since, outer, inner };
    });
    this.newest = Math.max(...this.#mappings.map((one) => one.since));
    const names = Object.keys(columns);
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
   * fields, or have none.
   */
  encode(
    record: object,
    given: Readonly<Partial<Record<keyof C, SqlValue>>>,
  ): Readonly<Record<string, SqlValue>> {
    const row: Record<string, unknown> = {};
    for (const { name, column, outer, inner } of this.#mappings) {
      let value: unknown = given[name];
      if (value === undefined && outer !== null) {
        value = (record as Values)[outer];
        if (inner !== null && isRecord(value)) value = value[inner];
        if (column.json !== undefined && value != null) value = JSON.stringify(value);
      }
      row[name] = value ?? null;
    }
    if (row['sha256'] === null) row['sha256'] = this.hash(row);
    return row as Readonly<Record<string, SqlValue>>;
  }

  /**
   * The record of a row, without the fields that `skip` names. Columns that a log of an older version lacks
   * are as if they were null.
   */
  decode<T>(row: RowOf<Table<C>>, label: string, values: RowValues, skip: readonly string[] = []): T {
    const record: Record<string, unknown> = {};
    for (const { name, column, outer, inner } of this.#mappings) {
      if (outer === null || skip.includes(outer)) continue;
      const stored = (row as Values)[name] ?? null;
      const { ifNull = null } = column;
      if (stored === null && ifNull === 'absent') continue;
      const value =
        stored === null ? ifNull : column.json === undefined ? stored : this.json(row, name, label, values);
      if (inner === null) record[outer] = value;
      else record[outer] = { ...(record[outer] as object | undefined), [inner]: value };
    }
    return record as T;
  }

  /** The JSON of one column. */
  json<T>(row: object, name: keyof C & string, label: string, values: RowValues): T {
    const column: Column | undefined = this.#columns[name];
    const shape = known(column?.json, 'a JSON column');
    return values.json<T>((row as Values)[name], `the ${name} of ${label}`, shape, column?.isReplayed);
  }

  /**
   * Throws StorageError if a value is not allowed. SQLite's own checks are not enough: a changed byte passes
   * them. `names`: only these columns.
   */
  check(row: object, label: string, path: string, names: readonly (keyof C)[] | null = null): void {
    for (const { name, column } of this.#mappings)
      if ((names === null || names.includes(name)) && !column.is((row as Values)[name]))
        throw damaged(path, `${name} of ${label} is invalid: expected ${column.expected}`);
    const isNull = (name: string): boolean => (row as Values)[name] == null;
    for (const group of names === null ? this.#groups.values() : [])
      if (group.some(isNull) && !group.every(isNull))
        throw damaged(path, `one of ${group.join(' and ')} of ${label} is missing`);
  }

  hash(row: object): string {
    const values = row as Values;
    const hashed = this.#hashed.map((name) => values[name]);
    for (const [group, names] of this.#groups) {
      if (values[names[0] ?? ''] == null) continue;
      if (group !== '') hashed.push(group);
      for (const name of names) hashed.push(values[name]);
    }
    return rowHash(this.name, hashed);
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

function camelCase(name: string): string {
  return name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/**
 * Kinds of columns, of which the description of a log's tables is made (`columns.ts`, `log/tables.ts`). A
 * column has its value in a row and, where records have a field for it, that field's type: the types of
 * records follow from their columns.
 */
import type { z } from 'zod';
import { isId } from '../base/ids.js';

/** How a column is checked by SQLite. `$` is its name. */
interface ColumnSql {
  /** A condition besides its type. */
  where?: string;
  /** `UNIQUE` or `REFERENCES …`. */
  after?: string;
  /** All of its SQL in place of what follows from the rest: in all logs, or in those of version 1. */
  sql?: string;
  firstSql?: string;
}

/** Whether records have a field for a column: all, those since a later version of the log, or none. */
type FieldPresence = 'always' | 'later' | 'never';

/**
 * `V` is its value in a row, `F` in a record. A field's name in camel case gives the column's; `N` is the
 * name if it is another.
 */
export interface Column<V = unknown, F = unknown, P = FieldPresence, N = string> extends ColumnSql {
  type: 'INTEGER' | 'REAL' | 'TEXT' | 'BLOB';
  name?: N;
  presence: P;
  isOptional?: boolean;
  is: (value: unknown) => value is V;
  /** The expected value, in a message. */
  expected: string;
  /** The shape of its JSON; absent for other columns. */
  json?: z.ZodType;
  /** A list that `verify` makes again, and that may therefore be of another shape in unchecked mode. */
  isReplayed?: boolean;
  /** The version of the log that added it; by default that of its table. */
  since?: number;
  /** Instead of null in a record. */
  ifNull?: F;
  /** Whether the row's hash covers it; true by default. */
  isHashed?: boolean;
  /**
   * Of a hashed column that a later version added: those of one group are null together, and then the row
   * hashes as it did before they were added. Otherwise the group's name, if it is not '', and their values
   * are hashed after the other columns.
   */
  group?: string;
}

/** A field whose own fields have a column each. */
export interface ColumnGroup<F extends object> {
  columns: { [K in keyof F]: Column<F[K] | null, F[K], 'later', never> };
}

export type Columns = Readonly<Record<string, Column | ColumnGroup<object>>>;

type FieldOf<C> = C extends Column<unknown, infer F> ? F : C extends ColumnGroup<infer F> ? F : never;
type PresenceOf<C> = C extends Column<unknown, unknown, infer P> ? P : 'later';
type FieldNames<C, P> = { [K in keyof C]: PresenceOf<C[K]> extends P ? K : never }[keyof C];

/** The fields of a record, with the comments of their columns. */
export type RecordOf<C> = { [K in keyof Pick<C, FieldNames<C, 'always'>>]: FieldOf<C[K]> } & {
  [K in keyof Pick<C, FieldNames<C, 'later'>>]?: FieldOf<C[K]>;
};

type SnakeCase<T> = T extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeCase<Rest>}`
  : T;
type NameOf<K, C> =
  C extends Column<unknown, unknown, FieldPresence, infer N>
    ? [N] extends [never]
      ? SnakeCase<K>
      : N & string
    : never;

/** A row by the names of its columns. */
export type RowWith<C> = {
  readonly [K in keyof C as NameOf<K, C[K]>]: C[K] extends Column<infer V> ? V : never;
} & GroupRow<Extract<C[keyof C], ColumnGroup<object>>>;
type GroupRow<G> = [G] extends [ColumnGroup<infer F>]
  ? { readonly [K in keyof F as SnakeCase<K> & string]: F[K] | null }
  : unknown;

export function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** The furthest moment from 1970 that a date can have, in milliseconds. */
const MOMENT_MAX = 8.64e15;
const HASH_PATTERN = /^[0-9a-f]{64}$/;

function column<V>(
  type: Column['type'],
  expected: string,
  is: (value: unknown) => value is V,
): Column<V, V, 'always', never> {
  return { type, presence: 'always', is, expected };
}

const whole =
  (test: (value: number) => boolean = () => true) =>
  (value: unknown): value is number =>
    Number.isSafeInteger(value) && test(value as number);
const textThat =
  (test: (value: string) => boolean = () => true) =>
  (value: unknown): value is string =>
    typeof value === 'string' && test(value);

const orNull =
  <V>(is: (value: unknown) => value is V) =>
  (value: unknown): value is V | null =>
    value === null || value === undefined || is(value);

export const NUMBER = column(
  'INTEGER',
  'a positive whole number',
  whole((value) => value >= 1),
);
export const POSITIVE = withSql(NUMBER, {
  where: '$ >= 1',
  firstSql: 'INTEGER NOT NULL CHECK ($ > 0)',
});
export const COUNT = column(
  'INTEGER',
  'a whole number',
  whole((value) => value >= 0),
);
export const FROM_0 = withSql(COUNT, { where: '$ >= 0' });
/** In milliseconds since 1970. */
export const MOMENT = column(
  'INTEGER',
  'a time in milliseconds',
  whole((value) => Math.abs(value) <= MOMENT_MAX),
);
/** In milliseconds. */
export const DURATION = column(
  'REAL',
  'a duration',
  (value): value is number => typeof value === 'number' && value >= 0 && value <= MOMENT_MAX,
);
export const TEXT = column('TEXT', 'text', textThat());
/** It becomes part of file names and of lines in a terminal. */
export const ID = column('TEXT', 'a valid id', textThat(isId));
export const HASH = withSql(
  column(
    'TEXT',
    'a hash',
    textThat((value) => HASH_PATTERN.test(value)),
  ),
  { where: 'length($) = 64' },
);
/** Of the row itself, which is compared with it. */
export const ROW_HASH: Column<string, never, 'never', never> = {
  ...rowOnly(HASH),
  is: textThat(({ length }) => length === 64),
  isHashed: false,
};
export const BYTES = column('BLOB', 'bytes', (value): value is Uint8Array => value instanceof Uint8Array);
/** The number of the row. */
export const KEY = rowOnly(withSql(NUMBER, { sql: 'INTEGER PRIMARY KEY' }));
export const RUN = rowOnly(withSql(NUMBER, { after: 'REFERENCES runs (run)' }));
export const BLOB = rowOnly(withSql(NUMBER, { after: 'REFERENCES blobs (blob)' }));
/** Of a row of another table, which a constraint names. */
export const OTHERS = rowOnly(NUMBER);
export const JSON_TEXT = withSql(TEXT, { where: 'json_valid($)' });

export function json<F>(shape: z.ZodType): Column<string, F, 'always', never> {
  const { ifNull: _, ...text } = JSON_TEXT;
  return { ...text, json: shape };
}

export function oneOf<W extends string>(...words: readonly W[]): Column<W, W, 'always', never> {
  const is = (value: unknown): value is W => words.some((one) => one === value);
  return withSql(column('TEXT', words.join(', '), is), { where: `$ IN (${quoted(words)})` });
}

export function quoted(words: readonly string[]): string {
  return words.map((word) => `'${word}'`).join(', ');
}

export function withSql<V, F, P, N>(one: Column<V, F, P, N>, sql: ColumnSql): Column<V, F, P, N> {
  return { ...one, ...sql };
}

export function named<const N extends string, V, F, P>(
  name: N,
  one: Column<V, F, P, never>,
): Column<V, F, P, N> {
  return { ...one, name };
}

export function replayed<V, F, P, N>(one: Column<V, F, P, N>): Column<V, F, P, N> {
  return { ...one, isReplayed: true };
}

/** Records have no field for it: they have its value in another form, or it only concerns the log. */
export function rowOnly<V, N>(one: Column<V, unknown, FieldPresence, N>): Column<V, never, 'never', N> {
  const { ifNull: _, ...rest } = one;
  return { ...rest, presence: 'never' };
}

/** `ifNull`: what records have instead of null. */
export function optional<V, F, P, N>(one: Column<V, F, P, N>): Column<V | null, F | null, P, N>;
export function optional<V, F, P, N>(one: Column<V, F, P, N>, ifNull: F): Column<V | null, F, P, N>;
export function optional<V, F, P, N>(one: Column<V, F, P, N>, ...[ifNull]: readonly F[]) {
  return { ...one, is: orNull(one.is), isOptional: true, ...(ifNull === undefined ? {} : { ifNull }) };
}

/**
 * Rows without it are as before: in records as well, which then lack the field, and in their hash, for which
 * it names its `group`.
 */
export function later<V, F, N>(
  since: number,
  one: Column<V, F, 'always', N>,
  group: string,
): Column<V | null, F, 'later', N> {
  return { ...one, is: orNull(one.is), isOptional: true, presence: 'later', since, group };
}

/** A field of several later columns. */
export function laterGroup<F extends object>(
  since: number,
  columns: { [K in keyof F]: Column<F[K], F[K], 'always', never> },
  group: string,
): ColumnGroup<F> {
  const entries = Object.entries<Column<F[keyof F], F[keyof F], 'always', never>>(columns);
  return {
    columns: Object.fromEntries(
      entries.map(([name, one]) => [name, later(since, one, group)]),
    ) as ColumnGroup<F>['columns'],
  };
}

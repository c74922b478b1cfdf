/** The columns of each table of `tables`, and the type of its rows. Names are stable (docs/reference/data-sets.md). */
import { booleanColumn, bytesColumn, integerColumn, numberColumn, textColumn } from './parquet-file.js';
import type { ParquetColumn } from './parquet-file.js';

interface TableColumn<Name extends string, Value> extends ParquetColumn {
  name: Name;
  /** Only a type: what a row has there. */
  value?: Value;
}

function text<Name extends string>(name: Name): TableColumn<Name, string> {
  return { name, schema: [textColumn(name)] };
}

function integer<Name extends string>(name: Name): TableColumn<Name, bigint> {
  return { name, schema: [integerColumn(name)] };
}

function number<Name extends string>(name: Name): TableColumn<Name, number> {
  return { name, schema: [numberColumn(name)] };
}

function boolean<Name extends string>(name: Name): TableColumn<Name, boolean> {
  return { name, schema: [booleanColumn(name)] };
}

function bytes<Name extends string>(name: Name): TableColumn<Name, Uint8Array> {
  return { name, schema: [bytesColumn(name)] };
}

const KEY_COLUMNS = [text('run_id'), integer('tick_id')] as const;

export const TABLES = {
  ticks: [
    ...KEY_COLUMNS,
    integer('sim_time_ms'),
    text('world_version'),
    integer('last_step'),
    integer('overrun_ms'),
    integer('settle_ms'),
  ],
  actor_state: [
    ...KEY_COLUMNS,
    text('actor_id'),
    integer('x'),
    integer('y'),
    integer('status_bits'),
    integer('facing'),
    text('name'),
    text('look'),
  ],
  action_results: [
    ...KEY_COLUMNS,
    integer('step'),
    text('actor_id'),
    text('action_type'),
    text('target_id'),
    boolean('ok'),
    text('reason'),
    text('effects_json'),
  ],
  utterances: [
    ...KEY_COLUMNS,
    integer('step'),
    text('actor_id'),
    text('channel'),
    text('text'),
    integer('x'),
    integer('y'),
  ],
  items: [...KEY_COLUMNS, text('item_id'), text('name'), integer('amount'), text('holder_id')],
  object_deltas: [...KEY_COLUMNS, text('object_id'), text('field'), text('new_value_json')],
  map_tiles: [text('run_id'), integer('x'), integer('y'), text('look')],
  tilesets: [text('tileset_id'), text('name'), bytes('content')],
  rewards: [...KEY_COLUMNS, integer('step'), text('actor_id'), number('reward')],
} as const satisfies Readonly<Record<string, readonly ParquetColumn[]>>;

export type TableName = keyof typeof TABLES;

type ColumnOf<Name extends TableName> = (typeof TABLES)[Name][number];

export type TableRow<Name extends TableName> = {
  [Column in ColumnOf<Name> as Column['name']]: Column extends TableColumn<string, infer Value>
    ? Value | null
    : never;
};

/** The columns of each table of `tables`. Their names are a promise (docs/how-to/make-a-data-set.md). */
import { booleanColumn, integerColumn, textColumn } from './parquet-file.js';
import type { ParquetColumn } from './parquet-file.js';

function text(name: string): ParquetColumn {
  return { name, schema: [textColumn(name)] };
}

function integer(name: string): ParquetColumn {
  return { name, schema: [integerColumn(name)] };
}

const PLACE = [text('run_id'), integer('tick_id')];

export const TABLES = {
  ticks: [...PLACE, integer('sim_time_ms'), integer('world_version')],
  actor_state: [
    ...PLACE,
    text('actor_id'),
    integer('x'),
    integer('y'),
    integer('status_bits'),
    text('facing'),
  ],
  action_results: [
    ...PLACE,
    integer('step'),
    text('actor_id'),
    text('action_type'),
    text('target_id'),
    { name: 'ok', schema: [booleanColumn('ok')] },
    text('reason'),
    text('effects_json'),
  ],
  utterances: [
    ...PLACE,
    integer('step'),
    text('speaker_id'),
    text('channel'),
    text('text'),
    integer('x'),
    integer('y'),
  ],
  object_deltas: [...PLACE, text('object_id'), text('field'), text('new_value_json')],
} as const satisfies Readonly<Record<string, readonly ParquetColumn[]>>;

export type TableName = keyof typeof TABLES;

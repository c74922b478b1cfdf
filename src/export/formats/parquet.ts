/**
 * `parquet`: one table for the hub and its trainers: `prompt`, `completion` and pictures as in `trl`, and
 * every column of a sample.
 */
import { columnsOf } from '../columns.js';
import { COLUMN_FEATURES, CONVERSATION_FEATURES, textColumn } from '../features.js';
import type { ExportFormat } from '../format.js';
import { hubTable } from '../hub-table.js';
import { conversation } from './trl.js';

export const parquet: ExportFormat = {
  name: 'parquet',
  about: 'one table including pictures, in shards, for the hub and TRL',
  needsPicture: false,
  ...hubTable({
    features: [textColumn('id'), ...CONVERSATION_FEATURES, ...COLUMN_FEATURES],
    record: (row) => ({
      id: row.sample.key,
      ...conversation(row),
      ...columnsOf(row.sample),
    }),
  }),
};

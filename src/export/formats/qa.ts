/**
 * `qa`: questions about what an agent was shown, each with an answer that is certain, in Parquet; prompt,
 * completion and pictures as in `trl`.
 */
import {
  CONVERSATION_FEATURES,
  listColumn,
  MOMENT_FEATURES,
  textColumn,
  booleanColumn,
} from '../features.js';
import type { ExportFormat } from '../format.js';
import type { ExportRow } from '../row.js';
import { momentColumns } from './labels.js';
import { hubTable } from '../hub-table.js';
import { conversation } from './trl.js';

export const qa: ExportFormat = {
  name: 'qa',
  about: "questions about an agent's view, with answers known to be correct; Parquet for TRL",
  needsPicture: false,
  unit: 'question',
  ...hubTable({
    features: [
      ...['id', 'kind', 'question'].map(textColumn),
      listColumn('options', 'string'),
      textColumn('answer'),
      booleanColumn('certain'),
      ...CONVERSATION_FEATURES,
      ...MOMENT_FEATURES,
    ],
    record: questionRow,
  }),
};

function questionRow(row: ExportRow) {
  const { sample, probe } = row;
  return {
    id: `${sample.key}-${probe?.number ?? 0}`,
    kind: probe?.kind ?? null,
    question: probe?.question ?? null,
    options: probe?.options ?? null,
    answer: sample.answer.text,
    certain: probe?.isCertain ?? null,
    ...conversation(row),
    ...momentColumns(sample),
  };
}

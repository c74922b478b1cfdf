/** `jsonl`: everything that is known of a sample, as one JSON object per line, with pictures as files. */
import { COLUMN_FEATURES, integerColumn, listColumn, recordColumn, textColumn } from '../features.js';
import type { Feature } from '../features.js';
import { columnsOf } from '../columns.js';
import type { ExportFormat } from '../format.js';
import type { ExportRow } from '../row.js';
import { textWriter } from './lines.js';

const EVENT: readonly Feature[] = [
  textColumn('kind'),
  textColumn('actor'),
  recordColumn('at', [integerColumn('x'), integerColumn('y')]),
  textColumn('data'),
  listColumn('seenBy', 'string'),
];

export const jsonl: ExportFormat = {
  name: 'jsonl',
  about: 'everything, one object per line, pictures as files',
  needsPicture: false,
  includesEvents: true,
  features: [
    textColumn('id'),
    ...COLUMN_FEATURES,
    listColumn('span', 'int64'),
    listColumn('tool_calls', [textColumn('name'), textColumn('arguments')]),
    textColumn('finish_reason'),
    textColumn('settings'),
    listColumn('messages', [textColumn('role'), textColumn('text'), listColumn('images', 'string')]),
    listColumn('images', 'string'),
    textColumn('given'),
    textColumn('mark_text'),
    recordColumn('after', [textColumn('message'), listColumn('events', EVENT)]),
    textColumn('outcome_reason'),
  ],
  dataFiles: (split) => `${split}.jsonl`,
  open: (context) => textWriter(context, { name: (split) => `${split}.jsonl`, list: null, value: rowJson }),
};

function rowJson({ sample }: ExportRow, images: readonly string[]): object {
  const { answer, span, outcome } = sample;
  let next = 0;
  return {
    id: sample.key,
    ...columnsOf(sample),
    span: span === null ? null : [span.start, span.end],
    tool_calls: answer.toolCalls,
    finish_reason: answer.finishReason,
    settings: sample.settings === null ? null : JSON.stringify(sample.settings),
    messages: sample.prompt().messages.map(({ role, text, pictures }) => ({
      role,
      text,
      images: pictures.map(() => images[next++] ?? ''),
    })),
    images,
    given: sample.originalText,
    mark_text: sample.mark?.text ?? null,
    after: {
      message: sample.result?.message ?? null,
      events: sample.after().map(({ kind, actor, at, data, seenBy }) => ({
        kind,
        actor,
        at,
        // As text: its contents depend on the kind, so the column would have no fixed type.
        data: JSON.stringify(data),
        seenBy,
      })),
    },
    outcome_reason: outcome.reason,
  };
}

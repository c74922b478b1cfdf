/** `jsonl`: everything that is known of a sample, one JSON object a line, pictures as files. */
import { columnFields } from '../columns.js';
import type { Format, Row } from '../format.js';
import { onceATurn } from '../row-json.js';
import type { Field } from '../row-json.js';
import { textWriter } from './lines.js';

export const jsonl: Format = {
  name: 'jsonl',
  about: 'everything, one object a line, pictures as files',
  needsPicture: false,
  dataFiles: (split) => `${split}.jsonl`,
  open: (context) =>
    textWriter(context, { name: (split) => `${split}.jsonl`, list: null, value: everything }),
};

const wordsAlone = onceATurn(({ role, text }) => ({ role, text, images: [] }));

function everything({ sample }: Row, images: readonly string[]): readonly Field[] {
  const { answer, intent, span, outcome } = sample;
  let next = 0;
  const columns = columnFields(sample, (cell, { name }) =>
    name === 'arguments' ? (intent?.args ?? null) : cell,
  );
  const rest = {
    span: span === null ? null : [span.start, span.end],
    tool_calls: answer.toolCalls,
    finish_reason: answer.finishReason,
    settings: sample.settings,
    messages: sample.prompt().messages.map((turn) => {
      if (turn.pictures.length === 0) return wordsAlone(turn);
      return { role: turn.role, text: turn.text, images: turn.pictures.map(() => images[next++] ?? '') };
    }),
    images,
    given: sample.given,
    mark_text: sample.mark?.text ?? null,
    after: { message: sample.result?.message ?? null, events: sample.after() },
    outcome_reason: outcome.reason,
  };
  return [['id', sample.key], ...columns, ...Object.entries(rest)];
}

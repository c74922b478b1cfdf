/** `qa`: questions about what an agent was shown, each with the answer that is certain; messages as `trl` has them, JSONL. */
import { listColumn, MOMENT_FEATURES, textColumn, trlFeature, truthColumn } from '../features.js';
import type { Format, Row } from '../format.js';
import { momentFacts } from './labels.js';
import { textWriter } from './lines.js';
import { trlMessages } from './openai.js';

export const qa: Format = {
  name: 'qa',
  about: 'questions about what an agent was shown, with certain answers; JSONL as TRL takes it',
  needsPicture: false,
  unit: 'question',
  features: [
    ...['id', 'kind', 'question'].map(textColumn),
    listColumn('options', 'string'),
    textColumn('answer'),
    truthColumn('certain'),
    trlFeature('messages'),
    listColumn('images', 'string'),
    ...MOMENT_FEATURES,
  ],
  dataFiles: (split) => `${split}.jsonl`,
  open: (context) =>
    textWriter(context, { name: (split) => `${split}.jsonl`, list: null, value: questionRow }),
};

function questionRow(row: Row, images: readonly string[]): object {
  const { sample, asked } = row;
  return {
    id: `${sample.key}-${asked?.number ?? 0}`,
    kind: asked?.kind ?? null,
    question: asked?.question ?? null,
    options: asked?.options ?? null,
    answer: sample.answer.text,
    certain: asked?.isCertain ?? null,
    messages: trlMessages(row),
    images,
    ...momentFacts(sample),
  };
}

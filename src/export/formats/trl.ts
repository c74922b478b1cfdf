/**
 * `trl`: the messages of `openai` as prompt and completion, in the format of the TRL trainers, with pictures in
 * a separate list. The formats of tables share its rows.
 */
import type { ToolCall } from '../../model/chat.js';
import { originOf } from '../columns.js';
import { CONVERSATION_FEATURES, ORIGIN_FEATURES, PAID_FEATURES, textColumn } from '../features.js';
import type { ExportFormat } from '../format.js';
import type { ExportRow } from '../row.js';
import { hubTable } from '../hub-table.js';
import { isNative, nativeTurns } from '../native-turns.js';
import { mapText } from '../prompt-turn.js';
import type { ExportSample } from '../sample.js';
import { answerText, contentOf, textParts, toolMessages } from './openai.js';
import type { OpenAiCall, OpenAiMessage } from './openai.js';
import { withoutPictureMarks } from './picture-marks.js';

export const trl: ExportFormat = {
  name: 'trl',
  about: "prompt, completion and pictures for TRL's trainers, Parquet",
  needsPicture: false,
  ...hubTable({
    features: [textColumn('id'), ...CONVERSATION_FEATURES, ...PAID_FEATURES, ...ORIGIN_FEATURES],
    record: (row) => ({
      id: row.sample.key,
      ...conversation(row),
      reward: row.sample.paid?.reward ?? null,
      return: row.sample.paid?.return ?? null,
      ...originOf(row.sample),
    }),
  }),
};

/** A trainer's processor counts every picture mark in a text, so those in the answer are changed. */
export function trlAnswer(sample: ExportSample): OpenAiMessage {
  const { target } = sample;
  if (isNative(sample) && target.toolCalls.length > 0) {
    const text = withoutPictureMarks(target.text);
    return { role: 'assistant', content: textParts(text), tool_calls: target.toolCalls.map(harmlessCall) };
  }
  return {
    role: 'assistant',
    content: [{ type: 'text', text: withoutPictureMarks(answerText(target)) }],
  };
}

/** The messages without the answer. */
export function trlPrompt({ sample }: Pick<ExportRow, 'sample'>): readonly OpenAiMessage[] {
  return nativeTurns(sample).flatMap((turn): readonly OpenAiMessage[] => {
    if (!('toolCalls' in turn))
      return [contentOf(mapText(turn, withoutPictureMarks), () => ({ type: 'image' }))];
    if (turn.role === 'tool') return toolMessages(turn, withoutPictureMarks, () => ({ type: 'image' }));
    return [{ role: turn.role, content: [], tool_calls: turn.toolCalls.map(harmlessCall) }];
  });
}

/** A trainer counts marks of pictures in calls too. */
function harmlessCall({ name, arguments: args }: ToolCall): OpenAiCall {
  return { type: 'function', function: { name, arguments: withoutPictureMarks(args) } };
}

/** A row as a prompt and its training target, with the tools that were offered. */
export function conversation({ sample }: Pick<ExportRow, 'sample'>): {
  prompt: readonly OpenAiMessage[];
  completion: readonly OpenAiMessage[];
  tools?: string;
} {
  return { prompt: trlPrompt({ sample }), completion: [trlAnswer(sample)], ...toolsColumn(sample) };
}

/** As JSON text, because each tool has other parameters. */
export function toolsColumn(sample: ExportSample): { tools?: string } {
  return isNative(sample) ? { tools: withoutPictureMarks(JSON.stringify(sample.settings?.['tools'])) } : {};
}

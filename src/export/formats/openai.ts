/**
 * `openai`: the messages of a chat request with the answer as the last one, in the format of
 * OpenAI-compatible servers; pictures as file addresses. `trl`: the same as prompt and completion, in the
 * format of the TRL trainers, with pictures in a separate list. In both, each picture keeps its position, and
 * only the answer is a training target: the agent's earlier replies in the history may have been wrong.
 */
import { withoutPictureMarks } from './picture-marks.js';
import { originOf } from '../columns.js';
import { CONVERSATION_FEATURES, ORIGIN_FEATURES, PAID_FEATURES, textColumn } from '../features.js';
import type { Json, JsonObject } from '../../base/json.js';
import type { ExportFormat, ExportRow } from '../format.js';
import { hubTable } from '../hub-table.js';
import { cachedPerTurn } from '../row-json.js';
import { mapText } from '../prompt-turn.js';
import type { PromptTurn } from '../prompt-turn.js';
import type { SampleTarget, ExportSample } from '../sample.js';
import { textWriter } from './lines.js';

interface OpenAiMessage {
  readonly role: string;
  readonly content: readonly ContentPart[];
  /** 0 if the message is not a training target. */
  readonly weight?: number;
}

interface ContentPart {
  readonly type: string;
  readonly text?: string;
  readonly image_url?: { readonly url: string };
}

export const openai: ExportFormat = {
  name: 'openai',
  about: 'chat messages with image_url parts, JSONL, pictures as files',
  needsPicture: false,
  dataFiles: (split) => `${split}.jsonl`,
  open: (context) =>
    textWriter(context, {
      name: (split) => `${split}.jsonl`,
      list: null,
      value: ({ sample }, images) => ({
        messages: [
          ...contents({ sample }, (i) => ({ type: 'image_url', image_url: { url: images[i] ?? '' } })),
          assistantMessage(sample.target),
        ],
        ...toolsOf(sample.settings),
      }),
    }),
};

export const trl: ExportFormat = {
  name: 'trl',
  about: "prompt, completion and pictures for TRL's trainers, Parquet",
  needsPicture: false,
  ...hubTable({
    features: [textColumn('id'), ...CONVERSATION_FEATURES, ...PAID_FEATURES, ...ORIGIN_FEATURES],
    record: (row) => ({
      id: row.sample.key,
      ...conversation(row),
      ...rewardColumns(row),
      ...originOf(row.sample),
    }),
  }),
};

function rewardColumns({ sample: { paid } }: ExportRow) {
  return { reward: paid?.reward ?? null, return: paid?.return ?? null };
}

/** A trainer's processor counts every picture mark in a text, so those in the answer are changed. */
export function trlAnswer({ target }: Pick<ExportSample, 'target'>): OpenAiMessage {
  return {
    role: 'assistant',
    content: [{ type: 'text', text: withoutPictureMarks(answerText(target)) }],
  };
}

/** The messages without the answer. */
export function trlPrompt({ sample }: Pick<ExportRow, 'sample'>): readonly OpenAiMessage[] {
  return sample
    .prompt()
    .messages.map((turn) => (turn.pictures.length === 0 ? cachedTrlMessage(turn) : trlMessage(turn)));
}

const cachedTrlMessage = cachedPerTurn(trlMessage);

function trlMessage(turn: PromptTurn): OpenAiMessage {
  return contentOf(mapText(turn, withoutPictureMarks), () => ({ type: 'image' }));
}

/**
 * A row as a prompt and its training target; a native tool call becomes JSON, because a model learns text.
 */
export function conversation({ sample }: Pick<ExportRow, 'sample'>): {
  readonly prompt: readonly OpenAiMessage[];
  readonly completion: readonly OpenAiMessage[];
} {
  return { prompt: trlPrompt({ sample }), completion: [trlAnswer(sample)] };
}

/** `picture` gets the position of the picture among all pictures of the row. */
function contents(
  { sample }: Pick<ExportRow, 'sample'>,
  picture: (index: number) => ContentPart,
): readonly OpenAiMessage[] {
  let index = 0;
  return sample.prompt().messages.map((turn) => {
    if (turn.pictures.length === 0) return cachedTextMessage(turn);
    return contentOf(turn, () => picture(index++));
  });
}

/**
 * The training target is the answer, not what an agent said before. The OpenAI format says so with `weight`.
 */
const cachedTextMessage = cachedPerTurn((turn) =>
  turn.role === 'assistant' ? { ...textMessage(turn), weight: 0 } : textMessage(turn),
);

function textMessage({ role, text }: PromptTurn): OpenAiMessage {
  return { role, content: text === '' ? [] : [{ type: 'text', text }] };
}

/** `picture` is called for each picture in order. */
function contentOf({ role, parts }: PromptTurn, picture: () => ContentPart): OpenAiMessage {
  const content = parts.flatMap((part): ContentPart[] => {
    if (typeof part !== 'string') return [picture()];
    return part === '' ? [] : [{ type: 'text', text: part }];
  });
  return { role, content };
}

function assistantMessage({ text, toolCalls }: SampleTarget): object {
  const calls = toolCalls.map((call, i) => ({ id: `call_${i + 1}`, type: 'function', function: call }));
  return {
    role: 'assistant',
    content: [{ type: 'text', text }],
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  };
}

/** An answer as text only: native tool calls become JSON, one per line. */
export function answerText({ text, toolCalls }: SampleTarget): string {
  const calls = toolCalls.map(
    ({ name, arguments: argsJson }) => `{"name": ${JSON.stringify(name)}, "arguments": ${argsJson}}`,
  );
  return [text, ...calls].filter((one) => one !== '').join('\n');
}

/** The tools that were offered. */
export function toolsOf(settings: JsonObject | null): { readonly tools?: Json } {
  const tools = settings?.['tools'];
  return tools === undefined ? {} : { tools };
}

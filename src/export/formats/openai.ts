/**
 * `openai`: the messages of a chat request with the answer as the last one, in the format of
 * OpenAI-compatible servers; pictures as file addresses. `trl`: the same as prompt and completion, in the
 * format of the TRL trainers, with pictures in a separate list. In both, each picture keeps its position, and
 * only the answer is a training target: the agent's earlier replies in the history may have been wrong.
 */
import { withoutPictureMarks } from './picture-marks.js';
import { originOf } from '../columns.js';
import { CONVERSATION_FEATURES, ORIGIN_FEATURES, PAID_FEATURES, textColumn } from '../features.js';
import { known } from '../../base/assert.js';
import type { ToolCall } from '../../model/chat.js';
import type { Json, JsonObject } from '../../base/json.js';
import type { ExportFormat, ExportRow } from '../format.js';
import { hubTable } from '../hub-table.js';
import { cachedPerTurn } from '../row-json.js';
import { mapText } from '../prompt-turn.js';
import type { PromptTurn } from '../prompt-turn.js';
import { isNative, nativeTurns } from '../native-turns.js';
import type { SampleTarget, ExportSample } from '../sample.js';
import { textWriter } from './lines.js';

interface OpenAiMessage {
  readonly role: string;
  /** Absent if the message is only a call. */
  readonly content?: readonly ContentPart[];
  readonly tool_calls?: readonly OpenAiCall[];
  /** The call that a message of the role `tool` answers. */
  readonly tool_call_id?: string;
  /** 0 if the message is not a training target. */
  readonly weight?: number;
}

interface ContentPart {
  readonly type: string;
  readonly text?: string;
  readonly image_url?: { readonly url: string };
}

interface OpenAiCall {
  readonly id?: string;
  readonly type: 'function';
  readonly function: ToolCall;
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
          assistantMessage(sample),
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
      return [turn.pictures.length === 0 ? cachedTrlMessage(turn) : trlMessage(turn)];
    if (turn.role === 'tool') return toolMessages(turn, withoutPictureMarks, () => ({ type: 'image' }));
    return [{ role: turn.role, content: [], tool_calls: turn.toolCalls.map(harmlessCall) }];
  });
}

/** A trainer counts marks of pictures in calls too. */
function harmlessCall({ name, arguments: args }: ToolCall): OpenAiCall {
  return { type: 'function', function: { name, arguments: withoutPictureMarks(args) } };
}

function textParts(text: string): readonly ContentPart[] {
  return text === '' ? [] : [{ type: 'text', text }];
}

/** A tool's result has only text, so its picture comes in a message of the user. */
function toolMessages(
  { text, pictures }: Pick<PromptTurn, 'text' | 'pictures'>,
  textOf: (text: string) => string,
  picture: () => ContentPart,
): readonly OpenAiMessage[] {
  const result = { role: 'tool', content: textParts(textOf(text)) };
  return pictures.length === 0 ? [result] : [result, { role: 'user', content: pictures.map(picture) }];
}

const cachedTrlMessage = cachedPerTurn(trlMessage);

function trlMessage(turn: PromptTurn): OpenAiMessage {
  return contentOf(mapText(turn, withoutPictureMarks), () => ({ type: 'image' }));
}

/** A row as a prompt and its training target, with the tools that were offered. */
export function conversation({ sample }: Pick<ExportRow, 'sample'>): {
  readonly prompt: readonly OpenAiMessage[];
  readonly completion: readonly OpenAiMessage[];
  readonly tools?: string;
} {
  return { prompt: trlPrompt({ sample }), completion: [trlAnswer(sample)], ...toolsColumn(sample) };
}

/** As JSON text, because each tool has other parameters. */
export function toolsColumn(sample: ExportSample): { readonly tools?: string } {
  return isNative(sample) ? { tools: withoutPictureMarks(JSON.stringify(sample.settings?.['tools'])) } : {};
}

/** `picture` gets the position of the picture among all pictures of the row. */
function contents(
  { sample }: Pick<ExportRow, 'sample'>,
  picture: (index: number) => ContentPart,
): readonly OpenAiMessage[] {
  let [index, calls] = [0, 0];
  return nativeTurns(sample).flatMap((turn): readonly OpenAiMessage[] => {
    if (!('toolCalls' in turn))
      return [turn.pictures.length === 0 ? cachedTextMessage(turn) : contentOf(turn, () => picture(index++))];
    if (turn.role === 'tool') {
      const [result, ...rest] = toolMessages(
        turn,
        (text) => text,
        () => picture(index++),
      );
      return [{ ...known(result, 'a result'), tool_call_id: callId(calls) }, ...rest];
    }
    calls += 1;
    return [
      { role: turn.role, tool_calls: turn.toolCalls.map((call) => openAiCall(call, calls)), weight: 0 },
    ];
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

function callId(number: number): string {
  return `call_${number}`;
}

function openAiCall(call: ToolCall, number: number): OpenAiCall {
  return { id: callId(number), type: 'function', function: call };
}

/** Its calls are numbered after those of the history. */
function assistantMessage(sample: ExportSample): object {
  const { text, toolCalls } = sample.target;
  const earlier = nativeTurns(sample).filter(
    (turn) => 'toolCalls' in turn && turn.role === 'assistant',
  ).length;
  const calls = toolCalls.map((call, i) => openAiCall(call, earlier + i + 1));
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

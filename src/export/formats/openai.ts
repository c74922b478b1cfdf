/**
 * `openai`: the messages of a chat request with the answer as the last one, in the format of
 * OpenAI-compatible servers; pictures as file addresses. Each picture keeps its position, and only the answer
 * is a training target: the agent's earlier replies in the history may have been wrong.
 */
import { known } from '../../base/assert.js';
import type { ToolCall } from '../../model/chat.js';
import type { Json, JsonObject } from '../../base/json.js';
import type { ExportFormat } from '../format.js';
import type { ExportRow } from '../row.js';
import type { PromptTurn } from '../prompt-turn.js';
import { nativeTurns } from '../native-turns.js';
import type { SaidAnswer } from '../../parse/own-form.js';
import type { ExportSample } from '../sample.js';
import { textWriter } from './lines.js';

export interface OpenAiMessage {
  role: string;
  /** Absent if the message is only a call. */
  content?: readonly ContentPart[];
  tool_calls?: readonly OpenAiCall[];
  /** The call that a message of the role `tool` answers. */
  tool_call_id?: string;
  /** 0 if the message is not a training target. */
  weight?: number;
}

export interface ContentPart {
  type: string;
  text?: string;
  image_url?: { url: string };
}

export interface OpenAiCall {
  id?: string;
  type: 'function';
  function: ToolCall;
}

export const openai: ExportFormat = {
  name: 'openai',
  hasCalls: true,
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

export function textParts(text: string): readonly ContentPart[] {
  return text === '' ? [] : [{ type: 'text', text }];
}

/** A tool's result has only text, so its picture comes in a message of the user. */
export function toolMessages(
  { text, pictures }: Pick<PromptTurn, 'text' | 'pictures'>,
  textOf: (text: string) => string,
  picture: () => ContentPart,
): readonly OpenAiMessage[] {
  const result = { role: 'tool', content: textParts(textOf(text)) };
  return pictures.length === 0 ? [result] : [result, { role: 'user', content: pictures.map(picture) }];
}

/** `picture` gets the position of the picture among all pictures of the row. */
function contents(
  { sample }: Pick<ExportRow, 'sample'>,
  picture: (index: number) => ContentPart,
): readonly OpenAiMessage[] {
  let [index, calls] = [0, 0];
  return nativeTurns(sample).flatMap((turn): readonly OpenAiMessage[] => {
    if (!('toolCalls' in turn))
      return [turn.pictures.length === 0 ? textMessage(turn) : contentOf(turn, () => picture(index++))];
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
function textMessage({ role, text }: PromptTurn): OpenAiMessage {
  return { role, content: textParts(text), ...(role === 'assistant' ? { weight: 0 } : {}) };
}

/** `picture` is called for each picture in order. */
export function contentOf({ role, parts }: PromptTurn, picture: () => ContentPart): OpenAiMessage {
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
export function answerText({ text, toolCalls }: SaidAnswer): string {
  const calls = toolCalls.map(
    ({ name, arguments: argsJson }) => `{"name": ${JSON.stringify(name)}, "arguments": ${argsJson}}`,
  );
  return [text, ...calls].filter((one) => one !== '').join('\n');
}

/** The tools that were offered. */
export function toolsOf(settings: JsonObject | null): { tools?: Json } {
  const tools = settings?.['tools'];
  return tools === undefined ? {} : { tools };
}

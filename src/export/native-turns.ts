/**
 * The messages of an agent that calls tools natively, as trainers of tool calls expect them: each earlier
 * call is a real call, and what the world answered, which is the next turn, is the tool's result. Requests
 * write both as text, because not every server takes them back.
 */
import type { JsonObject } from '../base/json.js';
import type { ToolCall } from '../model/chat.js';
import type { PromptTurn } from './prompt-turn.js';
import type { ExportSample } from './sample.js';

/** A call of the agent, or the message of role `tool` that answers it. */
export interface NativeTurn extends Omit<PromptTurn, 'role'> {
  role: 'assistant' | 'tool';
  /** Empty for an answer. */
  toolCalls: readonly ToolCall[];
}

/** Whether the request offered native tools. */
export function isNative({ protocol, settings }: ExportSample): boolean {
  return protocol === 'tools' && Array.isArray(settings?.['tools']);
}

/** The messages before the answer; those of other agents are returned unchanged, without calls. */
export function nativeTurns(sample: ExportSample): readonly (PromptTurn | NativeTurn)[] {
  const { messages } = sample.prompt();
  if (!isNative(sample)) return messages;
  let isAfterCall = false;
  return messages.map((turn): PromptTurn | NativeTurn => {
    const call = turn.role === 'assistant' ? callIn(turn.text) : null;
    const isResult = isAfterCall && turn.role === 'user';
    isAfterCall = call !== null;
    if (call !== null) return { ...turn, role: 'assistant', parts: [], text: '', toolCalls: [call] };
    return isResult ? { ...turn, role: 'tool', toolCalls: [] } : turn;
  });
}

/** How the form of `tools` writes a call in the history. */
const CALL = /^<tool_call>\n(\{.*\})\n<\/tool_call>$/;

function callIn(text: string): ToolCall | null {
  const [, json] = CALL.exec(text) ?? [];
  if (json === undefined) return null;
  const { name, arguments: args } = JSON.parse(json) as {
    name: string;
    arguments: JsonObject;
  };
  return { name, arguments: JSON.stringify(args) };
}

/**
 * What an agent's model is told of its past: past turns as text, append-only, so that each request begins with the bytes of the
 * one before and a server's prefix cache stays warm. It is trimmed rarely and in a large block.
 */
import type { Message } from '../model/chat.js';
import type { MemorySpec } from '../scenario/scenario.js';

/** One past turn: the text that was sent (never the image) and what was understood of the answer. */
export interface Past {
  readonly text: string;
  readonly reply: string;
}

/** The past with one more turn; when it would exceed `turnsMax`, only the newest `turnsKept` stay. */
export function remembered(spec: MemorySpec, past: readonly Past[], turn: Past): readonly Past[] {
  if (spec.kind === 'none') return [];
  const grown = [...past, turn];
  return grown.length > spec.turnsMax ? grown.slice(grown.length - spec.turnsKept) : grown;
}

/** The same past turn gives the same message objects, so that the log hashes each of them once, not once a turn. */
const messagesOf = new WeakMap<Past, readonly Message[]>();

export function pastMessages(past: readonly Past[]): readonly Message[] {
  return past.flatMap((turn) => messagesOf.get(turn) ?? firstMessages(turn));
}

function firstMessages(turn: Past): readonly Message[] {
  const messages = asMessages(turn);
  messagesOf.set(turn, messages);
  return messages;
}

function asMessages({ text, reply }: Past): readonly Message[] {
  return [
    { role: 'user', parts: [{ kind: 'text', text }] },
    { role: 'assistant', parts: [{ kind: 'text', text: reply }] },
  ];
}

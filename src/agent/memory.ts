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

export function pastMessages(past: readonly Past[]): readonly Message[] {
  return past.flatMap((turn): Message[] => [
    { role: 'user', parts: [{ kind: 'text', text: turn.text }] },
    { role: 'assistant', parts: [{ kind: 'text', text: turn.reply }] },
  ]);
}

/** Reads a reply as the test agent would, and says the outcome in the corpus's words. */
import type { Interpretation } from '../../src/parse/interpret.js';
import { interpret } from '../../src/parse/interpret.js';
import { protocolOf } from '../../src/parse/protocols.js';
import { OBSERVATION, REGISTRY, VOCABULARY } from './vocabulary.js';

export function readReply(content: string, finishReason: string | null = 'stop'): Interpretation {
  const reply = { content, reasoning: null, toolCalls: [], finishReason };
  return interpret(reply, protocolOf('command'), VOCABULARY, REGISTRY, OBSERVATION);
}

/** `TAKE thing=brass-key`, `SPEAK text="…"`, or `!code`. */
export function outcome(content: string, finishReason: string | null = 'stop'): string {
  return outcomeOf(readReply(content, finishReason));
}

/** The same of a reply that was read by any protocol. */
export function outcomeOf({ intent, problem }: Interpretation): string {
  if (intent === null) return `!${problem?.code ?? ''}`;
  const args = Object.entries(intent.args).map(
    ([slot, value]) => ` ${slot}=${slot === 'text' ? `"${value}"` : value}`,
  );
  return `${intent.action}${args.join('')}`;
}

/** Reads a reply as the test agent would, and says the outcome in the corpus's words. */
import type { Interpretation } from '../../src/binding/interpret.js';
import { interpret } from '../../src/binding/interpret.js';
import { protocolOf } from '../../src/parse/protocols.js';
import type { ParseTier } from '../../src/parse/reading.js';
import type { LabelledReply } from './corpus.js';
import { MORE_OBSERVATION, MORE_REGISTRY, MORE_VOCABULARY } from './more-vocabulary.js';
import { OBSERVATION, REGISTRY, VOCABULARY } from './vocabulary.js';

export function readReply(content: string, finishReason: string | null = 'stop'): Interpretation {
  const reply = { content, reasoning: null, toolCalls: [], finishReason };
  return interpret(reply, protocolOf('command'), VOCABULARY, REGISTRY, OBSERVATION);
}

/** `TAKE thing=brass-key`, `SPEAK text="…"`, or `!code`. */
export function outcome(content: string, finishReason: string | null = 'stop'): string {
  return outcomeOf(readReply(content, finishReason));
}

/** A reply of the corpus, read by its protocol: `command` in the small vocabulary, the others with a few actions more. */
export function outcomeOfReply(reply: LabelledReply): string {
  return outcomeOf(interpretReply(reply));
}

/** The rule that read it; null where none did. */
export function rungOfReply(reply: LabelledReply): ParseTier | null {
  return interpretReply(reply).reading.rung;
}

export function interpretReply({
  protocol,
  content,
  toolCalls,
  finishReason,
}: LabelledReply): Interpretation {
  const reply = { content, toolCalls, reasoning: null, finishReason };
  const reader = protocolOf(protocol);
  if (protocol === 'command') return interpret(reply, reader, VOCABULARY, REGISTRY, OBSERVATION);
  return interpret(reply, reader, MORE_VOCABULARY, MORE_REGISTRY, MORE_OBSERVATION);
}

/** The same of a reply that was read by any protocol. */
export function outcomeOf({ intent, problem }: Interpretation): string {
  if (intent === null) return `!${problem?.code ?? ''}`;
  const args = Object.entries(intent.args).map(
    ([slot, value]) => ` ${slot}=${slot === 'text' ? `"${value}"` : value}`,
  );
  return `${intent.action}${args.join('')}`;
}

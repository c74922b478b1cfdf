/**
 * One message of a sample, with texts and pictures in the order in which they were sent, and functions that
 * derive other messages from it. A message is never changed in place.
 */
import type { Message } from '../model/chat.js';

/** A picture that was sent; `hash` covers its pixels. */
export interface SampleImage {
  hash: string;
  png: Uint8Array;
}

/** One message as it was sent: texts and pictures in their order. */
export interface PromptTurn {
  role: Message['role'];
  parts: readonly (string | SampleImage)[];
  /** All its texts, separated by empty lines; '' if it has none. */
  text: string;
  pictures: readonly SampleImage[];
}

export function promptTurn({ role, parts }: Pick<PromptTurn, 'role' | 'parts'>): PromptTurn {
  const texts = parts.filter((part) => typeof part === 'string');
  const pictures = parts.filter((part) => typeof part !== 'string');
  return { role, parts, text: texts.join('\n\n'), pictures };
}

/** The same message with each text replaced. */
export function mapText({ role, parts }: PromptTurn, change: (text: string) => string): PromptTurn {
  return promptTurn({ role, parts: parts.map((part) => (typeof part === 'string' ? change(part) : part)) });
}

/** The same message with this text put before its own. */
export function withOpening(text: string, { role, parts }: PromptTurn): PromptTurn {
  const [first, ...rest] = parts;
  const [opening, after] = typeof first === 'string' ? [[text, first], rest] : [[text], parts];
  return promptTurn({ role, parts: [opening.join('\n\n'), ...after] });
}

/** The UTF-16 units of their texts. */
export function textUnits(turns: readonly PromptTurn[]): number {
  return turns.reduce((sum, { text }) => sum + text.length, 0);
}

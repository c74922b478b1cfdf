/** The event of words that are said, in every world that has speech: what it says, to everyone who reads it. */
import type { Event } from './action.js';

/** The kind of the event of words that are said. */
export const SAID = 'said';

export interface SpokenLine {
  speaker: string;
  text: string;
  hearers: readonly string[];
}

/** Null for any other event. */
export function spokenIn({ kind, actor, data }: Event): SpokenLine | null {
  const { text, hearers } = data;
  if (kind !== SAID || actor === null || typeof text !== 'string') return null;
  return { speaker: actor, text, hearers: Array.isArray(hearers) ? hearers.map(String) : [] };
}

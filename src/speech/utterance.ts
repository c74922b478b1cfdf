/**
 * Utterances: who hears what, and how it is presented to its hearers. Pure; used by the worlds. What an agent
 * says is untrusted, so it reaches another agent as one quoted line next to its true speaker.
 */
import { counted } from '../base/counted.js';
import { LIMITS } from '../base/limits.js';
import { cutText, oneLine, quoted } from '../base/text.js';

export type Channel = 'speak' | 'announce';

export interface Utterance {
  /** Id of the agent or NPC; set by the world, never from the text. */
  speaker: string;
  channel: Channel;
  /** One clean line, within the limit; case is kept. */
  text: string;
  /** The turn in which it was said. */
  turn: number;
  at: { x: number; y: number };
}

/** A possible hearer: a body with its position and the rooms it is in. */
export interface Listener {
  id: string;
  x: number;
  y: number;
  rooms: readonly string[];
}

export interface SpeechReach {
  /** Manhattan radius of SPEAK in tiles. */
  speakRadius: number;
}

export function utteranceText(raw: string): string {
  return cutText(oneLine(raw), LIMITS.utteranceCharacters);
}

/** Ids of the hearers, in the given order; never the speaker. Walls do not block speech. */
export function hearers(
  channel: Channel,
  speaker: Listener,
  others: readonly Listener[],
  reach: SpeechReach,
): readonly string[] {
  return others
    .filter((listener) => listener.id !== speaker.id)
    .filter((listener) =>
      channel === 'speak'
        ? Math.abs(speaker.x - listener.x) + Math.abs(speaker.y - listener.y) <= reach.speakRadius
        : listener.rooms.some((room) => speaker.rooms.includes(room)),
    )
    .map((listener) => listener.id);
}

/** How an utterance reached a hearer. */
export interface Hearing {
  /** The speaker's name for the hearer. */
  speakerName: string;
  /** The distance between the two, in tiles; null if it is not told. */
  distance: number | null;
  /**
   * Who could hear it, such as "all in the room": an announcement to all is different from words to those
   * nearby.
   */
  reach: string;
}

/**
 * The line in which a hearer reads an utterance: speaker and reach outside the quotation, words as a JSON
 * string.
 */
export function heardLine(
  utterance: Pick<Utterance, 'channel' | 'text' | 'turn'>,
  { speakerName, distance: tiles, reach }: Hearing,
): string {
  const verb = utterance.channel === 'announce' ? 'announced' : 'said';
  const when = `${tiles === null ? '' : `${counted(tiles, 'tile')} away, `}turn ${utterance.turn}`;
  return `${speakerName} (${when}) ${verb} to ${reach}: ${quoted(utterance.text)}`;
}

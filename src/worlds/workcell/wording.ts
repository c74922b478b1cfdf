/**
 * Small pieces of English that rules, text and scene share, so that a side or a part has the same name
 * everywhere.
 */
import { LIMITS } from '../../base/limits.js';
import { breakControlTokens, cutText, oneLine } from '../../base/text.js';
import type { Hearing, Utterance } from '../../speech/utterance.js';
import { heardLine } from '../../speech/utterance.js';
import type { Angle } from './definition.js';

const SIDES: Readonly<Record<Angle, string>> = {
  0: 'front',
  90: 'left side',
  180: 'rear',
  270: 'right side',
};

/** "left side". */
export function sideName(angle: Angle): string {
  return SIDES[angle];
}

/** "the left side (90°)". */
export function theSide(angle: Angle): string {
  return `the ${SIDES[angle]} (${angle}°)`;
}

/** A name from the scenario in a form that is safe in a prompt without quotation marks. */
export function nameText(name: string): string {
  return cutText(breakControlTokens(oneLine(name)), LIMITS.nameCharacters);
}

/** Prose of the scenario on one line. */
export function proseText(prose: string): string {
  return breakControlTokens(oneLine(prose));
}

/** "the brass key"; a capitalised name is a proper one without article: "Rivet". */
export function theName(name: string): string {
  return /^[A-Z]/.test(name) || /^the /i.test(name) ? name : `the ${name}`;
}

/** The sentence with a capital first letter. */
export function capitalised(sentence: string): string {
  return sentence.replace(/^[a-z]/, (letter) => letter.toUpperCase());
}

/** "a, b and c"; '' for nothing. */
export function joinList(words: readonly string[], conjunction = 'and'): string {
  const last = words.at(-1) ?? '';
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} ${conjunction} ${last}`;
}

/** What a hearer reads: in a workcell, every robot hears everything. */
export function heardByAll({
  utterance,
  speakerName,
  distance,
}: { readonly utterance: Utterance } & Omit<Hearing, 'reach'>): string {
  return heardLine(utterance, { speakerName, distance, reach: 'all' });
}

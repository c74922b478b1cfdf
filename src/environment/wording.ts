/** Small pieces of English that the worlds share, so that a thing has the same name everywhere. */
import { LIMITS } from '../base/limits.js';
import { breakControlTokens, cutText, oneLine } from '../base/text.js';

/** Cache of cleaned names, because a step needs the same few many times. */
const cleanNames = new Map<string, string>();

/** A name in a form that is safe in a prompt without quotation marks. */
export function nameText(name: string): string {
  const cached = cleanNames.get(name);
  if (cached !== undefined) return cached;
  // Cutting comes last, so that cleaning a clean name changes nothing.
  const clean = cutText(breakControlTokens(oneLine(name)), LIMITS.nameCharacters);
  if (cleanNames.size >= LIMITS.things) cleanNames.clear();
  cleanNames.set(name, clean);
  return clean;
}

/** Prose of the scenario or the rules on one line. */
export function proseText(prose: string): string {
  return breakControlTokens(oneLine(prose));
}

/** "the brass key"; a capitalised name is a proper name, without article: "Mira". */
export function theName(name: string): string {
  return /^[A-Z]/.test(name) || /^the /i.test(name) ? name : `the ${name}`;
}

/** The sentence with a capital first letter. */
export function capitalised(sentence: string): string {
  const first = sentence.charAt(0);
  return first >= 'a' && first <= 'z' ? first.toUpperCase() + sentence.slice(1) : sentence;
}

/** "north and east", "north, east and south"; '' for nothing. */
export function joinList(words: readonly string[], conjunction = 'and'): string {
  const last = words.at(-1) ?? '';
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} ${conjunction} ${last}`;
}

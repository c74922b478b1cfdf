/**
 * The words of an observation: pure functions from what is perceived to lines of text. Every name passes `nameText`,
 * since scenarios and agents are strangers: one line, no control tokens. Words that the rules share with it stand in
 * `wording.ts`.
 */
import { LIMITS } from '../../base/limits.js';
import { breakControlTokens, oneLine } from '../../base/text.js';

/** A name as it may stand in a prompt outside quotation marks. */
export function nameText(name: string): string {
  return breakControlTokens(oneLine(name, LIMITS.nameCharacters));
}

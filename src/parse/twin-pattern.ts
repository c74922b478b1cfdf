/**
 * Patterns that know letters of all scripts, with a twin for texts of ASCII alone. Where case does not matter, Unicode's rules make a pattern ten times as
 * slow, and nearly every reply does without them. The twin is the same source without the flag `u`, each `\p{…}` written out as far as
 * ASCII goes; on ASCII both find the same (case folding joins no two ASCII letters but a pair of cases, with the flag or without).
 */
import { known } from '../base/assert.js';

/** What ASCII has of each class of characters. */
const ASCII_OF: Readonly<Record<string, string>> = { L: 'A-Za-z', N: '0-9', So: '' };
const ASCII = /^[\0-\x7f]*$/;

export class TwinPattern {
  /** As it was given: what the twin has to agree with. */
  readonly source: string;
  readonly flags: string;
  readonly #any: RegExp;
  readonly #ascii: RegExp;

  /** `flags` with `u`. Of property classes only those that `ASCII_OF` knows, others throw AssertionError. */
  constructor(source: string, flags: string) {
    this.source = source;
    this.flags = flags;
    this.#any = new RegExp(source, flags);
    this.#ascii = new RegExp(asciiSource(source), flags.replace('u', ''));
  }

  /** Whether it matches anywhere; for patterns without the flag `g`. */
  test(text: string): boolean {
    return this.#for(text).test(text);
  }

  /** For patterns with the flag `g`. */
  matchAll(text: string): IterableIterator<RegExpExecArray> {
    return text.matchAll(this.#for(text));
  }

  #for(text: string): RegExp {
    return ASCII.test(text) ? this.#ascii : this.#any;
  }
}

/** Escapes as they are, but for property classes; brackets tell whether one stands in a class of its own already. */
function asciiSource(source: string): string {
  let isInside = false;
  return source.replace(/\\p\{(\w+)\}|\\.|[[\]]/g, (found, property?: string) => {
    if (property !== undefined) {
      const characters = known(ASCII_OF[property], `the ASCII characters of ${property}`);
      return isInside ? characters : `[${characters}]`;
    }
    if (found === '[') isInside = true;
    if (found === ']') isInside = false;
    return found;
  });
}

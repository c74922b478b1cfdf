/**
 * An act as an agent would say it: the form of the action's grammar that its arguments fill, with names as
 * ids. Out: a command line.
 */
import { lookUp } from '../base/look-up.js';
import type { Action, Args } from '../environment/action.js';
import type { Grammar } from '../environment/grammar.js';

/** Such as `USE brass-key ON oak-door`. */
export function spokenAct<S>(action: Action<S>, args: Args): string {
  const rest = action.grammar === null ? '' : (spokenForm(action.grammar, args)?.words ?? '');
  return `${action.name} ${rest}`.trim();
}

interface SpokenForm {
  readonly words: string;
  /** The number of arguments in it. */
  readonly filled: number;
}

/** Null if an argument is missing. */
function spokenForm(grammar: Grammar, args: Args): SpokenForm | null {
  switch (grammar.kind) {
    case 'sequence': {
      const parts = grammar.parts.map((part) => spokenForm(part, args));
      const said = parts.filter((part) => part !== null);
      if (said.length < parts.length) return null;
      const words = said.map((part) => part.words).filter((one) => one !== '');
      return { words: words.join(' '), filled: said.reduce((sum, { filled }) => sum + filled, 0) };
    }
    case 'choice': {
      const said = grammar.parts.map((part) => spokenForm(part, args)).filter((part) => part !== null);
      return said.toSorted((a, b) => b.filled - a.filled)[0] ?? null;
    }
    case 'optional': {
      const said = spokenForm(grammar.part, args);
      return said === null || said.filled === 0 ? { words: '', filled: 0 } : said;
    }
    default:
      return spokenSlot(grammar, args);
  }
}

function spokenSlot(
  slot: Exclude<Grammar, { kind: 'sequence' | 'choice' | 'optional' }>,
  args: Args,
): SpokenForm | null {
  if (slot.slot === undefined) return { words: slot.kind === 'word' ? slot.word : '', filled: 0 };
  const value = lookUp(args, slot.slot);
  if (value === undefined || (slot.kind === 'word' && value !== slot.word)) return null;
  const text = slot.kind === 'text' ? JSON.stringify(value) : String(value);
  return { words: text, filled: 1 };
}

/**
 * Writes an action with its arguments as a command line: fills the form of the action's grammar, with names
 * as ids.
 */
import { lookUp } from '../base/look-up.js';
import type { Action, Args } from '../environment/action.js';
import type { Grammar } from '../environment/grammar.js';

/** Such as `USE brass-key ON oak-door`. */
export function spokenAct<S>(action: Action<S>, args: Args): string {
  const argsText = action.grammar === null ? '' : (spokenForm(action.grammar, args)?.text ?? '');
  return `${action.name} ${argsText}`.trim();
}

interface SpokenForm {
  readonly text: string;
  /** The number of arguments in it. */
  readonly filled: number;
}

/** The form of a grammar with its arguments; null if an argument is missing. */
function spokenForm(grammar: Grammar, args: Args): SpokenForm | null {
  switch (grammar.kind) {
    case 'sequence': {
      const parts = grammar.parts.map((part) => spokenForm(part, args));
      const filledParts = parts.filter((part) => part !== null);
      if (filledParts.length < parts.length) return null;
      const texts = filledParts.map((part) => part.text).filter((one) => one !== '');
      return { text: texts.join(' '), filled: filledParts.reduce((sum, { filled }) => sum + filled, 0) };
    }
    case 'choice': {
      const candidates = grammar.parts.map((part) => spokenForm(part, args)).filter((part) => part !== null);
      return candidates.toSorted((a, b) => b.filled - a.filled)[0] ?? null;
    }
    case 'optional': {
      const form = spokenForm(grammar.part, args);
      return form === null || form.filled === 0 ? { text: '', filled: 0 } : form;
    }
    default:
      return spokenSlot(grammar, args);
  }
}

function spokenSlot(
  slot: Exclude<Grammar, { kind: 'sequence' | 'choice' | 'optional' }>,
  args: Args,
): SpokenForm | null {
  if (slot.slot === undefined) return { text: slot.kind === 'word' ? slot.word : '', filled: 0 };
  const value = lookUp(args, slot.slot);
  if (value === undefined || (slot.kind === 'word' && value !== slot.word)) return null;
  const text = slot.kind === 'text' ? JSON.stringify(value) : String(value);
  return { text: text, filled: 1 };
}

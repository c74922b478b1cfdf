/**
 * A command's words from its arguments: the reverse of parsing, with the same grammar. For programs that name
 * an action and its arguments in a protocol of words.
 */
import type { Args } from '../environment/action.js';
import type { Grammar } from '../environment/grammar.js';

interface CommandPart {
  words: readonly string[];
  /** The arguments that the words contain. */
  slots: readonly string[];
}

/** Such as `USE brass-key ON oak-door`; only the action if it can't be written with these arguments. */
export function commandText(
  { name, grammar }: { name: string; grammar: Grammar | null },
  args: Args,
): string {
  return `${name} ${formatCommand(grammar, args) ?? ''}`.trim();
}

/** The arguments alone; null if no form of the grammar has exactly these. */
export function formatCommand(grammar: Grammar | null, args: Args): string | null {
  const slotNames = Object.keys(args);
  if (grammar === null) return slotNames.length === 0 ? '' : null;
  const command = formatPart(grammar, args);
  return command === null || slotNames.some((slot) => !command.slots.includes(slot))
    ? null
    : command.words.join(' ');
}

/** The form with most of the arguments; null if every form needs others. */
function formatPart(grammar: Grammar, args: Args): CommandPart | null {
  switch (grammar.kind) {
    case 'sequence':
      return joinParts(grammar.parts.map((part) => formatPart(part, args)));
    case 'choice':
      return grammar.parts
        .map((part) => formatPart(part, args))
        .reduce((best, one) => ((one?.slots.length ?? -1) > (best?.slots.length ?? -1) ? one : best), null);
    case 'optional': {
      const part = formatPart(grammar.part, args);
      return part === null || part.slots.length === 0 ? EMPTY_PART : part;
    }
    case 'word':
      if (grammar.slot === undefined) return { words: [grammar.word], slots: [] };
      return args[grammar.slot] === grammar.word ? { words: [grammar.word], slots: [grammar.slot] } : null;
    case 'text':
    case 'name':
    case 'direction':
    case 'integer':
      return leaf(grammar, args[grammar.slot]);
  }
}

const EMPTY_PART: CommandPart = { words: [], slots: [] };

function leaf(
  { kind, slot }: Extract<Grammar, { kind: 'text' | 'name' | 'direction' | 'integer' }>,
  value: string | number | undefined,
): CommandPart | null {
  if (value === undefined) return null;
  return { words: [kind === 'text' ? quotation(String(value)) : String(value)], slots: [slot] };
}

/** A quotation ends on its line, and its only escapes are of marks and backslashes. */
function quotation(text: string): string {
  const line = text.replace(/\s*[\n\r\t\v\f\u2028\u2029]\s*/g, ' ').trim();
  return `"${line.replace(/["\\]/g, String.raw`\$&`)}"`;
}

function joinParts(parts: readonly (CommandPart | null)[]): CommandPart | null {
  const complete = parts.filter((part) => part !== null);
  if (complete.length < parts.length) return null;
  return { words: complete.flatMap(({ words }) => words), slots: complete.flatMap(({ slots }) => slots) };
}

/**
 * Parses the arguments after a verb: matches the rest of a line against the action's forms and returns every
 * possible reading as values by slot, the most specific first. The format of values is checked here (range,
 * length, placeholders); whether a name refers to anything is checked later, by binding.
 */
import { assertNever } from '../base/assert.js';
import { counted } from '../base/counted.js';
import { LIMITS } from '../base/limits.js';
import { lookUp } from '../base/look-up.js';
import type { Problem } from '../base/problem.js';
import { problem } from '../base/problem.js';
import { quoted } from '../base/text.js';
import type { Args } from '../environment/action.js';
import type { Grammar, Slot } from '../environment/grammar.js';
import { isDiagonal } from '../environment/space.js';
import type { GrammarForm } from './grammar-pattern.js';
import { directionOf, formsOf } from './grammar-pattern.js';

// A text argument as models write it: in quotation marks of any kind, possibly with quotation marks and
// apostrophes inside, or unquoted to the end of the line. The last quotation mark closes the text.

type SpokenText =
  /** `start` and `end` are the text's position in the input. */
  | { ok: true; start: number; end: number; isQuoted: boolean }
  | { ok: false; reason: 'empty' | 'unclosed' | 'rest' | 'unquoted-mix' };

/** What may follow a quotation without being part of it: marks, emoji and smileys, but no words. */
const AFTER_QUOTATION =
  /^(?:[^\p{L}\p{N}]|(?<=[:;=]['-]?)[DPpOo3](?![\p{L}\p{N}])|(?<=<)3(?![\p{L}\p{N}]))*$/u;

/**
 * `text` is normalised: every double mark is ", every single one is '. Emphasis may surround the quotation, and
 * both of its marks may be escaped: `\\"Hello.\\"`.
 */
function readTextArgument(text: string): SpokenText {
  const prefix = /^(?:[*_`]{1,3}|\\)(?=["'])/.exec(text)?.[0] ?? '';
  const prefixLength = prefix.length;
  const mark = text.charAt(prefixLength);
  if (mark !== '"' && mark !== "'") return unquotedText(text);
  const last = prefix === '\\' ? lastEscapedMark(text, mark) : lastMark(text, prefixLength, mark);
  if (last === null) return { ok: false, reason: 'unclosed' };
  if (!AFTER_QUOTATION.test(text.slice(last + 1))) return { ok: false, reason: 'rest' };
  if (text.slice(prefixLength + 1, last).trim() === '') return { ok: false, reason: 'empty' };
  return { ok: true, start: prefixLength + 1, end: last, isQuoted: true };
}

function unquotedText(text: string): SpokenText {
  if (text.trim() === '') return { ok: false, reason: 'empty' };
  if (text.includes('"')) return { ok: false, reason: 'unquoted-mix' };
  // Half of `('…')`.
  if (/^[([{] ?'/.test(text) && !/' ?[)\]}]/.test(text)) return { ok: false, reason: 'unclosed' };
  return { ok: true, start: 0, end: text.trimEnd().length, isQuoted: false };
}

/** Escaped marks and apostrophes within words are part of the text. */
const MARKS = { '"': /(?<escaped>\\[^])|"/g, "'": /(?<escaped>\\[^]|(?<=\p{L})'(?=\p{L}))|'/gu };

/** The position of the last mark after the first. */
function lastMark(text: string, first: number, mark: '"' | "'"): number | null {
  const closingMarks = [...text.slice(first + 1).matchAll(MARKS[mark])].filter(
    ({ groups }) => groups?.escaped === undefined,
  );
  const last = closingMarks.at(-1);
  return last === undefined ? null : first + 1 + last.index;
}

/** The position of the backslash before the last escaped mark after the first. */
function lastEscapedMark(text: string, mark: '"' | "'"): number | null {
  const last = text.lastIndexOf(`\\${mark}`);
  return last === 0 ? null : last;
}

/** The rest of a line: `text` is normalised, and `raw` returns the raw spelling of a part of it. */
export interface CommandRest {
  text: string;
  raw: (start: number, end: number) => string;
  /** Whether spoken text must be in quotation marks, because no label marks the line as an answer. */
  quotedOnly: boolean;
}

export interface ArgumentReadings {
  /** Every reading, the more likely ones first; empty if no form matched or every match had a problem. */
  readings: readonly Args[];
  /** The problem of the first form that matched, if there is no reading. */
  problem: Problem | null;
  /** Only short forms matched. */
  isShort: boolean;
}

/** The value of a slot, or the problem with what was written. */
export type ArgumentReading = { ok: true; value: string | number } | { ok: false; problem: Problem };

/** The limit for all names together; text slots have their own limits. */
const NAMES_MAX = 2 * LIMITS.argumentCharacters;

export function readArguments(verb: string, grammar: Grammar | null, rest: CommandRest): ArgumentReadings {
  const readings: Args[] = [];
  let firstProblem: Problem | null = null;
  let isShort = false;
  for (const form of formsOf(grammar)) {
    // Without a label, prose such as "Go away" would be such a form.
    if (form.isShort && !isShort && (rest.quotedOnly || readings.length > 0 || firstProblem !== null)) break;
    isShort = form.isShort;
    for (const pattern of form.patterns) {
      const read = matchForm(verb, form, pattern, rest);
      if (read === null) continue;
      if (!read.ok) firstProblem ??= read.problem;
      else if (!readings.some((other) => sameArgs(other, read.args))) readings.push(read.args);
      if (read.ok && form.freeSlotCount === 0) return { readings: [read.args], problem: null, isShort };
    }
    // A form that was clearly intended but filled wrongly is not replaced by another one.
    if (firstProblem !== null && form.freeSlotCount === 0) break;
  }
  return { readings: firstProblem === null ? readings : [], problem: firstProblem, isShort };
}

function matchForm(
  verb: string,
  form: GrammarForm,
  pattern: RegExp,
  rest: CommandRest,
): { ok: true; args: Args } | { ok: false; problem: Problem } | null {
  const hasText = form.leaves.at(-1)?.kind === 'text';
  const subject = hasText ? rest.text : withoutTrailingMarks(rest.text);
  if (!hasText && subject.length > NAMES_MAX) return null;
  const match = pattern.exec(subject);
  if (match === null) return null;
  const args: Record<string, string | number> = {};
  for (const [index, slot] of form.slots.entries()) {
    const range = match.indices?.[index + 1] ?? [0, 0];
    const written = match[index + 1] ?? '';
    const value =
      slot.kind === 'word'
        ? accepted(slot.word)
        : slot.kind === 'text'
          ? textValue(verb, slot, written, { rest, start: range[0] })
          : slotValue(verb, slot, written);
    if (!value.ok) return value;
    args[slot.slot] = value.value;
  }
  return { ok: true, args };
}

/** Emoji are pairs of surrogates; the invisible tag letters (\uDB40 and above) don't count as such. */
const STOP = /(?![`^])[ .,!;\p{So}\p{Sk}\uD800-\uDB3F\uDB41-\uDFFF]/u;

/**
 * Without full stops, emoji and the like at the end. A loop, because a pattern would retry a long run of them
 * again and again.
 */
export function withoutTrailingMarks(text: string): string {
  let end = text.length;
  while (end > 0 && STOP.test(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}

export function sameArgs(a: Args, b: Args): boolean {
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => lookUp(a, key) === lookUp(b, key));
}

/** The position of a slot's words in the rest of the line. */
interface ArgumentContext {
  rest: CommandRest;
  start: number;
}

/** The value of a slot that `written` must fill completely: digits with or without a sign, a name, a text. */
export function slotValue(
  verb: string,
  slot: Exclude<Slot, { kind: 'word' }>,
  written: string,
): ArgumentReading {
  switch (slot.kind) {
    case 'direction':
      return directionValue(verb, slot, written);
    case 'integer':
      return integerValue(verb, slot, written);
    case 'name':
      return nameValue(verb, slot, written);
    case 'text':
      return plainText(verb, slot, written);
    default:
      return assertNever(slot, 'slot');
  }
}

function accepted(value: string | number): ArgumentReading {
  return { ok: true, value };
}

function badArgument(message: string): ArgumentReading {
  return { ok: false, problem: problem('bad-argument', message) };
}

/** The direction that the words mean. */
function directionValue(
  verb: string,
  slot: Extract<Slot, { kind: 'direction' }>,
  written: string,
): ArgumentReading {
  const direction = directionOf(written);
  if (direction === null)
    return badArgument(`${verb} needs a direction, and ${quoted(written, 60)} is none.`);
  if (!slot.diagonals && isDiagonal(direction)) {
    return badArgument(`${verb} takes only north, east, south or west, not ${direction}.`);
  }
  return accepted(direction);
}

/** `written` is digits with or without a sign. */
function integerValue(
  verb: string,
  slot: Extract<Slot, { kind: 'integer' }>,
  written: string,
): ArgumentReading {
  const value = Number(written);
  if (value >= slot.min && value <= slot.max) return accepted(value === 0 ? 0 : value);
  return badArgument(
    `${verb} takes a whole number from ${slot.min} to ${slot.max} for ${slot.slot}, not ${value}.`,
  );
}

/** Marks that models put around a name: quotes, brackets of a filled-in placeholder. */
const WRAPPED = /^(?:"(.+)"|'(.+)'|<(.+)>|\[(.+)\]|\{(.+)\})$/;

/** A name without the quotation marks or brackets around it, and trimmed. */
export function unwrappedName(written: string): string {
  const inner = WRAPPED.exec(written)
    ?.slice(1)
    .find((group) => group !== undefined);
  return (inner ?? written).trim();
}

/** A name as it was written; a placeholder from the help is not a name. */
function nameValue(verb: string, slot: Extract<Slot, { kind: 'name' }>, written: string): ArgumentReading {
  const inner = unwrappedName(written);
  if (isPlaceholder(slot, written, inner)) {
    return badArgument(
      `${quoted(written, 60)} is a placeholder: write the name of what you mean after ${verb}.`,
    );
  }
  if (inner.length > LIMITS.argumentCharacters) return badArgument(`The name after ${verb} is too long.`);
  return accepted(written.trim());
}

/** `<thing>`, copied from the help; `[brass key]` is a name in brackets. */
function isPlaceholder(slot: Extract<Slot, { kind: 'name' }>, written: string, inner: string): boolean {
  if (/^\.*$/.test(inner)) return true;
  const isBracketed = /^[<[{]/.test(written) && inner !== written.trim();
  return (
    isBracketed && (inner.includes('|') || [slot.slot, 'direction', ...slot.of].includes(inner.toLowerCase()))
  );
}

function textValue(
  verb: string,
  slot: Extract<Slot, { kind: 'text' }>,
  written: string,
  context: ArgumentContext,
): ArgumentReading {
  const quotation = readTextArgument(written);
  if (!quotation.ok) return badArgument(TEXT_PROBLEMS[quotation.reason](verb));
  if (!quotation.isQuoted && context.rest.quotedOnly) return badArgument(TEXT_PROBLEMS['unquoted-mix'](verb));
  return plainText(verb, slot, rawText(quotation, context));
}

/** `<text>`, `[your message]`, `…`; `[1, 2]` is a text. */
const TEXT_PLACEHOLDER = /^(?:<[^<>]*>|\[(?=[^\]]*\p{L})[\p{L}\p{M}\s_'’.,:;…!?/-]*\]|\.{3}|…)$/u;

/** A text that fills its slot completely: not a placeholder, and no longer than the slot's limit. */
function plainText(verb: string, slot: Extract<Slot, { kind: 'text' }>, raw: string): ArgumentReading {
  if (raw === '') return badArgument(TEXT_PROBLEMS.empty(verb));
  if (TEXT_PLACEHOLDER.test(raw)) {
    return badArgument(`${quoted(raw, 60)} is a placeholder: write the words themselves after ${verb}.`);
  }
  if (Array.from(raw).length > slot.charactersMax) {
    return badArgument(
      `The text after ${verb} is longer than ${counted(slot.charactersMax, 'character')}; say it shorter.`,
    );
  }
  return accepted(raw);
}

/**
 * The text as written, from mark to mark, because normalising may have dropped characters next to the marks.
 */
function rawText(quotation: Extract<SpokenText, { ok: true }>, context: ArgumentContext): string {
  const [start, end] = [context.start + quotation.start, context.start + quotation.end];
  if (!quotation.isQuoted) return context.rest.raw(start, end).trim();
  return context.rest
    .raw(start - 1, end + 1)
    .slice(1, -1)
    .replace(/\\(["'\\])/g, '$1')
    .trim();
}

const TEXT_PROBLEMS: Readonly<
  Record<'empty' | 'unclosed' | 'rest' | 'unquoted-mix', (verb: string) => string>
> = {
  empty: (verb) => `${verb} needs words between quotation marks.`,
  unclosed: (verb) => `The quotation after ${verb} does not end on its line; close it with a quotation mark.`,
  rest: (verb) => `Something follows the quotation after ${verb}; nothing may stand after the closing mark.`,
  'unquoted-mix': (verb) => `Put the words after ${verb}, and nothing else, between quotation marks.`,
};

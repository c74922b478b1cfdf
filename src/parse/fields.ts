/**
 * Reads an action's arguments from named values, as in objects and tool calls; `arguments.ts` is the
 * counterpart for a line of text. Names are still free text. Every value must belong to a slot, and together
 * they must fill exactly one of the action's forms.
 */
import { lookUp } from '../base/look-up.js';
import type { Problem } from '../base/problem.js';
import { problem } from '../base/problem.js';
import { oneLine, quoted } from '../base/text.js';
import type { Args } from '../environment/action.js';
import type { Slot } from '../environment/grammar.js';
import { slotsOf } from '../environment/grammar.js';
import type { GrammarLeaf } from '../forms/layouts.js';
import { layOut } from '../forms/layouts.js';
import { objectForms, wordsOf } from '../forms/object-help.js';
import type { VocabularyAction } from '../forms/vocabulary.js';
import type { ArgumentReading } from './arguments.js';
import { slotValue } from './arguments.js';
import type { LooseJson, LooseObject } from './loose-json.js';

export type FieldsReading = { ok: true; args: Args } | { ok: false; problem: Problem };

/** Keys are matched ignoring case, separators and an `id` suffix; null and '' mean omitted. */
export function readFields(action: VocabularyAction, fields: LooseObject): FieldsReading {
  const slots = action.grammar === null ? [] : slotsOf(action.grammar).map(({ slot }) => slot);
  const values = new Map<string, LooseJson>();
  for (const [key, value] of fields) {
    const slot = slotFor(key, slots);
    if (slot === undefined) return refuse(unknownKey(action, key, slots));
    if (values.has(slot.slot)) return refuse(badArgument(`You gave ${action.name} ${slot.slot} twice.`));
    if (value !== null && value !== '') values.set(slot.slot, value);
  }
  const args: Record<string, string | number> = {};
  for (const slot of slots) {
    const value = values.get(slot.slot);
    if (value === undefined) continue;
    const read = valueOf(action, slot, value);
    if (!read.ok) return read;
    args[slot.slot] = read.value;
  }
  return fillsForm(action, args) ? { ok: true, args } : refuse(wrongForm(action, Object.keys(args)));
}

/** Whether a key names a slot of the action, as words or the text of a speech rarely do. */
export function namesSlot({ grammar }: VocabularyAction, fields: LooseObject): boolean {
  const slots = grammar === null ? [] : slotsOf(grammar).map(({ slot }) => slot);
  return [...fields.keys()].some((key) => slotFor(key, slots) !== undefined);
}

/** A key that equals a slot's name, or that name followed by `id`: `target_id`. */
function slotFor(key: string, slots: readonly Slot[]): Slot | undefined {
  const folded = foldedKey(key);
  return (
    slots.find((one) => foldedKey(one.slot) === folded) ??
    slots.find((one) => one.kind === 'name' && `${foldedKey(one.slot)}id` === folded)
  );
}

/** `Action_Input`, `actionInput` and `action input` are one key. */
export function foldedKey(key: string): string {
  return key.replace(/[_\-\s]/g, '').toLowerCase();
}

export function refuse(reason: Problem): { ok: false; problem: Problem } {
  return { ok: false, problem: reason };
}

function badArgument(message: string): Problem {
  return problem('bad-argument', message);
}

function unknownKey(action: VocabularyAction, key: string, slots: readonly Slot[]): Problem {
  const known = slots.map(({ slot }) => slot).join(', ');
  const takes = known === '' ? 'It takes none: give {}.' : `It takes ${known}.`;
  return badArgument(`${action.name} has no parameter ${quoted(key, 60)}. ${takes}`);
}

function wrongForm(action: VocabularyAction, names: readonly string[]): Problem {
  const listedNames = names.length === 0 ? 'no parameters' : names.join(' and ');
  return badArgument(`I read ${action.name} with ${listedNames}. ${parametersHelp(action)}`);
}

/** The form of an action's parameters: `Write {"thing": "<thing>"} as its parameters.` */
export function parametersHelp({ grammar }: VocabularyAction): string {
  return `Write ${objectForms(grammar, {}).join(' or ')} as its parameters.`;
}

function valueOf(action: VocabularyAction, slot: Slot, value: LooseJson): ArgumentReading {
  const written = typeof value === 'number' ? String(value) : value;
  const text = slot.kind === 'integer' && typeof written === 'string' ? wholeNumber(written) : written;
  if (typeof text !== 'string' || (slot.kind === 'integer' && !/^\s*[+-]?\d{1,9}\s*$/.test(text)))
    return refuse(badArgument(`${action.name} takes ${expectedValue(action, slot)} for ${slot.slot}.`));
  if (slot.kind === 'word') return wordValue(action, slot, text);
  const line = slot.kind === 'text' ? text.trim() : oneLine(text);
  return slotValue(action.name, slot, slot.kind === 'direction' ? line.replace(/_/g, '-') : line);
}

/** `2.0` and `2e0` are whole numbers in JSON; other texts are unchanged. */
function wholeNumber(written: string): string {
  return /^\s*\d{1,9}(?:\.0{1,15}|(?:\.\d{1,9})?[eE]\+?\d)\s*$/.test(written) &&
    Number.isSafeInteger(Number(written))
    ? String(Number(written))
    : written;
}

function expectedValue({ grammar }: VocabularyAction, slot: Slot): string {
  if (slot.kind === 'integer') return `a whole number from ${slot.min} to ${slot.max}`;
  return slot.kind === 'word' ? `one of ${wordsOf(slot.slot, grammar).join(', ')}` : 'a text';
}

function wordValue(action: VocabularyAction, slot: Slot, text: string): ArgumentReading {
  const words = wordsOf(slot.slot, action.grammar);
  const word = words.find((one) => one.toLowerCase() === text.trim().toLowerCase());
  if (word !== undefined) return { ok: true, value: word };
  const expected = expectedValue(action, slot);
  return refuse(badArgument(`${action.name} takes ${expected} for ${slot.slot}, not ${quoted(text, 60)}.`));
}

/** Whether the arguments are exactly those of one form of the action. */
function fillsForm({ grammar }: VocabularyAction, args: Args): boolean {
  const names = Object.keys(args);
  const layouts = grammar === null ? [[]] : layOut(grammar);
  return layouts.some((leaves) => {
    const slots = leaves.filter((leaf) => leaf.slot !== undefined);
    return slots.length === names.length && slots.every((leaf) => matchesLeaf(leaf, args));
  });
}

function matchesLeaf(leaf: GrammarLeaf, args: Args): boolean {
  const value = leaf.slot === undefined ? undefined : lookUp(args, leaf.slot);
  return value !== undefined && (leaf.kind !== 'word' || leaf.word === value);
}

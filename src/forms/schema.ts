/**
 * The JSON Schema of an action's parameters, from its grammar: for the docs page and for every protocol whose
 * replies are objects. A slot that is not in every form is optional.
 */
import { assertNever } from '../base/assert.js';
import type { JsonObject } from '../base/json.js';
import { lookUp } from '../base/look-up.js';
import { breakControlTokens, oneLine } from '../base/text.js';
import type { Grammar, Slot } from '../environment/grammar.js';
import { slotsOf } from '../environment/grammar.js';
import { CARDINALS, DIRECTIONS } from '../environment/space.js';
import { anyName, spokenText, wholeText } from './guided-words.js';
import type { SlotChoices } from './layouts.js';
import { objectFormsOf, wordsOf } from './object-help.js';

export function parametersSchema(grammar: Grammar | null): JsonObject {
  const slots = grammar === null ? [] : slotsOf(grammar);
  const properties: Record<string, JsonObject> = {};
  for (const { slot } of slots) properties[slot.slot] = slotSchema(slot, grammar);
  return {
    type: 'object',
    properties,
    required: slots.filter((entry) => entry.required).map((entry) => entry.slot.slot),
    additionalProperties: false,
  };
}

/**
 * The same with only what would be accepted now: names as they are spoken, and no parameter that nothing
 * fits.
 */
export function offeredSchema(grammar: Grammar | null, choices: SlotChoices): JsonObject {
  const forms = objectFormsOf(grammar, choices);
  const slots = (grammar === null ? [] : slotsOf(grammar)).filter(({ slot }) =>
    forms.some((form) => form.slots.some((one) => one.slot === slot.slot)),
  );
  const isRequired = (name: string): boolean =>
    forms.every(({ slots: all, optional }) => all.some(({ slot }) => slot === name) && !optional.has(name));
  const properties: Record<string, JsonObject> = {};
  for (const { slot } of slots)
    properties[slot.slot] = currentSchema(slot, grammar, lookUp(choices, slot.slot) ?? []);
  return {
    type: 'object',
    properties,
    required: slots.map(({ slot }) => slot.slot).filter(isRequired),
    additionalProperties: false,
  };
}

/** The parameters of one form: all of its slots, each with only what would be accepted now. */
export function formSchema(slots: readonly Slot[], choices: SlotChoices): JsonObject {
  const schemas = slots.map((slot) => {
    return [slot.slot, exactSchema(slot, lookUp(choices, slot.slot) ?? [])] as const;
  });
  return {
    type: 'object',
    properties: Object.fromEntries(schemas),
    required: slots.map(({ slot }) => slot),
    additionalProperties: false,
  };
}

function exactSchema(slot: Slot, values: readonly string[]): JsonObject {
  if (slot.kind === 'word') return { type: 'string', enum: [slot.word] };
  const schema = currentSchema(slot, null, values);
  if (slot.kind === 'text') return { ...schema, pattern: wholeText(spokenText(slot.charactersMax)) };
  return slot.kind === 'name' && values.length === 0 ? { ...schema, pattern: wholeText(anyName()) } : schema;
}

function currentSchema(slot: Slot, grammar: Grammar | null, values: readonly string[]): JsonObject {
  const schema = slotSchema(slot, grammar);
  if (values.length === 0 || slot.kind === 'text' || slot.kind === 'integer') return schema;
  return { ...schema, enum: values.map((name) => breakControlTokens(oneLine(name))) };
}

function slotSchema(slot: Slot, grammar: Grammar | null): JsonObject {
  switch (slot.kind) {
    case 'word':
      return { type: 'string', enum: wordsOf(slot.slot, grammar) };
    case 'direction':
      return { type: 'string', enum: slot.diagonals ? DIRECTIONS : CARDINALS, description: slot.description };
    case 'name':
      return { type: 'string', description: slot.description };
    case 'text':
      return { type: 'string', minLength: 1, maxLength: slot.charactersMax, description: slot.description };
    case 'integer':
      return { type: 'integer', minimum: slot.min, maximum: slot.max, description: slot.description };
    default:
      return assertNever(slot, 'slot');
  }
}

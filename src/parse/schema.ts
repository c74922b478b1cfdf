/**
 * The JSON Schema of an action's parameters, from its grammar: for the docs page and for every protocol whose replies
 * are objects. A slot that not every form fills is optional.
 */
import { assertNever } from '../base/assert.js';
import type { JsonObject } from '../base/json.js';
import type { Grammar, Slot } from '../environment/grammar.js';
import { slotsOf } from '../environment/grammar.js';
import { CARDINALS, DIRECTIONS } from '../environment/space.js';
import { layOut } from './grammar-pattern.js';

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

function slotSchema(slot: Slot, grammar: Grammar | null): JsonObject {
  switch (slot.kind) {
    case 'word':
      return { type: 'string', enum: wordsOf(slot.slot, grammar) };
    case 'direction':
      return { type: 'string', enum: slot.diagonals ? DIRECTIONS : CARDINALS, description: slot.description };
    case 'name':
      return { type: 'string', description: slot.description };
    case 'text':
      return { type: 'string', maxLength: slot.charactersMax, description: slot.description };
    case 'integer':
      return { type: 'integer', minimum: slot.min, maximum: slot.max, description: slot.description };
    default:
      return assertNever(slot, 'slot');
  }
}

/** All words that may fill one slot: a choice of words shares it. */
export function wordsOf(slot: string, grammar: Grammar | null): readonly string[] {
  const leaves = grammar === null ? [] : layOut(grammar).flat();
  const words = leaves.flatMap((leaf) => (leaf.kind === 'word' && leaf.slot === slot ? [leaf.word] : []));
  return words.filter((word, index) => words.indexOf(word) === index);
}

/**
 * An action's arguments as a JSON object: for the help in prompts and messages of every protocol whose
 * answers are objects, and for the text of an answer itself. The spelling of JSON is the same everywhere, so
 * a model sees its past answers as it should write new ones.
 */
import { lookUp } from '../base/look-up.js';
import { breakControlTokens, escapeInvisible, oneLine } from '../base/text.js';
import type { Args } from '../environment/action.js';
import type { Grammar, Slot } from '../environment/grammar.js';
import { slotsOf } from '../environment/grammar.js';
import type { OfferedAction } from '../environment/observation.js';
import { costNote } from './instructions.js';
import type { SlotChoices } from './layouts.js';
import { layOut, canBeFilled } from './layouts.js';
import type { ActionOffer } from './offered-forms.js';
import { textsOf, waysByNumbers, withRange } from './offered-forms.js';
import type { Vocabulary } from './vocabulary.js';

/** A set of slots that can be filled together; `optional` lists those that may be left out. */
export interface ObjectForm {
  slots: readonly Slot[];
  optional: ReadonlySet<string>;
}

/**
 * The ways to fill an action's object, except those that only leave something out of another one; slots are
 * in their order.
 */
export function objectFormsOf(grammar: Grammar | null, choices: SlotChoices): readonly ObjectForm[] {
  if (grammar === null) return [{ slots: [], optional: new Set() }];
  const sets = layOut(grammar)
    .map((leaves) => leaves.filter((leaf): leaf is Slot => leaf.slot !== undefined))
    .filter((slots) => slots.every((slot) => canBeFilled(slot, choices)))
    .map((slots) => new Set(slots.map(({ slot }) => slot)));
  const all = slotsOf(grammar).map(({ slot }) => slot);
  const widest = sets.filter(
    (set, index) => !sets.some((other, at) => isWithin(set, other) && (other.size > set.size || at < index)),
  );
  return widest.map((set) => ({
    slots: all.filter(({ slot }) => set.has(slot)),
    optional: new Set(
      [...set].filter((slot) => sets.some((other) => isWithin(other, set) && !other.has(slot))),
    ),
  }));
}

function isWithin(set: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  return [...set].every((one) => other.has(one));
}

/**
 * `{"direction": <direction>}`, or with what would be accepted now in the slots; `"slot"?` may be left out.
 */
export function objectForms(grammar: Grammar | null, choices: SlotChoices): readonly string[] {
  return objectFormsOf(grammar, choices).map(({ slots, optional }) => {
    const fields = slots.map(
      (slot) => `"${slot.slot}"${optional.has(slot.slot) ? '?' : ''}: ${fillingOf(slot, grammar, choices)}`,
    );
    return `{${fields.join(', ')}}`;
  });
}

/**
 * The same for an offer; if some arguments go only with certain others, each way to fill the object is listed
 * separately.
 */
function objectFormsNow(grammar: Grammar | null, { slots, ways }: ActionOffer): readonly string[] {
  if (grammar === null || ways === undefined) return objectForms(grammar, slots);
  return waysByNumbers(ways).map((group) => {
    const fields = slotsOf(grammar).flatMap(({ slot }) =>
      group.every((way) => Object.hasOwn(way, slot.slot))
        ? [`"${slot.slot}": ${fillingOf(withRange(slot, group), grammar, textsOf(group))}`]
        : [],
    );
    return `{${fields.join(', ')}}`;
  });
}

function fillingOf(slot: Slot, grammar: Grammar | null, choices: SlotChoices): string {
  if (slot.kind === 'text') return `"<${slot.slot}>"`;
  if (slot.kind === 'integer') return `<${slot.min} to ${slot.max}>`;
  const known = lookUp(choices, slot.slot) ?? [];
  const values = known.length > 0 || slot.kind !== 'word' ? known : wordsOf(slot.slot, grammar);
  if (values.length === 0) return `"<${slot.slot}>"`;
  return values.map((name) => jsonString(breakControlTokens(oneLine(name)))).join(' | ');
}

/** All words that may fill one slot: the words of a choice share it. */
export function wordsOf(slot: string, grammar: Grammar | null): readonly string[] {
  const leaves = grammar === null ? [] : layOut(grammar).flat();
  const words = leaves.flatMap((leaf) => (leaf.kind === 'word' && leaf.slot === slot ? [leaf.word] : []));
  return words.filter((word, index) => words.indexOf(word) === index);
}

export function jsonString(text: string): string {
  return escapeInvisible(JSON.stringify(text));
}

/**
 * `{"thing": "brass key", "amount": 2}`: arguments as an answer contains them, with control tokens broken.
 */
export function argumentsText(args: Args): string {
  const fields = Object.entries(args).map(
    ([slot, value]) =>
      `${jsonString(slot)}: ${typeof value === 'number' ? value : jsonString(breakControlTokens(value))}`,
  );
  return `{${fields.join(', ')}}`;
}

/** One line per action: its object, its effect, its cost. */
export function actionHelp(vocabulary: Vocabulary): readonly string[] {
  return vocabulary.map(
    (action) =>
      `- ${action.name} ${objectForms(action.grammar, {}).join(' or ')}: ${action.description}${costNote(action)}`,
  );
}

/** One line per offered action, in the order offered, with the names that fit. */
export function objectLines(vocabulary: Vocabulary, offered: readonly OfferedAction[]): readonly string[] {
  return offered.flatMap((offer) => {
    const action = vocabulary.find((one) => one.name === offer.action);
    return action === undefined
      ? []
      : [`${offer.action} ${objectFormsNow(action.grammar, offer).join(' or ')}`];
  });
}

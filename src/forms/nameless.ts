/** Offers in the words that an agent has for what it sees: the names that a text may tell, and numbers in the picture. */
import { markedNouns } from '../environment/numbers.js';
import type { OfferedAction, LegalArguments, Noun, Observation } from '../environment/observation.js';
import { offeredNoun } from '../environment/observation.js';
import { nameSlotsOf } from '../environment/grammar.js';
import type { Vocabulary } from './vocabulary.js';

/**
 * For agents that must name things from the picture alone: the same actions in the same forms, with directions,
 * words and numbers, but with any name allowed in place of the listed ones. Actions that nothing fits stay left
 * out.
 */
export function withoutNames(
  vocabulary: Vocabulary,
  offered: readonly OfferedAction[],
): readonly OfferedAction[] {
  return offered.map((offer) => withoutOfferedNames(offer, nameSlotsIn(vocabulary, offer)));
}

function nameSlotsIn(vocabulary: Vocabulary, { action }: OfferedAction): ReadonlySet<string> {
  return nameSlotsOf(vocabulary.find(({ name }) => name === action)?.grammar ?? null);
}

function withoutOfferedNames(
  { action, slots, ways }: OfferedAction,
  names: ReadonlySet<string>,
): OfferedAction {
  const otherSlots = Object.entries(slots).filter(
    ([slot, values]) => !names.has(slot) || values.length === 0,
  );
  const offer = { action, slots: Object.fromEntries(otherSlots) };
  return ways === undefined
    ? offer
    : { ...offer, ways: distinct(ways.map((way) => withoutValues(way, names))) };
}

function withoutValues(way: LegalArguments, names: ReadonlySet<string>): LegalArguments {
  return Object.fromEntries(
    Object.entries(way).map(([slot, values]) => [slot, names.has(slot) ? [] : values]),
  );
}

function distinct(ways: readonly LegalArguments[]): readonly LegalArguments[] {
  return [...new Map(ways.map((way) => [JSON.stringify(way), way])).values()];
}

/** The offers where ids are not understood: with names in their place, each once. */
export function withNamesAlone(
  offered: readonly OfferedAction[],
  nouns: readonly Noun[],
): readonly OfferedAction[] {
  const names = new Map(nouns.map(({ id, name }) => [id, name]));
  return offered.map((offer) =>
    withValues(offer, (_, values) => [...new Set(values.map((value) => names.get(value) ?? value))]),
  );
}

/** The offers with each number in the picture beside the name in whose place it would be accepted. */
export function withNumbers(vocabulary: Vocabulary, observation: Observation): readonly OfferedAction[] {
  const { offered, nouns, scene } = observation;
  if (scene === null || scene.marks.length === 0) return offered;
  const marks = scene.marks.map(({ text }) => ({ text, marked: markedNouns(text, nouns, observation) }));
  return offered.map((offer) => {
    const nameSlots = nameSlotsIn(vocabulary, offer);
    return withValues(offer, (slot, values) => {
      if (!nameSlots.has(slot)) return values;
      const named = values.map((value) => offeredNoun(value, nouns));
      // Of several things on its tile, a number stands for the one with which the action is possible at all.
      const possible = (offer.slots[slot] ?? []).map((value) => offeredNoun(value, nouns));
      const numbers = marks.flatMap(({ text, marked }) => {
        const [meant, other] = marked.filter((noun) => possible.includes(noun));
        return other === undefined && meant !== undefined && named.includes(meant) ? [text] : [];
      });
      return [...values, ...numbers];
    });
  });
}

/** An offer with other values for its slots; ranges of numbers stay. */
function withValues(
  { action, slots, ways }: OfferedAction,
  change: (slot: string, values: readonly string[]) => readonly string[],
): OfferedAction {
  const changed = (all: LegalArguments): OfferedAction['slots'] =>
    Object.fromEntries(
      Object.entries(all).map(([slot, of]) => [
        slot,
        of.some((value) => typeof value === 'number') ? of : change(slot, of.map(String)),
      ]),
    ) as OfferedAction['slots'];
  const offer = { action, slots: changed(slots) };
  return ways === undefined ? offer : { ...offer, ways: ways.map(changed) };
}

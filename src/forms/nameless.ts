/**
 * Offers for agents that must name things from the picture alone. They have the same actions in the same
 * forms, with directions, words and numbers, but with any name allowed in place of the listed ones. Actions
 * that nothing fits stay left out.
 */
import type { OfferedAction, LegalArguments, Noun } from '../environment/observation.js';
import { slotsOf } from '../environment/grammar.js';
import type { Vocabulary } from './vocabulary.js';

export function withoutNames(
  vocabulary: Vocabulary,
  offered: readonly OfferedAction[],
): readonly OfferedAction[] {
  return offered.map((offer) => {
    const grammar = vocabulary.find(({ name }) => name === offer.action)?.grammar ?? null;
    const slots = grammar === null ? [] : slotsOf(grammar).map(({ slot }) => slot);
    return withoutOfferedNames(
      offer,
      new Set(slots.flatMap(({ kind, slot }) => (kind === 'name' ? [slot] : []))),
    );
  });
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
  const named = (values: LegalArguments): LegalArguments =>
    Object.fromEntries(
      Object.entries(values).map(([slot, of]) => [
        slot,
        of.some((value) => typeof value === 'number')
          ? of
          : [...new Set(of.map((value) => names.get(String(value)) ?? String(value)))],
      ]),
    );
  return offered.map(({ action, slots, ways }) => {
    const offer = { action, slots: named(slots) as OfferedAction['slots'] };
    return ways === undefined ? offer : { ...offer, ways: ways.map(named) };
  });
}

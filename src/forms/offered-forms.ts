/**
 * An action's forms as they may be filled now. In: its grammar and what is offered; out: for prompts a grammar without the forms that
 * nothing fits and with numbers as far as they go, for guided answers each form with the values that go together in it.
 */
import { lookUp } from '../base/look-up.js';
import type { Grammar } from '../environment/grammar.js';
import type { OfferedAction, Way } from '../environment/observation.js';
import type { Leaf, SlotChoices } from './layouts.js';
import { layOut, canBeFilled } from './layouts.js';

/** A form, and what may stand in its slots, freely combined. */
export interface FilledForm {
  readonly leaves: readonly Leaf[];
  readonly choices: SlotChoices;
}

type Offer = Pick<OfferedAction, 'slots' | 'ways'>;

/** Every form that can be filled now, once for each set of values that go together. With `keepWords`, optional plain words always stand. */
export function formsNow(grammar: Grammar | null, offer: Offer, keepWords: boolean): readonly FilledForm[] {
  const { slots, ways } = offer;
  const layouts = grammar === null ? [[]] : layOut(grammar, keepWords);
  if (ways !== undefined) {
    return layouts.flatMap((leaves) =>
      ways
        .filter((way) => isFilledBy(leaves, way))
        .map((way) => ({ leaves: leaves.map((leaf) => within(leaf, [way])), choices: textsOf(way) })),
    );
  }
  return layouts
    .filter((leaves) => leaves.every((leaf) => canBeFilled(leaf, slots)))
    .map((leaves) => ({ leaves, choices: slots }));
}

/** The grammar as far as it can be filled now; the same one where all of it can. */
export function grammarNow(grammar: Grammar | null, { ways }: Offer): Grammar | null {
  if (grammar === null || ways === undefined) return grammar;
  return { kind: 'choice', parts: layoutsNow(grammar, ways).map((parts) => ({ kind: 'sequence', parts })) };
}

/** Its forms, which a prompt needs at every turn: a grammar that is made for one would be laid out for nothing. */
export function layoutsNow(grammar: Grammar | null, ways: Offer['ways']): readonly (readonly Leaf[])[] {
  if (grammar === null) return [[]];
  const layouts = layOut(grammar, true);
  if (ways === undefined) return layouts;
  return layouts.flatMap((leaves) => {
    const fitting = ways.filter((way) => isFilledBy(leaves, way));
    return fitting.length === 0 ? [] : [leaves.map((leaf) => within(leaf, fitting))];
  });
}

/** Whether a way fills just the slots of a form, with its words. */
function isFilledBy(leaves: readonly Leaf[], way: Way): boolean {
  const filled = leaves.filter(({ slot }) => slot !== undefined);
  if (filled.length !== Object.keys(way).length) return false;
  return filled.every(({ slot = '', ...leaf }) => {
    const values: Way[string] | undefined = Object.hasOwn(way, slot) ? lookUp(way, slot) : undefined;
    if (values === undefined) return false;
    return leaf.kind !== 'word' || values.some((value) => value === leaf.word);
  });
}

/** A number as far as some of the ways go. */
function within(leaf: Leaf, ways: readonly Way[]): Leaf {
  if (leaf.kind !== 'integer') return leaf;
  const ranges = ways.map((way) => lookUp(way, leaf.slot) ?? []);
  const ends = ranges.flat().filter((end) => typeof end === 'number');
  return { ...leaf, min: Math.min(...ends), max: Math.max(...ends) };
}

/** The values of a way that are texts. */
function textsOf(way: Way): SlotChoices {
  const texts = Object.entries(way).map(([slot, values]) => [
    slot,
    values.filter((value) => typeof value === 'string'),
  ]);
  return Object.fromEntries(texts);
}

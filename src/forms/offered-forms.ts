/**
 * An action's forms as they can be filled now. For prompts, that is a grammar without the forms that nothing
 * fits and with the possible ranges of numbers; for guided answers, each form with the combinations of
 * values.
 */
import { lookUp } from '../base/look-up.js';
import type { Grammar } from '../environment/grammar.js';
import type { OfferedAction, LegalArguments } from '../environment/observation.js';
import type { GrammarLeaf, SlotChoices } from './layouts.js';
import { layOut, canBeFilled } from './layouts.js';

/** A form, and the values of its slots, freely combined. */
export interface FilledForm {
  leaves: readonly GrammarLeaf[];
  choices: SlotChoices;
}

export type ActionOffer = Pick<OfferedAction, 'slots' | 'ways'>;

/**
 * Every form that can be filled now, once for each set of combinable values. With `keepWords`, optional plain
 * words are always included.
 */
export function formsNow(
  grammar: Grammar | null,
  offer: ActionOffer,
  keepWords: boolean,
): readonly FilledForm[] {
  const { slots, ways } = offer;
  const layouts = grammar === null ? [[]] : layOut(grammar, keepWords);
  if (ways !== undefined) {
    return layouts.flatMap((leaves) =>
      ways
        .filter((way) => isFilledBy(leaves, way))
        .map((way) => ({ leaves: leaves.map((leaf) => withRange(leaf, [way])), choices: textsOf([way]) })),
    );
  }
  return layouts
    .filter((leaves) => leaves.every((leaf) => canBeFilled(leaf, slots)))
    .map((leaves) => ({ leaves, choices: slots }));
}

/** The part of the grammar that can be filled now; the same object if all of it can. */
export function grammarNow(grammar: Grammar | null, { ways }: ActionOffer): Grammar | null {
  if (grammar === null || ways === undefined) return grammar;
  const parts = layOut(grammar, true).flatMap((leaves): readonly Grammar[] => {
    const fitting = ways.filter((way) => isFilledBy(leaves, way));
    return fitting.length === 0
      ? []
      : [{ kind: 'sequence', parts: leaves.map((leaf) => withRange(leaf, fitting)) }];
  });
  return { kind: 'choice', parts };
}

/**
 * The forms as a prompt shows them, as true as possible in few words: the names of a form are listed
 * together, but a form appears once for each range of its numbers, only with the names that go with it.
 */
export function displayedForms(grammar: Grammar | null, { slots, ways }: ActionOffer): readonly FilledForm[] {
  const layouts = grammar === null ? [[]] : layOut(grammar, true);
  if (ways === undefined) {
    const fitting = layouts.filter((leaves) => leaves.every((leaf) => canBeFilled(leaf, slots)));
    return (fitting.length > 0 ? fitting : layouts).map((leaves) => ({ leaves, choices: slots }));
  }
  const forms = layouts.flatMap((leaves) =>
    waysByNumbers(ways.filter((way) => isFilledBy(leaves, way))).map((group) => ({
      leaves: leaves.map((leaf) => withRange(leaf, group)),
      choices: textsOf(group),
    })),
  );
  // Forms without numbers come first, because they are needed most often.
  return [...forms.filter((form) => !hasNumber(form)), ...forms.filter(hasNumber)];
}

function hasNumber({ leaves }: FilledForm): boolean {
  return leaves.some(({ kind }) => kind === 'integer');
}

/** Ways to fill the same slots, with the same numbers. */
export function waysByNumbers(ways: readonly LegalArguments[]): readonly (readonly LegalArguments[])[] {
  const groups = new Map<string, LegalArguments[]>();
  for (const way of ways) {
    const key = JSON.stringify(
      Object.entries(way).map(([slot, values]) => [
        slot,
        values.filter((value) => typeof value === 'number'),
      ]),
    );
    groups.set(key, [...(groups.get(key) ?? []), way]);
  }
  return [...groups.values()];
}

/** Whether a way fills exactly the slots of a form, with its words. */
function isFilledBy(leaves: readonly GrammarLeaf[], way: LegalArguments): boolean {
  const filled = leaves.filter(({ slot }) => slot !== undefined);
  if (filled.length !== Object.keys(way).length) return false;
  return filled.every(({ slot = '', ...leaf }) => {
    const values: LegalArguments[string] | undefined = Object.hasOwn(way, slot)
      ? lookUp(way, slot)
      : undefined;
    if (values === undefined) return false;
    return leaf.kind !== 'word' || values.some((value) => value === leaf.word);
  });
}

/** The range of a number in some of the ways. */
export function withRange<L extends GrammarLeaf>(leaf: L, ways: readonly LegalArguments[]): L {
  if (leaf.kind !== 'integer') return leaf;
  const ranges = ways.map((way) => lookUp(way, leaf.slot) ?? []);
  const ends = ranges.flat().filter((end) => typeof end === 'number');
  return { ...leaf, min: Math.min(...ends), max: Math.max(...ends) };
}

/** The text values of some ways, without duplicates. */
export function textsOf(ways: readonly LegalArguments[]): SlotChoices {
  const texts = new Map<string, Set<string>>();
  for (const way of ways) {
    for (const [slot, values] of Object.entries(way)) {
      const all = texts.get(slot) ?? new Set();
      for (const value of values) if (typeof value === 'string') all.add(value);
      texts.set(slot, all);
    }
  }
  return Object.fromEntries([...texts].map(([slot, all]) => [slot, [...all]]));
}

/**
 * The spoken forms of an action as prompts show them: `GO <direction>`, `USE <thing> ON <target>`; where it is known what
 * would be accepted now, that stands in the slot instead. Names come from the world and are made one safe line.
 */
import { lookUp } from '../base/look-up.js';
import { breakControlTokens, oneLine } from '../base/text.js';
import type { Grammar } from '../environment/grammar.js';
import type { OfferedAction } from '../environment/observation.js';
import type { Leaf, SlotChoices } from './layouts.js';
import { layOut, canBeFilled } from './layouts.js';
import { layoutsNow } from './offered-forms.js';

/** Every form of an action, without the ones that only leave out an optional word. */
export function spokenForms(verb: string, grammar: Grammar | null): readonly string[] {
  return speak(verb, grammar === null ? [[]] : layOut(grammar, true), {});
}

/**
 * The forms that can be said now, with what fits in their slots; with `ways`, as far as one of those fills them. Forms for which nothing fits are left out, and so are those
 * with a number where there is one without, to keep the line short.
 */
export function offeredForms(
  verb: string,
  grammar: Grammar | null,
  choices: SlotChoices,
  ways?: OfferedAction['ways'],
): readonly string[] {
  const all = layoutsNow(grammar, ways);
  const fitting = all.filter((leaves) => leaves.every((leaf) => canBeFilled(leaf, choices)));
  const plain = fitting.filter((leaves) => leaves.every((leaf) => leaf.kind !== 'integer'));
  return speak(verb, [plain, fitting, all].find((forms) => forms.length > 0) ?? all, choices);
}

function speak(verb: string, layouts: readonly (readonly Leaf[])[], choices: SlotChoices): readonly string[] {
  const spoken = (leaves: readonly Leaf[]): string =>
    [verb, ...leaves.map((leaf, at) => wordsAt(layouts, leaves, at) ?? spokenLeaf(leaf, choices))].join(' ');
  const forms = layouts.map(spoken);
  return forms.filter((form, index) => forms.indexOf(form) === index);
}

/** The words that may fill the slot of a word, where forms differ in it alone: `<0 | 90>`. Null for what is no such word, or the only one. */
function wordsAt(layouts: readonly (readonly Leaf[])[], leaves: readonly Leaf[], at: number): string | null {
  const { slot, kind } = leaves[at] ?? {};
  if (kind !== 'word' || slot === undefined) return null;
  const words = layouts
    .filter(
      (other) => other.length === leaves.length && other.every((leaf, i) => i === at || leaf === leaves[i]),
    )
    .flatMap((other) => other.slice(at, at + 1))
    .flatMap((leaf) => (leaf.kind === 'word' && leaf.slot === slot ? [leaf.word.toUpperCase()] : []));
  return words.length > 1 ? `<${words.join(' | ')}>` : null;
}

function spokenLeaf(leaf: Leaf, choices: SlotChoices): string {
  if (leaf.kind === 'word') return leaf.word.toUpperCase();
  if (leaf.kind === 'text') return `"<${leaf.slot}>"`;
  const now = (lookUp(choices, leaf.slot) ?? []).map((name) => breakControlTokens(oneLine(name)));
  if (now.length === 1) return now.join('');
  return now.length === 0 ? `<${leaf.slot}>` : `<${now.join(' | ')}>`;
}

/**
 * The spoken forms of an action as prompts show them: `GO <direction>`, `USE <thing> ON <target>`; where it is known what
 * would be accepted now, that stands in the slot instead. Names come from the world and are made one safe line.
 */
import { breakControlTokens, oneLine } from '../base/text.js';
import type { Grammar } from '../environment/grammar.js';
import type { Leaf } from './grammar-pattern.js';
import { layOut } from './grammar-pattern.js';

/** What would be accepted now, by slot; a slot without entry, or with an empty one, is shown by its name. */
export type SlotChoices = Readonly<Record<string, readonly string[]>>;

/** Every form of an action, without the ones that only leave out an optional word. */
export function spokenForms(
  verb: string,
  grammar: Grammar | null,
  choices: SlotChoices = {},
): readonly string[] {
  if (grammar === null) return [verb];
  const forms = layOut(grammar, true).map((leaves) =>
    [verb, ...leaves.map((leaf) => spokenLeaf(leaf, choices))].join(' '),
  );
  return forms.filter((form, index) => forms.indexOf(form) === index);
}

function spokenLeaf(leaf: Leaf, choices: SlotChoices): string {
  if (leaf.kind === 'word') return leaf.word.toUpperCase();
  const now = (choices[leaf.slot] ?? []).map((name) => breakControlTokens(oneLine(name)));
  if (now.length === 1) return now.join('');
  if (now.length > 1) return `<${now.join(' | ')}>`;
  return leaf.kind === 'text' ? `"<${leaf.slot}>"` : `<${leaf.slot}>`;
}

/**
 * The spoken forms of an action as prompts show them: `GO <direction>`, `USE <thing> ON <target>`; known
 * legal values replace the slot. Names come from the world and are made one safe line.
 */
import { lookUp } from '../base/look-up.js';
import { breakControlTokens, oneLine } from '../base/text.js';
import type { Grammar } from '../environment/grammar.js';
import { CARDINALS, DIRECTIONS } from '../environment/space.js';
import type { GrammarLeaf, SlotChoices } from './layouts.js';
import { layOut } from './layouts.js';
import type { FilledForm, ActionOffer } from './offered-forms.js';
import { displayedForms } from './offered-forms.js';

/**
 * Every form of an action, except forms that only leave out an optional word. `listsDirections`: with the
 * directions that exist.
 */
export function commandForms(
  verb: string,
  grammar: Grammar | null,
  listsDirections = false,
): readonly string[] {
  const layouts = grammar === null ? [[]] : layOut(grammar, true);
  return formatForms(
    verb,
    layouts.map((leaves) => ({ leaves, choices: listsDirections ? directionsIn(leaves) : {} })),
    (slot) => `<${slot}>`,
  );
}

function directionsIn(leaves: readonly GrammarLeaf[]): SlotChoices {
  const choices = leaves.flatMap((leaf) =>
    leaf.kind === 'direction' ? [[leaf.slot, leaf.diagonals ? DIRECTIONS : CARDINALS] as const] : [],
  );
  return Object.fromEntries(choices);
}

/**
 * The forms that are possible now, with the names that fit their slots, and each number in the range that is
 * possible with the names next to it.
 */
export function offeredForms(verb: string, grammar: Grammar | null, offer: ActionOffer): readonly string[] {
  return formatForms(
    verb,
    displayedForms(grammar, offer),
    (slot, { min, max }) => `<${slot}: ${min} to ${max}>`,
  );
}

function formatForms(
  verb: string,
  filledForms: readonly FilledForm[],
  formatNumber: (slot: string, range: { min: number; max: number }) => string,
): readonly string[] {
  const layouts = filledForms.map(({ leaves }) => leaves);
  const formatForm = ({ leaves, choices }: FilledForm): string =>
    [
      verb,
      ...leaves.map((leaf, at) =>
        leaf.kind === 'integer'
          ? formatNumber(leaf.slot, leaf)
          : (wordChoicesAt(layouts, leaves, at) ?? formatLeaf(leaf, choices)),
      ),
    ].join(' ');
  const forms = filledForms.map(formatForm);
  return forms.filter((form, index) => forms.indexOf(form) === index);
}

/**
 * The words for a slot, if forms differ only in that word: `<0 | 90>`. Null if it is not such a slot, or
 * there is only one word.
 */
function wordChoicesAt(
  layouts: readonly (readonly GrammarLeaf[])[],
  leaves: readonly GrammarLeaf[],
  at: number,
): string | null {
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

function formatLeaf(leaf: Exclude<GrammarLeaf, { kind: 'integer' }>, choices: SlotChoices): string {
  if (leaf.kind === 'word') return leaf.word.toUpperCase();
  if (leaf.kind === 'text') return `"<${leaf.slot}>"`;
  const names = (lookUp(choices, leaf.slot) ?? []).map((name) => breakControlTokens(oneLine(name)));
  if (names.length === 1) return names.join('');
  return names.length === 0 ? `<${leaf.slot}>` : `<${names.join(' | ')}>`;
}

/** What fits the slots of an action now, and whether a form can be filled with it. */
import { lookUp } from '../base/look-up.js';
import type { Leaf } from './grammar-pattern.js';

/** What would be accepted now, by slot. A slot without entry takes anything; an empty entry means that nothing fits. */
export type SlotChoices = Readonly<Record<string, readonly string[]>>;

/** Whether something fits a slot now; free text and numbers always. */
export function canBeFilled(leaf: Leaf, choices: SlotChoices): boolean {
  if (leaf.slot === undefined || leaf.kind === 'text' || leaf.kind === 'integer') return true;
  if (leaf.kind === 'word') return lookUp(choices, leaf.slot)?.includes(leaf.word) !== false;
  return lookUp(choices, leaf.slot)?.length !== 0;
}

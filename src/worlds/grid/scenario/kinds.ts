/** Kinds of things: what a scenario need not say because the kind says it. Whatever is written in the scenario wins. */
import type { THING_KINDS } from './schema-thing.js';

export interface ThingKind {
  /** Tile of the tileset; null: `item/<id>` or `furniture/<id>`. */
  readonly sprite: string | null;
  readonly portable: boolean;
  readonly pushable: boolean;
  readonly blocking: boolean;
  readonly container: boolean;
  /** In half a sentence, for the docs. */
  readonly meaning: string;
}

const PLAIN = { sprite: null, portable: false, pushable: false, blocking: false, container: false } as const;

export const KINDS: Readonly<Record<(typeof THING_KINDS)[number], ThingKind>> = {
  item: { ...PLAIN, portable: true, meaning: 'anything that can be carried' },
  key: { ...PLAIN, portable: true, sprite: 'item/key-brass', meaning: 'opens doors and chests that name it' },
  note: { ...PLAIN, portable: true, sprite: 'item/scroll', meaning: 'has a text and can be carried' },
  sign: { ...PLAIN, sprite: 'furniture/notice-board', meaning: 'has a text and stays where it is' },
  chest: { ...PLAIN, container: true, meaning: 'holds other things; opened where it stands' },
  lever: { ...PLAIN, sprite: 'furniture/lever-off', meaning: 'stays where it is; give it `work`' },
  boulder: {
    ...PLAIN,
    pushable: true,
    blocking: true,
    sprite: 'furniture/boulder',
    meaning: 'blocks the way and can be pushed',
  },
  food: {
    ...PLAIN,
    portable: true,
    sprite: 'item/bread',
    meaning: 'is used up by USE, and tells `consumable`',
  },
  tool: { ...PLAIN, portable: true, meaning: 'carried, and needed for the work of other things' },
  furniture: { ...PLAIN, blocking: true, meaning: 'stands in the way' },
};

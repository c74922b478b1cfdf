/** Kinds of things: the defaults that a kind implies. Values in the scenario override them. */
import type { THING_KINDS } from './schema-thing.js';

export interface ThingKind {
  /** Tile of the tileset; null: `item/<id>` or `furniture/<id>`. */
  sprite: string | null;
  portable: boolean;
  pushable: boolean;
  blocking: boolean;
  container: boolean;
  /** A short description for the docs. */
  meaning: string;
}

const PLAIN = { sprite: null, portable: false, pushable: false, blocking: false, container: false } as const;

export const KINDS: Readonly<Record<(typeof THING_KINDS)[number], ThingKind>> = {
  item: { ...PLAIN, portable: true, meaning: 'anything that can be carried' },
  key: { ...PLAIN, portable: true, sprite: 'item/key-brass', meaning: 'opens doors and chests that name it' },
  note: { ...PLAIN, portable: true, sprite: 'item/scroll', meaning: 'has text on it and can be carried' },
  sign: { ...PLAIN, sprite: 'furniture/notice-board', meaning: 'has text on it and stays where it is' },
  chest: { ...PLAIN, container: true, meaning: 'contains other things; opened from beside it' },
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
    meaning: 'USE consumes it and shows the text `consumable`',
  },
  tool: { ...PLAIN, portable: true, meaning: 'can be carried, and is needed for work on other things' },
  furniture: { ...PLAIN, blocking: true, meaning: 'blocks the way' },
};

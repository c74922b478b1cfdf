/** Names for the contents of a generated map; when a list is used up, its names are reused with a number. */

export const ROOM_NAMES = [
  'guardroom',
  'larder',
  'reading room',
  'cellar',
  'chapel',
  'armoury',
  'kitchen',
  'workshop',
  'gallery',
  'infirmary',
  'treasury',
  'scullery',
  'map room',
  'dormitory',
  'cistern',
  'archive',
  'smithy',
  'great hall',
  'wine cellar',
  'observatory',
  'laundry',
  'trophy room',
  'herb garden',
  'crypt',
] as const;

export const DOOR_NAMES = [
  'oak door',
  'elm door',
  'pine door',
  'ash door',
  'beech door',
  'larch door',
  'maple door',
  'walnut door',
  'cedar door',
  'yew door',
] as const;

export const LOCK_NAMES = ['brass', 'steel', 'red', 'green', 'blue', 'violet'] as const;
export const KEY_NAMES = LOCK_NAMES.map((name) => `${name} key`);
/** Named after its key: every one of these doors is drawn as iron. */
export const LOCKED_DOOR_NAMES = LOCK_NAMES.map((name) => `${name}-key door`);

export const DECOR = [
  { name: 'barrel', sprite: 'furniture/barrel' },
  { name: 'crate', sprite: 'furniture/crate' },
  { name: 'table', sprite: 'furniture/table' },
  { name: 'bookshelf', sprite: 'furniture/bookshelf' },
  { name: 'statue', sprite: 'furniture/statue' },
  { name: 'cauldron', sprite: 'furniture/cauldron' },
  { name: 'pedestal', sprite: 'furniture/pedestal' },
  { name: 'weapon rack', sprite: 'furniture/weapon-rack' },
  { name: 'wardrobe', sprite: 'furniture/wardrobe' },
  { name: 'brazier', sprite: 'furniture/brazier' },
] as const;

/** The name at an index, round and round: "oak door", later "oak door 2". */
export function nameAt(names: readonly string[], index: number): string {
  const name = names[index % names.length] ?? '';
  const round = Math.floor(index / names.length);
  return round === 0 ? name : `${name} ${round + 1}`;
}

/**
 * The part of a manifest that defines which tiles a terrain's name uses and how they join: floors with
 * variants, water with shores, walls with edges and corners, doors. Every named tile must be in the tileset;
 * `tile-appearance.ts` turns the names into numbers. Classes affect only the picture, never the rules of a
 * world.
 */
import { nearest } from '../base/nearest.js';
import { child, complain, integer, isAbsent, items, members, refuseUnknown, words } from './checks.js';
import type { CheckedValue } from './checks.js';

export const SIDES = ['n', 'e', 's', 'w'] as const;
export const CORNERS = ['nw', 'ne', 'sw', 'se'] as const;
export type TileSide = (typeof SIDES)[number];
export type Corner = (typeof CORNERS)[number];

/** Names of tiles; parts without one are not drawn. */
export interface WallEntry {
  /** Walls with the same `join` connect to each other. */
  readonly join: string;
  readonly top: string;
  readonly front: string;
  readonly edges: Readonly<Partial<Record<TileSide, string>>>;
  readonly corners: Readonly<Partial<Record<Corner, string>>>;
  /** Cast on the cell to the south (`n`) and on the cell to the east (`w`) of the wall. */
  readonly shadows: Readonly<Partial<Record<TileSide, string>>>;
}

export interface ClassEntry {
  readonly kind: 'ground' | 'liquid' | 'pit' | 'wall';
  readonly variants: readonly string[];
  readonly rare: readonly string[];
  /** A rare variant is drawn in one of this many cells. */
  readonly rareOneIn: number;
  /** The class that is drawn below it; null if there is none. */
  readonly under: string | null;
  readonly shores: Readonly<Partial<Record<TileSide, string>>>;
  readonly shoresAtWalls: boolean;
  /**
   * Used instead of the variants if the cell lies between cells of its own kind and other ground in one
   * direction.
   */
  readonly axis: { readonly ns: string; readonly ew: string } | null;
  /** Null unless `kind` is `wall`. */
  readonly wall: WallEntry | null;
}

type TileNumbers = ReadonlyMap<string, number>;

const KINDS = ['ground', 'liquid', 'pit', 'wall'] as const;
const KEYS = [
  'kind',
  'variants',
  'rare',
  'rareOneIn',
  'under',
  'shores',
  'shoresAtWalls',
  'axis',
  'frames',
  'join',
  'top',
  'front',
  'edges',
  'corners',
  'shadows',
];
const VARIANTS_MAX = 64;

export function readClasses(place: CheckedValue, tiles: TileNumbers): ReadonlyMap<string, ClassEntry> {
  const classes = new Map<string, ClassEntry>();
  if (isAbsent(place)) return classes;
  const entries = members(place);
  for (const [name, entry] of entries) classes.set(name, readClass(entry, tiles));
  for (const [, entry] of entries) checkUnder(child(entry, 'under'), classes);
  return classes;
}

/** The look of doors on open ground: no wall joins to them. */
const LYING = 'trapdoor';

/** Names of all door tiles in walls, from a mapping of looks and states. */
export function readDoors(place: CheckedValue, tiles: TileNumbers): ReadonlySet<string> {
  const doors = new Set<string>();
  for (const name of tiles.keys()) if (name.startsWith('door/')) doors.add(name);
  if (isAbsent(place)) return doors;
  for (const [name, look] of members(place))
    for (const [, state] of members(look)) {
      const tile = tileName(state, tiles);
      if (name !== LYING) doors.add(tile);
    }
  return doors;
}

function readClass(place: CheckedValue, tiles: TileNumbers): ClassEntry {
  refuseUnknown(place, KEYS);
  const kind = KINDS.find((each) => each === child(place, 'kind').value) ?? null;
  if (kind === null) complain(child(place, 'kind'), `kind must be one of ${KINDS.join(', ')}`);
  const wall = kind === 'wall' ? readWall(place, tiles) : null;
  const variants = tileNames(child(place, 'variants'), tiles);
  if (wall === null && variants.length === 0) complain(place, 'a class that is not a wall needs variants');
  const rareOneIn = child(place, 'rareOneIn');
  const under = child(place, 'under');
  return {
    kind: kind ?? 'ground',
    variants,
    rare: tileNames(child(place, 'rare'), tiles),
    rareOneIn: isAbsent(rareOneIn) ? 10 : integer(rareOneIn, { min: 1, max: 1_000_000, otherwise: 1 }),
    under: isAbsent(under) ? null : words(under, 60),
    shores: parts(child(place, 'shores'), SIDES, tiles),
    shoresAtWalls: child(place, 'shoresAtWalls').value === true,
    axis: readAxis(child(place, 'axis'), tiles),
    wall,
  };
}

function readWall(place: CheckedValue, tiles: TileNumbers): WallEntry {
  const top = tileName(child(place, 'top'), tiles);
  const front = child(place, 'front');
  return {
    join: words(child(place, 'join'), 60),
    top,
    front: isAbsent(front) ? top : tileName(front, tiles),
    edges: parts(child(place, 'edges'), SIDES, tiles),
    corners: parts(child(place, 'corners'), CORNERS, tiles),
    shadows: parts(child(place, 'shadows'), SIDES, tiles),
  };
}

function readAxis(place: CheckedValue, tiles: TileNumbers): ClassEntry['axis'] {
  if (isAbsent(place)) return null;
  refuseUnknown(place, ['ns', 'ew']);
  return { ns: tileName(child(place, 'ns'), tiles), ew: tileName(child(place, 'ew'), tiles) };
}

/** `under` may only name a class that has no `under` itself: one level, so there can be no cycle. */
function checkUnder(place: CheckedValue, classes: ReadonlyMap<string, ClassEntry>): void {
  if (isAbsent(place) || typeof place.value !== 'string') return;
  const below = classes.get(place.value);
  if (below === undefined) complain(place, `there is no class "${place.value}"`);
  else if (below.under !== null || below.wall !== null)
    complain(place, `"${place.value}" can't be under another class: it is a wall or has its own "under"`);
}

function parts<K extends string>(
  place: CheckedValue,
  keys: readonly K[],
  tiles: TileNumbers,
): Readonly<Partial<Record<K, string>>> {
  const found: Partial<Record<K, string>> = {};
  if (isAbsent(place)) return found;
  refuseUnknown(place, keys);
  for (const key of keys) {
    const part = child(place, key);
    if (!isAbsent(part)) found[key] = tileName(part, tiles);
  }
  return found;
}

function tileNames(place: CheckedValue, tiles: TileNumbers): readonly string[] {
  return isAbsent(place) ? [] : items(place, VARIANTS_MAX).map((item) => tileName(item, tiles));
}

function tileName(place: CheckedValue, tiles: TileNumbers): string {
  const name = words(place, 60);
  if (name === '' || tiles.has(name)) return name;
  const near = nearest(name, tiles.keys());
  complain(
    place,
    `there is no tile "${name}"`,
    near === undefined ? 'add it under "tiles"' : `did you mean "${near}"?`,
  );
  return name;
}

/**
 * The part of a manifest that defines which tiles a terrain's name uses and how they join: floors with
 * variants, water with shores, walls with edges and corners, doors. Every named tile must be in the tileset;
 * `tile-appearance.ts` turns the names into numbers. Classes affect only the picture, never the rules of a
 * world.
 */
import { nearest } from '../base/nearest.js';
import {
  child,
  addMistake,
  readInteger,
  isAbsent,
  readItems,
  readMembers,
  refuseUnknown,
  readText,
} from './checks.js';
import type { CheckedValue } from './checks.js';

export const SIDES = ['n', 'e', 's', 'w'] as const;
export const CORNERS = ['nw', 'ne', 'sw', 'se'] as const;
export type TileSide = (typeof SIDES)[number];
export type Corner = (typeof CORNERS)[number];

/** Names of tiles; parts without one are not drawn. */
export interface WallEntry {
  /** Walls with the same `join` connect to each other. */
  join: string;
  top: string;
  front: string;
  edges: Readonly<Partial<Record<TileSide, string>>>;
  corners: Readonly<Partial<Record<Corner, string>>>;
  /** Cast on the cell to the south (`n`) and on the cell to the east (`w`) of the wall. */
  shadows: Readonly<Partial<Record<TileSide, string>>>;
}

export interface ClassEntry {
  kind: 'ground' | 'liquid' | 'pit' | 'wall';
  variants: readonly string[];
  rare: readonly string[];
  /** A rare variant is drawn in one of this many cells. */
  rareOneIn: number;
  /** The class that is drawn below it; null if there is none. */
  under: string | null;
  shores: Readonly<Partial<Record<TileSide, string>>>;
  shoresAtWalls: boolean;
  /**
   * Used instead of the variants if the cell lies between cells of its own kind and other ground in one
   * direction.
   */
  axis: { ns: string; ew: string } | null;
  /** Null unless `kind` is `wall`. */
  wall: WallEntry | null;
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

export function readClasses(node: CheckedValue, tiles: TileNumbers): ReadonlyMap<string, ClassEntry> {
  const classes = new Map<string, ClassEntry>();
  if (isAbsent(node)) return classes;
  const entries = readMembers(node);
  for (const [name, entry] of entries) classes.set(name, readClass(entry, tiles));
  for (const [, entry] of entries) checkUnder(child(entry, 'under'), classes);
  return classes;
}

/** The look of doors on open ground: no wall joins to them. */
const TRAPDOOR = 'trapdoor';

/** Names of all door tiles in walls, from a mapping of looks and states. */
export function readDoors(node: CheckedValue, tiles: TileNumbers): ReadonlySet<string> {
  const doors = new Set<string>();
  for (const name of tiles.keys()) if (name.startsWith('door/')) doors.add(name);
  if (isAbsent(node)) return doors;
  for (const [name, look] of readMembers(node))
    for (const [, state] of readMembers(look)) {
      const tile = tileName(state, tiles);
      if (name !== TRAPDOOR) doors.add(tile);
    }
  return doors;
}

function readClass(node: CheckedValue, tiles: TileNumbers): ClassEntry {
  refuseUnknown(node, KEYS);
  const kind = KINDS.find((each) => each === child(node, 'kind').value) ?? null;
  if (kind === null) addMistake(child(node, 'kind'), `kind must be one of ${KINDS.join(', ')}`);
  const wall = kind === 'wall' ? readWall(node, tiles) : null;
  const variants = tileNames(child(node, 'variants'), tiles);
  if (wall === null && variants.length === 0) addMistake(node, 'a class that is not a wall needs variants');
  const rareOneIn = child(node, 'rareOneIn');
  const under = child(node, 'under');
  return {
    kind: kind ?? 'ground',
    variants,
    rare: tileNames(child(node, 'rare'), tiles),
    rareOneIn: isAbsent(rareOneIn) ? 10 : readInteger(rareOneIn, { min: 1, max: 1_000_000, otherwise: 1 }),
    under: isAbsent(under) ? null : readText(under, 60),
    shores: readParts(child(node, 'shores'), SIDES, tiles),
    shoresAtWalls: child(node, 'shoresAtWalls').value === true,
    axis: readAxis(child(node, 'axis'), tiles),
    wall,
  };
}

function readWall(node: CheckedValue, tiles: TileNumbers): WallEntry {
  const top = tileName(child(node, 'top'), tiles);
  const front = child(node, 'front');
  return {
    join: readText(child(node, 'join'), 60),
    top,
    front: isAbsent(front) ? top : tileName(front, tiles),
    edges: readParts(child(node, 'edges'), SIDES, tiles),
    corners: readParts(child(node, 'corners'), CORNERS, tiles),
    shadows: readParts(child(node, 'shadows'), SIDES, tiles),
  };
}

function readAxis(node: CheckedValue, tiles: TileNumbers): ClassEntry['axis'] {
  if (isAbsent(node)) return null;
  refuseUnknown(node, ['ns', 'ew']);
  return { ns: tileName(child(node, 'ns'), tiles), ew: tileName(child(node, 'ew'), tiles) };
}

/** `under` may only name a class that has no `under` itself: one level, so there can be no cycle. */
function checkUnder(node: CheckedValue, classes: ReadonlyMap<string, ClassEntry>): void {
  if (isAbsent(node) || typeof node.value !== 'string') return;
  const underClass = classes.get(node.value);
  if (underClass === undefined) addMistake(node, `there is no class "${node.value}"`);
  else if (underClass.under !== null || underClass.wall !== null)
    addMistake(node, `"${node.value}" can't be under another class: it is a wall or has its own "under"`);
}

function readParts<K extends string>(
  node: CheckedValue,
  keys: readonly K[],
  tiles: TileNumbers,
): Readonly<Partial<Record<K, string>>> {
  const names: Partial<Record<K, string>> = {};
  if (isAbsent(node)) return names;
  refuseUnknown(node, keys);
  for (const key of keys) {
    const part = child(node, key);
    if (!isAbsent(part)) names[key] = tileName(part, tiles);
  }
  return names;
}

function tileNames(node: CheckedValue, tiles: TileNumbers): readonly string[] {
  return isAbsent(node) ? [] : readItems(node, VARIANTS_MAX).map((item) => tileName(item, tiles));
}

function tileName(node: CheckedValue, tiles: TileNumbers): string {
  const name = readText(node, 60);
  if (name === '' || tiles.has(name)) return name;
  const suggestion = nearest(name, tiles.keys());
  addMistake(
    node,
    `there is no tile "${name}"`,
    suggestion === undefined ? 'add it under "tiles"' : `did you mean "${suggestion}"?`,
  );
  return name;
}

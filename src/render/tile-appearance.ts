/**
 * Appearances: how a ground name of a scene is drawn, as tile numbers. A name is a class of the manifest,
 * otherwise a tile with that name (doors, stairs, a foreign tileset without classes), otherwise the tile for
 * "missing". `draw-list.ts` joins appearances with their neighbours; here they are separate.
 */
import type { ClassEntry, Corner, TileSide, WallEntry } from './classes.js';
import type { Manifest } from './manifest.js';

export interface WallLook {
  join: string;
  top: number;
  front: number;
  edges: Readonly<Record<TileSide, number>>;
  corners: Readonly<Record<Corner, number>>;
  shadows: Readonly<Record<TileSide, number>>;
}

/** Tile numbers; NOTHING for a part that is not drawn. */
export interface TileAppearance {
  name: string;
  kind: ClassEntry['kind'] | 'door' | 'tile';
  under: TileAppearance | null;
  variants: readonly number[];
  rare: readonly number[];
  rareOneIn: number;
  /** Null if there are none. */
  shores: Readonly<Record<TileSide, number>> | null;
  shoresAtWalls: boolean;
  axis: { ns: number; ew: number } | null;
  wall: WallLook | null;
}

export const NOTHING = -1;

/** The parts of a tileset that an appearance depends on. */
export interface LookSource {
  manifest: Manifest;
  /** The number of the tile, NOTHING if there is none with that name. */
  tileNumber(name: string): number;
  missing: number;
  /** Whether the pixels below the tile are visible. */
  isSeeThrough(tile: number): boolean;
}

export function makeAppearance(source: LookSource, name: string): TileAppearance {
  const entry = source.manifest.classes.get(name);
  return entry === undefined ? tileAppearance(source, name) : classAppearance(source, name, entry);
}

function tileAppearance(source: LookSource, name: string): TileAppearance {
  const ownTile = source.tileNumber(name);
  const tile = ownTile === NOTHING ? source.missing : ownTile;
  const floor = source.manifest.classes.get('floor');
  const needsFloor = floor !== undefined && name !== 'floor' && source.isSeeThrough(tile);
  return {
    name,
    kind: source.manifest.doors.has(name) ? 'door' : 'tile',
    under: needsFloor ? classAppearance(source, 'floor', floor) : null,
    variants: [tile],
    rare: [],
    rareOneIn: 1,
    shores: null,
    shoresAtWalls: false,
    axis: null,
    wall: null,
  };
}

function classAppearance(source: LookSource, name: string, entry: ClassEntry): TileAppearance {
  const number = (tile: string) => source.tileNumber(tile);
  const underEntry = entry.under === null ? undefined : source.manifest.classes.get(entry.under);
  const { wall, axis } = entry;
  return {
    name,
    kind: entry.kind,
    under:
      underEntry === undefined || entry.under === null
        ? null
        : classAppearance(source, entry.under, underEntry),
    variants: entry.variants.map(number),
    rare: entry.rare.map(number),
    rareOneIn: entry.rareOneIn,
    shores: Object.keys(entry.shores).length === 0 ? null : sides(source, entry.shores),
    shoresAtWalls: entry.shoresAtWalls,
    axis: axis === null ? null : { ns: number(axis.ns), ew: number(axis.ew) },
    wall: wall === null ? null : wallLook(source, wall),
  };
}

function wallLook(source: LookSource, wall: WallEntry): WallLook {
  const number = partNumber(source);
  const { nw, ne, sw, se } = wall.corners;
  return {
    join: wall.join,
    top: source.tileNumber(wall.top),
    front: source.tileNumber(wall.front),
    edges: sides(source, wall.edges),
    corners: { nw: number(nw), ne: number(ne), sw: number(sw), se: number(se) },
    shadows: sides(source, wall.shadows),
  };
}

function sides(source: LookSource, names: ClassEntry['shores']): Readonly<Record<TileSide, number>> {
  const number = partNumber(source);
  return { n: number(names.n), e: number(names.e), s: number(names.s), w: number(names.w) };
}

function partNumber(source: LookSource): (name: string | undefined) => number {
  return (name) => (name === undefined ? NOTHING : source.tileNumber(name));
}

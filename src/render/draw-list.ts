/**
 * A scene as a draw list: for each cell the numbers of the stacked tiles, and how well the cell is known.
 * Pure and without pixels, so that joining and fog can be tested as tables. Joins use only known cells of the
 * scene, and an unknown neighbour counts as a wall: the picture never reveals more than the fog allows (rules
 * in assets/README.md).
 */
import { at } from '../base/assert.js';
import { REMEMBERED, UNKNOWN, VISIBLE, type Scene, type Visibility } from '../environment/scene.js';
import { BODY_LAYER, sharedTilesOf, type SharedTile } from '../environment/shared-tiles.js';
import type { TileSide } from './classes.js';
import { NOTHING, type TileAppearance, type WallLook } from './tile-appearance.js';
import type { Tileset } from './tileset.js';

export interface DrawCell {
  /** Tile numbers, the lowest first. */
  tiles: readonly number[];
  visibility: Visibility;
}

export interface DrawList {
  columns: number;
  rows: number;
  /** Row by row. */
  cells: readonly DrawCell[];
}

interface OpenCell extends DrawCell {
  tiles: number[];
}

/** All unknown cells are one object. */
export function drawList(scene: Scene, tileset: Tileset): DrawList {
  const { width, height, ground, visibility } = scene;
  const legend = scene.legend.map((name) => tileset.look(name));
  const appearances: (TileAppearance | null)[] = [];
  for (let y = -1, cell = 0; y <= height; y++)
    for (let x = -1; x <= width; x++) {
      const isOutside = x < 0 || y < 0 || x === width || y === height;
      const isUnknown = isOutside || visibility[cell] === UNKNOWN;
      appearances.push(isUnknown ? null : (legend[ground[cell] ?? -1] ?? null));
      if (!isOutside) cell++;
    }
  const drawing = { scene, tileset, appearances };
  const unknown: OpenCell = { tiles: [tileset.unknownTile], visibility: UNKNOWN };
  const cells: OpenCell[] = [];
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const look = appearanceAt(drawing, x, y);
      if (look === null) cells.push(unknown);
      else
        cells.push({
          tiles: groundTiles(drawing, look, x, y),
          visibility: visibility[cells.length] === REMEMBERED ? REMEMBERED : VISIBLE,
        });
    }
  for (const [tile, sharedTile] of sharedTilesOf(scene)) {
    const cell = at(cells, tile);
    if (cell !== unknown) addThings(cell.tiles, sharedTile, tileset);
  }
  return { columns: width, rows: height, cells };
}

/** `tiles` contains the ground. A door with something in front of it is also shown small. */
function addThings(tiles: number[], { things, door }: SharedTile, tileset: Tileset): void {
  const { composites } = tileset;
  for (const { thing, place } of things) {
    if (place === 'left-out') continue;
    if (place === 'whole' && thing.layer === BODY_LAYER) addTile(tiles, tileset.bodyShadow);
    const sprite = tileset.sprite(thing.sprite);
    tiles.push(place === 'whole' ? sprite : composites.small(sprite, place));
  }
  const isLeftOut = [...things, door].some((one) => one?.place === 'left-out');
  if (door !== null && door.place !== 'left-out')
    tiles.push(composites.small(tileset.sprite(door.sprite), door.place));
  if (isLeftOut) tiles.push(composites.more);
}

interface DrawContext {
  scene: Scene;
  tileset: Tileset;
  /** Row by row, with one additional cell on each side; null if unknown. */
  appearances: readonly (TileAppearance | null)[];
}

/** Null for unknown cells and for cells outside the window, by at most one cell. */
function appearanceAt({ scene, appearances }: DrawContext, x: number, y: number): TileAppearance | null {
  return appearances[(y + 1) * (scene.width + 2) + x + 1] ?? null;
}

function groundTiles(drawing: DrawContext, look: TileAppearance, x: number, y: number): number[] {
  if (look.wall !== null) return wallTiles(drawing, look.wall, x, y);
  const hash = cellHash(drawing.scene.origin.x + x, drawing.scene.origin.y + y);
  const tiles: number[] = [];
  if (look.under !== null) tiles.push(variant(look.under, hash));
  tiles.push(look.axis === null ? variant(look, hash) : axisTile(drawing, look.axis, x, y));
  if (look.kind === 'door') return tiles;
  if (look.shores !== null) addShores(drawing, look, look.shores, { x, y, tiles });
  const north = appearanceAt(drawing, x, y - 1);
  addTile(tiles, north?.kind === 'door' ? drawing.tileset.doorShadow : (north?.wall?.shadows.n ?? NOTHING));
  addTile(tiles, appearanceAt(drawing, x - 1, y)?.wall?.shadows.w ?? NOTHING);
  return tiles;
}

/**
 * A tile chosen by the cell's position in the world, so that the ground keeps its pattern when the window
 * moves.
 */
function variant(look: TileAppearance, hash: number): number {
  const bits = hash >>> 9;
  const isRare = look.rare.length > 0 && bits % look.rareOneIn === 0;
  const list = isRare ? look.rare : look.variants;
  return at(list, (bits >>> 7) % list.length);
}

/** 32 well-mixed bits of a world coordinate. */
function cellHash(x: number, y: number): number {
  const sum = (Math.imul(x, 374_761_393) + Math.imul(y, 668_265_263)) | 0;
  const mixed = Math.imul(sum ^ (sum >>> 13), 1_274_126_177);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}

/** A bridge runs from east to west if firm ground is known on that line and none on the other. */
function axisTile(drawing: DrawContext, axis: { ns: number; ew: number }, x: number, y: number): number {
  const isFirm = (dx: number, dy: number) => {
    const kind = appearanceAt(drawing, x + dx, y + dy)?.kind;
    return kind === 'ground' || kind === 'door' || kind === 'tile';
  };
  const isAcross = (isFirm(1, 0) || isFirm(-1, 0)) && !isFirm(0, 1) && !isFirm(0, -1);
  return isAcross ? axis.ew : axis.ns;
}

const SHORE_STEPS: readonly (readonly [TileSide, number, number])[] = [
  ['e', 1, 0],
  ['s', 0, 1],
  ['w', -1, 0],
  ['n', 0, -1],
];

function addShores(
  drawing: DrawContext,
  look: TileAppearance,
  shores: NonNullable<TileAppearance['shores']>,
  cell: { x: number; y: number; tiles: number[] },
): void {
  for (const [side, dx, dy] of SHORE_STEPS) {
    const shore = shores[side];
    if (shore === NOTHING) continue;
    const neighbour = appearanceAt(drawing, cell.x + dx, cell.y + dy);
    if (neighbour === null || neighbour.name === look.name || neighbour.under?.name === look.name) continue;
    const isWall = neighbour.wall !== null || neighbour.kind === 'door';
    if (!isWall || look.shoresAtWalls) cell.tiles.push(shore);
  }
}

function wallTiles(drawing: DrawContext, wall: WallLook, x: number, y: number): number[] {
  const n = joins(drawing, wall, x, y - 1);
  const e = joins(drawing, wall, x + 1, y);
  const s = joins(drawing, wall, x, y + 1);
  const w = joins(drawing, wall, x - 1, y);
  const { edges, corners } = wall;
  const tiles = [s ? wall.top : wall.front];
  if (!n) addTile(tiles, edges.n);
  if (!w) addTile(tiles, edges.w);
  if (!e) addTile(tiles, edges.e);
  if (!s) addTile(tiles, edges.s);
  if (n && w && !joins(drawing, wall, x - 1, y - 1)) addTile(tiles, corners.nw);
  if (n && e && !joins(drawing, wall, x + 1, y - 1)) addTile(tiles, corners.ne);
  // A door has its own frame.
  if (s && w && !joins(drawing, wall, x - 1, y + 1) && !isDoor(drawing, x - 1, y)) addTile(tiles, corners.sw);
  if (s && e && !joins(drawing, wall, x + 1, y + 1) && !isDoor(drawing, x + 1, y)) addTile(tiles, corners.se);
  return tiles;
}

function joins(drawing: DrawContext, wall: WallLook, x: number, y: number): boolean {
  const neighbour = appearanceAt(drawing, x, y);
  return neighbour === null || neighbour.kind === 'door' || neighbour.wall?.join === wall.join;
}

function isDoor(drawing: DrawContext, x: number, y: number): boolean {
  return appearanceAt(drawing, x, y)?.kind === 'door';
}

function addTile(tiles: number[], tile: number): void {
  if (tile !== NOTHING) tiles.push(tile);
}

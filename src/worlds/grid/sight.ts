/**
 * Who sees what: the one visibility set from which text, frame, knowledge and witnesses are made. It reads
 * the state and has none of its own; its cache only saves repeated work (a field of view is needed many times
 * in a step). An agent's sight is its radius, limited to the frame's window, so that no channel shows more
 * than another. `fov.ts` computes how light spreads.
 */
import { known } from '../../base/assert.js';
import { once } from '../../base/once.js';
import type { Point } from '../../environment/space.js';
import type { ChunkIndex } from './chunks.js';
import { chunkAt, chunkRect, chunksIn } from './chunks.js';
import type { Rect } from './definition.js';
import { CLEAR, OPAQUE, castSight } from './fov.js';
import type { GridState } from './state.js';
import { CHUNK_SIDE } from './state.js';
import type { GridWorld, Window } from './world.js';
import { DOORWAY, bodyOf, cutToMap, doorOf, looks, thingOf, tileIndex, windowRect } from './world.js';

/** A set of visible tiles, all of them on the map; iterates row by row. */
export interface Sight extends Iterable<Point> {
  /** Holds every visible tile. */
  readonly rect: Rect;
  has(x: number, y: number): boolean;
  /** Every chunk that has a tile in `rect`, row by row, with its visible part; computed on demand. */
  chunks(): readonly ChunkView[];
}

/** The visible tiles of one chunk: bit x of number y. */
export interface ChunkView {
  readonly index: ChunkIndex;
  readonly rows: readonly number[];
}

/**
 * What can be seen from a tile of the map. `window` limits the view to a frame around that tile; null if only
 * the radius limits it.
 */
export function visibleTiles(
  world: GridWorld,
  state: GridState,
  from: Point,
  radiusTiles: number,
  window: Window | null,
): Sight {
  const sights = sightsOf(world, state);
  const key = (tileIndex(world.definition, from) * RADII + radiusTiles) * 2 + (window === null ? 0 : 1);
  const before = sights.get(key);
  if (before?.window === window && before.radiusTiles === radiusTiles) return before.sight;
  const looked = look(world, state, { from, radiusTiles, window }, castOf(world).get(key));
  keep(sights, key, looked);
  keep(castOf(world), key, looked);
  return looked.sight;
}

function keep(sights: Map<number, KeptSight>, key: number, sight: KeptSight): void {
  if (sights.size >= SIGHTS_MAX) sights.clear();
  sights.set(key, sight);
}

/** `last`: the sight from there in an earlier state, which is reused if light stops in the same places. */
function look(
  world: GridWorld,
  state: GridState,
  { from, radiusTiles, window }: { from: Point; radiusTiles: number; window: Window | null },
  last: KeptSight | undefined,
): KeptSight {
  const side = 2 * radiusTiles + 1;
  const square = { x: from.x - radiusTiles, y: from.y - radiusTiles, width: side, height: side };
  const isFogged = window === null || world.definition.rules.fog;
  const cells = isFogged ? lightStops(world, state, square) : NO_CELLS;
  if (last?.window === window && last.radiusTiles === radiusTiles && areSame(last.cells, cells)) return last;
  const frame = window ? windowRect(window, from) : square;
  const sight = isFogged
    ? sightSet(castSight(world.definition.rules.sight, { radius: radiusTiles, cells }), {
        square,
        rect: cutToMap(world.definition, intersection(square, frame)),
      })
    : wholeRect(cutToMap(world.definition, frame));
  return { radiusTiles, window, cells, sight };
}

const NO_CELLS = new Uint8Array();

function areSame(one: Uint8Array, other: Uint8Array): boolean {
  if (one.length !== other.length) return false;
  for (let i = 0; i < one.length; i++) if (one[i] !== other[i]) return false;
  return true;
}

/** Sight without fog: every tile of the frame that is on the map. */
function wholeRect(rect: Rect): Sight {
  const { x: left, y: top, width, height } = rect;
  const has = (x: number, y: number): boolean =>
    x >= left && y >= top && x < left + width && y < top + height;
  return {
    rect,
    has,
    chunks: once(() => chunkViews(rect, has)),
    *[Symbol.iterator]() {
      for (let y = top; y < top + height; y++) {
        for (let x = left; x < left + width; x++) yield { x, y };
      }
    },
  };
}

function intersection(a: Rect, b: Rect): Rect {
  const [x, y] = [Math.max(a.x, b.x), Math.max(a.y, b.y)];
  const width = Math.min(a.x + a.width, b.x + b.width) - x;
  const height = Math.min(a.y + a.height, b.y + b.height) - y;
  return { x, y, width, height };
}

function sightSet(lit: Uint8Array, { square, rect }: { square: Rect; rect: Rect }): Sight {
  const has = (x: number, y: number): boolean =>
    x >= rect.x &&
    y >= rect.y &&
    x < rect.x + rect.width &&
    y < rect.y + rect.height &&
    lit[(y - square.y) * square.width + x - square.x] === 1;
  return {
    rect,
    has,
    chunks: once(() => chunkViews(rect, has)),
    *[Symbol.iterator]() {
      for (let y = rect.y; y < rect.y + rect.height; y++) {
        for (let x = rect.x; x < rect.x + rect.width; x++) if (has(x, y)) yield { x, y };
      }
    },
  };
}

function chunkViews(rect: Rect, has: Sight['has']): readonly ChunkView[] {
  return chunksIn(rect).map((index) => ({ index, rows: visibleRows(chunkRect(index), rect, has) }));
}

const NO_ROWS: readonly number[] = Array.from({ length: CHUNK_SIDE }, () => 0);

function visibleRows({ x, y }: Rect, rect: Rect, has: Sight['has']): readonly number[] {
  const [left, above] = [Math.max(x, rect.x), Math.max(y, rect.y)];
  const right = Math.min(x + CHUNK_SIDE, rect.x + rect.width);
  const below = Math.min(y + CHUNK_SIDE, rect.y + rect.height);
  const rows = [...NO_ROWS];
  for (let row = above; row < below; row++) {
    let bits = 0;
    for (let column = left; column < right; column++) if (has(column, row)) bits |= 1 << (column - x);
    rows[row - y] = bits;
  }
  return rows;
}

/** How each cell of a square stops light, row by row; beyond the map all is opaque. */
function lightStops(world: GridWorld, state: GridState, square: Rect): Uint8Array {
  const cells = new Uint8Array(square.width * square.height).fill(OPAQUE);
  const inside = cutToMap(world.definition, square);
  for (let y = inside.y; y < inside.y + inside.height; y++) {
    const row = (y - square.y) * square.width - square.x;
    const mapRow = y * world.definition.size.width;
    for (let x = inside.x; x < inside.x + inside.width; x++) {
      const light = world.light[mapRow + x] ?? OPAQUE;
      cells[row + x] = light === DOORWAY ? doorStop(world, state, mapRow + x) : light;
    }
  }
  for (const chunk of chunksIn(inside)) {
    for (const id of chunkAt(state.ground, chunk) ?? []) veil(world, state, { id, square, cells });
  }
  return cells;
}

function doorStop(world: GridWorld, state: GridState, tile: number): number {
  if (world.definition.terrain[world.terrain[tile] ?? 0]?.opaque !== false) return OPAQUE;
  const { id } = known(world.doorsByTile.get(tile), 'door of a doorway');
  return doorOf(state, id)?.state === 'open' ? CLEAR : OPAQUE;
}

/** Marks the cell of an opaque thing. */
function veil(
  world: GridWorld,
  state: GridState,
  { id, square, cells }: { id: string; square: Rect; cells: Uint8Array },
): void {
  if (world.things.get(id)?.opaque === false) return;
  const item = known(thingOf(state, id), `thing ${id} of the ground index`);
  if (item.place.at !== 'tile') return;
  const [x, y] = [item.place.x - square.x, item.place.y - square.y];
  if (!looks(world, item).opaque || x < 0 || y < 0 || x >= square.width || y >= square.height) return;
  cells[y * square.width + x] = OPAQUE;
}

/** A key distinguishes tiles, windows and radii below this; the rest is compared. */
const RADII = 1024;
/** The number of cached sights of one ground, and of grounds with other doors and things. */
const [SIGHTS_MAX, GROUNDS_MAX] = [1024, 4];

/** Everything on which a sight depends, and the sights by tile, radius and whether there is a window. */
interface SightMap {
  readonly world: GridWorld;
  readonly doors: GridState['doors'];
  readonly things: GridState['things'];
  readonly sights: Map<number, KeptSight>;
}

interface KeptSight {
  readonly radiusTiles: number;
  readonly window: Window | null;
  /** How each cell around it stopped the light. */
  readonly cells: Uint8Array;
  readonly sight: Sight;
}

/**
 * Newest last, by the index of tile contents. State is never changed in place, so the same parts give the
 * same sights.
 */
const grounds = new WeakMap<GridState['ground'], readonly SightMap[]>();

/**
 * The last sights, independent of the state: taking a thing gives another state, but light is unchanged. Kept
 * per world, because that determines tiles and permanent opacity.
 */
const casts = new WeakMap<GridWorld, Map<number, KeptSight>>();

function castOf(world: GridWorld): Map<number, KeptSight> {
  const kept = casts.get(world) ?? new Map<number, KeptSight>();
  casts.set(world, kept);
  return kept;
}

function sightsOf(world: GridWorld, { ground, doors, things }: GridState): SightMap['sights'] {
  const kept = grounds.get(ground) ?? [];
  const same = kept.find((one) => one.doors === doors && one.things === things && one.world === world);
  if (same !== undefined) return same.sights;
  const made: SightMap = { world, doors, things, sights: new Map() };
  grounds.set(ground, [...kept, made].slice(-GROUNDS_MAX));
  return made.sights;
}

/** The tiles that an agent sees now: its radius, cut to the frame's window. Its own tile is always one. */
export function sightOf(world: GridWorld, state: GridState, agent: string): Sight {
  const { radius, from } = eyesOf(world, state, agent);
  return visibleTiles(world, state, from, radius, world.definition.window);
}

/** Where an agent looks from, and how far in tiles. */
export function eyesOf(world: GridWorld, state: GridState, agent: string): { radius: number; from: Point } {
  const { sightRadius } = known(world.agents.get(agent), `agent ${agent}`);
  const { x, y } = known(bodyOf(state, agent), `body of ${agent}`);
  return { radius: sightRadius, from: { x, y } };
}

/** Whether an agent sees a tile now. */
export function canSee(world: GridWorld, state: GridState, agent: string, tile: Point): boolean {
  return sightOf(world, state, agent).has(tile.x, tile.y);
}

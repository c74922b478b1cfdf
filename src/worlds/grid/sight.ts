/**
 * Computes the set of tiles that an agent or NPC sees; text, frame, knowledge and witnesses are all made from
 * it. Results are cached, because a field of view is needed many times in a step. An agent's sight is limited
 * to its radius and to the frame's window, so that no channel shows more than another. `fov.ts` computes how
 * light spreads.
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
import { DOORWAY, bodyOf, cutToMap, doorOf, appearanceOf, thingOf, tileIndex, windowRect } from './world.js';

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
  const cached = sights.get(key);
  if (cached?.window === window && cached.radiusTiles === radiusTiles) return cached.sight;
  const computed = computeSight(world, state, { from, radiusTiles, window }, latestSightsOf(world).get(key));
  store(sights, key, computed);
  store(latestSightsOf(world), key, computed);
  return computed.sight;
}

function store(sights: Map<number, KeptSight>, key: number, sight: KeptSight): void {
  if (sights.size >= SIGHTS_MAX) sights.clear();
  sights.set(key, sight);
}

/**
 * `previous`: the sight from this tile in an earlier state, which is reused if light stops at the same cells.
 */
function computeSight(
  world: GridWorld,
  state: GridState,
  { from, radiusTiles, window }: { from: Point; radiusTiles: number; window: Window | null },
  previous: KeptSight | undefined,
): KeptSight {
  const side = 2 * radiusTiles + 1;
  const square = { x: from.x - radiusTiles, y: from.y - radiusTiles, width: side, height: side };
  const isFogged = window === null || world.definition.rules.fog;
  const cells = isFogged ? lightStops(world, state, square) : NO_CELLS;
  if (previous?.window === window && previous.radiusTiles === radiusTiles && areEqual(previous.cells, cells))
    return previous;
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

function areEqual(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
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

/** Whether each cell of a square stops light, row by row; cells outside the map do. */
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
    for (const id of chunkAt(state.ground, chunk) ?? []) markOpaqueThing(world, state, { id, square, cells });
  }
  return cells;
}

function doorStop(world: GridWorld, state: GridState, tile: number): number {
  if (world.definition.terrain[world.terrain[tile] ?? 0]?.opaque !== false) return OPAQUE;
  const { id } = known(world.doorsByTile.get(tile), 'door of a doorway');
  return doorOf(state, id)?.state === 'open' ? CLEAR : OPAQUE;
}

/** Marks the cell of an opaque thing. */
function markOpaqueThing(
  world: GridWorld,
  state: GridState,
  { id, square, cells }: { id: string; square: Rect; cells: Uint8Array },
): void {
  if (world.things.get(id)?.opaque === false) return;
  const item = known(thingOf(state, id), `thing ${id} of the ground index`);
  if (item.place.at !== 'tile') return;
  const [x, y] = [item.place.x - square.x, item.place.y - square.y];
  if (!appearanceOf(world, item).opaque || x < 0 || y < 0 || x >= square.width || y >= square.height) return;
  cells[y * square.width + x] = OPAQUE;
}

/** Cache keys distinguish tiles, windows and radii below this number; entries are compared for the rest. */
const RADII = 1024;
/** Maximum number of cached sights per table, and of tables per ground index. */
const [SIGHTS_MAX, GROUNDS_MAX] = [1024, 4];

/** Cached sights by tile, radius and whether there is a window, with all data on which they depend. */
interface SightMap {
  readonly world: GridWorld;
  readonly doors: GridState['doors'];
  readonly things: GridState['things'];
  readonly sights: Map<number, KeptSight>;
}

interface KeptSight {
  readonly radiusTiles: number;
  readonly window: Window | null;
  /** Whether each cell around the tile stopped light. */
  readonly cells: Uint8Array;
  readonly sight: Sight;
}

/**
 * The cached sights by the state's ground index, newest last. State is never changed in place, so the same
 * parts give the same sights.
 */
const sightMapsByGround = new WeakMap<GridState['ground'], readonly SightMap[]>();

/**
 * The latest sights regardless of the state, because most changes of state, such as taking a thing, don't
 * change what stops light.
 */
const latestSights = new WeakMap<GridWorld, Map<number, KeptSight>>();

function latestSightsOf(world: GridWorld): Map<number, KeptSight> {
  const latest = latestSights.get(world) ?? new Map<number, KeptSight>();
  latestSights.set(world, latest);
  return latest;
}

function sightsOf(world: GridWorld, { ground, doors, things }: GridState): SightMap['sights'] {
  const sightMaps = sightMapsByGround.get(ground) ?? [];
  const match = sightMaps.find(
    (sightMap) => sightMap.doors === doors && sightMap.things === things && sightMap.world === world,
  );
  if (match !== undefined) return match.sights;
  const sightMap: SightMap = { world, doors, things, sights: new Map() };
  sightMapsByGround.set(ground, [...sightMaps, sightMap].slice(-GROUNDS_MAX));
  return sightMap.sights;
}

/** The tiles that an agent sees now, within its radius and the frame's window; always includes its own. */
export function sightOf(world: GridWorld, state: GridState, agent: string): Sight {
  const { radius, from } = viewpointOf(world, state, agent);
  return visibleTiles(world, state, from, radius, world.definition.window);
}

/** Where an agent looks from, and how far in tiles. */
export function viewpointOf(
  world: GridWorld,
  state: GridState,
  agent: string,
): { radius: number; from: Point } {
  const { sightRadius } = known(world.agents.get(agent), `agent ${agent}`);
  const { x, y } = known(bodyOf(state, agent), `body of ${agent}`);
  return { radius: sightRadius, from: { x, y } };
}

/** Whether an agent sees a tile now. */
export function canSee(world: GridWorld, state: GridState, agent: string, tile: Point): boolean {
  return sightOf(world, state, agent).has(tile.x, tile.y);
}

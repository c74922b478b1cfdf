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
import { DOORWAY, bodyOf, cutToMap, doorOf, appearanceOf, thingOf, windowRect } from './world.js';

/** A set of visible tiles, all of them on the map; iterates row by row. */
export interface Sight extends Iterable<Point> {
  /** Holds every visible tile. */
  rect: Rect;
  has(x: number, y: number): boolean;
  /** Every chunk that has a tile in `rect`, row by row, with its visible part; computed on demand. */
  chunks(): readonly ChunkView[];
}

/** The visible tiles of one chunk: bit x of number y. */
export interface ChunkView {
  index: ChunkIndex;
  rows: readonly number[];
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
  const key = `${from.x} ${from.y} ${radiusTiles} ${window?.columns ?? ''} ${window?.rows ?? ''}`;
  const cached = sights.get(key);
  if (cached !== undefined) return cached;
  const sight = computeSight(world, state, { from, radiusTiles, window });
  if (sights.size >= SIGHTS_MAX) sights.clear();
  sights.set(key, sight);
  return sight;
}

function computeSight(
  world: GridWorld,
  state: GridState,
  { from, radiusTiles, window }: { from: Point; radiusTiles: number; window: Window | null },
): Sight {
  const side = 2 * radiusTiles + 1;
  const square = { x: from.x - radiusTiles, y: from.y - radiusTiles, width: side, height: side };
  const frame = window ? windowRect(window, from) : square;
  if (window !== null && !world.definition.rules.fog) return wholeRect(cutToMap(world.definition, frame));
  const cells = lightStops(world, state, square);
  return sightSet(castSight(world.definition.rules.sight, { radius: radiusTiles, cells }), {
    square,
    rect: cutToMap(world.definition, intersection(square, frame)),
  });
}

/** Sight without fog: every tile of the frame that is on the map. */
function wholeRect(rect: Rect): Sight {
  return litTiles(rect, () => true);
}

function intersection(a: Rect, b: Rect): Rect {
  const [x, y] = [Math.max(a.x, b.x), Math.max(a.y, b.y)];
  const width = Math.min(a.x + a.width, b.x + b.width) - x;
  const height = Math.min(a.y + a.height, b.y + b.height) - y;
  return { x, y, width, height };
}

function sightSet(lit: Uint8Array, { square, rect }: { square: Rect; rect: Rect }): Sight {
  return litTiles(rect, (x, y) => lit[(y - square.y) * square.width + x - square.x] === 1);
}

/** The lit tiles of a rectangle. */
function litTiles(rect: Rect, isLit: (x: number, y: number) => boolean): Sight {
  const { x: left, y: top, width, height } = rect;
  const has = (x: number, y: number): boolean =>
    x >= left && y >= top && x < left + width && y < top + height && isLit(x, y);
  return {
    rect,
    has,
    chunks: once(() => chunkViews(rect, has)),
    *[Symbol.iterator]() {
      for (let y = top; y < top + height; y++) {
        for (let x = left; x < left + width; x++) if (isLit(x, y)) yield { x, y };
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

/** Sights that were computed for a state, by viewpoint, with all of the state on which they depend. */
interface KnownSights extends Pick<GridState, 'ground' | 'doors' | 'things'> {
  world: GridWorld;
  sights: Map<string, Sight>;
}

/** Newest first; a step needs those of the states before and after it. */
let knownSights: readonly KnownSights[] = [];
const [KNOWN_STATES, SIGHTS_MAX] = [4, 1024];

/** State is never changed in place, so the same parts give the same sights. */
function sightsOf(world: GridWorld, { ground, doors, things }: GridState): Map<string, Sight> {
  const match = knownSights.find(
    (one) => one.ground === ground && one.doors === doors && one.things === things && one.world === world,
  );
  if (match !== undefined) return match.sights;
  const added = { world, ground, doors, things, sights: new Map<string, Sight>() };
  knownSights = [added, ...knownSights].slice(0, KNOWN_STATES);
  return added.sights;
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

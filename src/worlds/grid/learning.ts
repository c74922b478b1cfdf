/**
 * Updates what an agent knows of the map. Rules call `learn` after every change: the contents of a visible
 * tile replace what was remembered there, and a thing seen elsewhere is forgotten at its old position.
 * `knowledge.ts` reads the result.
 */
import { assert, known } from '../../base/assert.js';
import { compareText } from '../../base/ids.js';
import { lookUp } from '../../base/look-up.js';
import type { Point } from '../../environment/space.js';
import type { ChunkIndex } from './chunks.js';
import { chunkAt, chunkRect, chunkSet } from './chunks.js';
import { NOTHING_KNOWN } from './knowledge.js';
import type { ChunkView, Sight } from './sight.js';
import { viewpointOf, sightOf, visibleTiles } from './sight.js';
import type { ChunkTree, GridState, KnowledgeChunk, RememberedThing } from './state.js';
import { CHUNK_SIDE } from './state.js';
import type { GridWorld } from './world.js';
import { doorOf, appearanceOf, mindOf, roomAt, thingOf } from './world.js';

/** The state after an agent has learnt what it sees now. */
export function learn(world: GridWorld, state: GridState, agent: string): GridState {
  const { from } = viewpointOf(world, state, agent);
  return mergeSights(world, state, { agent, sights: [sightOf(world, state, agent)], standpoints: [from] });
}

/** Like `learn`, with what it saw from every tile of its path. */
export function learnAlong(
  world: GridWorld,
  state: GridState,
  agent: string,
  path: readonly Point[],
): GridState {
  const { radius, from } = viewpointOf(world, state, agent);
  const sightsOnPath = path.map((tile) => visibleTiles(world, state, tile, radius, world.definition.window));
  const sights = [...sightsOnPath, sightOf(world, state, agent)];
  return mergeSights(world, state, { agent, sights, standpoints: [...path, from] });
}

/** `standpoints`: the tiles that the agent was on. */
function mergeSights(
  world: GridWorld,
  state: GridState,
  { agent, sights, standpoints }: { agent: string; sights: readonly Sight[]; standpoints: readonly Point[] },
): GridState {
  const before = mindOf(state, agent);
  let tree = before.known;
  for (const view of chunkViews(sights)) tree = updateChunk(world, state, { tree, view });
  const visited = addVisitedRooms(world, before.visited, standpoints);
  if (tree === before.known && visited === before.visited) return state;
  return { ...state, minds: { ...state.minds, [agent]: { ...before, known: tree, visited } } };
}

function addVisitedRooms(
  world: GridWorld,
  visited: readonly string[],
  standpoints: readonly Point[],
): readonly string[] {
  const rooms = standpoints.map(({ x, y }) => roomAt(world, x, y)?.id).filter((id) => id !== undefined);
  const added = rooms.filter((id) => !visited.includes(id));
  return added.length === 0 ? visited : [...new Set([...visited, ...added])].toSorted(compareText);
}

/** The part of each chunk that is visible in any of the sights. */
function chunkViews(sights: readonly Sight[]): readonly ChunkView[] {
  const views: { index: ChunkIndex; rows: number[] }[] = [];
  for (const sight of sights) {
    for (const { index, rows } of sight.chunks()) {
      const view = views.find((one) => one.index.cx === index.cx && one.index.cy === index.cy);
      if (view === undefined) views.push({ index, rows: [...rows] });
      else for (let y = 0; y < CHUNK_SIDE; y++) view.rows[y] = (view.rows[y] ?? 0) | (rows[y] ?? 0);
    }
  }
  return views.filter(({ rows }) => rows.some((row) => row !== 0));
}

function isInView({ rows, index }: ChunkView, { x, y }: Point): boolean {
  const row = rows[y - index.cy * CHUNK_SIDE] ?? 0;
  return (row & (1 << (x - index.cx * CHUNK_SIDE))) !== 0;
}

type KnownTiles = ChunkTree<KnowledgeChunk>;

function updateChunk(
  world: GridWorld,
  state: GridState,
  { tree, view }: { tree: KnownTiles; view: ChunkView },
): KnownTiles {
  const before = chunkAt(tree, view.index) ?? NOTHING_KNOWN;
  const present = [...thingsInView(world, state, view), ...doorsInView(world, state, view)];
  const seen = mergeSeen(before, view);
  const things = mergeThings(before, { view, present });
  if (seen === before.seen && things === before.things) return tree;
  const isNew = ({ id }: RememberedThing): boolean =>
    !Object.hasOwn(before.things, id) && !world.doors.has(id);
  const cleared = present.filter(isNew).reduce((now, { id }) => forget(now, id), tree);
  return chunkSet(cleared, chunkRect(view.index), { seen, things });
}

function mergeSeen({ seen }: KnowledgeChunk, { rows }: ChunkView): readonly number[] {
  const isNew = rows.some((row, y) => (row & ~(seen[y] ?? 0)) !== 0);
  return isNew ? seen.map((row, y) => row | (rows[y] ?? 0)) : seen;
}

function mergeThings(
  { things }: KnowledgeChunk,
  { view, present }: { view: ChunkView; present: readonly RememberedThing[] },
): KnowledgeChunk['things'] {
  const before = Object.values(things);
  const outOfView = before.filter((item) => !isInView(view, item));
  const isSame = before.length - outOfView.length === present.length;
  if (isSame && present.every((item) => isRemembered(things, item))) return things;
  // Safe, because no id is a special property name such as `__proto__` (`base/ids.ts`).
  const after: Record<string, RememberedThing> = {};
  for (const item of outOfView) after[item.id] = item;
  for (const item of present) after[item.id] = item;
  return after;
}

function isRemembered(things: KnowledgeChunk['things'], item: RememberedThing): boolean {
  const remembered = lookUp(things, item.id);
  if (remembered === undefined) return false;
  const { name, sprite, x, y, turn, lid } = remembered;
  const hasSameAppearance = name === item.name && sprite === item.sprite && lid === item.lid;
  return hasSameAppearance && x === item.x && y === item.y && turn === item.turn;
}

/** The tree without the record of a thing, which has been seen elsewhere. */
function forget(tree: KnownTiles, id: string): KnownTiles {
  for (const region of Object.values(tree)) {
    for (const chunk of Object.values(region)) {
      if (!Object.hasOwn(chunk.things, id)) continue;
      const { [id]: record, ...things } = chunk.things;
      return chunkSet(tree, known(record, id), { seen: chunk.seen, things });
    }
  }
  return tree;
}

function thingsInView(world: GridWorld, state: GridState, view: ChunkView): readonly RememberedThing[] {
  return (chunkAt(state.ground, view.index) ?? [])
    .map((id) => known(thingOf(state, id), `thing ${id} of the ground index`))
    .filter(({ place }) => place.at === 'tile' && isInView(view, place))
    .map((item) => {
      const { place, id, lid } = item;
      assert(place.at === 'tile', `${id} lies on a tile`);
      const { name, sprite } = appearanceOf(world, item);
      return { id, name, sprite, x: place.x, y: place.y, turn: state.turn, lid };
    });
}

function doorsInView(world: GridWorld, state: GridState, view: ChunkView): readonly RememberedThing[] {
  return (chunkAt(world.doorsByChunk, view.index) ?? [])
    .filter((door) => isInView(view, door))
    .map((door) => {
      const { id, name, sprites, x, y } = door;
      const lid = known(doorOf(state, id), `door ${id}`).state;
      return { id, name, sprite: sprites[lid], x, y, turn: state.turn, lid };
    });
}

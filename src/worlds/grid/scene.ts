/**
 * The scene that a frame is drawn from: the window around an agent, with visible and remembered tiles, or the
 * whole map for a viewer. It is made from the agent's view, like the text, so neither shows more than the
 * other. Doors are part of the ground, in the state in which they were last seen.
 */
import { at, known } from '../../base/assert.js';
import { compareText } from '../../base/ids.js';
import { once } from '../../base/once.js';
import type { Scene, SceneMark, SceneThing, Visibility } from '../../environment/scene.js';
import { REMEMBERED, UNKNOWN, VISIBLE } from '../../environment/scene.js';
import type { Point } from '../../environment/space.js';
import { SIGN_LAYER } from '../../environment/shared-tiles.js';
import type { Door, Rect, Room } from './definition.js';
import { knownTiles } from './knowledge.js';
import type { GridState } from './state.js';
import { nameText } from '../../environment/wording.js';
import type { AgentView, SeenBody } from './view.js';
import type { GridWorld } from './world.js';
import { DOORWAY, doorOf, appearanceOf, statusOf, tileIndex, windowRect } from './world.js';
import { shardValues } from './chunks.js';

const THINGS = 0;
const BODIES = 1;

/** What `paint` needs to know about the tiles of a rectangle. */
interface ScenePainter {
  rect: Rect;
  visibility: (x: number, y: number) => Visibility;
  /**
   * The sprite of the door on a tile, by the tile's index; null if no door is known, so that terrain is
   * drawn.
   */
  door: (tile: number) => string | null;
  things: readonly SceneThing[];
}

function paint(world: GridWorld, { rect, visibility, door, things }: ScenePainter): Scene {
  const { terrain } = world.definition;
  const columns = world.definition.size.width;
  const legend: string[] = [];
  const indexOf = (sprite: string): number => {
    const index = legend.indexOf(sprite);
    return index === -1 ? legend.push(sprite) - 1 : index;
  };
  /** Index in the legend by kind of terrain, cached because a window has many tiles of few kinds. */
  const legendIndexByTerrain: number[] = [];
  const ground: number[] = [];
  const visibilities: Visibility[] = [];
  for (let y = rect.y; y < rect.y + rect.height; y++) {
    for (let x = rect.x; x < rect.x + rect.width; x++) {
      const tileVisibility = visibility(x, y);
      visibilities.push(tileVisibility);
      if (tileVisibility === UNKNOWN) {
        ground.push(-1);
        continue;
      }
      const tile = y * columns + x;
      const sprite = world.light[tile] === DOORWAY ? door(tile) : null;
      const kind = world.terrain[tile] ?? 0;
      ground.push(
        sprite === null
          ? (legendIndexByTerrain[kind] ??= indexOf(at(terrain, kind).sprite))
          : indexOf(sprite),
      );
    }
  }
  const { x, y, width, height } = rect;
  const windowed = things
    .map((thing) => sceneThing(thing, thing.layer, rect))
    .toSorted(inDrawingOrder(world));
  return {
    width,
    height,
    origin: { x, y },
    legend,
    ground,
    visibility: visibilities,
    things: windowed,
    marks: [],
  };
}

/** The first thing on a tile is drawn full size: fixed things before portable ones. */
function inDrawingOrder(world: GridWorld): (a: SceneThing, b: SceneThing) => number {
  const portableRank = ({ id }: SceneThing): number => ((world.things.get(id)?.portable ?? true) ? 1 : 0);
  return (a, b) =>
    a.layer - b.layer ||
    a.y - b.y ||
    a.x - b.x ||
    portableRank(a) - portableRank(b) ||
    compareText(a.id, b.id);
}

/** What the agent of a view sees and remembers within its window. */
export function sceneOf(world: GridWorld, state: GridState, view: AgentView): Scene {
  const { self, sight } = view;
  const rect = windowRect(world.definition.window, self);
  const isKnown = knownTiles(state, self.id);
  const doors = knownDoors(world, view, rect);
  return paint(world, {
    rect,
    visibility: (x, y) => (sight.has(x, y) ? VISIBLE : isKnown(x, y) ? REMEMBERED : UNKNOWN),
    door: (tile) => doors.get(tile) ?? null,
    things: windowThings(world, view, rect),
  });
}

/** Sprites of the doors that the agent sees or remembers, by tile. */
function knownDoors(
  world: GridWorld,
  { sight, lastSeen, doors }: AgentView,
  rect: Rect,
): ReadonlyMap<number, string> {
  const remembered = lastSeen.filter(
    (item) => isIn(rect, item) && world.doors.has(item.id) && !sight.has(item.x, item.y),
  );
  return new Map([...remembered, ...doors].map((door) => [tileIndex(world.definition, door), door.sprite]));
}

function windowThings(world: GridWorld, view: AgentView, rect: Rect): readonly SceneThing[] {
  const { self, things, bodies, memories } = view;
  const { name, sprite } = known(world.bodies.get(self.id), `definition of ${self.id}`);
  const ownFigure = { id: self.id, name: nameText(name), sprite, x: self.x, y: self.y };
  const sceneThings = [sceneThing(ownFigure, BODIES)];
  for (const thing of things) if (isIn(rect, thing)) sceneThings.push(sceneThing(thing, THINGS));
  for (const memory of memories)
    if (memory.kind === 'thing' && isIn(rect, memory)) sceneThings.push(sceneThing(memory, THINGS));
  for (const body of bodies)
    if (isIn(rect, body)) sceneThings.push(sceneThing(body, BODIES), ...signOver(body, body.status));
  return sceneThings;
}

/** The sign that is drawn over a body that no one controls, or that can't act. */
function signOver(
  { id, name, x, y }: Omit<SceneThing, 'layer' | 'sprite'>,
  status: SeenBody['status'],
): readonly SceneThing[] {
  if (status !== 'idle' && status !== 'asleep' && status !== 'incapacitated') return [];
  const sign = { id: `${id}-${status}`, name: `${name}: ${status}`, sprite: `fx/${status}`, x, y };
  return [sceneThing(sign, SIGN_LAYER)];
}

function isIn(rect: Rect, { x, y }: Point): boolean {
  return x >= rect.x && y >= rect.y && x < rect.x + rect.width && y < rect.y + rect.height;
}

/** A thing with coordinates relative to `from`. */
function sceneThing(
  { id, name, sprite, x, y }: Omit<SceneThing, 'layer'>,
  layer: number,
  from: Point = ORIGIN,
): SceneThing {
  return { id, name, sprite, x: x - from.x, y: y - from.y, layer };
}

const ORIGIN: Point = { x: 0, y: 0 };

/**
 * The whole map for viewers, all of it visible. They want it after every step, so its ground is painted once, and
 * is another list only after a door has changed.
 */
export function wholeMapOf(world: GridWorld): (state: GridState) => Scene {
  const { size, rooms } = world.definition;
  const withoutDoors = once(() =>
    paint(world, { rect: { x: 0, y: 0, ...size }, visibility: () => VISIBLE, door: () => null, things: [] }),
  );
  const markers = once(() => rooms.map(roomMarker));
  let painted: { doors: string; scene: Scene } | null = null;
  const mapWith = (sprites: ReadonlyMap<Door, string>): Scene => {
    const doors = [...sprites.values()].join();
    if (painted?.doors === doors) return painted.scene;
    const scene = withoutDoors();
    const legend = [...new Set([...scene.legend, ...sprites.values()])];
    const ground = [...scene.ground];
    for (const [door, sprite] of sprites) ground[tileIndex(world.definition, door)] = legend.indexOf(sprite);
    painted = { doors, scene: { ...scene, legend, ground } };
    return painted.scene;
  };
  return (state) => {
    const doors = [...world.doors.values()].map(
      (door) => [door, door.sprites[known(doorOf(state, door.id), `door ${door.id}`).state]] as const,
    );
    const things = [...thingsOnTiles(world, state), ...bodiesOf(world, state)];
    const thingsByRow = Array.from({ length: size.height }, (): SceneThing[] => []);
    for (const thing of things) thingsByRow[thing.y]?.push(thing);
    return {
      ...mapWith(new Map(doors)),
      things: things.toSorted(inDrawingOrder(world)),
      marks: markers().map((mark) => mark(thingsByRow)),
    };
  };
}

function bodiesOf(world: GridWorld, state: GridState): readonly SceneThing[] {
  return Object.values(state.bodies).flatMap((bodyState) => {
    const { id, x, y } = bodyState;
    const { name, sprite } = known(world.bodies.get(id), `definition of ${id}`);
    const body = { id, name: nameText(name), sprite, x, y };
    return [sceneThing(body, BODIES), ...signOver(body, statusOf(bodyState))];
  });
}

/** How far from the middle of its area a room's name is moved, in tiles. */
const MARK_SHIFT_MAX = 8;
/** The side of a tile in a preview, in pixels; a character of a room's name is at most 12 of them wide. */
const PREVIEW_TILE = 32;

/**
 * A room's name for viewers, as near to the middle of its first area as possible without covering a thing of the
 * given ones, which are sorted by row.
 */
function roomMarker({ name, areas }: Room): (things: readonly (readonly SceneThing[])[]) => SceneMark {
  const { x, y, width, height } = at(areas, 0);
  const middle = { x: x + Math.floor(width / 2), y: y + Math.floor(height / 2) };
  const text = nameText(name);
  const reach = text.length * 6 + PREVIEW_TILE / 2;
  const tilesFromMiddle = (spot: Point): number => Math.abs(spot.x - middle.x) + Math.abs(spot.y - middle.y);
  const spots = once(() =>
    span(y, height, middle.y)
      .flatMap((row) => span(x, width, middle.x).map((column): Point => ({ x: column, y: row })))
      .sort(
        (a, b) =>
          tilesFromMiddle(a) - tilesFromMiddle(b) ||
          Math.abs(a.x - middle.x) - Math.abs(b.x - middle.x) ||
          a.y - b.y ||
          a.x - b.x,
      ),
  );
  return (things) => {
    const isClear = (spot: Point): boolean =>
      (things[spot.y] ?? []).every((thing) => Math.abs(thing.x - spot.x) * PREVIEW_TILE >= reach);
    return { text, ...(isClear(middle) ? middle : (spots().find(isClear) ?? middle)) };
  };
}

/** Coordinates of an area's side that are not far from its middle. */
function span(from: number, length: number, middle: number): readonly number[] {
  const first = Math.max(from, middle - MARK_SHIFT_MAX);
  const last = Math.min(from + length - 1, middle + MARK_SHIFT_MAX);
  return Array.from({ length: last - first + 1 }, (_, i) => first + i);
}

function thingsOnTiles(world: GridWorld, state: GridState): readonly SceneThing[] {
  return shardValues(state.things).flatMap((item) => {
    if (item.place.at !== 'tile') return [];
    const { name, sprite } = appearanceOf(world, item);
    return [
      sceneThing({ id: item.id, name: nameText(name), sprite, x: item.place.x, y: item.place.y }, THINGS),
    ];
  });
}

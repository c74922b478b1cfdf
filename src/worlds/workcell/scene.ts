/**
 * The scene of a workcell: the workshop from above. For a robot, its own side is visible if it has scanned
 * it, other sides are remembered as last seen, places that it never saw have a question mark, and spares are
 * shown as it last saw them. For a viewer everything is visible, with a mark on faulty parts.
 */
import { at } from '../../base/assert.js';
import { lookUp } from '../../base/look-up.js';
import type { Scene, SceneThing, Visibility } from '../../environment/scene.js';
import { REMEMBERED, VISIBLE } from '../../environment/scene.js';
import type { Point } from '../../environment/space.js';
import { SIGN_LAYER } from '../../environment/shared-tiles.js';
import { ANGLES } from './definition.js';
import type { Angle } from './definition.js';
import {
  CAR,
  FLOOR_SIDE,
  INCINERATOR,
  SHELL,
  SIDE_TILES,
  SIGNS,
  isShelf,
  shelfTile,
  stationOf,
} from './layout.js';
import type { WorkcellState } from './state.js';
import type { KnownPlace } from './view.js';
import { viewOf } from './view.js';
import type { Workcell } from './world.js';
import { partDefinition, carOf, itemName, itemOf, robotName, robotOf } from './world.js';
import { nameText } from '../../environment/wording.js';

const OBJECTS = 0;
const BODIES = 1;

/** What `agent` sees and remembers; null: everything. */
export function sceneOf(world: Workcell, state: WorkcellState, agent: string | null): Scene {
  const { columns, rows } = world.definition.window;
  const origin = { x: Math.floor((FLOOR_SIDE - columns) / 2), y: Math.floor((FLOOR_SIDE - rows) / 2) };
  const shown = agent === null ? shownToViewer(world, state) : shownTo(world, state, agent);
  const legend: string[] = [];
  const ground: number[] = [];
  const visibility: Visibility[] = [];
  for (let y = origin.y; y < origin.y + rows; y++) {
    for (let x = origin.x; x < origin.x + columns; x++) {
      const name = groundAt({ x, y });
      if (!legend.includes(name)) legend.push(name);
      ground.push(legend.indexOf(name));
      visibility.push(shown.visibility({ x: x - CAR.x, y: y - CAR.y }));
    }
  }
  const things = [sceneThing(INCINERATOR, FURNACE), ...shown.things].toSorted((a, b) => a.layer - b.layer);
  const windowed = things.map((thing) => ({ ...thing, x: thing.x - origin.x, y: thing.y - origin.y }));
  return { width: columns, height: rows, origin, legend, ground, visibility, things: windowed, marks: [] };
}

/**
 * The ground, which never changes: walls around, the car's shell in the middle, the shelf, signs on the
 * floor.
 */
function groundAt({ x, y }: Point): string {
  if (x <= 0 || y <= 0 || x >= FLOOR_SIDE - 1 || y >= FLOOR_SIDE - 1) return 'brick-wall';
  const shell = SHELL[y - CAR.y]?.[x - CAR.x];
  if (shell !== undefined) return `car/shell-${shell}`;
  if (isShelf({ x, y })) return 'furniture/shelf';
  const sign = SIGNS.find((one) => one.x === x && one.y === y);
  return sign === undefined ? 'metal-floor' : `terrain/sign-${sign.angle}`;
}

const FURNACE = { id: 'incinerator', name: 'incinerator', sprite: 'furniture/incinerator' };

function sceneThing(
  { x, y }: Point,
  figure: Pick<SceneThing, 'id' | 'name' | 'sprite'>,
  layer = OBJECTS,
): SceneThing {
  return { ...figure, x, y, layer };
}

interface ShownThings {
  /** The position of a tile, counted from the car's front left corner. */
  visibility: (tile: Point) => Visibility;
  things: readonly SceneThing[];
}

function shownTo(world: Workcell, state: WorkcellState, agent: string): ShownThings {
  const view = viewOf(world, state, agent);
  const { self, mind } = view;
  const seen = (angle: Angle): boolean => mind.scanned.includes(angle);
  const spares = (view.shelf ?? []).map(({ id }) => id);
  const robots = [agent, ...view.others.map(({ id }) => id)];
  return {
    visibility: (tile) => {
      const side = sideOf(tile);
      return side === null || (side === self.orientation && view.seesOwnSide) ? VISIBLE : REMEMBERED;
    },
    things: [
      ...view.places.flatMap(placeThings),
      ...ANGLES.filter((angle) => !seen(angle)).flatMap((angle) =>
        SIDE_TILES[angle].map(({ x, y }) => unknownTile(`${x}-${y}`, { x: CAR.x + x, y: CAR.y + y })),
      ),
      ...(view.shelf === null ? [unknownTile('shelf', shelfTile(0))] : []),
      ...spareThings(world, state, spares),
      ...robotThings(world, state, robots),
    ],
  };
}

function shownToViewer(world: Workcell, state: WorkcellState): ShownThings {
  const places = carOf(world, state).parts.map((part): KnownPlace => {
    const item = lookUp(state.places, part.id) ?? null;
    const fault = part.faults.find(({ id }) => item !== null && id === itemOf(state, item).fault);
    const finding = fault === undefined ? null : { fault };
    return { part, isVisible: true, item, finding, turn: state.turn };
  });
  return {
    visibility: () => VISIBLE,
    things: [
      ...places.flatMap(placeThings),
      ...spareThings(world, state, state.shelf),
      ...robotThings(
        world,
        state,
        world.definition.robots.map(({ id }) => id),
      ),
    ],
  };
}

function sideOf({ x, y }: Point): Angle | null {
  return ANGLES.find((angle) => SIDE_TILES[angle].some((tile) => tile.x === x && tile.y === y)) ?? null;
}

/** A part or its empty place, with what is known of its condition. */
function placeThings({ part, item, finding }: KnownPlace): readonly SceneThing[] {
  const tile = { x: CAR.x + part.x, y: CAR.y + part.y };
  const { id } = part;
  const name = nameText(part.name);
  if (item === null) return [sceneThing(tile, { id, name: `empty place of the ${name}`, sprite: 'car/gap' })];
  const mounted = sceneThing(tile, { id, name, sprite: part.sprite });
  if (finding === null) return [mounted];
  const word = finding.fault === null ? 'sound' : 'faulty';
  const sprite = finding.fault === null ? 'fx/tick' : 'fx/fault';
  return [mounted, sceneThing(tile, { id: `${id}-${word}`, name: `${name}: ${word}`, sprite }, SIGN_LAYER)];
}

function unknownTile(what: string, tile: Point): SceneThing {
  return sceneThing(
    tile,
    { id: `unknown-${what}`, name: 'not seen yet', sprite: 'fx/unscanned' },
    SIGN_LAYER,
  );
}

function spareThings(world: Workcell, state: WorkcellState, ids: readonly string[]): readonly SceneThing[] {
  return ids.map((id, i) => looseThing(world, state, id, shelfTile(i)));
}

function looseThing(world: Workcell, state: WorkcellState, id: string, tile: Point): SceneThing {
  const { looseSprite } = partDefinition(world, state, itemOf(state, id).part);
  return sceneThing(tile, { id, name: itemName(world, state, id), sprite: looseSprite });
}

/** Robots, and one tile further from the car what they hold. */
function robotThings(world: Workcell, state: WorkcellState, ids: readonly string[]): readonly SceneThing[] {
  return ids.flatMap((id) => {
    const index = world.definition.robots.findIndex((robot) => robot.id === id);
    const { orientation, holds } = robotOf(state, id);
    const { robot, hands } = stationOf(orientation, index);
    const { sprite } = at(world.definition.robots, index);
    const body = sceneThing(robot, { id, name: robotName(world, id), sprite }, BODIES);
    return holds === null ? [body] : [body, looseThing(world, state, holds, hands)];
  });
}

/**
 * The world of an exported run, tick by tick: its ground, objects and bodies, changed by the rows of each
 * tick.
 */
import type { Scene, SceneThing } from '../../environment/scene.js';
import { UNKNOWN, VISIBLE } from '../../environment/scene.js';
import type { Point } from '../../environment/space.js';
import { BODY_LAYER } from '../../environment/shared-tiles.js';
import type { ExportedBody, ExportedDelta, ExportedMap } from './exported-run.js';

/** An object or a sign; fields as `object_deltas` names them. */
interface ExportedObject extends Point {
  name: string;
  look: string;
  layer: number;
  order: number;
}

const NEW: ExportedObject = { name: '', look: '', x: 0, y: 0, layer: 0, order: 0 };

/** Ground and objects at one moment. Immutable: each tick has its own. */
export interface ExportedWorld {
  map: ExportedMap;
  objects: ReadonlyMap<string, ExportedObject>;
}

export function worldAfter(world: ExportedWorld, deltas: readonly ExportedDelta[]): ExportedWorld {
  if (deltas.length === 0) return world;
  const objects = new Map(world.objects);
  const { map } = world;
  let looks = map.looks;
  for (const { object, field, value } of deltas) {
    const tile = field === 'look' ? tileOf(map, object) : null;
    if (tile !== null) {
      if (looks === map.looks) looks = [...looks];
      (looks as (string | null)[])[tile] = typeof value === 'string' ? value : null;
    } else if (field === 'there' && value === false) objects.delete(object);
    else objects.set(object, { ...(objects.get(object) ?? NEW), ...fieldOf(field, value) });
  }
  return { map: looks === map.looks ? map : { ...map, looks }, objects };
}

/** The index of `tile:x,y` among the map's tiles; null if it is not a tile of the map. */
function tileOf({ x, y, width, height }: ExportedMap, id: string): number | null {
  const match = /^tile:(-?\d{1,9}),(-?\d{1,9})$/u.exec(id);
  if (match === null) return null;
  const [column, row] = [Number(match[1]) - x, Number(match[2]) - y];
  return column < 0 || row < 0 || column >= width || row >= height ? null : row * width + column;
}

function fieldOf(field: string, value: unknown): Partial<ExportedObject> {
  if ((field === 'name' || field === 'look') && typeof value === 'string') return { [field]: value };
  const isNumber = field === 'x' || field === 'y' || field === 'layer' || field === 'order';
  return isNumber && Number.isSafeInteger(value) ? { [field]: value as number } : {};
}

/** The scene of the whole map. */
export function sceneOf({ map, objects }: ExportedWorld, bodies: readonly ExportedBody[]): Scene {
  const { x: left, y: top, width, height, looks } = map;
  const legend: string[] = [];
  const legendIndices = new Map<string, number>();
  const indexOf = (look: string): number => {
    const known = legendIndices.get(look);
    if (known !== undefined) return known;
    legendIndices.set(look, legend.length);
    return legend.push(look) - 1;
  };
  const placed = [
    // A thing that is shown at a second position has the id `ID#2` there.
    ...[...objects].map(([id, { look, ...object }]) => ({
      id: id.replace(/#\d+$/u, ''),
      sprite: look,
      ...object,
    })),
    ...bodies.map(({ look, ...body }) => ({ sprite: look, layer: BODY_LAYER, order: 0, ...body })),
  ];
  return {
    width,
    height,
    origin: { x: left, y: top },
    ground: looks.map((look) => (look === null ? -1 : indexOf(look))),
    legend,
    visibility: looks.map((look) => (look === null ? UNKNOWN : VISIBLE)),
    things: placed.toSorted(inDrawingOrder).map(({ id, name, sprite, layer, x, y }): SceneThing => ({
      id,
      name,
      sprite,
      layer,
      x: x - left,
      y: y - top,
    })),
    marks: [],
  };
}

interface OrderedThing extends Point {
  id: string;
  layer: number;
  order: number;
}

function inDrawingOrder(a: OrderedThing, b: OrderedThing): number {
  const byPosition = a.layer - b.layer || a.y - b.y || a.x - b.x || a.order - b.order;
  return byPosition !== 0 || a.id === b.id ? byPosition : a.id < b.id ? -1 : 1;
}

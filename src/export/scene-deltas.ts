/**
 * What changed among a world's things between two moments: the position, appearance and presence of each, and
 * tiles that look different, such as doors. Before the first moment everything is new except the ground,
 * which is the map itself. Signs over bodies and parts are also things.
 */
import type { Scene } from '../environment/scene.js';
import { BODY_LAYER } from '../environment/shared-tiles.js';
import type { TableRow } from './table-columns.js';

export interface DeltaPosition {
  runId: string;
  turn: number;
}

export function sceneDeltas(
  { runId, turn }: DeltaPosition,
  before: Scene | null,
  after: Scene | null,
): readonly TableRow<'object_deltas'>[] {
  const rowKey = { run_id: runId, tick_id: BigInt(turn) };
  const rows: TableRow<'object_deltas'>[] = [];
  const add = (id: string, field: string, value: unknown): void =>
    void rows.push({ ...rowKey, object_id: id, field, new_value_json: JSON.stringify(value) });
  const [old, now] = [objectsOf(before), objectsOf(after)];
  for (const [id, object] of now) {
    const last = old.get(id);
    if (last === undefined) add(id, 'there', true);
    for (const field of ['name', 'look', 'x', 'y'] as const)
      if (last?.[field] !== object[field]) add(id, field, object[field]);
    for (const field of ['layer', 'order'] as const)
      if ((last?.[field] ?? 0) !== object[field]) add(id, field, object[field]);
  }
  for (const id of old.keys()) if (!now.has(id)) add(id, 'there', false);
  if (before !== null && after !== null) groundDeltas(before, after, add);
  return rows;
}

interface PlacedObject {
  name: string;
  look: string;
  x: number;
  y: number;
  /** 0 for things, more for signs over them. */
  layer: number;
  /** Its position among the things of its layer on its tile; the first is drawn at full size. */
  order: number;
}

/** Without bodies, which have their own table. */
function objectsOf(scene: Scene | null): ReadonlyMap<string, PlacedObject> {
  const objects = new Map<string, PlacedObject>();
  const countOnTile = new Map<string, number>();
  for (const { id, name, sprite, layer, x, y } of scene?.things ?? []) {
    if (layer === BODY_LAYER) continue;
    const tile = `${layer} ${x} ${y}`;
    const order = countOnTile.get(tile) ?? 0;
    countOnTile.set(tile, order + 1);
    const position = { x: x + (scene?.origin.x ?? 0), y: y + (scene?.origin.y ?? 0) };
    objects.set(objects.has(id) ? numberedId(objects, id) : id, {
      name,
      look: sprite,
      ...position,
      layer,
      order,
    });
  }
  return objects;
}

/** A thing may be seen in two places: a part in a hand and the gap that it left, for example. */
function numberedId(objects: ReadonlyMap<string, PlacedObject>, id: string): string {
  for (let count = 2; ; count++) if (!objects.has(`${id}#${count}`)) return `${id}#${count}`;
}

function groundDeltas(
  before: Scene,
  after: Scene,
  add: (id: string, field: string, value: unknown) => void,
): void {
  if (before.ground === after.ground) return;
  for (let i = 0; i < after.ground.length; i++) {
    const look = after.legend[after.ground[i] ?? -1] ?? null;
    if (look === (before.legend[before.ground[i] ?? -1] ?? null)) continue;
    const [x, y] = [after.origin.x + (i % after.width), after.origin.y + Math.floor(i / after.width)];
    add(`tile:${x},${y}`, 'look', look);
  }
}

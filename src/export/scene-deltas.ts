/**
 * What of a world's things changed between two moments: where each is, how it looks, whether it is there; and tiles that look otherwise, such as doors. In:
 * two scenes of the whole map; out: one row a change. Before the first moment everything is new, but the ground, which is the map itself.
 */
import type { Scene, SceneThing } from '../environment/scene.js';

/** Bodies have a table of their own. */
const OBJECT_LAYER = 0;

export interface DeltaPosition {
  readonly runId: string;
  readonly turn: number;
}

export interface DeltaRow extends Readonly<Record<string, unknown>> {
  readonly object_id: string;
  readonly field: string;
  readonly new_value_json: string;
}

export function sceneDeltas(
  { runId, turn }: DeltaPosition,
  before: Scene | null,
  after: Scene | null,
): readonly DeltaRow[] {
  const place = { run_id: runId, tick_id: BigInt(turn) };
  const rows: DeltaRow[] = [];
  const add = (id: string, field: string, value: unknown): void =>
    void rows.push({ ...place, object_id: id, field, new_value_json: JSON.stringify(value) });
  const [old, now] = [objectsOf(before), objectsOf(after)];
  for (const [id, object] of now) {
    const last = old.get(id);
    if (last === undefined) add(id, 'there', true);
    for (const field of ['name', 'look', 'x', 'y'] as const)
      if (last?.[field] !== object[field]) add(id, field, object[field]);
  }
  for (const id of old.keys()) if (!now.has(id)) add(id, 'there', false);
  if (before !== null && after !== null) groundDeltas(before, after, add);
  return rows;
}

interface PlacedObject {
  readonly name: string;
  readonly look: string;
  readonly x: number;
  readonly y: number;
}

function objectsOf(scene: Scene | null): ReadonlyMap<string, PlacedObject> {
  const things = scene?.things.filter(({ layer }) => layer === OBJECT_LAYER) ?? [];
  return new Map(things.map((thing) => [thing.id, placed(thing, scene)]));
}

function placed({ name, sprite, x, y }: SceneThing, scene: Scene | null): PlacedObject {
  return { name, look: sprite, x: x + (scene?.origin.x ?? 0), y: y + (scene?.origin.y ?? 0) };
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

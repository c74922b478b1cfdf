/**
 * How two worlds differ at a moment, for any kind of world: positions and appearance (the scene that shows
 * everything), each agent's observation, and the values of the states, each with its part.
 */
import { compareText } from '../../base/ids.js';
import { isRecord } from '../../base/json.js';
import { LIMITS } from '../../base/limits.js';
import type { Scene, SceneThing } from '../../environment/scene.js';
import type { JsonPath, ValueDifference } from '../compare.js';
import { differences } from './differences.js';
import type { RestoredWorld } from '../state-at.js';
import type { RunSides } from './aligned-steps.js';

/** The position and appearance of something: the name of its tile. */
export interface ThingPosition {
  x: number;
  y: number;
  look: string;
}

/** Something with another position or appearance, or in only one of the worlds. */
export interface MovedThing {
  id: string;
  name: string;
  /** Null if it is not on the map of that run. */
  a: ThingPosition | null;
  b: ThingPosition | null;
}

/** The names of the things that an agent holds. */
export interface HeldApart {
  agent: string;
  a: readonly string[];
  b: readonly string[];
}

/** Lines of one section of an agent's observation that only one of the runs has. */
export interface ToldApart {
  agent: string;
  section: string;
  a: readonly string[];
  b: readonly string[];
}

export interface ValueApart extends ValueDifference {
  /** The environment's name of the part; `state` if it has none. */
  part: string;
}

export interface WorldsDiffer {
  /** The parts whose hashes differ, sorted. */
  parts: readonly string[];
  things: readonly MovedThing[];
  held: readonly HeldApart[];
  told: readonly ToldApart[];
  values: readonly ValueApart[];
  /** Whether a list was shortened. */
  hasMore: boolean;
}

/** Empty lists if both are equal. */
export function worldsDiffer({ a, b }: RunSides<RestoredWorld>): WorldsDiffer {
  const max = LIMITS.worldDifferences;
  const [things, held, told] = [movedThings({ a, b }), heldApart({ a, b }), observationDifferences({ a, b })];
  const { found, hasMore } = differences(a.state, b.state, max);
  return {
    parts: partsApart(a.environment.parts(a.state), b.environment.parts(b.state)),
    things: things.slice(0, max),
    held: held.slice(0, max),
    told: told.slice(0, max),
    values: found.map((one) => ({ ...one, part: partOf(a, one) })),
    hasMore: hasMore || [things, held, told].some(({ length }) => length > max),
  };
}

type WorldPartNames = Readonly<Record<string, string>>;

function partsApart(a: WorldPartNames, b: WorldPartNames): readonly string[] {
  const names = [...new Set([...Object.keys(a), ...Object.keys(b)])].sort(compareText);
  return names.filter((name) => a[name] !== b[name]);
}

/** The part whose hash changes if this value is replaced by that of the other world. */
function partOf({ environment, state }: RestoredWorld, { path, made }: ValueDifference): string {
  try {
    const other = environment.parts(withValue(state, path, made));
    return partsApart(environment.parts(state), other)[0] ?? 'state';
  } catch {
    // A state mixed from two may be impossible in any world.
    return 'state';
  }
}

/** A copy along the path; undefined removes a field. */
function withValue(value: unknown, path: JsonPath, leaf: unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return leaf;
  const fields = value as Readonly<Record<string | number, unknown>>;
  const changed = withValue(fields[key], rest, leaf);
  if (Array.isArray(value)) {
    const index = Number(key);
    return value.toSpliced(index, 1, ...(changed === undefined ? [] : [changed]));
  }
  const { [key]: _before, ...others } = fields;
  return changed === undefined ? others : { ...others, [key]: changed };
}

/** Bodies first, then things, then the ground. */
function movedThings({ a, b }: RunSides<RestoredWorld>): readonly MovedThing[] {
  const [thingsOfA, thingsOfB] = [placedThings(sceneOf(a)), placedThings(sceneOf(b))];
  return [...new Set([...thingsOfA.keys(), ...thingsOfB.keys()])].sort(compareText).flatMap((key) => {
    const [one, two] = [thingsOfA.get(key), thingsOfB.get(key)];
    const { id, name } = (one ?? two) as PlacedThing;
    const isAlike =
      one !== undefined && two !== undefined && one.x === two.x && one.y === two.y && one.look === two.look;
    return isAlike ? [] : [{ id, name, a: positionOf(one), b: positionOf(two) }];
  });
}

interface PlacedThing extends ThingPosition {
  id: string;
  name: string;
}

function positionOf(placed: PlacedThing | undefined): ThingPosition | null {
  return placed === undefined ? null : { x: placed.x, y: placed.y, look: placed.look };
}

function sceneOf({ environment, state }: RestoredWorld): Scene | null {
  return environment.scene(state, null);
}

/**
 * Keys sort in the order of the list. Several things with one id are numbered; the ground is identified by
 * its tile.
 */
function placedThings(scene: Scene | null): ReadonlyMap<string, PlacedThing> {
  const placed = new Map<string, PlacedThing>();
  if (scene === null) return placed;
  const { origin, width, ground, legend } = scene;
  for (const thing of scene.things) placed.set(freeKey(placed, thing), placedThing(thing, origin));
  for (const [i, index] of ground.entries()) {
    const look = legend[index];
    if (look === undefined) continue;
    const [x, y] = [origin.x + (i % width), origin.y + Math.floor(i / width)];
    placed.set(`c ${pad(y)} ${pad(x)}`, { id: GROUND, name: GROUND, x, y, look });
  }
  return placed;
}

/** The id for anything that is not a thing. */
export const GROUND = 'ground';

function pad(n: number): string {
  return String(n).padStart(5, '0');
}

function freeKey(used: ReadonlyMap<string, PlacedThing>, { id, layer }: SceneThing): string {
  const base = `${layer > 0 ? 'a' : 'b'} ${id}`;
  let key = base;
  for (let n = 2; used.has(key); n++) key = `${base} ${n}`;
  return key;
}

function placedThing({ id, name, sprite, x, y }: SceneThing, origin: Scene['origin']): PlacedThing {
  return { id, name, x: origin.x + x, y: origin.y + y, look: sprite };
}

function agentsOfBoth({ a, b }: RunSides<RestoredWorld>): readonly string[] {
  return a.environment.agents.filter((agent) => b.environment.agents.includes(agent));
}

function heldApart({ a, b }: RunSides<RestoredWorld>): readonly HeldApart[] {
  return agentsOfBoth({ a, b }).flatMap((agent) => {
    const [heldInA, heldInB] = [heldBy(a, agent), heldBy(b, agent)];
    const isAlike = heldInA.length === heldInB.length && heldInA.every((name, i) => name === heldInB[i]);
    return isAlike ? [] : [{ agent, a: heldInA, b: heldInB }];
  });
}

/**
 * Facts of worlds with hands have `self.holds`: one thing, a list or null. In other worlds, nothing is held.
 */
function heldBy({ environment, state }: RestoredWorld, agent: string): readonly string[] {
  const { self } = environment.observe(state, agent).facts;
  if (!isRecord(self)) return [];
  const held = self['holds'];
  return (Array.isArray(held) ? held : [held]).flatMap((one) =>
    isRecord(one) && typeof one['name'] === 'string' ? [one['name']] : [],
  );
}

function observationDifferences({ a, b }: RunSides<RestoredWorld>): readonly ToldApart[] {
  return agentsOfBoth({ a, b }).flatMap((agent) => {
    const [sectionsOfA, sectionsOfB] = [sectionsOf(a, agent), sectionsOf(b, agent)];
    const ids = [...new Set([...sectionsOfA.keys(), ...sectionsOfB.keys()])];
    return ids.flatMap((section) => {
      const [one, two] = [sectionsOfA.get(section) ?? [], sectionsOfB.get(section) ?? []];
      const only = {
        a: one.filter((line) => !two.includes(line)),
        b: two.filter((line) => !one.includes(line)),
      };
      return only.a.length + only.b.length === 0 ? [] : [{ agent, section, ...only }];
    });
  });
}

function sectionsOf(
  { environment, state }: RestoredWorld,
  agent: string,
): ReadonlyMap<string, readonly string[]> {
  return new Map(environment.observe(state, agent).sections.map(({ id, lines }) => [id, lines]));
}

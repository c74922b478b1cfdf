/**
 * Reads agents and creatures of a scenario as bodies in the grid, and reports mistakes: each on its own
 * walkable tile, with patrols only to points that can be walked to, and only with the keys that belong to its
 * behaviour.
 */
import type {
  AgentDefinition,
  Behaviour,
  BodyDefinition,
  NpcDefinition,
  ThingDefinition,
} from '../definition.js';
import { readCondition } from './conditions.js';
import { legendSuggestion } from './legend-suggestion.js';
import { nameFromId, properNameFromId } from '../../../scenario/names.js';
import { suggestAction } from '../../../scenario/suggest.js';
import { entriesById } from '../../../scenario/records.js';
import type { YamlPath } from '../../../scenario/tree.js';
import type { MapSpot } from './map.js';
import { groundName, isInside, isWalkable } from './map.js';
import type { GridReading } from './places.js';
import { ownSprite, spriteOf } from '../../../scenario/sprites.js';
import { insideMap, refer, spotOf } from './places.js';
import { areaOf } from './reach.js';
import type { GridAgentInput, NpcInput } from './schema-grid.js';

interface Bodies {
  readonly agents: readonly AgentDefinition[];
  readonly npcs: readonly NpcDefinition[];
}

/** `things` are those that were read; none may block a body's tile. */
export function readBodies(reading: GridReading, things: readonly ThingDefinition[]): Bodies {
  const stand = standing(reading, things);
  const agents = reading.agents.flatMap((input, i) => agentOf(reading, stand, { input, index: i }));
  const npcs = entriesById(reading.values.npcs).flatMap(([id, input]) =>
    npcOf(reading, stand, { id, input }),
  );
  return { agents, npcs };
}

/** The agent; none if it has no place. */
function agentOf(
  reading: GridReading,
  stand: PlaceBody,
  { input, index }: { readonly input: GridAgentInput; readonly index: number },
): readonly AgentDefinition[] {
  const path = ['agents', index];
  const who = { kind: 'agent', id: input.id, input, path } as const;
  const body = bodyOf(reading, stand, { ...who, spot: agentSpot(reading, who) });
  const actions = actionsOf(reading, input, path);
  const own = ownConditions(reading, input, path);
  if (body === undefined) return [];
  return [{ ...body, sightRadius: input.sight, actions, carryMax: input.carry, ...own }];
}

function ownConditions(
  reading: GridReading,
  input: GridAgentInput,
  path: YamlPath,
): Pick<AgentDefinition, 'success' | 'failure'> {
  const read = (key: 'success' | 'failure') => {
    const condition = input[key] && readCondition(reading, input[key], [...path, key]);
    return condition === undefined ? {} : { [key]: condition };
  };
  return { ...read('success'), ...read('failure') };
}

function npcOf(
  reading: GridReading,
  stand: PlaceBody,
  { id, input }: { readonly id: string; readonly input: NpcInput },
): readonly NpcDefinition[] {
  const path = ['npcs', id];
  const who = { kind: 'npc', id, input, path } as const;
  const body = bodyOf(reading, stand, { ...who, spot: ownSpot(reading, who) });
  tellNpc(reading, id, { input, path });
  if (body === undefined) return [];
  const behaviour = behaviourOf(reading, body, { input, path });
  const catches = input.catches === undefined ? null : { reach: input.catches };
  return [{ ...body, behaviour, catches, watchRadius: input.watch }];
}

interface BodyInput {
  readonly kind: 'agent' | 'npc';
  readonly id: string;
  readonly input: GridAgentInput | NpcInput;
  readonly path: YamlPath;
}

interface AgentBodyInput extends BodyInput {
  readonly kind: 'agent';
  readonly input: GridAgentInput;
}

/** The position of a body; undefined if it has none, which is reported. */
function ownSpot(reading: GridReading, { kind, id, input, path }: BodyInput): MapSpot | undefined {
  const spot = spotOf(reading, { kind, id, at: input.at, path });
  if (spot === undefined && input.at === undefined)
    reading.report.error(
      { key: path },
      `${id} has no position`,
      `write 'at: [x, y]', or ${legendSuggestion(reading.map, kind, id)}`,
    );
  return spot;
}

/**
 * Agents that share an id, which is already reported, each have their own `at` or their own letter in the
 * map; a missing or extra position then only follows from the id.
 */
function agentSpot(reading: GridReading, who: AgentBodyInput): MapSpot | undefined {
  const twins = reading.agents.filter(({ id }) => id === who.id);
  if (twins.length === 1) return ownSpot(reading, who);
  const { at } = who.input;
  if (at !== undefined) return insideMap(reading, { x: at[0], y: at[1], at: [...who.path, 'at'] });
  const lettered = twins.filter((twin) => twin.at === undefined);
  return reading.map.spots.get(`agent ${who.id}`)?.[lettered.indexOf(who.input)];
}

function bodyOf(
  reading: GridReading,
  stand: PlaceBody,
  { kind, id, input, path, spot }: BodyInput & { readonly spot: MapSpot | undefined },
): BodyDefinition | undefined {
  const groups = ['figure'];
  const sprite =
    input.sprite === undefined
      ? ownSprite(reading, id, { groups, at: { key: path } })
      : spriteOf(reading, input.sprite, { groups, at: [...path, 'sprite'] });
  if (spot === undefined) return undefined;
  stand(id, spot);
  return {
    id,
    name: input.name ?? (kind === 'agent' ? properNameFromId(id) : nameFromId(id)),
    aliases: input.aliases,
    sprite,
    description: input.description,
    x: spot.x,
    y: spot.y,
  };
}

/** Checks that a body's tile is walkable and not occupied. */
type PlaceBody = (id: string, spot: MapSpot) => void;

function standing(reading: GridReading, things: readonly ThingDefinition[]): PlaceBody {
  const taken = new Map<string, string>();
  const isFree = freeTiles(reading, things);
  for (const { id, place, blocking } of things)
    if (blocking && place.at === 'tile') taken.set(`${place.x} ${place.y}`, id);
  return (id, spot) => {
    const tile = `${spot.x} ${spot.y}`;
    const other = taken.get(tile);
    if (!isWalkable(reading.map, spot.x, spot.y))
      reading.report.error(
        spot.at,
        `${id} is in ${groundName(reading.map, spot.x, spot.y)} at (${spot.x}, ${spot.y})`,
        freeTileNear(isFree, spot),
      );
    else if (other !== undefined)
      reading.report.error(
        spot.at,
        `${other} is already at (${spot.x}, ${spot.y}), the position of ${id}`,
        freeTileNear(isFree, spot),
      );
    else taken.set(tile, id);
  };
}

type IsFree = (x: number, y: number) => boolean;

/** Lists walkable tiles that are neither occupied nor reserved. */
function freeTiles({ map, values, agents }: GridReading, things: readonly ThingDefinition[]): IsFree {
  const drawn = [...map.spots.values()].flat().map(({ x, y }) => `${x} ${y}`);
  const written = [...agents, ...Object.values(values.npcs), ...Object.values(values.doors)];
  const named = written.flatMap(({ at }) => (at === undefined ? [] : [at.join(' ')]));
  const lying = things.flatMap(({ place }) => (place.at === 'tile' ? [`${place.x} ${place.y}`] : []));
  const used = new Set([...drawn, ...named, ...lying]);
  return (x, y) => isInside(map, x, y) && isWalkable(map, x, y) && !used.has(`${x} ${y}`);
}

/** A free tile near a wrong one; undefined if there is none within two tiles. */
function freeTileNear(isFree: IsFree, spot: MapSpot): string | undefined {
  for (let radius = 1; radius <= 2; radius++) {
    for (let dy = -radius; dy <= radius; dy++) {
      for (let dx = -radius; dx <= radius; dx++) {
        const [x, y] = [spot.x + dx, spot.y + dy];
        if (isFree(x, y)) return `(${x}, ${y}) is free`;
      }
    }
  }
  return undefined;
}

function actionsOf(reading: GridReading, input: GridAgentInput, path: YamlPath): AgentDefinition['actions'] {
  const actions = input.actions?.map((verb) => verb.toUpperCase()) ?? null;
  actions?.forEach((verb, i) => {
    const known = reading.known.actions;
    if (known === null || known.includes(verb)) return;
    reading.report.error(
      [...path, 'actions', i],
      `there is no action called '${verb.slice(0, 40)}'`,
      suggestAction(verb, known),
    );
  });
  return actions;
}

/** Mistakes of a creature that don't depend on its position. */
function tellNpc(
  reading: GridReading,
  id: string,
  { input, path }: { input: NpcInput; path: YamlPath },
): void {
  if (input.behaviour === 'patrol' && input.route === undefined)
    reading.report.error({ key: path }, `${id} patrols but has no route`, 'write route: [[x, y], [x, y]]');
  input.targets?.forEach((target, i) => refer(reading, target, ['agent', 'npc'], [...path, 'targets', i]));
  tellStrayKeys(reading, input, path);
  const lonely = input.watch > 0 && input.catches === undefined;
  if (lonely)
    reading.report.error(
      [...path, 'watch'],
      "'watch' has no effect without 'catches'",
      'also write catches: 1',
    );
}

const BELONGS: Readonly<
  Record<'every' | 'route' | 'loop' | 'targets' | 'sight', readonly NpcInput['behaviour'][]>
> = {
  every: ['wander'],
  route: ['patrol'],
  loop: ['patrol'],
  targets: ['chase', 'flee'],
  sight: ['chase', 'flee'],
};

function tellStrayKeys(reading: GridReading, input: NpcInput, path: YamlPath): void {
  for (const key of ['every', 'route', 'loop', 'targets', 'sight'] as const) {
    const isStray = input[key] !== undefined && !BELONGS[key].includes(input.behaviour);
    if (isStray)
      reading.report.error(
        { key: [...path, key] },
        `'${key}' has no effect with the behaviour ${input.behaviour}`,
        `it is only for ${BELONGS[key].join(' and ')}`,
      );
  }
}

function behaviourOf(
  reading: GridReading,
  body: BodyDefinition,
  { input, path }: { input: NpcInput; path: YamlPath },
): Behaviour {
  const { behaviour } = input;
  if (behaviour === 'still') return { kind: 'still' };
  if (behaviour === 'wander') return { kind: 'wander', every: input.every ?? 2 };
  if (behaviour === 'patrol')
    return { kind: 'patrol', route: routeOf(reading, body, { input, path }), loop: input.loop ?? true };
  const targets = input.targets ?? reading.agents.map((agent) => agent.id);
  const sightRadius = input.sight ?? 6;
  return behaviour === 'chase'
    ? { kind: 'chase', targets, sightRadius }
    : { kind: 'flee', from: targets, sightRadius };
}

function routeOf(
  reading: GridReading,
  body: BodyDefinition,
  { input, path }: { input: NpcInput; path: YamlPath },
) {
  const home = areaOf(reading, body);
  return (input.route ?? []).map(([x, y], i) => {
    const at = [...path, 'route', i];
    if (!isInside(reading.map, x, y)) reading.report.error(at, `(${x}, ${y}) is outside the map`);
    else if (!isWalkable(reading.map, x, y))
      reading.report.error(
        at,
        `${body.id} can't walk to (${x}, ${y}): ${groundName(reading.map, x, y)} is there`,
      );
    else if (areaOf(reading, { x, y }) !== home && home !== 0)
      reading.report.error(at, `there is no path from (${body.x}, ${body.y}) to (${x}, ${y})`);
    return { x, y };
  });
}

/**
 * Reads agents and creatures of a scenario as bodies in the grid, and reports mistakes: each must be alone on
 * a walkable tile, a patrol's waypoints must be reachable on foot, and a creature must have only the keys
 * that its behaviour uses.
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
import { readAgentActions } from '../../../scenario/agent-actions.js';
import { nameFromId, properNameFromId } from '../../../scenario/names.js';
import { entriesById } from '../../../scenario/records.js';
import type { YamlPath } from '../../../scenario/tree.js';
import type { MapSpot } from './map.js';
import { groundName, isInside, isWalkable } from './map.js';
import type { GridReading } from './places.js';
import { defaultSprite, spriteOf } from '../../../scenario/sprites.js';
import { checkInside, checkReference, readSpot } from './places.js';
import { areaOf } from './reach.js';
import type { GridAgentInput, NpcInput } from './schema-grid.js';

/** `things` are the definitions read before; no blocking one may be on a body's tile. */
export function readBodies(
  reading: GridReading,
  things: readonly ThingDefinition[],
): { agents: readonly AgentDefinition[]; npcs: readonly NpcDefinition[] } {
  const checkTile = tileChecker(reading, things);
  const agents = reading.agents.flatMap((input, i) => readAgent(reading, checkTile, { input, index: i }));
  const npcs = entriesById(reading.values.npcs).flatMap(([id, input]) =>
    readNpc(reading, checkTile, { id, input }),
  );
  return { agents, npcs };
}

/** The agent; an empty list if it has no position. */
function readAgent(
  reading: GridReading,
  checkTile: PlaceBody,
  { input, index }: { input: GridAgentInput; index: number },
): readonly AgentDefinition[] {
  const path = ['agents', index];
  const bodyInput = { kind: 'agent', id: input.id, input, path } as const;
  const body = readBody(reading, checkTile, { ...bodyInput, spot: agentSpot(reading, bodyInput) });
  const actions = readAgentActions(input.actions, reading, path);
  const conditions = readOwnConditions(reading, input, path);
  if (body === undefined) return [];
  return [{ ...body, sightRadius: input.sight, actions, carryMax: input.carry, ...conditions }];
}

function readOwnConditions(
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

function readNpc(
  reading: GridReading,
  checkTile: PlaceBody,
  { id, input }: { id: string; input: NpcInput },
): readonly NpcDefinition[] {
  const path = ['npcs', id];
  const bodyInput = { kind: 'npc', id, input, path } as const;
  const body = readBody(reading, checkTile, { ...bodyInput, spot: readBodySpot(reading, bodyInput) });
  reportNpcMistakes(reading, id, { input, path });
  if (body === undefined) return [];
  const behaviour = readBehaviour(reading, body, { input, path });
  const catches = input.catches === undefined ? null : { reach: input.catches };
  return [{ ...body, behaviour, catches, watchRadius: input.watch }];
}

interface BodyInput {
  kind: 'agent' | 'npc';
  id: string;
  input: GridAgentInput | NpcInput;
  path: YamlPath;
}

interface AgentBodyInput extends BodyInput {
  kind: 'agent';
  input: GridAgentInput;
}

/** The position of a body; undefined if it has none, which is reported. */
function readBodySpot(reading: GridReading, { kind, id, input, path }: BodyInput): MapSpot | undefined {
  const spot = readSpot(reading, { kind, id, at: input.at, path });
  if (spot === undefined && input.at === undefined)
    reading.report.error(
      { key: path },
      `${id} has no position`,
      `write 'at: [x, y]', or ${legendSuggestion(reading.map, kind, id)}`,
    );
  return spot;
}

/**
 * Several agents may wrongly share one id, which is already reported. Each then gets its own `at`, or its own
 * occurrence in the map, and a missing or extra position is not reported again.
 */
function agentSpot(reading: GridReading, bodyInput: AgentBodyInput): MapSpot | undefined {
  const sameIdAgents = reading.agents.filter(({ id }) => id === bodyInput.id);
  if (sameIdAgents.length === 1) return readBodySpot(reading, bodyInput);
  const { at } = bodyInput.input;
  if (at !== undefined)
    return checkInside(reading, { x: at[0], y: at[1], source: [...bodyInput.path, 'at'] });
  const drawnAgents = sameIdAgents.filter((agent) => agent.at === undefined);
  return reading.map.spots.get(`agent ${bodyInput.id}`)?.[drawnAgents.indexOf(bodyInput.input)];
}

function readBody(
  reading: GridReading,
  checkTile: PlaceBody,
  { kind, id, input, path, spot }: BodyInput & { spot: MapSpot | undefined },
): BodyDefinition | undefined {
  const groups = ['figure'];
  const sprite =
    input.sprite === undefined
      ? defaultSprite(reading, id, { groups, at: { key: path } })
      : spriteOf(reading, input.sprite, { groups, at: [...path, 'sprite'] });
  if (spot === undefined) return undefined;
  checkTile(id, spot);
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

/** Checks that a body's tile is walkable and free, and reports it otherwise. */
type PlaceBody = (id: string, spot: MapSpot) => void;

function tileChecker(reading: GridReading, things: readonly ThingDefinition[]): PlaceBody {
  const occupantByTile = new Map<string, string>();
  const isFree = freeTileTest(reading, things);
  for (const { id, place, blocking } of things)
    if (blocking && place.at === 'tile') occupantByTile.set(`${place.x} ${place.y}`, id);
  return (id, spot) => {
    const tile = `${spot.x} ${spot.y}`;
    const occupant = occupantByTile.get(tile);
    if (!isWalkable(reading.map, spot.x, spot.y))
      reading.report.error(
        spot.source,
        `${id} is in ${groundName(reading.map, spot.x, spot.y)} at (${spot.x}, ${spot.y})`,
        suggestFreeTile(isFree, spot),
      );
    else if (occupant !== undefined)
      reading.report.error(
        spot.source,
        `${occupant} is already at (${spot.x}, ${spot.y}), the position of ${id}`,
        suggestFreeTile(isFree, spot),
      );
    else occupantByTile.set(tile, id);
  };
}

type IsFree = (x: number, y: number) => boolean;

/** Tells whether a tile is walkable and the scenario puts nothing on it. */
function freeTileTest({ map, values, agents }: GridReading, things: readonly ThingDefinition[]): IsFree {
  const drawnTiles = [...map.spots.values()].flat().map(({ x, y }) => `${x} ${y}`);
  const placedInputs = [...agents, ...Object.values(values.npcs), ...Object.values(values.doors)];
  const writtenTiles = placedInputs.flatMap(({ at }) => (at === undefined ? [] : [at.join(' ')]));
  const thingTiles = things.flatMap(({ place }) => (place.at === 'tile' ? [`${place.x} ${place.y}`] : []));
  const used = new Set([...drawnTiles, ...writtenTiles, ...thingTiles]);
  return (x, y) => isInside(map, x, y) && isWalkable(map, x, y) && !used.has(`${x} ${y}`);
}

/** A hint with a free tile near a wrong one; undefined if there is none within two tiles. */
function suggestFreeTile(isFree: IsFree, spot: MapSpot): string | undefined {
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

/** Mistakes of a creature that don't depend on its position. */
function reportNpcMistakes(
  reading: GridReading,
  id: string,
  { input, path }: { input: NpcInput; path: YamlPath },
): void {
  if (input.behaviour === 'patrol' && input.route === undefined)
    reading.report.error({ key: path }, `${id} patrols but has no route`, 'write route: [[x, y], [x, y]]');
  input.targets?.forEach((target, i) =>
    checkReference(reading, target, ['agent', 'npc'], [...path, 'targets', i]),
  );
  for (const key of ['every', 'route', 'loop', 'targets', 'sight'] as const) {
    const isStray = input[key] !== undefined && !BEHAVIOURS_BY_KEY[key].includes(input.behaviour);
    if (isStray)
      reading.report.error(
        { key: [...path, key] },
        `'${key}' has no effect with the behaviour ${input.behaviour}`,
        `use it only with ${BEHAVIOURS_BY_KEY[key].join(' and ')}`,
      );
  }
  const watchesInVain = input.watch > 0 && input.catches === undefined;
  if (watchesInVain)
    reading.report.error(
      [...path, 'watch'],
      "'watch' has no effect without 'catches'",
      'also write catches: 1',
    );
}

const BEHAVIOURS_BY_KEY: Readonly<
  Record<'every' | 'route' | 'loop' | 'targets' | 'sight', readonly NpcInput['behaviour'][]>
> = {
  every: ['wander'],
  route: ['patrol'],
  loop: ['patrol'],
  targets: ['chase', 'flee'],
  sight: ['chase', 'flee'],
};

function readBehaviour(
  reading: GridReading,
  body: BodyDefinition,
  { input, path }: { input: NpcInput; path: YamlPath },
): Behaviour {
  const { behaviour } = input;
  if (behaviour === 'still') return { kind: 'still' };
  if (behaviour === 'wander') return { kind: 'wander', every: input.every ?? 2 };
  if (behaviour === 'patrol')
    return { kind: 'patrol', route: readRoute(reading, body, { input, path }), loop: input.loop ?? true };
  const targets = input.targets ?? reading.agents.map((agent) => agent.id);
  const sightRadius = input.sight ?? 6;
  return behaviour === 'chase'
    ? { kind: 'chase', targets, sightRadius }
    : { kind: 'flee', from: targets, sightRadius };
}

function readRoute(
  reading: GridReading,
  body: BodyDefinition,
  { input, path }: { input: NpcInput; path: YamlPath },
) {
  const homeArea = areaOf(reading, body);
  return (input.route ?? []).map(([x, y], i) => {
    const at = [...path, 'route', i];
    if (!isInside(reading.map, x, y)) reading.report.error(at, `(${x}, ${y}) is outside the map`);
    else if (!isWalkable(reading.map, x, y))
      reading.report.error(
        at,
        `${body.id} can't walk to (${x}, ${y}): ${groundName(reading.map, x, y)} is there`,
      );
    else if (areaOf(reading, { x, y }) !== homeArea && homeArea !== 0)
      reading.report.error(at, `there is no path from (${body.x}, ${body.y}) to (${x}, ${y})`);
    return { x, y };
  });
}

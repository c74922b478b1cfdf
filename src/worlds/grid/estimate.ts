/**
 * Estimates the turns to success: for each condition, the errand that would make it true, including the keys
 * that its locks need. It ignores bodies, knowledge and chance; the search uses it only to order states.
 */
import { assertNever, known } from '../../base/assert.js';
import type { Point } from '../../environment/space.js';
import { distance } from '../../environment/space.js';
import { activeAgents, isFixed, isTrue, pointsOf } from './conditions.js';
import type { GridCondition, Door } from './definition.js';
import { ANY_AGENT, EVERY_AGENT } from './definition.js';
import { knownPhrases, writtenSources } from './phrases.js';
import type { GridState, ThingState } from './state.js';
import type { GridWorld } from './world.js';
import {
  bodyOf,
  doorAt,
  doorOf,
  isInside,
  terrainAt,
  thingDefinition,
  thingOf,
  tileIndex,
  whereIs,
  isAllowed,
} from './world.js';

/** The actions of speech. */
const SPEECH = ['SPEAK', 'ANNOUNCE'];

/** Conditions that only the named agent itself can make true: by walking, speaking or reading. */
const SELF_ONLY_KINDS: readonly GridCondition['kind'][] = ['in-room', 'at', 'near', 'heard', 'read'];

/**
 * Whether a condition can certainly never become true any more: because only an agent that no longer acts
 * could make it true, or because it needs speech and no agent may speak.
 */
function isDeadEnd(
  world: GridWorld,
  state: GridState,
  condition: GridCondition,
  withdrawn: readonly string[],
): boolean {
  if (isTrue(world, state, condition)) return false;
  const isPartDeadEnd = (each: GridCondition): boolean => isDeadEnd(world, state, each, withdrawn);
  if (condition.kind === 'all') return condition.of.some(isPartDeadEnd);
  if (condition.kind === 'any') return condition.of.every(isPartDeadEnd);
  if (!('agent' in condition) || !SELF_ONLY_KINDS.includes(condition.kind)) return false;
  if (condition.kind === 'near' && !isFixed(world, condition.target)) return false;
  const { kind, agent } = condition;
  const active = activeAgents(world, state);
  const ableAgents = active.filter(
    (id) =>
      kind !== 'heard' ||
      SPEECH.some((action) => !withdrawn.includes(action) && isAllowed(world, id, action)),
  );
  if (agent === ANY_AGENT) return ableAgents.length === 0;
  if (agent === EVERY_AGENT) {
    const others = world.definition.agents.filter(({ id }) => !ableAgents.includes(id));
    return others.some(({ id }) => !isTrue(world, state, { ...condition, agent: id }));
  }
  return !ableAgents.includes(agent);
}

/** The cost of an errand that seems impossible. */
const IMPOSSIBLE_TURNS = 60;

/** A turn in the estimate's unit; the tiles of the first walk add less than one turn. */
const TENTHS = 10;

/** An agent on an errand: its position, the turns spent, and what it has fetched or unlocked on the way. */
interface EstimatedErrand {
  agent: string;
  at: Point;
  turns: number;
  /** Tiles of its first walk; null as long as it does not move. */
  firstWalkTiles: number | null;
  /** Ids of things, doors and containers that this errand has already fetched, opened or unlocked. */
  handled: Set<string>;
}

export class Estimator {
  readonly #world: GridWorld;
  /** Distances from a tile to all others, with doors counted as open, by the tile's index. */
  readonly #fields = new Map<number, DistanceField>();

  constructor(world: GridWorld) {
    this.#world = world;
  }

  /** In tenths of a turn; null if success is no longer possible without the withdrawn actions. */
  estimate(state: GridState, withdrawn: readonly string[]): number | null {
    const { success } = this.#world.definition;
    if (success === null) return null;
    return isDeadEnd(this.#world, state, success, withdrawn) ? null : this.#estimateCondition(state, success);
  }

  #estimateCondition(state: GridState, condition: GridCondition): number {
    if (isTrue(this.#world, state, condition)) return 0;
    if (condition.kind === 'all') return this.#estimateAll(state, condition.of);
    if (condition.kind === 'any')
      return cheapest(condition.of.map((each) => this.#estimateCondition(state, each)));
    const agent = 'agent' in condition ? condition.agent : ANY_AGENT;
    return this.#estimateTasks(state, agent, [condition]);
  }

  /** All conditions: each agent does its errands one after the other; its final position comes last. */
  #estimateAll(state: GridState, conditions: readonly GridCondition[]): number {
    const ownConditions = conditions.filter(isOwnCondition);
    const agents = [...new Set(ownConditions.map(({ agent }) => agent))];
    const trips = agents.map((agent) => {
      const agentConditions = ownConditions.filter((each) => each.agent === agent);
      const unmet = agentConditions.filter((each) => !isTrue(this.#world, state, each));
      const tasks = [...unmet.filter((each) => !isPosition(each)), ...agentConditions.filter(isPosition)];
      return unmet.length === 0 ? 0 : this.#estimateTasks(state, agent, tasks);
    });
    return sum([
      ...trips,
      ...conditions
        .filter((each) => !isOwnCondition(each))
        .map((each) => this.#estimateCondition(state, each)),
    ]);
  }

  /** The cost for the named agent, for the fastest one (`any`), or for all together (`every`). */
  #estimateTasks(state: GridState, agentId: string, tasks: readonly GridCondition[]): number {
    const active = activeAgents(this.#world, state);
    const isAssigned = (id: string): boolean =>
      agentId === ANY_AGENT || agentId === EVERY_AGENT || agentId === id;
    const turns = active.filter(isAssigned).map((agent) => {
      const { x, y } = known(bodyOf(state, agent), agent);
      const errand: EstimatedErrand = {
        agent,
        at: { x, y },
        turns: 0,
        firstWalkTiles: null,
        handled: new Set(),
      };
      for (const task of tasks) this.#addTask(state, errand, task);
      return (
        TENTHS * Math.max(1, errand.turns) +
        Math.min(TENTHS - 1, Math.floor((errand.firstWalkTiles ?? 0) / 2))
      );
    });
    return agentId === EVERY_AGENT ? sum(turns) : cheapest(turns);
  }

  #addTask(state: GridState, errand: EstimatedErrand, condition: GridCondition): void {
    switch (condition.kind) {
      case 'holds':
        return this.#fetch(state, errand, condition.thing);
      case 'in-room':
        return this.#enter(state, errand, condition.room);
      case 'at':
        return this.#walk(state, errand, condition, 0);
      case 'near': {
        const [point] = pointsOf(this.#world, state, condition.target);
        if (point === undefined) errand.turns += IMPOSSIBLE_TURNS;
        else this.#walk(state, errand, point, condition.within);
        return undefined;
      }
      case 'heard':
        this.#learn(state, errand, condition.phrase);
        return this.#approachListener(state, errand);
      case 'read':
      case 'work-done':
        return this.#work(state, errand, condition.thing);
      case 'thing-inside':
        this.#fetch(state, errand, condition.thing);
        this.#open(state, errand, condition.container);
        errand.turns += 1;
        return undefined;
      case 'thing-in-room':
        this.#fetch(state, errand, condition.thing);
        this.#enter(state, errand, condition.room);
        errand.turns += 1;
        return undefined;
      case 'all':
      case 'any':
      case 'not':
      case 'door-is':
      case 'container-is':
      case 'caught':
      case 'done':
      case 'count':
        errand.turns += 1;
        return undefined;
      default:
        return assertNever(condition, 'condition');
    }
  }

  #fetch(state: GridState, errand: EstimatedErrand, id: string): void {
    if (errand.handled.has(id)) return;
    errand.handled.add(id);
    const item = thingOf(state, id);
    if (item === undefined) {
      errand.turns += IMPOSSIBLE_TURNS;
      return;
    }
    if (item.place.at === 'held' && item.place.by === errand.agent) return;
    if (item.place.at === 'inside') this.#open(state, errand, item.place.container);
    this.#walk(state, errand, known(whereIs(state, id) ?? undefined, `place of ${id}`), 1);
    errand.turns += item.place.at === 'held' ? 2 : 1;
  }

  /** Opens a container, so that its contents can be reached. */
  #open(state: GridState, errand: EstimatedErrand, id: string): void {
    const item = thingOf(state, id);
    if (item === undefined || errand.handled.has(id)) return;
    errand.handled.add(id);
    if (item.place.at === 'inside') this.#open(state, errand, item.place.container);
    if (item.lid === 'locked')
      this.#fetchKey(state, errand, thingDefinition(this.#world, item).container?.key ?? null);
    this.#walk(state, errand, known(whereIs(state, id) ?? undefined, `place of ${id}`), 1);
    errand.turns += item.lid === 'locked' ? 2 : item.lid === 'closed' ? 1 : 0;
  }

  #fetchKey(state: GridState, errand: EstimatedErrand, key: string | null): void {
    if (key === null) errand.turns += IMPOSSIBLE_TURNS;
    else this.#fetch(state, errand, key);
  }

  #work(state: GridState, errand: EstimatedErrand, id: string): void {
    const item = thingOf(state, id);
    if (item === undefined) return;
    const tool = (item.work ?? 0) > 0 ? (thingDefinition(this.#world, item).work?.tool ?? null) : null;
    if (tool !== null) this.#fetch(state, errand, tool);
    if (item.place.at === 'inside') this.#open(state, errand, item.place.container);
    this.#walk(state, errand, known(whereIs(state, id) ?? undefined, `place of ${id}`), 1);
    errand.turns += Math.max(1, item.work ?? 1);
  }

  #enter(state: GridState, errand: EstimatedErrand, id: string): void {
    const room = this.#world.rooms.get(id);
    const area = room?.areas[0];
    if (area === undefined) return;
    const x = Math.min(Math.max(errand.at.x, area.x), area.x + area.width - 1);
    const y = Math.min(Math.max(errand.at.y, area.y), area.y + area.height - 1);
    this.#walk(state, errand, { x, y }, 0);
  }

  /** Reads the source of a phrase first, because an agent can't say what it has not read. */
  #learn(state: GridState, errand: EstimatedErrand, phrase: string): void {
    if (knownPhrases(this.#world, state, errand.agent).includes(phrase)) return;
    const [source] = writtenSources(this.#world, phrase);
    if (source !== undefined) this.#work(state, errand, source.id);
  }

  /** Walks near enough to another agent to be heard. */
  #approachListener(state: GridState, errand: EstimatedErrand): void {
    const otherAgents = activeAgents(this.#world, state).filter((id) => id !== errand.agent);
    const radius = this.#world.definition.rules.speakRadius;
    const trips = otherAgents.map((id) => {
      const trip: EstimatedErrand = { ...errand, handled: new Set(errand.handled) };
      this.#walk(state, trip, known(bodyOf(state, id), id), radius);
      return trip.turns;
    });
    errand.turns = Math.min(IMPOSSIBLE_TURNS, ...trips) + 1;
  }

  /** Walks to within `reach` tiles, through any doors in between; their keys are fetched first. */
  #walk(state: GridState, errand: EstimatedErrand, to: Point, reach: number): void {
    if (distance(errand.at, to) <= reach) return;
    const field = this.#distancesFrom(errand.at);
    const end = this.#endTile(field, to);
    if (end === null) {
      errand.turns += IMPOSSIBLE_TURNS;
      return;
    }
    const doors = this.#doorsOn(field, end);
    const locked = doors.find(({ id }) => doorOf(state, id)?.state === 'locked' && !errand.handled.has(id));
    if (locked !== undefined) {
      errand.handled.add(locked.id);
      this.#unlock(state, errand, locked);
      return this.#walk(state, errand, to, reach);
    }
    const isByTile = this.#world.definition.rules.movement === 'tile';
    const [firstDoor] = doors;
    const firstStop = firstDoor === undefined ? to : firstDoor;
    if (!isByTile)
      errand.firstWalkTiles ??= field.distances[tileIndex(this.#world.definition, firstStop)] ?? 0;
    for (const door of doors) this.#pass(state, errand, door, isByTile);
    const tiles = Math.max(0, (field.distances[end] ?? 0) - reach);
    if (isByTile) errand.turns += tiles;
    else if (distance(errand.at, to) > reach) errand.turns += 1;
    errand.at = to;
  }

  #endTile(field: DistanceField, to: Point): number | null {
    const tile = tileIndex(this.#world.definition, to);
    return (field.distances[tile] ?? -1) === -1 ? this.#nearestNeighbour(field, to) : tile;
  }

  /** Passes a door. With movement by room, an agent goes up to a closed door, opens it and continues. */
  #pass(state: GridState, errand: EstimatedErrand, door: Door, isByTile: boolean): void {
    const lid = doorOf(state, door.id)?.state ?? 'open';
    if (lid !== 'open' && !errand.handled.has(`open:${door.id}`)) {
      errand.handled.add(`open:${door.id}`);
      errand.turns += lid === 'locked' ? 2 : 1;
      if (!isByTile && distance(errand.at, door) > 1) errand.turns += 1;
    }
    if (!isByTile) errand.turns += 1;
    errand.at = { x: door.x, y: door.y };
  }

  #unlock(state: GridState, errand: EstimatedErrand, door: Door): void {
    const lever = this.#leverOf(state, door.id);
    if (lever === null) return this.#fetchKey(state, errand, door.key);
    this.#work(state, errand, lever.id);
    errand.handled.add(`open:${door.id}`);
  }

  /** The thing whose work opens a door. */
  #leverOf(state: GridState, door: string): ThingState | null {
    const lever = this.#world.definition.things.find(
      ({ work }) => work?.effect.kind === 'open-door' && work.effect.door === door,
    );
    return lever === undefined ? null : (thingOf(state, lever.id) ?? null);
  }

  /** The neighbour of an unwalkable tile that is nearest to the start; null if none can be reached. */
  #nearestNeighbour({ distances }: DistanceField, { x, y }: Point): number | null {
    const adjacent = neighbours({ x, y }).filter((tile) => isInside(this.#world, tile));
    const tiles = adjacent
      .map((tile) => tileIndex(this.#world.definition, tile))
      .filter((i) => (distances[i] ?? -1) >= 0);
    const [first] = tiles.toSorted((a, b) => (distances[a] ?? 0) - (distances[b] ?? 0) || a - b);
    return first ?? null;
  }

  #doorsOn({ previousTiles }: DistanceField, end: number): readonly Door[] {
    const { width } = this.#world.definition.size;
    const doors: Door[] = [];
    for (let tile = end; (previousTiles[tile] ?? -1) !== -1; tile = previousTiles[tile] ?? -1) {
      const door = doorAt(this.#world, { x: tile % width, y: Math.floor(tile / width) });
      if (door !== null) doors.unshift(door);
    }
    return doors;
  }

  #distancesFrom(start: Point): DistanceField {
    const index = tileIndex(this.#world.definition, start);
    const cached = this.#fields.get(index);
    if (cached !== undefined) return cached;
    const field = distancesFrom(this.#world, start);
    this.#fields.set(index, field);
    return field;
  }
}

/** Row-major: steps from the start, -1 if unreachable; and the previous tile of the path, -1 for none. */
interface DistanceField {
  distances: Int32Array;
  previousTiles: Int32Array;
}

function distancesFrom(world: GridWorld, start: Point): DistanceField {
  const { width, height } = world.definition.size;
  const distances = new Int32Array(width * height).fill(-1);
  const previousTiles = new Int32Array(width * height).fill(-1);
  distances[tileIndex(world.definition, start)] = 0;
  const queue = [start];
  for (const here of queue) {
    const index = tileIndex(world.definition, here);
    for (const tile of neighbours(here)) {
      if (terrainAt(world, tile.x, tile.y)?.walkable !== true) continue;
      const next = tileIndex(world.definition, tile);
      if (distances[next] !== -1) continue;
      distances[next] = (distances[index] ?? 0) + 1;
      previousTiles[next] = index;
      queue.push(tile);
    }
  }
  return { distances, previousTiles };
}

function neighbours({ x, y }: Point): readonly Point[] {
  return [
    { x, y: y - 1 },
    { x: x + 1, y },
    { x, y: y + 1 },
    { x: x - 1, y },
  ];
}

function isOwnCondition(condition: GridCondition): condition is Extract<GridCondition, { agent: string }> {
  return 'agent' in condition && condition.agent !== ANY_AGENT && condition.agent !== EVERY_AGENT;
}

function isPosition({ kind }: GridCondition): boolean {
  return kind === 'in-room' || kind === 'at' || kind === 'near';
}

function cheapest(tenths: readonly number[]): number {
  return Math.min(TENTHS * IMPOSSIBLE_TURNS, ...tenths);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}

/**
 * An estimate of the turns to success: for each condition the errand that would make it true, with the keys
 * that its locks need. In: a state; out: an integer. It ignores bodies, knowledge and chance, and only orders
 * a search.
 */
import { assertNever, known } from '../../base/assert.js';
import type { Point } from '../../environment/space.js';
import { distance } from '../../environment/space.js';
import { activeAgents, isTrue } from './conditions.js';
import type { GridCondition, Door } from './definition.js';
import { ANY_AGENT, EVERY_AGENT } from './definition.js';
import { phrasesKnown, sourcesOf } from './phrases.js';
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

// Whether a condition can certainly never become true any more: because only an agent that no longer acts
// could cause it, or because it needs speech and no agent may speak. In: a state and the withdrawn actions;
// out: whether it is certain.

/** The actions that carry words. */
const SPEECH = ['SPEAK', 'ANNOUNCE'];

/** What only the agent itself can do: walk, speak, read. */
const ITS_OWN_DOING: readonly GridCondition['kind'][] = ['in-room', 'at', 'heard', 'read'];

function isHopeless(
  world: GridWorld,
  state: GridState,
  condition: GridCondition,
  withdrawn: readonly string[],
): boolean {
  if (isTrue(world, state, condition)) return false;
  const isLost = (each: GridCondition): boolean => isHopeless(world, state, each, withdrawn);
  if (condition.kind === 'all') return condition.of.some(isLost);
  if (condition.kind === 'any') return condition.of.every(isLost);
  if (!('agent' in condition) || !ITS_OWN_DOING.includes(condition.kind)) return false;
  const { kind, agent } = condition;
  const active = activeAgents(world, state);
  const able = active.filter((id) => kind !== 'heard' || canSpeak(world, id, withdrawn));
  if (agent === ANY_AGENT) return able.length === 0;
  if (agent === EVERY_AGENT) {
    const others = world.definition.agents.filter(({ id }) => !able.includes(id));
    return others.some(({ id }) => !isTrue(world, state, { ...condition, agent: id }));
  }
  return !able.includes(agent);
}

function canSpeak(world: GridWorld, agent: string, withdrawn: readonly string[]): boolean {
  return SPEECH.some((action) => !withdrawn.includes(action) && isAllowed(world, agent, action));
}

/** The cost of an errand that seems impossible. */
const FAR = 60;

/** A turn in the unit of the guess; tiles that are still to go to the first stop count for less than one. */
const TENTHS = 10;

/** An agent on an errand: its position, the turns spent, and what it has fetched or unlocked on the way. */
interface EstimatedErrand {
  readonly agent: string;
  at: Point;
  turns: number;
  /** Tiles of its first walk; null as long as it does not move. */
  first: number | null;
  /** Ids of things, doors and containers that are dealt with, or being dealt with. */
  readonly dealt: Set<string>;
}

/** A condition on one certain agent. */
type OwnCondition = Extract<GridCondition, { agent: string }>;

export class Estimator {
  readonly #world: GridWorld;
  /** By tile: the distance of each tile from there, with doors counted as open. */
  readonly #ways = new Map<number, DistanceField>();

  constructor(world: GridWorld) {
    this.#world = world;
  }

  /** In tenths of a turn; null if success is no longer possible without the withdrawn actions. */
  estimate(state: GridState, withdrawn: readonly string[]): number | null {
    const { success } = this.#world.definition;
    if (success === null) return null;
    return isHopeless(this.#world, state, success, withdrawn) ? null : this.#of(state, success);
  }

  #of(state: GridState, condition: GridCondition): number {
    if (isTrue(this.#world, state, condition)) return 0;
    if (condition.kind === 'all') return this.#together(state, condition.of);
    if (condition.kind === 'any') return least(condition.of.map((each) => this.#of(state, each)));
    const who = 'agent' in condition ? condition.agent : ANY_AGENT;
    return this.#nearest(state, who, [condition]);
  }

  /** An agent does its errands one after the other, and ends where it must be. */
  #together(state: GridState, all: readonly GridCondition[]): number {
    const own = all.filter(isOwn);
    const agents = [...new Set(own.map(({ agent }) => agent))];
    const trips = agents.map((agent) => {
      const its = own.filter((each) => each.agent === agent);
      const open = its.filter((each) => !isTrue(this.#world, state, each));
      const tasks = [...open.filter((each) => !isStay(each)), ...its.filter(isStay)];
      return open.length === 0 ? 0 : this.#nearest(state, agent, tasks);
    });
    return sum([...trips, ...all.filter((each) => !isOwn(each)).map((each) => this.#of(state, each))]);
  }

  /** For the named agent, or for the fastest one; for all if all must. */
  #nearest(state: GridState, who: string, tasks: readonly GridCondition[]): number {
    const active = activeAgents(this.#world, state);
    const isMeant = (id: string): boolean => who === ANY_AGENT || who === EVERY_AGENT || who === id;
    const turns = active.filter(isMeant).map((agent) => {
      const { x, y } = known(bodyOf(state, agent), agent);
      const errand: EstimatedErrand = { agent, at: { x, y }, turns: 0, first: null, dealt: new Set() };
      for (const task of tasks) this.#do(state, errand, task);
      return TENTHS * Math.max(1, errand.turns) + Math.min(TENTHS - 1, Math.floor((errand.first ?? 0) / 2));
    });
    return who === EVERY_AGENT ? sum(turns) : least(turns);
  }

  #do(state: GridState, errand: EstimatedErrand, condition: GridCondition): void {
    switch (condition.kind) {
      case 'holds':
        return this.#fetch(state, errand, condition.thing);
      case 'in-room':
        return this.#enter(state, errand, condition.room);
      case 'at':
        return this.#walk(state, errand, condition, 0);
      case 'heard':
        this.#learn(state, errand, condition.phrase);
        return this.#meet(state, errand);
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
    if (errand.dealt.has(id)) return;
    errand.dealt.add(id);
    const item = thingOf(state, id);
    if (item === undefined) {
      errand.turns += FAR;
      return;
    }
    if (item.place.at === 'held' && item.place.by === errand.agent) return;
    if (item.place.at === 'inside') this.#open(state, errand, item.place.container);
    this.#walk(state, errand, known(whereIs(state, id) ?? undefined, `place of ${id}`), 1);
    errand.turns += item.place.at === 'held' ? 2 : 1;
  }

  /** A container, so that its contents can be reached. */
  #open(state: GridState, errand: EstimatedErrand, id: string): void {
    const item = thingOf(state, id);
    if (item === undefined || errand.dealt.has(id)) return;
    errand.dealt.add(id);
    if (item.place.at === 'inside') this.#open(state, errand, item.place.container);
    if (item.lid === 'locked')
      this.#key(state, errand, thingDefinition(this.#world, item).container?.key ?? null);
    this.#walk(state, errand, known(whereIs(state, id) ?? undefined, `place of ${id}`), 1);
    errand.turns += item.lid === 'locked' ? 2 : item.lid === 'closed' ? 1 : 0;
  }

  #key(state: GridState, errand: EstimatedErrand, key: string | null): void {
    if (key === null) errand.turns += FAR;
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

  /** An agent can't say what it has not read. */
  #learn(state: GridState, errand: EstimatedErrand, phrase: string): void {
    if (phrasesKnown(this.#world, state, errand.agent).includes(phrase)) return;
    const [source] = sourcesOf(this.#world, phrase);
    if (source !== undefined) this.#work(state, errand, source.id);
  }

  /** Near enough to be heard. */
  #meet(state: GridState, errand: EstimatedErrand): void {
    const others = activeAgents(this.#world, state).filter((id) => id !== errand.agent);
    const radius = this.#world.definition.rules.speakRadius;
    const trips = others.map((id) => {
      const trip: EstimatedErrand = { ...errand, dealt: new Set(errand.dealt) };
      this.#walk(state, trip, known(bodyOf(state, id), id), radius);
      return trip.turns;
    });
    errand.turns = Math.min(FAR, ...trips) + 1;
  }

  /** To within `reach` tiles, through any doors in between; what unlocks them is fetched first. */
  #walk(state: GridState, errand: EstimatedErrand, to: Point, reach: number): void {
    if (distance(errand.at, to) <= reach) return;
    const ways = this.#waysFrom(errand.at);
    const end = this.#endOf(ways, to);
    if (end === null) {
      errand.turns += FAR;
      return;
    }
    const doors = this.#doorsOn(ways, end);
    const locked = doors.find(({ id }) => doorOf(state, id)?.state === 'locked' && !errand.dealt.has(id));
    if (locked !== undefined) {
      errand.dealt.add(locked.id);
      this.#unlock(state, errand, locked);
      return this.#walk(state, errand, to, reach);
    }
    const isByTile = this.#world.definition.rules.movement === 'tile';
    const [firstDoor] = doors;
    const leg = firstDoor === undefined ? to : firstDoor;
    if (!isByTile) errand.first ??= ways.lengths[tileIndex(this.#world.definition, leg)] ?? 0;
    for (const door of doors) this.#pass(state, errand, door, isByTile);
    const tiles = Math.max(0, (ways.lengths[end] ?? 0) - reach);
    if (isByTile) errand.turns += tiles;
    else if (distance(errand.at, to) > reach) errand.turns += 1;
    errand.at = to;
  }

  #endOf(ways: DistanceField, to: Point): number | null {
    const tile = tileIndex(this.#world.definition, to);
    return (ways.lengths[tile] ?? -1) === -1 ? this.#beside(ways, to) : tile;
  }

  /** By room, an agent goes up to a closed door, opens it and continues; an open one is passed. */
  #pass(state: GridState, errand: EstimatedErrand, door: Door, isByTile: boolean): void {
    const lid = doorOf(state, door.id)?.state ?? 'open';
    if (lid !== 'open' && !errand.dealt.has(`open:${door.id}`)) {
      errand.dealt.add(`open:${door.id}`);
      errand.turns += lid === 'locked' ? 2 : 1;
      if (!isByTile && distance(errand.at, door) > 1) errand.turns += 1;
    }
    if (!isByTile) errand.turns += 1;
    errand.at = { x: door.x, y: door.y };
  }

  #unlock(state: GridState, errand: EstimatedErrand, door: Door): void {
    const lever = this.#leverOf(state, door.id);
    if (lever === null) return this.#key(state, errand, door.key);
    this.#work(state, errand, lever.id);
    errand.dealt.add(`open:${door.id}`);
  }

  /** The thing whose work opens a door. */
  #leverOf(state: GridState, door: string): ThingState | null {
    const lever = this.#world.definition.things.find(
      ({ work }) => work?.effect.kind === 'open-door' && work.effect.door === door,
    );
    return lever === undefined ? null : (thingOf(state, lever.id) ?? null);
  }

  /**
   * The reached tile nearest to the start among the neighbours of a tile that can't be walked on; null if
   * there is none.
   */
  #beside({ lengths }: DistanceField, { x, y }: Point): number | null {
    const around = neighbours({ x, y }).filter((tile) => isInside(this.#world, tile));
    const tiles = around
      .map((tile) => tileIndex(this.#world.definition, tile))
      .filter((i) => (lengths[i] ?? -1) >= 0);
    const [first] = tiles.toSorted((a, b) => (lengths[a] ?? 0) - (lengths[b] ?? 0) || a - b);
    return first ?? null;
  }

  #doorsOn({ from }: DistanceField, end: number): readonly Door[] {
    const { width } = this.#world.definition.size;
    const doors: Door[] = [];
    for (let tile = end; (from[tile] ?? -1) !== -1; tile = from[tile] ?? -1) {
      const door = doorAt(this.#world, { x: tile % width, y: Math.floor(tile / width) });
      if (door !== null) doors.unshift(door);
    }
    return doors;
  }

  #waysFrom(start: Point): DistanceField {
    const index = tileIndex(this.#world.definition, start);
    const before = this.#ways.get(index);
    if (before !== undefined) return before;
    const made = waysFrom(this.#world, start);
    this.#ways.set(index, made);
    return made;
  }
}

/** Row-major: steps from the start, -1 for never; and the tile before, -1 for none. */
interface DistanceField {
  readonly lengths: Int32Array;
  readonly from: Int32Array;
}

function waysFrom(world: GridWorld, start: Point): DistanceField {
  const { width, height } = world.definition.size;
  const lengths = new Int32Array(width * height).fill(-1);
  const from = new Int32Array(width * height).fill(-1);
  lengths[tileIndex(world.definition, start)] = 0;
  const queue = [start];
  for (const here of queue) {
    const index = tileIndex(world.definition, here);
    for (const tile of neighbours(here)) {
      if (terrainAt(world, tile.x, tile.y)?.walkable !== true) continue;
      const next = tileIndex(world.definition, tile);
      if (lengths[next] !== -1) continue;
      lengths[next] = (lengths[index] ?? 0) + 1;
      from[next] = index;
      queue.push(tile);
    }
  }
  return { lengths, from };
}

function neighbours({ x, y }: Point): readonly Point[] {
  return [
    { x, y: y - 1 },
    { x: x + 1, y },
    { x, y: y + 1 },
    { x: x - 1, y },
  ];
}

function isOwn(condition: GridCondition): condition is OwnCondition {
  return 'agent' in condition && condition.agent !== ANY_AGENT && condition.agent !== EVERY_AGENT;
}

function isStay({ kind }: GridCondition): boolean {
  return kind === 'in-room' || kind === 'at';
}

function least(tenths: readonly number[]): number {
  return Math.min(TENTHS * FAR, ...tenths);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}

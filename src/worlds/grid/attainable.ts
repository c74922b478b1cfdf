/**
 * Whether success can certainly never be reached, however long a run is: because of a key behind the door
 * that it opens, or a room without an entrance. It is found without a search: everything that agents could
 * reach, take and open is collected until nothing is added. Wherever the rules are not followed exactly, more
 * is assumed to be attainable than is: bodies and things block nothing, all agents share what one of them can
 * take, and whatever a trigger affects can happen.
 */
import { assertNever } from '../../base/assert.js';
import type { Point } from '../../environment/space.js';
import { isFixed, isTrue, pointsOf } from './conditions.js';
import { ANY_AGENT, EVERY_AGENT } from './definition.js';
import type { Effect, GridCondition } from './definition.js';
import type { GridState } from './state.js';
import type { GridWorld } from './world.js';
import {
  bodyAt,
  bodyOf,
  doorAt,
  doorOf,
  isWithinReach,
  roomAt,
  terrainAt,
  thingOf,
  tileIndex,
} from './world.js';

/** `state` is the start of a run. */
export function isUnattainable(world: GridWorld, state: GridState): boolean {
  const { success } = world.definition;
  return success !== null && !new Attainable(world, state).canBecomeTrue(success);
}

class Attainable {
  readonly #world: GridWorld;
  readonly #state: GridState;
  readonly #effects: readonly Effect[];
  /** Ids of doors and containers that are not locked, or need not stay it. */
  readonly #opened = new Set<string>();
  /** Row-major: tiles with the same number are connected through opened doors; 0 for other tiles. */
  #areas: Int32Array;

  constructor(world: GridWorld, state: GridState) {
    this.#world = world;
    this.#state = state;
    this.#effects = (world.definition.triggers ?? []).flatMap(({ effects }) => effects);
    const { doors, things } = world.definition;
    for (const door of doors)
      if (this.#isFree(door.id, doorOf(state, door.id)?.state) || bodyAt(state, door) !== null)
        this.#opened.add(door.id);
    for (const { id } of things) if (this.#isFree(id, thingOf(state, id)?.lid)) this.#opened.add(id);
    this.#areas = this.#numberAreas();
    while (this.#unlock()) this.#areas = this.#numberAreas();
  }

  canBecomeTrue(condition: GridCondition): boolean {
    if (isTrue(this.#world, this.#state, condition)) return true;
    switch (condition.kind) {
      case 'all':
        return condition.of.every((each) => this.canBecomeTrue(each));
      case 'any':
        return condition.of.some((each) => this.canBecomeTrue(each));
      case 'in-room':
        return this.#canAgents(condition.agent, (area) => this.#isRoomIn(condition.room, area));
      case 'at':
        return this.#canAgents(condition.agent, (area) => this.#areaOf(condition) === area);
      case 'near':
        return (
          !isFixed(this.#world, condition.target) ||
          this.#canAgents(condition.agent, (area) => this.#isAreaNear(condition, area))
        );
      case 'holds':
        return this.#canCarry(condition.thing);
      case 'read':
        return this.#canReach(condition.thing);
      case 'work-done': {
        const tool = this.#world.things.get(condition.thing)?.work?.tool ?? null;
        return this.#canReach(condition.thing) && (tool === null || this.#canTake(tool));
      }
      case 'thing-inside':
        return (
          this.#canCarry(condition.thing) &&
          this.#canReach(condition.container) &&
          this.#opened.has(condition.container)
        );
      case 'thing-in-room':
        return (
          this.#isMovedWithoutHands(condition.thing) ||
          (this.#canCarry(condition.thing) &&
            this.#agentAreas().some((area) => this.#isRoomIn(condition.room, area)))
        );
      case 'door-is':
        return (
          condition.state === 'closed' || condition.state === 'locked' || this.#opened.has(condition.door)
        );
      case 'container-is':
        return (
          condition.state === 'closed' || condition.state === 'locked' || this.#opened.has(condition.thing)
        );
      case 'not':
      case 'heard':
      case 'caught':
      case 'done':
      case 'count':
        return true;
      default:
        return assertNever(condition, 'condition');
    }
  }

  #canAgents(agent: string, canBeIn: (area: number) => boolean): boolean {
    if (agent === ANY_AGENT) return this.#agentAreas().some(canBeIn);
    if (agent === EVERY_AGENT) return this.#agentAreas().every(canBeIn);
    const body = bodyOf(this.#state, agent);
    return body !== undefined && canBeIn(this.#areaOf(body));
  }

  #agentAreas(): readonly number[] {
    const bodies = this.#world.definition.agents.map(({ id }) => bodyOf(this.#state, id));
    return bodies.flatMap((body) => (body === undefined ? [] : [this.#areaOf(body)]));
  }

  #areaOf({ x, y }: Point): number {
    return terrainAt(this.#world, x, y) === null
      ? 0
      : (this.#areas[tileIndex(this.#world.definition, { x, y })] ?? 0);
  }

  #isRoomIn(room: string, area: number): boolean {
    const { width } = this.#world.definition.size;
    return this.#areas.some(
      (each, tile) =>
        each === area && roomAt(this.#world, tile % width, Math.floor(tile / width))?.id === room,
    );
  }

  #isAreaNear({ target, within }: Extract<GridCondition, { kind: 'near' }>, area: number): boolean {
    const { width } = this.#world.definition.size;
    const points = pointsOf(this.#world, this.#state, target);
    return this.#areas.some(
      (each, tile) =>
        each === area &&
        points.some((at) => isWithinReach({ x: tile % width, y: Math.floor(tile / width) }, at, within)),
    );
  }

  /** Whether a tile is one that an agent can be on, or one of the eight around it. */
  #isBesideAgents({ x, y }: Point): boolean {
    const areas = this.#agentAreas();
    return [-1, 0, 1].some((dy) =>
      [-1, 0, 1].some((dx) => areas.includes(this.#areaOf({ x: x + dx, y: y + dy }))),
    );
  }

  /** Opens every lock whose key can be taken to it; true if there was one. */
  #unlock(): boolean {
    const before = this.#opened.size;
    const { doors, things } = this.#world.definition;
    for (const door of doors)
      if (this.#isBesideAgents(door) && this.#hasKey(door.key)) this.#opened.add(door.id);
    for (const { id, container } of things)
      if (container !== null && this.#canReach(id) && this.#hasKey(container.key)) this.#opened.add(id);
    return this.#opened.size > before;
  }

  #hasKey(key: string | null): boolean {
    return key !== null && this.#canTake(key);
  }

  /** Whether a lid is not locked, or is unlocked without a key. */
  #isFree(id: string, lid: 'open' | 'closed' | 'locked' | null | undefined): boolean {
    const isOpenedByWork = this.#world.definition.things.some(
      ({ work }) => work?.effect.kind === 'open-door' && work.effect.door === id,
    );
    return lid !== 'locked' || isOpenedByWork || this.#isUnlockedByTrigger(id);
  }

  #isUnlockedByTrigger(id: string): boolean {
    return this.#effects.some(
      (effect) =>
        effect.kind === 'set-lid' &&
        effect.target === id &&
        (effect.to === 'open' || effect.to === 'unlocked'),
    );
  }

  #isAffected(id: string, kinds: readonly Effect['kind'][]): boolean {
    return this.#effects.some(
      (effect) => kinds.includes(effect.kind) && 'thing' in effect && effect.thing === id,
    );
  }

  #isMovedWithoutHands(id: string): boolean {
    const pushable = this.#world.things.get(id)?.pushable === true;
    return pushable || this.#isAffected(id, ['spawn', 'move']) || this.#holderOf(id) === 'npc';
  }

  /** Who holds a thing, itself or in a container. */
  #holderOf(id: string): 'agent' | 'npc' | null {
    const place = thingOf(this.#state, id)?.place;
    if (place?.at === 'inside') return this.#holderOf(place.container);
    if (place?.at !== 'held') return null;
    return this.#world.agents.has(place.by) ? 'agent' : 'npc';
  }

  /** Whether an agent can perceive a thing and be beside it. A stack may be split and combined with others. */
  #canReach(id: string): boolean {
    const item = thingOf(this.#state, id);
    if (this.#isMovedWithoutHands(id) || this.#world.things.get(id)?.stack != null) return true;
    if (item === undefined) return false;
    if (item.place.at === 'held') return true;
    if (item.place.at === 'tile') return this.#isBesideAgents(item.place);
    const { container } = item.place;
    return this.#isTakenApart(container) || (this.#canReach(container) && this.#opened.has(container));
  }

  /** Whether a container may disappear, so that its contents lie free. */
  #isTakenApart(id: string): boolean {
    return this.#isAffected(id, ['remove']) || this.#world.things.get(id)?.work != null;
  }

  /** Whether an agent can have a thing in its hands. */
  #canTake(id: string): boolean {
    const place = thingOf(this.#state, id)?.place;
    const isHeld = place?.at === 'held' && this.#world.agents.has(place.by);
    if (isHeld) return true;
    const isGuarded = this.#holderOf(id) === 'npc' && !this.#isAffected(id, ['spawn', 'move']);
    return this.#world.things.get(id)?.portable === true && !isGuarded && this.#canReach(id);
  }

  /** The same for a thing that may be in a container which the agent holds. */
  #canCarry(id: string): boolean {
    if (this.#canTake(id)) return true;
    const place = thingOf(this.#state, id)?.place;
    return place?.at === 'inside' && this.#canCarry(place.container);
  }

  #numberAreas(): Int32Array {
    const { width, height } = this.#world.definition.size;
    const areas = new Int32Array(width * height);
    let count = 0;
    for (let start = 0; start < areas.length; start++) {
      if (areas[start] !== 0 || !this.#isPassable(start)) continue;
      areas[start] = ++count;
      const queue = [start];
      for (const tile of queue) {
        const x = tile % width;
        const beside = [
          tile - width,
          tile + width,
          ...(x > 0 ? [tile - 1] : []),
          ...(x < width - 1 ? [tile + 1] : []),
        ];
        for (const next of beside) {
          if (areas[next] !== 0 || !this.#isPassable(next)) continue;
          areas[next] = count;
          queue.push(next);
        }
      }
    }
    return areas;
  }

  #isPassable(tile: number): boolean {
    const { width } = this.#world.definition.size;
    const point = { x: tile % width, y: Math.floor(tile / width) };
    if (terrainAt(this.#world, point.x, point.y)?.walkable !== true) return false;
    const door = doorAt(this.#world, point);
    return door === null || this.#opened.has(door.id);
  }
}

/**
 * Applies the effects of a trigger, one after another. An effect that is currently impossible is skipped: a
 * door with an agent in it doesn't close, no blocking thing appears on an occupied tile, a removed thing
 * stays removed. Every event lists only the agents that could see it: an agent that pulls a lever does not
 * learn of a gate that opens elsewhere.
 */
import { lookUp } from '../../base/look-up.js';
import type { Event } from '../../environment/action.js';
import { assertNever, known } from '../../base/assert.js';
import { compareText } from '../../base/ids.js';
import type { Point } from '../../environment/space.js';
import { addThing, placeThing, removeThing, setCount, setDoor, setThing } from './change.js';
import { activeAgents, countMark } from './conditions.js';
import type { Audience, Effect } from './definition.js';
import { happened, withWitnesses } from './events.js';
import type { EventKind } from './event-kinds.js';
import { canSee } from './sight.js';
import { thingState } from './state.js';
import type { BodyState, GridState, ThingState } from './state.js';
import { proseText } from '../../environment/wording.js';
import type { GridWorld } from './world.js';
import { bodyAt, bodyOf, doorOf, isDoorwayFree, appearanceOf, roomsAt, thingOf } from './world.js';

/** A state, and the events of the step so far. */
export interface EffectResult {
  state: GridState;
  events: readonly Event[];
}

/** The event that set a trigger off. */
export interface EffectCause {
  /** The agent that caused it; null for none. */
  actor: string | null;
  /** The amount that was used up at once; 1 if nothing was. */
  amount: number;
}

export function applyEffect(
  world: GridWorld,
  now: EffectResult,
  { effect, cause: { actor, amount } }: { effect: Effect; cause: EffectCause },
): EffectResult {
  switch (effect.kind) {
    case 'set-lid':
      return world.doors.has(effect.target)
        ? setDoorTo(world, now, effect)
        : setContainerTo(world, now, effect);
    case 'spawn':
      return spawn(world, now, effect.thing);
    case 'remove':
      return remove(world, now, effect.thing);
    case 'move':
      return move(world, now, effect);
    case 'tell':
      return tellAgents(world, now, { text: effect.text, to: effect.to, actor });
    case 'incapacitate':
    case 'restore':
      return setAbility(world, now, { agent: effect.agent ?? actor, isAble: effect.kind === 'restore' });
    case 'count': {
      const { counter, by } = effect;
      const mark = countMark(counter);
      const before = lookUp(now.state.marks, mark) ?? 0;
      return { ...now, state: setCount(now.state, mark, before + (by === 'amount' ? amount : by)) };
    }
    default:
      return assertNever(effect, 'effect');
  }
}

function withEvents(
  world: GridWorld,
  now: EffectResult,
  state: GridState,
  events: readonly Event[],
): EffectResult {
  return { state, events: [...now.events, ...events.map((event) => withWitnesses(world, state, event))] };
}

type LidEffect = Extract<Effect, { kind: 'set-lid' }>;
type EffectLid = 'open' | 'closed' | 'locked';

/** The new state of a lid and the kind of the event; null if nothing changes. */
function lidChange(from: EffectLid, to: LidEffect['to']): { lid: EffectLid; kind: EventKind } | null {
  if (to === 'open') return from === 'open' ? null : { lid: 'open', kind: 'opened' };
  if (to === 'closed') return from === 'open' ? { lid: 'closed', kind: 'closed' } : null;
  if (to === 'locked') return from === 'locked' ? null : { lid: 'locked', kind: 'locked' };
  return from === 'locked' ? { lid: 'closed', kind: 'unlocked' } : null;
}

function setDoorTo(world: GridWorld, now: EffectResult, { target, to }: LidEffect): EffectResult {
  const door = known(world.doors.get(target), target);
  const from = known(doorOf(now.state, target), `door ${target}`).state;
  const change = lidChange(from, to);
  if (change === null) return now;
  const isObstructed = from === 'open' && !isDoorwayFree(now.state, door);
  if (isObstructed) return now;
  const state = setDoor(now.state, target, { state: change.lid, openFor: 0 });
  return withEvents(world, now, state, [happened(change.kind, null, door, { id: target, name: door.name })]);
}

function setContainerTo(world: GridWorld, now: EffectResult, { target, to }: LidEffect): EffectResult {
  const item = thingOf(now.state, target);
  const lid = item?.lid ?? null;
  const change = lid === null ? null : lidChange(lid, to);
  if (item === undefined || change === null) return now;
  const state = setThing(now.state, target, { lid: change.lid });
  return withEvents(world, now, state, visibleEvents(world, now.state, item, change.kind));
}

function spawn(world: GridWorld, now: EffectResult, id: string): EffectResult {
  const definition = known(world.things.get(id), `definition of ${id}`);
  const { place, blocking } = definition;
  const isPresent = thingOf(now.state, id) !== undefined;
  const lacksContainer = place.at === 'inside' && thingOf(now.state, place.container) === undefined;
  if (isPresent || lacksContainer || (place.at === 'tile' && blocking && isOccupied(world, now.state, place)))
    return now;
  const item = thingState(definition);
  const state = addThing(now.state, item);
  return withEvents(world, now, state, visibleEvents(world, state, item, 'appeared'));
}

function remove(world: GridWorld, now: EffectResult, id: string): EffectResult {
  const item = thingOf(now.state, id);
  if (item === undefined) return now;
  return withEvents(
    world,
    now,
    removeThing(now.state, id),
    visibleEvents(world, now.state, item, 'vanished'),
  );
}

/** Moves a thing to a tile, also out of hands and containers. */
function move(
  world: GridWorld,
  now: EffectResult,
  { thing, x, y }: Extract<Effect, { kind: 'move' }>,
): EffectResult {
  const item = thingOf(now.state, thing);
  if (item === undefined) return now;
  const isHere = item.place.at === 'tile' && item.place.x === x && item.place.y === y;
  if (isHere || (appearanceOf(world, item).blocking && isOccupied(world, now.state, { x, y }))) return now;
  const state = placeThing(now.state, thing, { at: 'tile', x, y });
  const moved = known(thingOf(state, thing), thing);
  return withEvents(world, now, state, [
    ...visibleEvents(world, now.state, item, 'vanished'),
    ...visibleEvents(world, state, moved, 'appeared'),
  ]);
}

function isOccupied(world: GridWorld, state: GridState, tile: Point): boolean {
  return bodyAt(state, tile) !== null || world.doorsByTile.has(tile.y * world.definition.size.width + tile.x);
}

/** The event of a thing that could be seen; nothing if the thing was in a closed container. */
function visibleEvents(
  world: GridWorld,
  state: GridState,
  item: ThingState,
  kind: EventKind,
): readonly Event[] {
  const place = visibleTileOf(state, item);
  if (place === null) return [];
  return [happened(kind, null, place, { id: item.id, name: appearanceOf(world, item).name })];
}

/** The tile on which a thing can be seen: its own, its holder's, or that of its open container. */
function visibleTileOf(state: GridState, { place }: ThingState): Point | null {
  if (place.at === 'tile') return place;
  if (place.at === 'held') return known(bodyOf(state, place.by), `holder ${place.by}`);
  const outer = known(thingOf(state, place.container), `container ${place.container}`);
  return outer.lid === 'open' ? visibleTileOf(state, outer) : null;
}

/** Whoever sees the agent notices; the agent itself is told of its state in every turn. */
function setAbility(
  world: GridWorld,
  now: EffectResult,
  { agent, isAble }: { agent: string | null; isAble: boolean },
): EffectResult {
  const body = agent === null ? undefined : bodyOf(now.state, agent);
  if (agent === null || body?.status !== 'awake' || (body.incapacitated !== true) === isAble) return now;
  const { incapacitated: _incapacitated, ...able } = body;
  const changed: BodyState = isAble ? able : { ...able, incapacitated: true };
  const state = { ...now.state, bodies: { ...now.state.bodies, [agent]: changed } };
  const { name } = known(world.agents.get(agent), agent);
  const event = happened(isAble ? 'restored' : 'incapacitated', null, body, { id: agent, name });
  const seen = withWitnesses(world, state, event);
  return { state, events: [...now.events, { ...seen, seenBy: seen.seenBy.filter((id) => id !== agent) }] };
}

function tellAgents(
  world: GridWorld,
  now: EffectResult,
  telling: { text: string; to: Audience; actor: string | null },
): EffectResult {
  const seenBy = activeAgents(world, now.state)
    .filter((agent) => isAddressed(world, now.state, { agent, ...telling }))
    .toSorted(compareText);
  const event: Event = {
    kind: 'told',
    actor: null,
    at: null,
    data: { text: proseText(telling.text) },
    seenBy,
  };
  return { ...now, events: [...now.events, event] };
}

function isAddressed(
  world: GridWorld,
  state: GridState,
  { agent, to, actor }: { agent: string; to: Audience; actor: string | null },
): boolean {
  const body = known(bodyOf(state, agent), `body of ${agent}`);
  switch (to.kind) {
    case 'actor':
      return agent === actor;
    case 'agent':
      return agent === to.agent;
    case 'everyone':
      return true;
    case 'room':
      return roomsAt(world, body.x, body.y).includes(to.room);
    case 'tile':
      return canSee(world, state, agent, to);
    default:
      return assertNever(to, 'audience');
  }
}

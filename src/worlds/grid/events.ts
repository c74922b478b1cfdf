/**
 * Events of the grid world: rules and NPCs make them, and this file adds the agents that could perceive them.
 * Data by kind: `name` and `id` of the thing, door or caught agent, if the event is about one; moved
 * {path}; took {amount, from}; dropped {amount, on, onId}; gave {amount, to}; pushed {direction, path,
 * landed}; opened, closed, unlocked, locked, door-shut; used {on, onId}; worked {remaining}; finished-work
 * {told}; said {channel, text, hearers}; read, looked; caught. From triggers, without an actor: triggered
 * {id}, which no agent sees; told {text}; appeared, vanished; incapacitated, restored (an agent).
 */
import type { Json } from '../../base/json.js';
import type { Event } from '../../environment/action.js';
import type { Point } from '../../environment/space.js';
import type { EventKind } from './event-kinds.js';
import { witnesses } from './perceive.js';
import type { GridState } from './state.js';
import type { GridWorld } from './world.js';
import { bodyOf } from './world.js';

/** An event whose witnesses are not yet known. */
export function happened(
  kind: EventKind,
  actor: string | null,
  at: Point,
  data: Readonly<Record<string, Json>>,
): Event {
  return happenedAs(kind, actor, at, data);
}

/** The same of any kind, for custom actions. */
export function happenedAs(
  kind: string,
  actor: string | null,
  at: Point,
  data: Readonly<Record<string, Json>>,
): Event {
  return { kind, actor, at: { x: at.x, y: at.y }, data, seenBy: [] };
}

/** A path as event data. */
export function asData(path: readonly Point[]): Json {
  return path.map(({ x, y }) => ({ x, y }));
}

/** Events that only their actor perceives: no other agent notices looking or reading. */
const PRIVATE = new Set(['looked', 'read', 'triggered']);

/**
 * Events whose witnesses were already determined: the hearers of an utterance, or the recipients of a text.
 */
const ADDRESSED = new Set(['said', 'told']);

/** The event with its position and the ids of all agents that could perceive it in `state`, sorted. */
export function withWitnesses(world: GridWorld, state: GridState, event: Event): Event {
  if (ADDRESSED.has(event.kind)) return event;
  if (PRIVATE.has(event.kind)) return { ...event, seenBy: event.actor === null ? [] : [event.actor] };
  const body = event.actor === null ? undefined : bodyOf(state, event.actor);
  const at = event.at ?? (body ? { x: body.x, y: body.y } : null);
  return { ...event, at, seenBy: witnesses(world, state, tilesOf({ ...event, at })) };
}

/** Every tile on which an event could be seen. */
export function tilesOf({ at, data }: Event): readonly Point[] {
  const tiles: Point[] = at ? [at] : [];
  addPoints(tiles, data['path']);
  addPoints(tiles, data['landed']);
  return tiles;
}

function addPoints(places: Point[], value: Json | undefined): void {
  if (typeof value !== 'object' || value === null) return;
  if (isList(value)) return value.forEach((each) => addPoints(places, each));
  const { x, y } = value;
  if (typeof x === 'number' && typeof y === 'number') places.push({ x, y });
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

/**
 * Events of the grid world: rules and NPCs make them, and this file adds the agents that could perceive them.
 * `event-kinds.ts` has their kinds.
 */
import type { Json } from '../../base/json.js';
import type { Event } from '../../environment/action.js';
import type { Point } from '../../environment/space.js';
import { traitsOf } from './event-kinds.js';
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

/** The event with its position and the ids of all agents that could perceive it in `state`, sorted. */
export function withWitnesses(world: GridWorld, state: GridState, event: Event): Event {
  const { witnesses: observers = 'sight' } = traitsOf(event.kind) ?? {};
  if (observers === 'given') return event;
  if (observers === 'actor') return { ...event, seenBy: event.actor === null ? [] : [event.actor] };
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

/**
 * Who perceived an event, in which words and with which data. `witnesses` determines who could see an event
 * when it happens; `deliverEvents` then writes a line for each of them, and the same as data, from only what
 * that observer could see: of a path only the tiles within its sight, of an act only visible participants.
 * Speech is not included here (the hearer reads it as heard). `events.ts` documents the data of an event.
 */
import { at, known } from '../../base/assert.js';
import type { Json } from '../../base/json.js';
import { compareText } from '../../base/ids.js';
import { LIMITS } from '../../base/limits.js';
import { lookUp } from '../../base/look-up.js';
import type { Event } from '../../environment/action.js';
import type { Point } from '../../environment/space.js';
import type { SeenEventFact } from '../../environment/spatial-facts.js';
import { offsetWords } from '../../environment/space.js';
import type { Sight } from './sight.js';
import { eyesOf, sightOf } from './sight.js';
import { setMinds } from './change.js';
import type { GridState, GridInboxItem, GridMindState } from './state.js';
import { nameText } from './wording.js';
import type { GridWorld } from './world.js';
import { bodyOf } from './world.js';
import { capitalised, theName } from './wording.js';

/** Ids of the agents that see at least one of the tiles, sorted. */
export function witnesses(world: GridWorld, state: GridState, tiles: readonly Point[]): readonly string[] {
  const seeing: string[] = [];
  for (const { id, sightRadius } of world.definition.agents) {
    if (mightSee(state, id, sightRadius, tiles) && seesAny(sightOf(world, state, id), tiles)) seeing.push(id);
  }
  return seeing.toSorted(compareText);
}

function seesAny(sight: Sight, tiles: readonly Point[]): boolean {
  return tiles.some(({ x, y }) => sight.has(x, y));
}

/** Whether a tile is within an agent's radius, which is cheaper to check than its sight. */
function mightSee(state: GridState, agent: string, radius: number, tiles: readonly Point[]): boolean {
  const from = known(bodyOf(state, agent), `body of ${agent}`);
  for (const { x, y } of tiles) {
    if (Math.abs(x - from.x) <= radius && Math.abs(y - from.y) <= radius) return true;
  }
  return false;
}

/** An observer's account of an event. */
interface Notice {
  readonly line: string;
  /** Null for what is not seen but told. */
  readonly event: SeenEventFact | null;
}

/** The state `after` with a line in the inbox of everyone who saw one of the events and isn't its actor. */
export function deliverEvents(
  world: GridWorld,
  before: GridState,
  after: GridState,
  events: readonly Event[],
): GridState {
  const notices = new Map<string, Notice[]>();
  for (const event of events) {
    for (const agent of event.seenBy) {
      if (agent === event.actor) continue;
      const notice =
        event.kind === 'told' ? told(event) : noticed(event, viewOf(world, { before, after, agent }));
      if (notice === null) continue;
      const own = notices.get(agent) ?? [];
      own.push(notice);
      notices.set(agent, own);
    }
  }
  const { turn } = after;
  return setMinds(after, [...notices.keys()], ({ inbox }, agent) => ({
    inbox: known(notices.get(agent), `notices of ${agent}`).reduce(
      (now, notice) => withNotice(now, { kind: 'noticed', ...notice, turn }),
      inbox,
    ),
  }));
}

function told({ data }: Event): Notice | null {
  const line = textOf(data['text']);
  return line === null ? null : { line, event: null };
}

/** The inbox keeps the newest lines; what was merely noticed never pushes out what was said. */
function withNotice(before: GridMindState['inbox'], item: GridInboxItem): GridMindState['inbox'] {
  const inbox = [...before, item];
  const surplus = inbox.filter(({ kind }) => kind === 'noticed').length - LIMITS.noticedLines;
  const oldest = surplus > 0 ? inbox.findIndex(({ kind }) => kind === 'noticed') : -1;
  return inbox.filter((_item, index) => index !== oldest).slice(-LIMITS.inboxUtterances);
}

/** How one observer saw what happened between two states. */
interface Viewpoint {
  readonly turn: number;
  readonly from: Point;
  /** Sight as it began and as it ended. */
  readonly first: (tile: Point) => boolean;
  readonly last: (tile: Point) => boolean;
  readonly isBody: (id: string) => boolean;
  /** How it calls a body that it sees. */
  readonly name: (id: string) => string;
  /** Whether it is the body, or saw it as it began or as it ended. */
  readonly sees: (id: string) => boolean;
}

interface Transition {
  readonly before: GridState;
  readonly after: GridState;
  readonly agent: string;
}

function viewOf(world: GridWorld, { before, after, agent }: Transition): Viewpoint {
  const [start, end] = [sightOf(world, before, agent), sightOf(world, after, agent)];
  const first = ({ x, y }: Point): boolean => start.has(x, y);
  const last = ({ x, y }: Point): boolean => end.has(x, y);
  const sees = (id: string): boolean => {
    if (id === agent) return true;
    const [then, now] = [bodyOf(before, id), bodyOf(after, id)];
    return (then !== undefined && first(then)) || (now !== undefined && last(now));
  };
  const name = (id: string): string =>
    id === agent ? 'you' : theName(nameText(known(world.bodies.get(id), `body ${id}`).name));
  const { from } = eyesOf(world, after, agent);
  return { turn: after.turn, from, first, last, isBody: (id) => world.bodies.has(id), name, sees };
}

/** What the observer notices; null for nothing. */
function noticed(event: Event, view: Viewpoint): Notice | null {
  const notice = event.kind === 'moved' ? movement(event, view) : deed(event, view);
  return notice === null ? null : { ...notice, line: `${capitalised(notice.line)}.` };
}

/** From where the mover came into the observer's sight to where it left it. */
function movement(event: Event, view: Viewpoint): Notice | null {
  const path = pathOf(event.data['path']);
  const isSeen = (tile: Point, index: number): boolean =>
    (index < path.length - 1 && view.first(tile)) || (index > 0 && view.last(tile));
  const seen = path.filter(isSeen);
  const [start, end] = [seen[0], seen.at(-1)];
  if (event.actor === null || start === undefined || end === undefined) return null;
  const name = view.name(event.actor);
  const walk = { turn: view.turn, actor: event.actor, path: seen.map(({ x, y }) => ({ x, y })) };
  const [came, left] = [!isSeen(at(path, 0), 0), !isSeen(at(path, path.length - 1), path.length - 1)];
  if (came && left) {
    const line = `${name} passed by${passage(fromYou(view, start), fromYou(view, end))}`;
    return { line, event: { kind: 'passed', ...walk } };
  }
  if (came)
    return { line: `${name} came into view ${fromYou(view, start)}`, event: { kind: 'entered', ...walk } };
  if (left)
    return { line: `${name} went out of view ${fromYou(view, end)}`, event: { kind: 'left', ...walk } };
  const offset = offsetWords(start, end);
  return offset === '' ? null : { line: `${name} moved ${offset}`, event: { kind: 'moved', ...walk } };
}

function passage(from: string, to: string): string {
  return from === to ? ` ${to}` : `, from ${from} to ${to}`;
}

function fromYou({ from }: Viewpoint, tile: Point): string {
  const offset = offsetWords(from, tile);
  return offset === '' ? 'where you stand' : `${offset} of you`;
}

/** Tiles of an event's data, as far as they are such. */
export function pathOf(value: Json | undefined): readonly Point[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((tile: Json) => {
    if (typeof tile !== 'object' || tile === null || !('x' in tile) || !('y' in tile)) return [];
    const { x, y } = tile;
    return typeof x === 'number' && typeof y === 'number' ? [{ x, y }] : [];
  });
}

function textOf(value: Json | undefined): string | null {
  return typeof value === 'string' ? value : null;
}

/**
 * An act in words: by its doer, or without it if the doer isn't seen. `joint` leads to the object of the act.
 */
interface EventVerb {
  readonly active: string;
  readonly passive: string;
  readonly joint?: string;
}

const DEEDS: Readonly<Record<string, EventVerb>> = {
  took: { active: 'picked up', passive: 'was picked up' },
  dropped: { active: 'put down', passive: 'was put down', joint: 'in' },
  gave: { active: 'gave', passive: 'was given', joint: 'to' },
  pushed: { active: 'pushed', passive: 'was pushed' },
  used: { active: 'used', passive: 'was used', joint: 'on' },
  worked: { active: 'worked on', passive: 'was worked on' },
  'finished-work': { active: 'finished the work on', passive: 'was finished' },
  opened: { active: 'opened', passive: 'was opened' },
  closed: { active: 'closed', passive: 'was closed' },
  unlocked: { active: 'unlocked', passive: 'was unlocked' },
  locked: { active: 'locked', passive: 'was locked' },
  'door-shut': { active: 'let fall shut', passive: 'fell shut' },
  caught: { active: 'caught', passive: 'was caught' },
  appeared: { active: 'brought', passive: 'appeared' },
  vanished: { active: 'took away', passive: 'disappeared' },
};

/** Reported only if the observer saw its position; with its doer only if the observer saw the doer too. */
function deed(event: Event, view: Viewpoint): Notice | null {
  const verb = lookUp(DEEDS, event.kind);
  const what = subjectOf(event, view);
  if (verb === undefined || what === null || event.at === null) return null;
  if (!view.first(event.at) && !view.last(event.at)) return null;
  const actor = event.actor !== null && view.sees(event.actor) ? event.actor : null;
  const clause = actor === null ? `${what} ${verb.passive}` : `${view.name(actor)} ${verb.active} ${what}`;
  const to = receiverOf(event, view, verb);
  const line = `${clause}${to === null ? '' : ` ${verb.joint ?? ''} ${to.name}`}`;
  const target = textOf(event.data['id']);
  const { turn } = view;
  return {
    line,
    event: { kind: 'acted', turn, actor, act: event.kind, target, receiver: to?.id ?? null },
  };
}

/** The object of an event: a thing or door by its name, a body by its name for the observer. */
function subjectOf({ data }: Event, view: Viewpoint): string | null {
  const id = textOf(data['id']);
  const name = textOf(data['name']);
  if (id !== null && view.isBody(id)) return view.name(id);
  return name === null ? null : theName(nameText(name));
}

/** The receiver or target of the act, if the observer saw that too. */
function receiverOf(
  { data }: Event,
  view: Viewpoint,
  { joint }: EventVerb,
): { readonly id: string | null; readonly name: string } | null {
  if (joint === undefined) return null;
  const [to, on, onId] = [textOf(data['to']), textOf(data['on']), textOf(data['onId'])];
  if (to !== null) return view.sees(to) ? { id: to, name: view.name(to) } : null;
  return on === null ? null : { id: onId, name: theName(nameText(on)) };
}

/**
 * Which agents perceive an event, and what they are told about it. `witnesses` determines who could see an
 * event when it happens; `deliverEvents` then puts a line of text, and the same as data, in the inbox of
 * each. Both contain only what that observer could see: of a path only the tiles within its sight, of an act
 * only visible participants. Speech is delivered elsewhere (`actions/speech.ts`). `event-kinds.ts` names the
 * data of an event.
 */
import { traitsOf } from './event-kinds.js';
import type { EventVerb } from './event-kinds.js';
import { at, known } from '../../base/assert.js';
import type { Json } from '../../base/json.js';
import { compareText } from '../../base/ids.js';
import type { Event } from '../../environment/action.js';
import { withInboxItem } from '../../environment/news.js';
import type { Point } from '../../environment/space.js';
import type { SeenEventFact } from '../../environment/spatial-facts.js';
import { offsetWords } from '../../environment/space.js';
import { viewpointOf, sightOf } from './sight.js';
import { setMinds } from './change.js';
import type { GridState } from './state.js';
import { nameText, capitalised, theName } from '../../environment/wording.js';
import type { GridWorld } from './world.js';
import { bodyOf, isPlain } from './world.js';

/** Ids of the agents that see at least one of the tiles, sorted. */
export function witnesses(world: GridWorld, state: GridState, tiles: readonly Point[]): readonly string[] {
  const seeing: string[] = [];
  for (const { id, sightRadius } of world.definition.agents) {
    if (!mightSee(state, id, sightRadius, tiles)) continue;
    const sight = sightOf(world, state, id);
    if (tiles.some(({ x, y }) => sight.has(x, y))) seeing.push(id);
  }
  return seeing.toSorted(compareText);
}

/** Whether a tile is within an agent's radius, which is cheaper to check than its sight. */
function mightSee(state: GridState, agent: string, radius: number, tiles: readonly Point[]): boolean {
  const from = known(bodyOf(state, agent), `body of ${agent}`);
  for (const { x, y } of tiles) {
    if (Math.abs(x - from.x) <= radius && Math.abs(y - from.y) <= radius) return true;
  }
  return false;
}

/** What one observer is told about an event. */
interface EventNotice {
  /** '' if it is not told. */
  line: string;
  /** Null for the text of a trigger, which is not seen. */
  event: SeenEventFact | null;
}

/** The state `after` with the events in the inboxes of all agents that saw them, except the actors. */
export function deliverEvents(
  world: GridWorld,
  before: GridState,
  after: GridState,
  events: readonly Event[],
): GridState {
  const notices = new Map<string, EventNotice[]>();
  for (const event of events) {
    for (const agent of event.seenBy) {
      if (agent === event.actor) continue;
      const notice =
        event.kind === 'told' ? toldNotice(event) : noticeOf(event, viewOf(world, before, after, agent));
      if (notice === null) continue;
      const agentNotices = notices.get(agent) ?? [];
      // Where only the picture tells what is seen, an event is data for programs, without a line.
      agentNotices.push(isPlain(world) && notice.event !== null ? { ...notice, line: '' } : notice);
      notices.set(agent, agentNotices);
    }
  }
  const { turn } = after;
  return setMinds(after, [...notices.keys()], ({ inbox }, agent) => ({
    inbox: known(notices.get(agent), `notices of ${agent}`).reduce(
      (now, notice) => withInboxItem(now, { kind: 'noticed', ...notice, turn }),
      inbox,
    ),
  }));
}

function toldNotice({ data }: Event): EventNotice | null {
  const line = textOf(data['text']);
  return line === null ? null : { line, event: null };
}

/** What one observer could see before and after a step. */
interface Viewpoint {
  turn: number;
  from: Point;
  /** Whether it saw a tile at the beginning, and at the end, of the step. */
  first: (tile: Point) => boolean;
  last: (tile: Point) => boolean;
  isBody: (id: string) => boolean;
  /** The name that it is told for a body. */
  name: (id: string) => string;
  /** Whether it is the body, or saw it at the beginning or end of the step. */
  sees: (id: string) => boolean;
}

function viewOf(world: GridWorld, before: GridState, after: GridState, agent: string): Viewpoint {
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
  const { from } = viewpointOf(world, after, agent);
  return { turn: after.turn, from, first, last, isBody: (id) => world.bodies.has(id), name, sees };
}

/** What the observer notices; null for nothing. */
function noticeOf(event: Event, view: Viewpoint): EventNotice | null {
  const notice = event.kind === 'moved' ? movementNotice(event, view) : actionNotice(event, view);
  return notice === null ? null : { ...notice, line: `${capitalised(notice.line)}.` };
}

/** The visible part of a walk; null if none of it was visible. */
function movementNotice(event: Event, view: Viewpoint): EventNotice | null {
  const path = pathOf(event.data['path']);
  const isSeen = (tile: Point, index: number): boolean =>
    (index < path.length - 1 && view.first(tile)) || (index > 0 && view.last(tile));
  const seen = path.filter(isSeen);
  const [start, end] = [seen[0], seen.at(-1)];
  if (event.actor === null || start === undefined || end === undefined) return null;
  const name = view.name(event.actor);
  const walk = { turn: view.turn, actor: event.actor, path: seen.map(({ x, y }) => ({ x, y })) };
  const [entered, departed] = [!isSeen(at(path, 0), 0), !isSeen(at(path, path.length - 1), path.length - 1)];
  if (entered && departed) {
    const [from, to] = [fromYou(view, start), fromYou(view, end)];
    const line = `${name} passed by${from === to ? ` ${to}` : `, from ${from} to ${to}`}`;
    return { line, event: { kind: 'passed', ...walk } };
  }
  if (entered)
    return { line: `${name} came into view ${fromYou(view, start)}`, event: { kind: 'entered', ...walk } };
  if (departed)
    return { line: `${name} went out of view ${fromYou(view, end)}`, event: { kind: 'left', ...walk } };
  const offset = offsetWords(start, end);
  return offset === '' ? null : { line: `${name} moved ${offset}`, event: { kind: 'moved', ...walk } };
}

function fromYou({ from }: Viewpoint, tile: Point): string {
  const offset = offsetWords(from, tile);
  return offset === '' ? 'where you stand' : `${offset} of you`;
}

/** The tiles in an event's data; other values are skipped. */
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
 * The notice of an act: null if the observer didn't see its position; names the actor only if it saw it. An
 * act without an object is noticed with its actor or not at all.
 */
function actionNotice(event: Event, view: Viewpoint): EventNotice | null {
  const verb = traitsOf(event.kind)?.verb;
  if (verb === undefined || event.at === null) return null;
  if (!view.first(event.at) && !view.last(event.at)) return null;
  const object = objectOf(event, view);
  const actor = event.actor !== null && view.sees(event.actor) ? event.actor : null;
  const words =
    actor === null
      ? [object, verb.passive]
      : [view.name(actor), verb.active, ...(object === null ? [] : [object])];
  if (words.some((word) => word == null)) return null;
  const clause = words.join(' ');
  const to = receiverOf(event, view, verb);
  const line = `${clause}${to === null ? '' : ` ${verb.preposition ?? ''} ${to.name}`}`;
  const target = textOf(event.data['id']);
  const { turn } = view;
  return {
    line,
    event: { kind: 'acted', turn, actor, act: event.kind, target, receiver: to?.id ?? null },
  };
}

/** The object of an event: a thing or door by its name, a body by its name for the observer. */
function objectOf({ data }: Event, view: Viewpoint): string | null {
  const id = textOf(data['id']);
  const name = textOf(data['name']);
  if (id !== null && view.isBody(id)) return view.name(id);
  return name === null ? null : theName(nameText(name));
}

/** The receiver or target of the act, if the observer saw that too. */
function receiverOf(
  { data }: Event,
  view: Viewpoint,
  { preposition }: EventVerb,
): { id: string | null; name: string } | null {
  if (preposition === undefined) return null;
  const [to, on, onId] = [textOf(data['to']), textOf(data['on']), textOf(data['onId'])];
  if (to !== null) return view.sees(to) ? { id: to, name: view.name(to) } : null;
  return on === null ? null : { id: onId, name: theName(nameText(on)) };
}

/**
 * The steps of an exported run as the page needs them. Tables contain the world after each tick (a turn), and
 * for each step what was done and which tiles were walked. So bodies move step by step, and objects change
 * with the last step of an agent in the turn.
 */
import { WORLD_ID } from '../../base/ids.js';
import type { Json, JsonObject } from '../../base/json.js';
import { REST } from '../../environment/action.js';
import type { Event } from '../../environment/action.js';
import { lookUp } from '../../base/look-up.js';
import type { Scene } from '../../environment/scene.js';
import type { Point } from '../../environment/space.js';
import { notesFor, worldNotes } from '../../replay/step-view.js';
import type { PageAct, PageSaid, PageStep, PageWalk } from '../page-data.js';
import type { ExportedAct, ExportedBody, ExportedRun, ExportedTick } from './exported-run.js';
import { sceneOf, worldAfter } from './world-at.js';
import type { ExportedWorld } from './world-at.js';

/** Stores a scene in the page's table and returns its index; null if it can't be shown. */
export type StoreScene = (scene: Scene) => number | null;

type SpeechOfStep = Omit<PageSaid, 'hearers'>;
type Bodies = ReadonlyMap<string, ExportedBody>;

interface WorldMoment {
  readonly world: ExportedWorld | null;
  readonly bodies: Bodies;
}

/** Converts an exported run: `begin` for tick 0, then `of` for each tick in order. */
export class TableSteps {
  readonly #run: ExportedRun;
  readonly #names: Readonly<Record<string, string>>;
  readonly #storeScene: StoreScene;
  #current: WorldMoment = { world: null, bodies: new Map() };
  #step = 1;

  constructor(run: ExportedRun, storeScene: StoreScene) {
    this.#run = run;
    this.#names = Object.fromEntries(run.agents.map(({ id, name }) => [id, name]));
    this.#storeScene = storeScene;
  }

  /** The scene before the first step. */
  begin(): number | null {
    const { map, ticks } = this.#run;
    const [first] = ticks;
    const world = map === null ? null : { map, objects: new Map() };
    this.#current = this.#after(first, world);
    return this.#scene(this.#current);
  }

  /** The steps of a tick; ticks must be requested in order. */
  of(tick: ExportedTick): readonly PageStep[] {
    const before = this.#current;
    const after = this.#after(tick, before.world);
    const [from, to] = [this.#step, tick.lastStep];
    const steps = Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => from + i);
    const lastOfAgents = steps.findLast((step) => tick.acts.has(step)) ?? to;
    const firstOfAgents = steps.find((step) => tick.acts.has(step)) ?? from;
    const isSequential = this.#run.order === 'sequential';
    let current = before;
    const settled = new Map<number, WorldMoment>();
    for (const step of steps) {
      const walks = walksIn(tick.acts.get(step) ?? []);
      current = { ...current, bodies: afterWalks(current.bodies, walks) };
      if (step === lastOfAgents)
        current = { world: after.world, bodies: this.#agentsAt(current.bodies, after.bodies) };
      settled.set(step, step === to ? after : current);
    }
    this.#current = after;
    this.#step = to + 1;
    return steps.map((step) => {
      const acts = tick.acts.get(step) ?? [];
      const agent = acts[0]?.agent ?? WORLD_ID;
      const isAgents = tick.acts.has(step);
      const settledWith = isAgents && !isSequential ? lastOfAgents : step;
      const walks = isAgents ? walksIn(acts) : straightWalks(settled.get(step - 1) ?? before, after);
      const events = acts.flatMap(({ effects }) => eventList(effects));
      return {
        step,
        turn: tick.tick,
        agent,
        tick: isAgents && !isSequential ? firstOfAgents : step,
        acts: acts.map(pageAct),
        calls: [],
        walks,
        said: withHearers(events, tick.said.get(step) ?? []),
        holds: null,
        notes: notesFor(
          worldNotes({ agent, events: events.flatMap(toldEvent) }, walks.map(endOf), this.#names),
          'browser',
        ),
        kinds: [
          ...new Set(events.map((event) => lookUp(event, 'kind')).filter((kind) => typeof kind === 'string')),
        ],
        places: events
          .flatMap((event) => pointsOf([lookUp(event, 'at') ?? null]))
          .flatMap(({ x, y }) => [x, y]),
        asLogged: true,
        map: this.#scene(settled.get(settledWith) ?? after),
        eyes: this.#run.agents.map(() => null),
      };
    });
  }

  #after(tick: ExportedTick | undefined, world: ExportedWorld | null): WorldMoment {
    if (tick === undefined) return { world, bodies: new Map() };
    return {
      world: world === null ? null : worldAfter(world, tick.deltas),
      bodies: new Map(tick.bodies.map((body) => [body.id, body])),
    };
  }

  /** Agents as they are after the tick; other bodies move only at its end. */
  #agentsAt(bodiesBefore: Bodies, after: Bodies): Bodies {
    const bodies = new Map(bodiesBefore);
    for (const { id } of this.#run.agents) {
      const body = after.get(id);
      if (body !== undefined) bodies.set(id, body);
    }
    return bodies;
  }

  #scene({ world, bodies }: WorldMoment): number | null {
    return world === null ? null : this.#storeScene(sceneOf(world, [...bodies.values()]));
  }
}

/** At most one walk per body: the agent's own, then those of other bodies that it moved. */
function walksIn(acts: readonly ExportedAct[]): readonly PageWalk[] {
  const walks = new Map<string, PageWalk>();
  const add = (actor: string, path: readonly Point[]): void => {
    if (path.length > 1 && !walks.has(actor))
      walks.set(actor, { actor, path: path.flatMap(({ x, y }) => [x, y]) });
  };
  for (const { agent, ok, effects } of acts) if (ok) add(agent, pointsOf(lookUp(effects, 'path')));
  for (const event of acts.flatMap(({ effects }) => eventList(effects))) {
    const [actor, data] = [lookUp(event, 'actor'), lookUp(event, 'data')];
    if (lookUp(event, 'kind') === 'moved' && typeof actor === 'string' && isObject(data))
      add(actor, pointsOf(lookUp(data, 'path')));
  }
  return [...walks.values()];
}

/** For bodies that are elsewhere at the end of a turn: a straight line from where they were. */
function straightWalks({ bodies }: WorldMoment, after: WorldMoment): readonly PageWalk[] {
  return [...after.bodies.values()].flatMap(({ id, x, y }) => {
    const old = bodies.get(id);
    const isStill = old === undefined || (old.x === x && old.y === y);
    return isStill ? [] : [{ actor: id, path: [old.x, old.y, x, y] }];
  });
}

function endOf({ actor, path }: PageWalk) {
  const [x = 0, y = 0] = path.slice(-2);
  return { actor, to: { x, y } };
}

function afterWalks(bodies: Bodies, walks: readonly PageWalk[]): Bodies {
  if (walks.length === 0) return bodies;
  const moved = new Map(bodies);
  for (const { actor, path } of walks) {
    const body = bodies.get(actor);
    const [x, y] = path.slice(-2);
    if (body !== undefined && x !== undefined && y !== undefined) moved.set(actor, { ...body, x, y });
  }
  return moved;
}

function pageAct({ action, ok, reason, effects }: ExportedAct): PageAct {
  const args = lookUp(effects, 'args');
  const message = lookUp(effects, 'message');
  const values = isObject(args) ? Object.values(args).map(String) : [];
  const words =
    action === null ? [] : [action, ...values.map((one) => (ID.test(one) ? one : JSON.stringify(one)))];
  return {
    call: null,
    words: words.join(' '),
    rung: null,
    span: null,
    ok,
    message: typeof message === 'string' ? message : '',
    problem: reason,
    // No agent requests this action: the program uses it for agents that nobody controls.
    insteadOf: action === REST ? 'uncontrolled' : null,
  };
}

/** Ids of things, directions and numbers; other arguments are free text. */
const ID = /^[a-z0-9_#-]+$/;

/** The table of utterances does not name the hearers; the event of the utterance does. */
function withHearers(events: readonly JsonObject[], said: readonly SpeechOfStep[]): readonly PageSaid[] {
  return said.map(({ speaker, text }) => {
    const data = events
      .filter((event) => lookUp(event, 'kind') === 'said' && lookUp(event, 'actor') === speaker)
      .map((event) => lookUp(event, 'data'))
      .find((one): one is JsonObject => isObject(one) && lookUp(one, 'text') === text);
    const hearers = lookUp(data, 'hearers');
    return { speaker, text, hearers: Array.isArray(hearers) ? hearers.map(String) : [] };
  });
}

/** The parts of an event that people are told; nothing for one of no kind. */
function toldEvent(event: JsonObject): readonly Pick<Event, 'kind' | 'actor' | 'data'>[] {
  const [kind, actor, data] = [lookUp(event, 'kind'), lookUp(event, 'actor'), lookUp(event, 'data')];
  if (typeof kind !== 'string') return [];
  return [{ kind, actor: typeof actor === 'string' ? actor : null, data: isObject(data) ? data : {} }];
}

function eventList(effects: JsonObject): readonly JsonObject[] {
  const events = lookUp(effects, 'events');
  return Array.isArray(events) ? (events as readonly Json[]).filter(isObject) : [];
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Empty if the value is not a list of tiles. */
function pointsOf(value: Json | undefined): readonly Point[] {
  if (!Array.isArray(value)) return [];
  const points = (value as readonly Json[]).flatMap((one) => {
    const [x, y] = isObject(one) ? [lookUp(one, 'x'), lookUp(one, 'y')] : [];
    const isPlace = Number.isSafeInteger(x) && Number.isSafeInteger(y);
    return isPlace ? [{ x: x as number, y: y as number }] : [];
  });
  return points.length === value.length ? points : [];
}

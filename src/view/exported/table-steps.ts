/**
 * The steps of an exported run as the page needs them. Tables contain the world after each tick (a turn), and
 * for each step what was done and which tiles were walked. So bodies move step by step, and objects change
 * with the last step of an agent in the turn.
 */
import { WORLD_ID } from '../../base/ids.js';
import type { Event } from '../../environment/action.js';
import type { Scene } from '../../environment/scene.js';
import { speechIn } from '../../replay/film-speech.js';
import { actViews, notesFor, worldNotes } from '../../replay/step-view.js';
import { walksOf } from '../../replay/walks.js';
import type { ActorWalk } from '../../replay/walks.js';
import type { StepActs } from '../../trajectory/records.js';
import { packTiles, packWalk } from '../packed-walk.js';
import type { PageSaid, PageStep } from '../page-data.js';
import type { ExportedBody, ExportedRun, ExportedTick } from './exported-run.js';
import { sceneOf, worldAfter } from './world-at.js';
import type { ExportedWorld } from './world-at.js';

/** Stores a scene in the page's table and returns its index; null if it can't be shown. */
export type StoreScene = (scene: Scene) => number | null;

type Bodies = ReadonlyMap<string, ExportedBody>;

interface WorldMoment {
  world: ExportedWorld | null;
  bodies: Bodies;
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
      const walks = walksIn(tick.acts.get(step));
      current = { ...current, bodies: afterWalks(current.bodies, walks) };
      if (step === lastOfAgents)
        current = { world: after.world, bodies: this.#agentsAt(current.bodies, after.bodies) };
      settled.set(step, step === to ? after : current);
    }
    this.#current = after;
    this.#step = to + 1;
    return steps.map((step) => {
      const acted = tick.acts.get(step);
      const { agent, events } = acted ?? { agent: WORLD_ID, events: [] };
      const settledWith = acted !== undefined && !isSequential ? lastOfAgents : step;
      const walks =
        acted === undefined ? straightWalks(settled.get(step - 1) ?? before, after) : walksIn(acted);
      const ends = walks.flatMap(({ actor, path }) => path.slice(-1).map((end) => ({ actor, to: end })));
      return {
        step,
        turn: tick.tick,
        agent,
        tick: acted !== undefined && !isSequential ? firstOfAgents : step,
        acts: acted === undefined ? [] : actViews(acted),
        calls: [],
        walks: walks.map(packWalk),
        said: withHearers(events, tick.said.get(step) ?? []),
        holds: null,
        notes: notesFor(worldNotes({ agent, events }, ends, this.#names), 'browser'),
        kinds: [...new Set(events.map(({ kind }) => kind))],
        places: packTiles(events.flatMap(({ at }) => at ?? [])),
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

function walksIn(acted: StepActs | undefined): readonly ActorWalk[] {
  return acted === undefined ? [] : walksOf([acted]);
}

/** For bodies that are elsewhere at the end of a turn: a straight line from where they were. */
function straightWalks({ bodies }: WorldMoment, after: WorldMoment): readonly ActorWalk[] {
  return [...after.bodies.values()].flatMap(({ id, x, y }) => {
    const old = bodies.get(id);
    const isStill = old === undefined || (old.x === x && old.y === y);
    return isStill ? [] : [{ actor: id, path: [old, { x, y }] }];
  });
}

function afterWalks(bodies: Bodies, walks: readonly ActorWalk[]): Bodies {
  if (walks.length === 0) return bodies;
  const moved = new Map(bodies);
  for (const { actor, path } of walks) {
    const body = bodies.get(actor);
    const end = path.at(-1);
    if (body !== undefined && end !== undefined) moved.set(actor, { ...body, x: end.x, y: end.y });
  }
  return moved;
}

/** The table of utterances does not name the hearers; the event of the utterance does. */
function withHearers(
  events: readonly Event[],
  said: readonly Omit<PageSaid, 'hearers'>[],
): readonly PageSaid[] {
  const heard = speechIn([{ events }]);
  return said.map(({ speaker, text }) => {
    const line = heard.find((one) => one.speaker === speaker && one.text === text);
    return { speaker, text, hearers: line?.hearers ?? [] };
  });
}

/**
 * The same game for one agent, another one behind its back: everything that `ada` can't perceive is changed at once. In: a game and numbers
 * that choose; out: a game whose observation must be the same to the byte. Also tells what she perceives.
 */
import * as fc from 'fast-check';
import type { GridDefinition } from '../../../src/worlds/grid/definition.js';
import { stream } from '../../../src/base/rng.js';
import type { Point } from '../../../src/environment/space.js';
import {
  placeThing,
  removeThing,
  setBody,
  setDoor,
  setMind,
  setThing,
} from '../../../src/worlds/grid/change.js';
import { shardValues } from '../../../src/worlds/grid/chunks.js';
import { knowsTile } from '../../../src/worlds/grid/knowledge.js';
import { canSee } from '../../../src/worlds/grid/sight.js';
import type { GridState, GridInboxItem, ThingState } from '../../../src/worlds/grid/state.js';
import { openWorld, thingOf } from '../../../src/worlds/grid/world.js';
import type { Played } from './random-world.js';

/** Whose observation must not change. */
export const AGENT = 'ada';

/** Whether the agent perceives a thing: lying in sight, in its hands, or in an open container that it perceives. */
export function perceives({ world, state }: Played, { place }: ThingState): boolean {
  if (place.at === 'tile') return canSee(world, state, AGENT, place);
  if (place.at === 'held') return place.by === AGENT;
  const outer = thingOf(state, place.container);
  return outer !== undefined && outer.lid === 'open' && perceives({ world, state }, outer);
}

/** How the hidden part of the world is changed; numbers are taken as they come, modulo what there is. */
export interface Change {
  numbers: readonly number[];
  seed: string;
}

export const anyChange: fc.Arbitrary<Change> = fc.record({
  numbers: fc.array(fc.nat(10_000), { minLength: 40, maxLength: 40 }),
  seed: fc.string(),
});

/**
 * The same game for the agent, another one behind its back. A wall or a curtain stands out where a floor would stay
 * dark, so a change that puts one into sight is taken back: only what is hidden before and after may differ.
 */
export function changed(game: Played, change: Change): Played {
  const spared = new Set<string>();
  const hidden = hiddenTiles(game);
  for (;;) {
    const other = changedBut(game, change, { hidden, spared });
    const shownAnew = hidden.filter((tile) => canSee(other.world, other.state, AGENT, tile));
    const more = shownAnew.map(({ x, y }) => `${x},${y}`).filter((tile) => !spared.has(tile));
    if (more.length === 0) return other;
    for (const tile of more) spared.add(tile);
  }
}

/** Tiles that the agent doesn't see, and those of them that must stay as they are. */
interface Tiles {
  hidden: readonly Point[];
  spared: ReadonlySet<string>;
}

function changedBut(game: Played, change: Change, { hidden, spared }: Tiles): Played {
  const numbers = change.numbers[Symbol.iterator]();
  const next = (below: number): number => (numbers.next().value ?? 0) % below;
  const tile = (): Point | null => hidden[next(Math.max(1, hidden.length))] ?? null;
  const choices = { next, tile, isSpared: ({ x, y }: Point) => spared.has(`${x},${y}`) };
  const state = [changeThings, changeDoors, changeBodies].reduce(
    (now, step) => step(game, now, choices),
    changeMinds(game.state, change.seed),
  );
  return { world: openWorld(changeTerrain(game, choices)), state };
}

const hiddenBefore = new WeakMap<Played, readonly Point[]>();

function hiddenTiles(game: Played): readonly Point[] {
  const { world, state } = game;
  const { width, height } = world.definition.size;
  const before = hiddenBefore.get(game);
  if (before !== undefined) return before;
  const hidden = Array.from({ length: width * height }, (_tile, index) => ({
    x: index % width,
    y: Math.floor(index / width),
  })).filter((tile) => !canSee(world, state, AGENT, tile));
  hiddenBefore.set(game, hidden);
  return hidden;
}

/** What was said out of the agent's hearing. */
const UNHEARD: GridInboxItem = {
  kind: 'heard',
  speakerName: 'cyd',
  utterance: { speaker: 'cyd', channel: 'announce', text: 'The key is here.', turn: 1, at: { x: 1, y: 1 } },
  distance: 3,
};

function changeMinds(state: GridState, seed: string): GridState {
  const known = state.minds[AGENT]?.known ?? {};
  const bea = {
    known,
    visited: ['east'],
    inbox: [UNHEARD],
    read: ['a secret'],
    last: 'You lied.',
    spoke: true,
  };
  return {
    ...setMind(state, 'bea', bea),
    rng: { npc: stream(seed, 'other') },
    marks: { 'read:cup:bea': 1, 'count:pulls': 7, 'fired:flood': 2, 'held:flood': 2 },
    npcs: {
      rat: { leg: 3, heading: -1, lastSeen: { x: 1, y: 1 } },
      bat: { leg: 1, heading: 1, lastSeen: null },
    },
  };
}

interface Choices {
  next: (below: number) => number;
  /** A tile out of the agent's sight; null where there is none. */
  tile: () => Point | null;
  /** Whether terrain, door and things of a tile have to stay as they are. */
  isSpared: (tile: Point) => boolean;
}

function changeThings(game: Played, state: GridState, { next, tile, isSpared }: Choices): GridState {
  const unseen = shardValues(state.things).filter((item) => !perceives(game, item));
  const shut = shardValues(state.things).find(
    ({ lid, ...item }) => lid !== null && lid !== 'open' && item.contents.length === 0,
  );
  return unseen.reduce((now, { id, lid }) => {
    const spot = tile();
    const what = next(4);
    if (what === 0) return lid === null ? removeThing(now, id) : now;
    if (what === 1 && spot && !isSpared(spot)) return placeThing(now, id, { at: 'tile', ...spot });
    if (what === 2 && shut && lid === null && shut.id !== id)
      return placeThing(now, id, { at: 'inside', container: shut.id });
    return lid === null
      ? setThing(now, id, { amount: 7 })
      : setThing(now, id, { lid: lid === 'open' ? 'locked' : 'open' });
  }, state);
}

function changeDoors(
  { world, state: before }: Played,
  state: GridState,
  { next, isSpared }: Choices,
): GridState {
  return world.definition.doors
    .filter((door) => !canSee(world, before, AGENT, door))
    .reduce((now, { id, x, y }) => {
      const to = (['open', 'closed', 'locked'] as const)[next(3)] ?? 'open';
      return setDoor(now, id, isSpared({ x, y }) ? { openFor: next(5) } : { state: to, openFor: next(5) });
    }, state);
}

function changeBodies(
  { world, state: before }: Played,
  state: GridState,
  { next, tile }: Choices,
): GridState {
  return Object.values(before.bodies)
    .filter((body) => body.id !== AGENT && !canSee(world, before, AGENT, body))
    .reduce((now, { id }) => {
      const spot = tile();
      const status = next(2) === 0 ? 'awake' : 'done';
      return setBody(now, id, { ...spot, facing: next(8), status });
    }, state);
}

/** Tiles that the agent has never seen become another terrain. */
function changeTerrain({ world, state }: Played, { next, isSpared }: Choices): GridDefinition {
  const { rows, terrainKeys } = world.definition;
  const shift = 1 + next(3);
  const other = (kind: string): string =>
    terrainKeys[(terrainKeys.indexOf(kind) + shift) % terrainKeys.length] ?? kind;
  const row = (text: string, y: number): string =>
    Array.from(text, (kind, x) =>
      knowsTile(state, AGENT, { x, y }) || isSpared({ x, y }) ? kind : other(kind),
    ).join('');
  return {
    ...world.definition,
    rows: rows.map(row),
    success: { kind: 'caught', agent: AGENT },
    successReason: 'x',
  };
}

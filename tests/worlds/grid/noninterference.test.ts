/**
 * Promise 4: change whatever an agent can't perceive, and its observation stays the same to the byte. The change is
 * everything at once: terrain, doors, things, bodies and minds out of its sight, what closed containers hold,
 * the random generator, the marks that conditions ask for, and what NPCs are up to.
 */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { GridDefinition } from '../../../src/worlds/grid/definition.js';
import { canonicalJson } from '../../../src/base/canonical.js';
import { AID_SECTIONS, withAids } from '../../../src/agent/aids.js';
import { stream } from '../../../src/base/rng.js';
import type { Observation } from '../../../src/environment/observation.js';
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
import { observe } from '../../../src/worlds/grid/observe.js';
import { gridRegistry } from '../../../src/worlds/grid/registry.js';
import { canSee } from '../../../src/worlds/grid/sight.js';
import type { GridState, ThingState } from '../../../src/worlds/grid/state.js';
import { doorOf, openWorld, thingOf } from '../../../src/worlds/grid/world.js';
import type { Played } from './random-world.js';
import { randomGame } from './random-world.js';

const AGENT = 'ada';

/** Whether the agent perceives a thing: lying in sight, in its hands, or in an open container that it perceives. */
function perceives({ world, state }: Played, { place }: ThingState): boolean {
  if (place.at === 'tile') return canSee(world, state, AGENT, place);
  if (place.at === 'held') return place.by === AGENT;
  const outer = thingOf(state, place.container);
  return outer !== undefined && outer.lid === 'open' && perceives({ world, state }, outer);
}

/** How the hidden part of the world is changed; numbers are taken as they come, modulo what there is. */
interface Change {
  readonly numbers: readonly number[];
  readonly seed: string;
}

const anyChange: fc.Arbitrary<Change> = fc.record({
  numbers: fc.array(fc.nat(10_000), { minLength: 40, maxLength: 40 }),
  seed: fc.string(),
});

/**
 * The same game for the agent, another one behind its back. A wall or a curtain stands out where a floor would stay
 * dark, so a change that puts one into sight is taken back: only what is hidden before and after may differ.
 */
function changed(game: Played, change: Change): Played {
  const spared = new Set<string>();
  for (;;) {
    const other = changedBut(game, change, spared);
    const shownAnew = hiddenTiles(game).filter((tile) => canSee(other.world, other.state, AGENT, tile));
    const more = shownAnew.map(({ x, y }) => `${x},${y}`).filter((tile) => !spared.has(tile));
    if (more.length === 0) return other;
    for (const tile of more) spared.add(tile);
  }
}

function changedBut(game: Played, change: Change, spared: ReadonlySet<string>): Played {
  const numbers = change.numbers[Symbol.iterator]();
  const next = (below: number): number => (numbers.next().value ?? 0) % below;
  const hidden = hiddenTiles(game);
  const tile = (): Point | null => hidden[next(Math.max(1, hidden.length))] ?? null;
  const choices = { next, tile, isSpared: ({ x, y }: Point) => spared.has(`${x},${y}`) };
  const state = [changeThings, changeDoors, changeBodies].reduce(
    (now, step) => step(game, now, choices),
    changeMinds(game.state, change.seed),
  );
  return { world: openWorld(changeTerrain(game, choices)), state };
}

function hiddenTiles({ world, state }: Played): readonly Point[] {
  const { width, height } = world.definition.size;
  return Array.from({ length: width * height }, (_tile, index) => ({
    x: index % width,
    y: Math.floor(index / width),
  })).filter((tile) => !canSee(world, state, AGENT, tile));
}

function changeMinds(state: GridState, seed: string): GridState {
  const known = state.minds[AGENT]?.known ?? {};
  const bea = { known, visited: ['east'], inbox: [], read: ['a secret'], last: 'You lied.', spoke: true };
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
  readonly next: (below: number) => number;
  /** A tile out of the agent's sight; null where there is none. */
  readonly tile: () => Point | null;
  /** Whether terrain, door and things of a tile have to stay as they are. */
  readonly isSpared: (tile: Point) => boolean;
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
      return setBody(now, id, { ...spot, status });
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

function seen({ world, state }: Played): Observation {
  return observe(world, state, AGENT, gridRegistry(world));
}

type Observer = (game: Played) => unknown;

/** Where an observer tells two worlds apart that differ only in what the agent can't perceive; '' where it never does. */
function difference(observer: Observer, numRuns: number): string {
  const property = fc.property(randomGame, anyChange, (game, change) => {
    const [one, other] = [game, changed(game, change)].map((each) => canonicalJson(observer(each)));
    if (one !== other) throw new Error(firstDifference(one ?? '', other ?? ''));
  });
  const run = fc.check(property, { numRuns, endOnFailure: true });
  return run.failed ? String(run.errorInstance) : '';
}

function firstDifference(one: string, other: string): string {
  const at = Array.from(one).findIndex((letter, index) => letter !== other[index]);
  return `${one.slice(Math.max(0, at - 80), at + 80)}\n${other.slice(Math.max(0, at - 80), at + 80)}`;
}

describe('what an agent can’t perceive', () => {
  it('changes no byte of its observation', () => {
    expect(difference(seen, 200)).toBe('');
  });

  it('changes no byte of what aids add to it', () => {
    const render = { marks: true, legend: true, channel: 'both' } as const;
    const looks = { describe: (name: string) => `It: looks like ${name}` };
    const sectionIds = new Set<string>();
    const aided = (game: Played) => {
      const observation = withAids(seen(game), render, looks);
      for (const { id } of observation.sections) sectionIds.add(id);
      return observation;
    };
    expect(difference(aided, 50)).toBe('');
    expect([...sectionIds]).toEqual(expect.arrayContaining([...AID_SECTIONS]));
  });
});

/** Observers with one leak each; the property must find every one of them. */
const LEAKS: Readonly<Record<string, Observer>> = {
  'how many things there are': (game) => [seen(game), shardValues(game.state.things).length],
  'what a closed container holds': (game) => [
    seen(game),
    ['chest', 'crate', 'box'].map((id) => {
      const item = thingOf(game.state, id);
      return item && perceives(game, item) ? item.contents : null;
    }),
  ],
  'the state of a remembered door': (game) => [
    seen(game),
    game.world.definition.doors
      .filter((door) => knowsTile(game.state, AGENT, door))
      .map(({ id }) => doorOf(game.state, id)?.state ?? null),
  ],
  'sight beyond the window': ({ world, state }) =>
    seen({ world: openWorld({ ...world.definition, window: { columns: 17, rows: 17 } }), state }),
  'another mind': (game) => [seen(game), game.state.minds['bea']?.last ?? ''],
  'what triggers have counted': (game) => [seen(game), game.state.marks['count:pulls'] ?? 0],
  'the random generator': (game) => [seen(game), game.state.rng],
};

describe.each(Object.entries(LEAKS))('a planted leak of %s', (_name, observer) => {
  it('is caught', () => {
    expect(difference(observer, 200)).not.toBe('');
  });
});

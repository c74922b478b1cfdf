/**
 * Random play over small random worlds, both orders and both movement units: the invariants hold after every step, a state
 * that went through JSON plays on the same (heavy mode), the order of the intents means nothing, and in the end every
 * verb has succeeded and has been refused.
 * @module-tag long
 */
import { describe, expect, test } from 'vitest';
import { at, known } from '../../../src/base/assert.js';
import { canonicalJson } from '../../../src/base/canonical.js';
import type { RngState } from '../../../src/base/rng.js';
import { nextBelow, stream } from '../../../src/base/rng.js';
import type { Args, Intent } from '../../../src/environment/action.js';
import type { ActResult } from '../../../src/environment/environment.js';
import type { Grammar } from '../../../src/environment/grammar.js';
import { DIRECTIONS } from '../../../src/environment/space.js';
import { shardValues } from '../../../src/worlds/grid/chunks.js';
import type { GridDefinition } from '../../../src/worlds/grid/definition.js';
import { assertWorld } from './invariants.js';
import type { GridState } from '../../../src/worlds/grid/state.js';
import { perceptionOf } from '../../../src/worlds/grid/perception.js';
import { openGrid } from '../../../src/worlds/grid/grid.js';
import { openWorld, thingDefinition } from '../../../src/worlds/grid/world.js';
import type { GridWorld } from '../../../src/worlds/grid/world.js';
import { agent, chest, crate, door, npc, roundTrip, thing, tinyDefinition } from './tiny-world.js';
import { LONG_SIZED, sizeOf } from '../../support/sizes.js';

const MAP = `
  ############
  #a.k.#..w..#
  #.c..d.x..s#
  #bog.#..m..#
  #..r.#.p..y#
  ############`;

function randomDefinition(seed: number): GridDefinition {
  const isByRoom = seed % 2 === 0;
  const rubble = { turns: 2, tool: null, done: 'The rubble is gone.', effect: { kind: 'remove' } } as const;
  const locked = { state: 'locked', key: 'key', sprites: { open: '', closed: '', locked: '' } } as const;
  return tinyDefinition(
    MAP,
    {
      a: agent('ada', { carryMax: 2 }),
      b: agent('ben'),
      m: agent('mia'),
      k: thing('key'),
      c: crate('crate'),
      d: door('oak', { state: seed % 3 === 0 ? 'locked' : 'closed', key: 'key', closesAfter: 3 }),
      g: thing('gold', { stack: { kind: 'gold', amount: 7 } }),
      r: thing('rubble', { portable: false, blocking: true, work: rubble }),
      x: chest('box', { container: locked }),
      o: chest('open-box', { container: { ...locked, state: 'open', key: null } }),
      s: thing('sign', { portable: false, text: 'Beware of "the rat".' }),
      p: thing('pie', { stack: { kind: 'pie', amount: 3 }, consumable: 'You eat pie.' }),
      w: npc('rat', { behaviour: { kind: 'wander', every: 2 } }),
      y: npc('bat', { behaviour: { kind: 'chase', targets: ['ada', 'mia'], sightRadius: 6 } }),
    },
    {
      rules: {
        movement: isByRoom ? 'room' : 'tile',
        diagonals: seed % 4 < 2,
        bodiesBlock: seed % 5 !== 0,
        speechFree: seed % 7 === 0,
      },
      rooms: { west: { x: 0, y: 0, width: 5, height: 6 }, east: { x: 6, y: 0, width: 6, height: 6 } },
      more: [
        thing('ruby', { place: { at: 'inside', container: 'box' } }),
        thing('lamp', { place: { at: 'held', by: 'ada' } }),
        thing('note', { place: { at: 'held', by: 'ben' }, text: 'Hm.' }),
      ],
    },
  );
}

/** A source of chance for the test itself. */
function chance(seed: number): (below: number) => number {
  let state: RngState = stream(String(seed), 'random-play');
  return (below) => {
    const draw = nextBelow(state, below);
    state = draw.state;
    return draw.value;
  };
}

/** Arguments for a grammar out of everything that has an id, whether it makes sense or not. */
function argsFor(grammar: Grammar, ids: readonly string[], below: (bound: number) => number): Args {
  if (grammar.kind === 'sequence') {
    return grammar.parts.reduce<Args>((args, part) => ({ ...args, ...argsFor(part, ids, below) }), {});
  }
  if (grammar.kind === 'choice') return argsFor(at(grammar.parts, below(grammar.parts.length)), ids, below);
  if (grammar.kind === 'optional') return below(2) === 0 ? {} : argsFor(grammar.part, ids, below);
  if (grammar.slot === undefined) return {};
  return { [grammar.slot]: valueFor(grammar, ids, below) };
}

const SAYINGS = ['', 'hello', 'the "key" is here'];

function valueFor(slot: Grammar, ids: readonly string[], below: (bound: number) => number): string | number {
  if (slot.kind === 'name') return at(ids, below(ids.length));
  if (slot.kind === 'direction') return at(DIRECTIONS, below(DIRECTIONS.length));
  if (slot.kind === 'integer') return 1 + below(4);
  if (slot.kind === 'text') return at(SAYINGS, below(SAYINGS.length));
  return slot.kind === 'word' ? slot.word : '';
}

function idsOf({ things, doors, agents, npcs, rooms }: GridDefinition): readonly string[] {
  return [...things, ...doors, ...agents, ...npcs, ...rooms].map(({ id }) => id);
}

/** How much there is of a kind of stack, over all places. */
function amountOf(world: GridWorld, state: GridState, kind: string): number {
  const heaps = shardValues(state.things).filter((one) => thingDefinition(world, one).stack?.kind === kind);
  return heaps.reduce((sum, { amount }) => sum + amount, 0);
}

const TURNS = 60;
const TRIES = 40;
const SEEDS = sizeOf('gridGames');
const verbs = { succeeded: new Set<string>(), refused: new Set<string>() };

function note(intents: readonly Intent[], results: readonly ActResult[]): void {
  for (const [index, { action }] of intents.entries()) {
    (results[index]?.ok === true ? verbs.succeeded : verbs.refused).add(action);
  }
}

function play(seed: number): void {
  const definition = randomDefinition(seed);
  const environment = openGrid(definition);
  const world = openWorld(definition);
  const below = chance(seed);
  const ids = [...idsOf(definition), 'nothing'];
  // A verb first, so that none crowds out the others; then mostly arguments that may be accepted, else whatever comes.
  const draw = (agentId: string, state: GridState): Intent => {
    const actions = environment.actions.list().filter(({ name }) => name !== 'DONE' || below(40) === 0);
    const action = known(actions[below(actions.length)], 'an action');
    const near = [...perceptionOf(world, state, agentId).nouns.map(({ id }) => id), 'nothing'];
    const tries = below(4) === 0 ? 1 : TRIES;
    const any = (): Intent => {
      const names = below(8) === 0 ? ids : near;
      return {
        agent: agentId,
        action: action.name,
        args: action.grammar === null ? {} : argsFor(action.grammar, names, below),
      };
    };
    let drawn = any();
    for (let n = 1; n < tries && environment.check(state, drawn) !== undefined; n++) drawn = any();
    return drawn;
  };
  const step = (state: GridState, intents: readonly Intent[]): GridState => {
    const live = environment.advance(state, intents);
    const twin = environment.advance(roundTrip(state), intents.toReversed());
    expect(canonicalJson(twin.state)).toBe(canonicalJson(live.state));
    expect(canonicalJson(twin.results.toReversed())).toBe(canonicalJson(live.results));
    expect(canonicalJson(twin.events)).toBe(canonicalJson(live.events));
    expect(environment.parts(twin.state)).toEqual(environment.parts(live.state));
    for (const { id } of world.definition.agents) {
      // What is remembered of a state by identity tells the same as a state and a world that nobody has looked at yet.
      const observation = environment.observe(live.state, id);
      expect(observation).toEqual(openGrid(definition).observe(roundTrip(live.state), id));
    }
    assertWorld(world, live.state);
    // Gold changes hands and is never made or lost; of the pie some may be eaten.
    expect(amountOf(world, live.state, 'gold')).toBe(7);
    expect(amountOf(world, live.state, 'pie')).toBeLessThanOrEqual(amountOf(world, state, 'pie'));
    note(intents, live.results);
    return live.state;
  };
  let state = environment.create(String(seed));
  for (let turn = 0; turn < TURNS && environment.active(state).length > 0; turn++) {
    const intents = environment.active(state).map((agentId) => draw(agentId, state));
    const isFree = ({ action }: Intent): boolean => environment.actions.get(action)?.cost === 'free';
    for (const intent of intents.filter(isFree)) state = step(state, [intent]);
    const paid = intents.filter((each) => !isFree(each));
    if (seed % 2 === 0) for (const intent of paid) state = step(state, [intent]);
    else if (paid.length > 0) state = step(state, paid);
    state = environment.endTurn(state).state;
    assertWorld(world, state);
  }
}

describe('random play', () => {
  test.each(Array.from({ length: SEEDS }, (_value, seed) => seed))(
    'seed %i keeps the world whole',
    LONG_SIZED,
    (seed) => {
      play(seed);
    },
  );

  test('every verb has succeeded, and every verb that can be has been refused', { tags: ['long'] }, () => {
    const all = openGrid(randomDefinition(0))
      .actions.list()
      .map(({ name }) => name);
    expect([...verbs.succeeded].toSorted()).toEqual(all);
    const never = all.filter((name) => !verbs.refused.has(name));
    expect(never).toEqual(['DONE', 'WAIT']);
  });
});

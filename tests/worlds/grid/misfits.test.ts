/**
 * Things that an action can't be done with. The parser binds them all the same where the slot says that the action's `check` refuses them:
 * so none may be accepted, whatever the world, and what is perceived is not told to be unknown.
 */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { interpret } from '../../../src/binding/interpret.js';
import { protocolOf } from '../../../src/parse/protocols.js';
import { slotsOf } from '../../../src/environment/grammar.js';
import type { Grammar } from '../../../src/environment/grammar.js';
import type { Args } from '../../../src/environment/action.js';
import { observe } from '../../../src/worlds/grid/observe.js';
import { gridRegistry } from '../../../src/worlds/grid/registry.js';
import { AGENT } from './hidden-change.js';
import type { Played } from './random-world.js';
import { randomGame } from './random-world.js';
import type { Game } from './tiny-world.js';
import { agent, chest, door, game, npc, thing, tinyDefinition } from './tiny-world.js';

type Nouns = ReturnType<typeof observe>['nouns'];

/** Every way to fill a grammar's slots in which some name is of a kind that is bound to be refused. */
function misfits(grammar: Grammar, nouns: Nouns): readonly Args[] {
  let found: readonly { args: Args; odd: boolean }[] = [{ args: {}, odd: false }];
  for (const { slot } of slotsOf(grammar)) {
    if (slot.kind === 'direction')
      found = found.map(({ args, odd }) => ({ args: { ...args, direction: 'east' }, odd }));
    if (slot.kind !== 'name') continue;
    const [of, bound] = [slot.of, [...slot.of, ...(slot.refused ?? [])]];
    const named = nouns.filter(({ kinds }) => kinds.some((kind) => bound.includes(kind)));
    found = found.flatMap(({ args, odd }) => [
      { args, odd },
      ...named.map((noun) => ({
        args: { ...args, [slot.slot]: noun.id },
        odd: odd || !noun.kinds.some((kind) => of.includes(kind)),
      })),
    ]);
  }
  return found.filter(({ odd }) => odd).map(({ args }) => args);
}

describe('what an action can’t be done with', () => {
  it('is refused by its check, in any world', () => {
    const tried = new Set<string>();
    const refusesAll = ({ world, state }: Played): void => {
      const actions = gridRegistry(world);
      const { nouns } = observe(world, state, AGENT, actions);
      for (const action of actions.list()) {
        for (const args of action.grammar === null ? [] : misfits(action.grammar, nouns)) {
          const refusal = action.check(state, AGENT, args);
          expect(refusal, `${action.name} ${JSON.stringify(args)}`).toBeDefined();
          tried.add(action.name);
        }
      }
    };
    fc.assert(fc.property(randomGame, refusesAll), { numRuns: 60 });
    expect([...tried].sort()).toEqual(['CLOSE', 'DROP', 'GIVE', 'GO', 'OPEN', 'PUSH', 'READ', 'TAKE', 'USE']);
  });
});

const FORGE = `
  ###########
  #asbn.#...#
  #wc...d...#
  ###########`;

function forge(): Game {
  const pieces = {
    a: agent('ada', { carryMax: 2 }),
    b: npc('smith'),
    n: thing('anvil', { portable: false, blocking: true }),
    s: thing('scroll'),
    w: thing('barrel', { portable: false }),
    d: door('oak'),
    c: chest('chest'),
  };
  const more = [thing('lamp', { place: { at: 'held', by: 'ada' } })];
  const rooms = { west: { x: 0, y: 0, width: 6, height: 4 }, east: { x: 7, y: 0, width: 4, height: 4 } };
  return game(tinyDefinition(FORGE, pieces, { rooms, more }));
}

/** What is told, and whether it takes a try to find out. */
function told(words: string): { message: string; isTried: boolean } {
  const played = forge();
  const { environment, state } = played;
  const reply = { content: `ACTION: ${words}`, reasoning: null, toolCalls: [], finishReason: 'stop' };
  const { actions } = environment;
  const seen = environment.observe(state, 'ada');
  const { intent, problem } = interpret(reply, protocolOf('command'), actions.list(), actions, seen);
  const refusal = intent === null ? problem : environment.check(state, intent);
  if (intent === null || refusal != null) return { message: refusal?.message ?? 'nothing', isTried: false };
  const result = played.try('ada', intent.action, intent.args);
  return { message: result.ok ? 'it was done' : result.problem.message, isTried: true };
}

describe('a reply that names it', () => {
  it.each([
    ['DROP scroll', "You don't hold the scroll. TAKE it first."],
    ['DROP anvil', "You don't hold the anvil. You hold the lamp."],
    ['DROP smith', "You don't hold the smith. You hold the lamp."],
    ['DROP lamp IN scroll', 'Nothing can be put in the scroll.'],
    ['DROP lamp IN smith', 'Nothing can be put in the smith.'],
    ['GIVE scroll TO smith', "You don't hold the scroll. TAKE it first."],
    ['GIVE scroll TO moon', /^I read GIVE "moon", but you perceive nothing of that name\./],
    ['GIVE lamp TO anvil', "The anvil can't take what you give: only somebody can."],
    ['OPEN anvil', "The anvil can't be opened: only a door or a container can."],
    ['OPEN smith', "The smith can't be opened: only a door or a container can."],
    ['CLOSE lamp', "The lamp can't be closed: only a door or a container can."],
    ['TAKE smith', "The smith can't be picked up: only a thing can."],
    ['TAKE oak door', "The oak door can't be picked up: only a thing can."],
    ['TAKE lamp', 'You hold the lamp already.'],
    ['PUSH smith EAST', "The smith can't be pushed: only a thing that stands free can."],
    ['PUSH lamp EAST', "The lamp can't be pushed."],
    ['READ smith', 'There is nothing to read on the smith.'],
    ['USE smith', "The smith can't be used: only a thing can."],
    ['USE anvil', /^The anvil is out of reach, /],
    ['USE lamp ON anvil', /^The anvil is out of reach, /],
    ['GO TO lamp', 'You are already where the lamp is.'],
    ['OPEN moon', /^I read OPEN "moon", but you perceive nothing of that name\./],
  ])('%s is told why', (words, message) => {
    if (typeof message === 'string') expect(told(words)).toEqual({ message, isTried: false });
    else expect(told(words).message).toMatch(message);
    expect(told(words).isTried).toBe(false);
  });

  it.each([
    [
      'USE barrel',
      "Using the barrel by itself does nothing. It can't be held to be used on something either.",
    ],
    [
      'USE scroll',
      "Using the scroll by itself does nothing. You don't hold it to use it on something. TAKE it first.",
    ],
    ['USE lamp', 'Using the lamp by itself does nothing. Say on what: USE … ON ….'],
    ['USE lamp ON barrel', 'Using the lamp on the barrel does nothing.'],
    ['USE lamp ON chest', 'The lamp does not fit the chest.'],
  ])('%s is told why when it was tried', (words, message) => {
    expect(told(words)).toEqual({ message, isTried: true });
  });
});

/**
 * `observe: ask`: what stands around an agent is in nothing that it gets unasked, whatever it is: two worlds that differ in things, creatures and other
 * agents in sight tell it the same to the letter, and ask it the same, until it looks.
 */
import { describe, expect, it } from 'vitest';
import { allProbes } from '../../../src/agent/probes/probes.js';
import type { SpatialFacts } from '../../../src/environment/spatial-facts.js';
import { PROBE_KINDS } from '../../../src/scenario/scenario.js';
import type { Game } from './tiny-world.js';
import { agent, crate, door, game, npc, thing, tinyDefinition } from './tiny-world.js';

const ROOMS = { west: { x: 1, y: 1, width: 4, height: 3 }, east: { x: 6, y: 1, width: 2, height: 3 } };
const ASK = { observe: 'ask' } as const;

const FURNISHED = `
  #########
  #ac..#..#
  #nk..d..#
  #..b.#..#
  #########`;
/** The same things elsewhere, behind a shut door. */
const BARE = `
  #########
  #a...#bc#
  #....dk.#
  #....#n.#
  #########`;

function room(map: string, rules: object = ASK): Game {
  const pieces = {
    a: agent('ada'),
    b: agent('bob'),
    c: crate('crate'),
    d: door('oak', { state: 'closed' }),
    k: thing('brass-key'),
    n: npc('rat'),
  };
  return game(tinyDefinition(map, pieces, { rooms: ROOMS, rules }));
}

const told = ({ environment, state }: Game) => environment.observe(state, 'ada');
const SEEN = ['crate', 'brass', 'bob', 'rat'];

describe('an agent that has to ask', () => {
  it('is told where it stands, of doors and of its hands, and no word more', () => {
    expect(told(room(FURNISHED)).sections).toEqual([
      { id: 'place', isPictured: true, lines: ['You are in the west, at x 1, y 1.'] },
      { id: 'see', isPictured: true, lines: ['The oak door is closed.'] },
      { id: 'hold', lines: ['You hold nothing.'] },
    ]);
  });

  it('gets the same whatever is around it, offers, facts and picture included, until it looks', () => {
    const [furnished, bare] = [room(FURNISHED), room(BARE)];
    expect(told(furnished)).toEqual(told(bare));
    furnished.act('ada', 'LOOK');
    const looked = told(furnished);
    for (const word of SEEN) {
      expect(JSON.stringify(looked.facts).toLowerCase()).toContain(word);
      expect(JSON.stringify(looked.scene).toLowerCase()).toContain(word);
    }
    // What is compared is there to be told.
    const [open, empty] = [room(FURNISHED, {}), room(BARE, {})];
    expect(told(open)).not.toEqual(told(empty));
  });

  it('finds out what is in its way by walking there, and not by being refused', () => {
    const [furnished, bare] = [room(FURNISHED), room(BARE)];
    for (const direction of ['east', 'south']) {
      const step = { agent: 'ada', action: 'GO', args: { direction } };
      expect(furnished.environment.check(furnished.state, step)).toBeUndefined();
      expect(bare.environment.check(bare.state, step)).toBeUndefined();
    }
    expect(furnished.act('ada', 'GO', { direction: 'east' })).toContain('the crate is in the way');
    furnished.act('ada', 'LOOK');
    const again = furnished.environment.check(furnished.state, {
      agent: 'ada',
      action: 'GO',
      args: { direction: 'east' },
    });
    expect(again?.message).toContain('the crate is in the way');
  });

  it('is asked about nothing that it has not looked at', () => {
    const questions = (played: Game): string =>
      JSON.stringify(
        PROBE_KINDS.map((kind) =>
          allProbes({ observation: told(played), hasPicture: true, extraText: '' }, kind),
        ),
      ).toLowerCase();
    const asked = questions(room(FURNISHED));
    for (const word of SEEN) expect(asked).not.toContain(word);
    expect(questions(room(FURNISHED, {}))).toContain('brass key');
  });

  it('remembers what it has looked at, and not what it has walked past', () => {
    const walked = (...before: readonly string[]) => {
      const map = `
        ##########
        #a.k.....#
        #...c....#
        ##########`;
      const pieces = { a: agent('ada', { sightRadius: 3 }), c: crate('crate'), k: thing('brass-key') };
      const played = game(tinyDefinition(map, pieces, { rules: ASK }));
      for (const action of before) played.act('ada', action);
      for (let step = 0; step < 7; step++) played.act('ada', 'GO', { direction: 'east' });
      expect(played.state.bodies['ada']).toMatchObject({ x: 8, y: 1 });
      const { remembered, window } = played.environment.observe(played.state, 'ada').facts as SpatialFacts;
      return { remembered: remembered.map(({ id, x, y }) => [id, x, y]), window };
    };
    const [past, looked] = [walked(), walked('LOOK')];
    expect(past.remembered).toEqual([]);
    expect(looked.remembered).toEqual([
      ['brass-key', 3, 1],
      ['crate', 4, 2],
    ]);
    // The crate's tile, as far as the agent knows.
    expect([past, looked].map(({ window: { x, y, rows } }) => rows[2 - y]?.charAt(4 - x))).toEqual([
      '.',
      'o',
    ]);
  });
});

describe('with use_held', () => {
  it.each([
    [['key'], 'You locked the oak door with the key.'],
    [['key', 'spoon'], 'You hold several things: say which you use.'],
    [[], 'You hold nothing that you could use on something.'],
  ])('of %j in hand the only one is used', (held, words) => {
    const pieces = { a: agent('ada'), d: door('oak', { state: 'closed', key: 'key' }) };
    const rooms = { west: { x: 0, y: 0, width: 3, height: 3 }, east: { x: 4, y: 0, width: 1, height: 3 } };
    const more = ['key', 'spoon'].map((id) =>
      thing(id, { place: held.includes(id) ? { at: 'held', by: 'ada' } : { at: 'tile', x: 1, y: 1 } }),
    );
    const played = game(
      tinyDefinition('######\n#.ad.#\n######', pieces, { rooms, more, rules: { usesHeld: true } }),
    );
    expect(played.act('ada', 'USE', { target: 'oak' })).toBe(words);
  });
});

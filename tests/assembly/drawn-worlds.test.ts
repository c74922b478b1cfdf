/** A search knows of a draw what its agents know: a win that needs luck is told from one that doesn't. */
import { describe, expect, it } from 'vitest';
import { openScenario } from '../../src/assembly/open.js';
import { winnable } from '../../src/assembly/winnable.js';

/** Bob stands before three levers, of which a wrong one loses; who is told which is right varies. */
const levers = (goals: { ann: string; bob: string }, more = ''): string => `
title: Three levers
seed: 5
draw: { colour: [red, green, blue] }
map: |
  ########
  #r.g.b.#
  #.B.A..#
  ########
legend:
  A: { agent: ann }
  B: { agent: bob }
  r: { thing: red-lever }
  g: { thing: green-lever }
  b: { thing: blue-lever }
rooms: { hall: { name: hall, area: [1, 1, 6, 2] } }
things:
  red-lever: { kind: lever, name: red lever }
  green-lever: { kind: lever, name: green lever }
  blue-lever: { kind: lever, name: blue lever }
triggers:
  right: { when: { used: '{{colour}}-lever' }, then: [{ count: right }] }
  red: { when: { used: red-lever }, then: [{ count: used }] }
  green: { when: { used: green-lever }, then: [{ count: used }] }
  blue: { when: { used: blue-lever }, then: [{ count: used }] }
agents:
  - { id: ann, sprite: figure/ranger, goals: ['${goals.ann}'], actions: [SPEAK, WAIT] }
  - { id: bob, sprite: figure/knight, goals: ['${goals.bob}'], actions: [GO, USE, WAIT] }
success: { counter: right, at_least: 1 }
failure: { all: [{ counter: used, at_least: 1 }, { not: { counter: right, at_least: 1 } }] }
turns: { max: 6 }
${more}
`;
const TOLD = 'Tell Bob to pull the {{colour}} lever.';
const PULL = 'Pull the right lever.';

async function found(text: string, options: { withdrawn?: readonly string[]; seat?: string } = {}) {
  const opened = await openScenario({ path: 'levers.yaml', content: text, readFile: () => new Uint8Array() });
  const result = winnable(opened, { effort: 20_000, withdrawn: [], ...options });
  const { verdict, worlds, luckTurn, moves } = result ?? {};
  return {
    verdict,
    worlds,
    luckTurn,
    moves: (moves ?? []).map(({ agent, command }) => `${agent}: ${command}`),
  };
}

describe('a draw', () => {
  it('that gives the same world is no other one', async () => {
    const shuffled = levers({ ann: PULL, bob: PULL })
      .replace('colour: [', 'colours: { shuffle: [')
      .replace('blue] }', 'blue] } }')
      .replaceAll('{{colour}}', '{{colours.1}}');
    // Of the six orders, two begin with each colour.
    expect((await found(shuffled)).worlds).toBe(3);
  });

  it('is known to the agent whose goal says it', async () => {
    const { verdict, worlds, moves } = await found(levers({ ann: PULL, bob: 'Pull the {{colour}} lever.' }));
    expect({ verdict, worlds }).toEqual({ verdict: 'winnable', worlds: 3 });
    const told = await found(levers({ ann: TOLD, bob: 'Pull the {{colour}} lever.' }));
    expect(told).toMatchObject({ verdict: 'winnable', worlds: 1 });
    expect(moves.filter((move) => move.startsWith('ann: SPEAK'))).toEqual([]);
  });

  it('reaches an agent that is told it by another one', async () => {
    const { verdict, moves } = await found(levers({ ann: TOLD, bob: PULL }));
    expect(verdict).toBe('winnable');
    const spoken = moves.findIndex((move) => move.startsWith('ann: SPEAK'));
    expect(spoken).toBeGreaterThanOrEqual(0);
    expect(spoken).toBeLessThan(moves.findIndex((move) => move.startsWith('bob: USE')));
  });

  it.each([
    ['the one who knows may not speak', TOLD, { withdrawn: ['SPEAK'] }],
    ['the one who knows does nothing', TOLD, { seat: 'bob' }],
    ['nobody knows', PULL, {}],
  ])('is a matter of luck where %s', async (_why, ann, options) => {
    const { verdict, luckTurn } = await found(levers({ ann, bob: PULL }), options);
    expect(verdict).toBe('impossible');
    expect(luckTurn).toBeGreaterThanOrEqual(1);
  });

  it('is known from an agent of the world that says it', async () => {
    const text = levers({ ann: PULL, bob: PULL }).replace(
      'actions: [SPEAK, WAIT]',
      `actions: [SPEAK, WAIT], part: world, replies: ['ACTION: SPEAK "{{colour}}"']`,
    );
    expect(await found(text)).toMatchObject({ verdict: 'winnable', worlds: 3 });
    const silent = text.replace('SPEAK "{{colour}}"', 'SPEAK "Hello."');
    expect(await found(silent)).toMatchObject({ verdict: 'impossible' });
  });
});

it('a seat that does not exist is refused', async () => {
  await expect(found(levers({ ann: TOLD, bob: PULL }), { seat: 'bop' })).rejects.toThrow(
    'there is no agent "bop"',
  );
});

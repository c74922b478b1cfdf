/** Tiles named by their numbers, where the rules have coordinates: every way to say it, what is refused, and that nothing hidden is told. */
import { describe, expect, it, test } from 'vitest';
import { runScenario } from '../../../../src/index.js';
import { agent, crate, game, thing, tinyDefinition } from '../tiny-world.js';

const MAP = `
  #######
  #a....#
  #..k#.#
  #..c#h#
  #######`;

function room(coordinates = true) {
  const pieces = { a: agent('ada'), k: thing('brass-key'), c: crate('crate'), h: thing('ring') };
  const rooms = { hall: { x: 0, y: 0, width: 7, height: 5 } };
  const rules = { movement: 'room' as const, ...(coordinates ? { coordinates: true as const } : {}) };
  return game(tinyDefinition(MAP, pieces, { rooms, rules }));
}

function observed({ environment, state }: ReturnType<typeof room>) {
  return environment.observe(state, 'ada');
}

describe('a tile by its numbers', () => {
  test('is gone to, the whole way', () => {
    const played = room();
    expect(played.act('ada', 'GO', { x: 3, y: 2 })).toMatch(/^You went \d tiles\.$/);
    expect(played.state.bodies['ada']).toMatchObject({ x: 3, y: 2 });
    expect(played.act('ada', 'GO', { x: 3, y: 2 })).toBe('You are already at x 3, y 2.');
  });

  test('gives up the one thing that lies there', () => {
    const played = room();
    played.act('ada', 'GO', { x: 2, y: 1 });
    expect(played.act('ada', 'TAKE', { x: 3, y: 2 })).toBe('You took the brass key.');
    expect(played.act('ada', 'TAKE', { x: 3, y: 2 })).toBe('You see nothing to pick up at x 3, y 2.');
  });

  test('that is out of reach, blocked or bare is refused', () => {
    const played = room();
    expect(played.act('ada', 'TAKE', { x: 3, y: 2 })).toMatch(/out of reach/);
    expect(played.act('ada', 'GO', { x: 3, y: 3 })).toBe(
      "You can't go to x 3, y 3: the crate is in the way.",
    );
    expect(played.act('ada', 'TAKE', { x: 3, y: 3 })).toBe('You see nothing to pick up at x 3, y 3.');
  });

  test('of several things one must be named', () => {
    const pieces = { a: agent('ada'), k: thing('brass-key'), r: thing('rope') };
    const rules = { movement: 'room' as const, coordinates: true as const };
    const played = game(tinyDefinition('\n#####\n#akr#\n#####', pieces, { rules }));
    played.act('ada', 'TAKE', { x: 2, y: 1 });
    played.act('ada', 'GO', { x: 3, y: 1 });
    played.act('ada', 'DROP', { thing: 'brass-key' });
    expect(played.act('ada', 'TAKE', { x: 3, y: 1 })).toBe(
      'At x 3, y 1 lie the brass key and the rope. TAKE one by its name.',
    );
  });

  test('out of sight says the same whatever is there, be it the end of the world', () => {
    const blind = (row1: string, row2: string) => {
      const pieces = { a: agent('ada', { sightRadius: 2 }), h: thing('ring') };
      const rules = { movement: 'room' as const, coordinates: true as const };
      return game(tinyDefinition(`\n#######\n#${row1}#\n#${row2}#\n#######`, pieces, { rules }));
    };
    const say = (played: ReturnType<typeof blind>) => [
      played.try('ada', 'GO', { x: 5, y: 2 }),
      played.try('ada', 'TAKE', { x: 5, y: 2 }),
    ];
    const [some, none] = [say(blind('a....', '....h')), say(blind('a...h', '.....'))];
    const words = (results: typeof some) =>
      results.map((result) => (result.ok ? 'ok' : result.problem.message));
    expect(words(some)).toEqual(words(none));
    expect(words(some)).toEqual([
      "You can't go to x 5, y 2: you don't know what is there.",
      'You see nothing to pick up at x 5, y 2.',
    ]);
    const beyond = blind('a....', '....h').try('ada', 'GO', { x: 6, y: 40 });
    expect(beyond).toMatchObject({
      problem: { message: "You can't go to x 6, y 40: you don't know what is there." },
    });
  });

  test('is told and offered where the rules have it, and unknown elsewhere', () => {
    const told = (coordinates: boolean) => {
      const { sections, offered } = observed(room(coordinates));
      const lines = sections.flatMap(({ lines: all }) => all);
      return [
        lines.some((line) => line.endsWith(', at x 3, y 2')),
        Object.keys(offered.find(({ action }) => action === 'GO')?.slots ?? {}),
      ];
    };
    expect(told(true)).toEqual([true, ['direction', 'target', 'x', 'y']]);
    expect(told(false)).toEqual([false, ['direction', 'target']]);
  });
});

describe('is said in', () => {
  it.each([
    ['command', 'ACTION: GO TO 2 1', 'ACTION: TAKE AT 3 2'],
    [
      'json',
      '{"name": "move", "parameters": {"x": 2, "y": 1}}',
      '{"name":"pickup","parameters":{"x":"3","y":2}}',
    ],
    ['react', 'Action: GO\nAction Input: {"x": 2, "y": 1}', 'Action: TAKE\nAction Input: {"x": 3, "y": 2}'],
    [
      'tools',
      '<tool_call>{"name": "GO", "arguments": {"x": 2, "y": 1}}</tool_call>',
      '<function=TAKE><parameter=x>3</parameter><parameter=y>2</parameter></function>',
    ],
  ])('%s', async (protocol, go, take) => {
    const { end } = await runScenario({
      title: 'A Room',
      map: '######\n#A...#\n#..k.#\n######\n',
      legend: { A: { agent: 'ranger' }, k: { thing: 'key' } },
      rooms: { hall: { name: 'hall', from: [1, 1] } },
      things: { key: { name: 'brass key', kind: 'key' } },
      agents: [{ id: 'ranger', protocol, replies: [go, take] }],
      rules: { coordinates: true },
      turns: { max: 2, attempts: 1 },
      success: { agent: 'ranger', holds: 'key' },
    });
    expect(end).toMatchObject({ status: 'succeeded', turns: 2 });
  });
});

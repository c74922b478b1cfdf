/** The gate passes a scenario that measures what it says, and says of each other one what is wrong with it. */
import { copyFileSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openScenario } from '../../src/assembly/open.js';
import { gateFaults, gateFigures, gateName } from '../../src/gate/gate.js';
import type { GateFigures } from '../../src/gate/gate.js';
import { orchestrate } from '../support/captured-io.js';
import { temporaryFolder } from '../support/folder.js';

const WORDS = ['one', 'two', 'three', 'four', 'five'];
const values = WORDS.map((word, i) => {
  const looks = WORDS.map((_, j) => `t${j + 1}: ${j <= i ? 'skull' : 'mushroom'}`);
  return `{ word: ${word}, ${looks.join(', ')} }`;
});

/** The agent says how many of five things are skulls, which only the picture shows; the first answer decides. */
const COUNT = `
title: Count the skulls
measures: { chance: 20, needs: [picture] }
draw: { n: [${values.join(', ')}] }
generate: { size: [9, 9], rooms: 1, room_size: [6, 6] }
things:
${WORDS.map((_, i) => `  t${i + 1}: { name: thing, sprite: 'item/{{n.t${i + 1}}}' }`).join('\n')}
agents:
  - { id: ranger, goals: ['Say how many skulls there are, from one to five.'], actions: [SPEAK], sight: 12 }
triggers:
  right: { when: { said: '{{n.word}}', agent: ranger }, then: [{ count: right }] }
${WORDS.map((word) => `  said-${word}: { when: { said: ${word}, agent: ranger }, then: [{ count: said }] }`).join('\n')}
success: { counter: right, at_least: 1 }
failure: { any: [{ counter: said, at_least: 2 }, { all: [{ counter: said, at_least: 1 }, { not: { counter: right, at_least: 1 } }] }] }
rules: { movement: tile, go_to: false }
turns: { max: 8, attempts: 1, repair: false }
render: { preset: qwen3-vl, window: [11, 11], channel: image }
prompt: { offers: false }
`;
const SEEDS = Array.from({ length: 12 }, (_, i) => String(i + 1));

const figuresOf = (content: string, seeds = SEEDS): Promise<GateFigures> =>
  gateFigures(
    gateName('count-1.yaml'),
    (seed, change) =>
      openScenario({ path: 'count-1.yaml', content, readFile: () => new Uint8Array() }, { seed, change }),
    seeds,
  );
const faultsOf = async (content: string): Promise<readonly string[]> =>
  gateFaults(await figuresOf(content), null);

describe('a scenario', () => {
  it('that only the picture decides is sound', async () => {
    const figures = await figuresOf(COUNT);
    expect(figures.wins.sighted).toBe(SEEDS.length);
    expect(figures).toMatchObject({ family: 'count', level: 1, turns: 1, alike: [], decidedAtStart: [] });
    expect(gateFaults(figures, null)).toEqual([]);
  });

  it.each([
    [
      'tells in words what the picture is to show',
      COUNT.replace('Say how many', 'Say {{n.word}}, which is how many'),
      /text-only player wins 100 %/,
    ],
    [
      'nobody can see whole',
      COUNT.replace('sight: 12', 'sight: 1').replace('[11, 11]', '[3, 3]'),
      /sighted player wins only \d+ %/,
    ],
    [
      'is won before the first turn',
      COUNT.replace(/success:.*/, 'success: { counter: right, at_most: 0 }'),
      /seeds 1 and 11 more are won or lost before/,
    ],
    [
      'is won by one reply',
      COUNT.replace("said: '{{n.word}}', agent: ranger", 'said: two, agent: ranger'),
      /SPEAK "two" as the first reply of ranger wins 100 % at once/,
    ],
    [
      'is won by naming all answers at once',
      COUNT.replace('{ counter: said, at_least: 2 }', '{ counter: said, at_least: 9 }'),
      /sighted player that says all words at once \("five four one three two"\) wins 100 %/,
    ],
    [
      'waits for one word only, and counts no other',
      COUNT.replace(/ {2}said-\w+:.*\n/g, '').replace(/failure:.*\n/, ''),
      /sighted player that says all words at once \("five four one three two"\) wins 100 %/,
    ],
    [
      'is told in a legend',
      COUNT.replace('channel: image', 'channel: image, legend: true'),
      /render\.legend\), which/,
    ],
    ['is told in words', COUNT.replace('channel: image', 'channel: both'), /render\.channel: both\), which/],
    ['does not say what it measures', COUNT.replace(/measures:.*/, ''), /doesn't say what it measures/],
  ])('that %s is not', async (_why, content, fault) => {
    expect(await faultsOf(content)).toEqual(expect.arrayContaining([expect.stringMatching(fault)]));
  });

  it('of which two seeds give the same world is not', async () => {
    const drawn = COUNT.replace(
      /generate:.*/,
      'map: |\n  #######\n  #ab.cd#\n  #..M.e#\n  #######\nlegend:\n' +
        ['a', 'b', 'c', 'd', 'e'].map((sign, i) => `  ${sign}: { thing: t${i + 1} }\n`).join('') +
        '  M: { agent: ranger }\nrooms: { hall: { name: hall, area: [1, 1, 5, 2] } }',
    );
    const figures = await figuresOf(drawn);
    // Five values can be drawn, so at least 7 of 12 seeds are not new.
    expect(figures.alike.length).toBeGreaterThanOrEqual(7);
    expect(gateFaults(figures, null)).toEqual([expect.stringMatching(/the same world as an earlier seed/)]);
  });
});

describe('a level', () => {
  const level = (over: Partial<GateFigures>): GateFigures => ({
    ...gateName('find-2.yaml'),
    measures: { chance: 10, needs: ['picture'] },
    seeds: 60,
    wins: { 'text-only': 6, deaf: null, sighted: 60 },
    firstReply: null,
    allWords: null,
    turns: 8.5,
    decidedAtStart: [],
    alike: [],
    told: [],
    ...over,
  });

  const byChance = (chance: number): Partial<GateFigures> => ({ measures: { chance, needs: [] } });
  const SLOWER = 'the sighted player needs 8.4 turns in place of 8.5';

  it.each([
    [{ turns: 8.6 }, null],
    [{ turns: 8.6, ...byChance(15) }, null],
    [byChance(5), null],
    [{}, 'the sighted player needs 8.5 turns in place of 8.5, and chance is not lower'],
    [byChance(10), 'and chance is not lower'],
    [{ turns: 8.4 }, SLOWER],
    [{ turns: 8.4, ...byChance(5) }, SLOWER],
  ])('is harder if it takes more turns, or as many while chance wins less: %j', (over, fault) => {
    const expected = fault === null ? [] : [expect.stringContaining(fault)];
    expect(gateFaults(level(over), level({ level: 1 }))).toEqual(expected);
  });

  it.each([
    [{ wins: { 'text-only': 12, deaf: null, sighted: 60 } }, 0],
    [{ wins: { 'text-only': 13, deaf: null, sighted: 60 } }, 1],
    [{ wins: { 'text-only': null, deaf: 13, sighted: 60 } }, 1],
    [{ wins: { 'text-only': 0, deaf: null, sighted: 54 } }, 0],
    [{ wins: { 'text-only': 0, deaf: null, sighted: 53 } }, 1],
    [{ measures: { chance: 21, needs: [] } }, 1],
    // Of five first replies, the best wins 15 of 60 (p = 5 × 0.0007) or 11 (5 × 0.03) where chance wins 6.
    [{ firstReply: { agent: 'a', reply: 'DONE', wins: 15, of: 5 } }, 1],
    [{ firstReply: { agent: 'a', reply: 'DONE', wins: 11, of: 5 } }, 0],
  ] as const)('with %j has %i faults', (over, count) => {
    expect(gateFaults(level(over), null)).toHaveLength(count);
  });
});

describe('check --gate', () => {
  const folder = temporaryFolder();

  it('plays the scenarios of a folder by level, and fails if one of them is not sound', async () => {
    const one = join(folder, 'count-1.yaml');
    writeFileSync(one, COUNT);
    writeFileSync(join(folder, 'count-2.yaml'), COUNT);
    writeFileSync(join(folder, 'play.yaml'), 'scenarios: [count-1.yaml]\nseeds: 2\n');
    const both = await orchestrate(['check', '--gate', folder, '--seeds', '4']);
    const [first = '', second = '', fault = ''] = both.out.split('\n');
    expect(first).toMatch(/^ok .*count-1\.yaml: chance 20 % · text-only \d+ % · sighted 100 %/);
    expect(second).toMatch(/^not sound .*count-2\.yaml: /);
    expect(fault).toContain('no harder than level 1');
    expect([both.code, both.err]).toEqual([1, '']);

    const alone = await orchestrate(['check', '--gate', one, '--seeds', '4', '--json']);
    expect(alone.code).toBe(0);
    expect(JSON.parse(alone.out)).toMatchObject([{ family: 'count', level: 1, seeds: 4, faults: [] }]);
  });

  it('goes on after a scenario that it can not play, and names it', async () => {
    const mixed = temporaryFolder();
    copyFileSync('scenarios/car-repair.yaml', join(mixed, 'a.yaml'));
    writeFileSync(join(mixed, 'b.yaml'), COUNT.replace('SPEAK', 'SPEKA'));
    writeFileSync(join(mixed, 'c.yaml'), COUNT);
    const { code, out, err } = await orchestrate(['check', '--gate', mixed, '--seeds', '4']);
    expect(out).toMatch(/^ok .*c\.yaml: /);
    expect(err).toMatch(/error: .*a\.yaml: the environment workcell has no sighted player/);
    expect(err).toMatch(/b\.yaml:\d+:\d+ error: .*SPEKA/);
    expect(code).toBe(2);
    const { out: json } = await orchestrate(['check', '--gate', mixed, '--seeds', '4', '--json']);
    expect(JSON.parse(json)).toMatchObject([
      { family: 'c', faults: [] },
      { path: join(mixed, 'a.yaml'), error: expect.stringContaining('no sighted player') as string },
      { path: join(mixed, 'b.yaml') },
    ]);
  });

  it('plays every file of a folder that is no batch, and each once', async () => {
    const odd = temporaryFolder();
    mkdirSync(join(odd, 'folder.yaml'));
    symlinkSync(join(odd, 'nowhere'), join(odd, 'gone.yaml'));
    writeFileSync(join(odd, 'broken.yaml'), '{{{');
    const one = join(odd, 'count-1.yaml');
    writeFileSync(one, COUNT);
    const { code, out, err } = await orchestrate(['check', '--gate', odd, one, '--seeds', '4']);
    expect(out.match(/^ok /gm)).toHaveLength(1);
    expect(err).toContain('broken.yaml');
    expect(err).not.toContain('internal error');
    expect(code).toBe(2);
  });

  it('refuses a folder without a scenario', async () => {
    const { code, err } = await orchestrate(['check', '--gate', 'docs']);
    expect(code).toBe(2);
    expect(err).toContain('there is no scenario in docs');
  });
});

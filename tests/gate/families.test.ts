/**
 * The families of `tests/gate/families` measure one thing each: a small sample of seeds goes through the gate, which plays them with eyes, without
 * and without words. All of it: `orchestrate check --gate tests/gate/families --seeds 20`.
 */
import { readFileSync, readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { openScenario } from '../../src/assembly/open.js';
import { gateFaults, gateFigures, gateName } from '../../src/gate/gate.js';
import type { GateFigures } from '../../src/gate/gate.js';
import { play } from '../../src/assembly/play.js';
import { withPlayers } from '../../src/batch/players.js';
import { openScenarioFile } from '../../src/scenario/folder.js';
import type { Scenario } from '../../src/scenario/scenario.js';

const FOLDER = 'tests/gate/families';
const NAMES = readdirSync(FOLDER)
  .toSorted()
  .map((file) => gateName(`${FOLDER}/${file}`));
const FAMILIES = [...new Set(NAMES.map(({ family }) => family))];

/** Few, because each of them is searched, too. They are always the same, so nothing depends on luck. */
const SEEDS = ['1', '2'];

it('there are eleven families with three levels each', () => {
  expect(FAMILIES).toEqual('changed count errand find gather pair point recall relay route truth'.split(' '));
  expect(NAMES.map(({ level }) => level)).toEqual(FAMILIES.flatMap(() => [1, 2, 3]));
});

it.each(['one-glance', 'two-keepers'])(
  'the shipped scenario %s passes it',
  { tags: ['long'] },
  async (name) => {
    const path = `scenarios/${name}.yaml`;
    const file = openScenarioFile(path);
    const seeds = Array.from({ length: 20 }, (_, i) => String(i + 1));
    const open: Parameters<typeof gateFigures>[1] = (seed, change) => openScenario(file, { seed, change });
    expect(gateFaults(await gateFigures(gateName(path), open, seeds), null)).toEqual([]);
  },
);

describe.each(FAMILIES)('%s', (family) => {
  const levels = NAMES.filter((name) => name.family === family);

  it('says its skill, what it needs and its chance', () => {
    for (const { path } of levels)
      expect(readFileSync(path, 'utf8')).toMatch(/^# .*\n# Skill: .+\n# Needs: .+\n# Chance: \d+ %/);
  });

  it('passes the gate on two seeds of the first level', { tags: ['long'] }, async () => {
    const [first] = levels;
    if (first === undefined) throw new Error(`${family} has no level`);
    const file = openScenarioFile(first.path);
    const figures: GateFigures = await gateFigures(
      first,
      (seed, change) => openScenario(file, { seed, change }),
      SEEDS,
    );
    expect(figures.measures?.chance).toBeLessThanOrEqual(20);
    expect(figures.wins.sighted).toBe(SEEDS.length);
    // One of two may be guessed.
    expect(figures.wins['text-only'] ?? 0).toBeLessThan(SEEDS.length);
    expect(figures.wins.deaf ?? 0).toBeLessThan(SEEDS.length);
    expect(figures).toMatchObject({ decidedAtStart: [], alike: [] });
  });

  it(
    'can be won at each level, and is guessed no more often at a higher one',
    { tags: ['long'] },
    async () => {
      const chances: number[] = [];
      for (const { path } of levels) {
        const change = (own: Scenario): Scenario => withPlayers(own, { kind: 'sighted' });
        const opened = await openScenario(openScenarioFile(path), { seed: '3', change });
        chances.push(opened.scenario.measures?.chance ?? 100);
        expect([path, (await play({ ...opened, hasPicture: false })).status]).toEqual([path, 'succeeded']);
      }
      expect(chances).toEqual(chances.toSorted((a, b) => b - a));
    },
  );
});

/**
 * The families of `tests/gate/families` measure one thing each: a small sample of seeds goes through the gate, which plays them with eyes, without
 * and without words. All of it: `orchestrate check --gate tests/gate/families --seeds 20`.
 */
import { readFileSync, readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { openScenario } from '../../src/assembly/open.js';
import { gateFaults, gateFigures, gateName } from '../../src/gate/gate.js';
import type { GateFigures, GateName } from '../../src/gate/gate.js';
import { openScenarioFile } from '../../src/scenario/folder.js';

const FOLDER = 'tests/gate/families';
const NAMES = readdirSync(FOLDER)
  .toSorted()
  .map((file) => gateName(`${FOLDER}/${file}`));
const FAMILIES = [...new Set(NAMES.map(({ family }) => family))];

/** Few, because there are many families. They are always the same, so nothing depends on luck. */
const SEEDS = ['1', '2', '3', '4', '5', '6'];

const figuresOf = (name: GateName, seeds = SEEDS): Promise<GateFigures> => {
  const file = openScenarioFile(name.path);
  return gateFigures(name, (seed, change) => openScenario(file, { seed, change }), seeds);
};

it('there are eleven families with three levels each', () => {
  expect(FAMILIES).toEqual('changed count errand find gather pair point recall relay route truth'.split(' '));
  expect(NAMES.map(({ level }) => level)).toEqual(FAMILIES.flatMap(() => [1, 2, 3]));
});

it.each(['one-glance', 'two-keepers'])(
  'the shipped scenario %s passes it',
  { tags: ['long'] },
  async (name) => {
    const seeds = Array.from({ length: 20 }, (_, i) => String(i + 1));
    const figures = await figuresOf(gateName(`scenarios/${name}.yaml`), seeds);
    expect(gateFaults(figures, null)).toEqual([]);
  },
);

describe.each(FAMILIES)('%s', (family) => {
  const levels = NAMES.filter((name) => name.family === family);

  it('says its skill, what it needs and its chance', () => {
    for (const { path } of levels)
      expect(readFileSync(path, 'utf8')).toMatch(/^# .*\n# Skill: .+\n# Needs: .+\n# Chance: \d+ %/);
  });

  it('passes the gate, and each level is harder than the one before', { tags: ['long'] }, async () => {
    let easier: GateFigures | null = null;
    for (const name of levels) {
      const figures: GateFigures = await figuresOf(name);
      // So few seeds don't tell 10 points from luck: more than half of them would be no luck.
      const faults = gateFaults(figures, easier).filter((fault) => !/^a (text-only|deaf) player/.test(fault));
      expect([name.path, ...faults]).toEqual([name.path]);
      const { sighted, ...floors } = figures.wins;
      expect(sighted).toBe(SEEDS.length);
      for (const wins of Object.values(floors)) expect(wins ?? 0).toBeLessThanOrEqual(SEEDS.length / 2);
      easier = figures;
    }
  });
});

it('a family whose answers can be said all at once does not pass it', { tags: ['long'] }, async () => {
  const path = `${FOLDER}/recall-1.yaml`;
  const content = readFileSync(path, 'utf8').replace('- { counter: said, at_least: 2 }', '');
  const file = { path, content, readFile: () => new Uint8Array() };
  const figures = await gateFigures(
    gateName(path),
    (seed, change) => openScenario(file, { seed, change }),
    SEEDS,
  );
  expect(gateFaults(figures, null)).toEqual([expect.stringMatching(/says all words at once .* wins 100 %/)]);
});

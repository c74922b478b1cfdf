/**
 * The families of `tests/gate/families` measure one thing each: a small sample of seeds goes through the gate, which plays them with eyes, without
 * and without words. All of it: `orchestrate check --gate tests/gate/families --seeds 20`.
 */
import { readFileSync, readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { openScenario } from '../../src/assembly/open.js';
import { gateFigures, gateName } from '../../src/gate/gate.js';
import type { GateFigures } from '../../src/gate/gate.js';
import { openScenarioFile } from '../../src/scenario/folder.js';

const FOLDER = 'tests/gate/families';
const NAMES = readdirSync(FOLDER)
  .toSorted()
  .map((file) => gateName(`${FOLDER}/${file}`));
const FAMILIES = [...new Set(NAMES.map(({ family }) => family))];

/** Few, because each of them is searched, too. They are always the same, so nothing depends on luck; the sighted player loses seed 1 of truth-1. */
const SEEDS = ['2', '3'];

it('there are eleven families with three levels each', () => {
  expect(FAMILIES).toEqual('changed count errand find gather pair point recall relay route truth'.split(' '));
  expect(NAMES.map(({ level }) => level)).toEqual(FAMILIES.flatMap(() => [1, 2, 3]));
});

describe.each(FAMILIES)('%s', (family) => {
  const levels = NAMES.filter((name) => name.family === family);

  it('says its skill, what it needs and its chance', () => {
    for (const { path } of levels)
      expect(readFileSync(path, 'utf8')).toMatch(/^# .*\n# Skill: .+\n# Needs: .+\n# Chance: \d+ %/);
  });

  it('passes the gate on two seeds of each level', { tags: ['long'] }, async () => {
    let easier: GateFigures | null = null;
    for (const name of levels) {
      const file = openScenarioFile(name.path);
      const figures: GateFigures = await gateFigures(
        name,
        (seed, change) => openScenario(file, { seed, change }),
        SEEDS,
      );
      const { chance } = figures.measures ?? { chance: 100 };
      expect(chance).toBeLessThanOrEqual(20);
      // One of two may be guessed.
      expect([name.path, figures.wins.sighted]).toEqual([name.path, SEEDS.length]);
      expect(figures.wins['text-only'] ?? 0).toBeLessThan(SEEDS.length);
      expect(figures.wins.deaf ?? 0).toBe(0);
      expect(figures).toMatchObject({ decidedAtStart: [], alike: [] });
      // Two searches are few to compare levels by, so only the written chances are.
      if (easier !== null) expect(chance).toBeLessThanOrEqual(easier.measures?.chance ?? 0);
      easier = figures;
    }
  });
});

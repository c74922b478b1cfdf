/** Regret: a step that leads nowhere costs a turn, one on the way costs none, and what can't be told is null. */
import { describe, expect, it } from 'vitest';
import { repliesController } from '../../src/agent/controllers/replies.js';
import { regretOfRun } from '../../src/assembly/regret.js';
import { openScenario } from '../../src/assembly/open.js';
import { readFileSync } from 'node:fs';
import { MemorySink } from '../../src/trajectory/memory-sink.js';
import { solve } from '../../src/solve/solve.js';
import { play } from '../../src/assembly/play.js';

const PATH = 'scenarios/brass-key.yaml';

function brassKey() {
  return openScenario({
    path: PATH,
    content: readFileSync(PATH, 'utf8'),
    readFile: () => {
      throw new Error('there is no such file');
    },
  });
}

async function regretsOf(commands: readonly string[], effort: number, effortOfRun?: number) {
  const opened = await brassKey();
  const replies = commands.map((one) => `ACTION: ${one}`);
  const sink = new MemorySink();
  // oxlint-disable-next-line unicorn/no-thenable -- a word of the scenario, never awaited
  const ranger = repliesController({ replies, then: 'wait' });
  await play(opened, { sink, controllers: { ranger } });
  const { steps } = sink;
  return regretOfRun(opened, { seed: opened.scenario.seed, steps }, effort, effortOfRun);
}

/** Steps that the search from the start tries. */
async function triedAtTheStart(): Promise<number> {
  const { scenario, environment } = await brassKey();
  const { order, max, freeActs } = scenario.turns;
  const options = { order, turnsMax: max, freeActs, effort: 3000, wantsFewest: true };
  return solve(environment, { state: environment.create(scenario.seed), turn: 1 }, options).tried;
}

const WAY = ['GO TO oak-door', 'TAKE brass-key', 'OPEN oak-door', 'GO EAST', 'GO TO goblet', 'TAKE goblet'];

describe('regret', () => {
  it('is nothing on the shortest way', async () => {
    const regrets = await regretsOf(WAY, 3000);
    expect(regrets.map(({ before, after }) => [before, after])).toEqual([
      [6, 6],
      [5, 5],
      [4, 4],
      [3, 3],
      [2, 2],
      [1, 1],
    ]);
    expect(regrets.map(({ lostTurns }) => lostTurns)).toEqual([0, 0, 0, 0, 0, 0]);
  });

  it('counts each detour where it was made', { tags: ['long'] }, async () => {
    const [first = '', ...rest] = WAY;
    const regrets = await regretsOf(['WAIT', first, 'WAIT', ...rest], 3000);
    expect(regrets.map(({ lostTurns }) => lostTurns)).toEqual([1, 0, 1, 0, 0, 0, 0, 0]);
  });

  it('adds up to the turns by which a run was longer than it had to be', async () => {
    const way = ['GO TO table', 'GO TO brass-key', 'TAKE brass-key', 'GO TO oak-door', ...WAY.slice(2)];
    const regrets = await regretsOf(way, 3000);
    expect(regrets).toHaveLength(8);
    expect(regrets.reduce((sum, { lostTurns }) => sum + (lostTurns ?? 100), 0)).toBe(2);
    expect(regrets.every(({ lostTurns }) => (lostTurns ?? -1) >= 0)).toBe(true);
    expect(regrets[0]?.lostTurns).toBeGreaterThan(0);
  });

  it('needs no search between two moments from which success comes in the same turn', async () => {
    // Both ends are known from one search, so what is between them is certain, whatever it would have cost.
    const one = await regretsOf(WAY, 3000, await triedAtTheStart());
    expect(one.map(({ lostTurns }) => lostTurns)).toEqual([0, 0, 0, 0, 0, 0]);
  });

  it('is estimated where the search gives up: nothing on the way, a turn for one that was waited', async () => {
    const straight = await regretsOf(WAY, 1);
    expect(straight.map(({ guessedTurns }) => guessedTurns)).toEqual([0, 0, 0, 0, 0, 0]);
    const [first = '', ...rest] = WAY;
    const waited = await regretsOf([first, 'WAIT', ...rest], 1);
    expect(waited.map(({ before, lostTurns }) => [before, lostTurns]).slice(0, 2)).toEqual([
      [null, null],
      [null, null],
    ]);
    expect(waited.map(({ guessedTurns }) => guessedTurns)).toEqual([0, 1, 0, 0, 0, 0, 0]);
  });

  it(
    'tells how much of the way is behind: of six turns one after the other, and what it is told by',
    { tags: ['long'] },
    async () => {
      const exact = await regretsOf(WAY, 3000);
      expect(exact.map(({ progress }) => progress)).toEqual([16, 33, 50, 66, 83, 100]);
      expect(new Set(exact.map(({ progressKind }) => progressKind))).toEqual(new Set(['exact']));
      const guess = await regretsOf(WAY, 1);
      expect(guess.map(({ progressKind }) => progressKind)).toEqual([
        ...Array.from({ length: 5 }, () => 'estimate'),
        'exact',
      ]);
      const percents = guess.map(({ progress }) => progress ?? -1);
      expect(percents).toEqual(percents.toSorted((a, b) => a - b));
      expect((await regretsOf(['DONE'], 3000)).at(0)).toMatchObject({ progress: null, progressKind: null });
    },
  );

  it(
    'knows when nothing can be won any more, and says nothing where it gave up',
    { tags: ['long'] },
    async () => {
      expect((await regretsOf(['DONE'], 3000)).at(0)).toMatchObject({
        before: 6,
        after: 'never',
        lostTurns: null,
        isFatal: true,
      });
      expect((await regretsOf(WAY, 3000)).filter(({ isFatal }) => isFatal)).toEqual([]);
      // What is lost already can't be lost again.
      const waited = await regretsOf(
        Array.from({ length: 40 }, () => 'WAIT'),
        3000,
      );
      expect(waited.filter(({ isFatal }) => isFatal)).toHaveLength(1);
      expect((await regretsOf(WAY, 5)).at(0)).toMatchObject({ before: null, lostTurns: null });
    },
  );
});

/** What agents are rewarded for: paid by what a step's record proves, logged with it, counted again by `verify`. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { LogReader, resumeRun, runScenario } from '../../src/index.js';
import { temporaryFolder } from '../support/folder.js';
import { leftInTheMidst } from '../support/left-run.js';
import { changed, damaged, logged, verified } from '../replay/support.js';

/** A corridor with a coin at its end; both agents say what they are told. */
function corridor(more: string, ann: readonly string[], bob: readonly string[] = ['ACTION: WAIT']): string {
  return `title: Corridor
map: |
  #########
  #A..c...#
  #B......#
  #########
legend: { A: { agent: ann }, B: { agent: bob }, c: { thing: coin } }
rooms: { hall: { name: hall, from: [1, 1] } }
things: { coin: { kind: item, name: coin } }
agents:
  - { id: ann, sprite: ranger, replies: ${JSON.stringify(ann)} }
  - { id: bob, sprite: ranger, replies: ${JSON.stringify(bob)} }
${more}`;
}

const COIN = 'success: { agent: ann, holds: coin }';
const TAKE = ['ACTION: GO TO coin', 'ACTION: TAKE coin'];

/** The sums alone. */
async function paid(scenario: string) {
  const { steps } = await runScenario(scenario);
  return steps.map(({ agent, rewards }) => {
    const { byName: _, ...sums } = rewards ?? { paid: {} };
    return [agent, sums];
  });
}

describe('rewards', () => {
  it('pay each step, refusal and unreadable reply, and success to everyone', async () => {
    const rewards = 'rewards: { success: 10, step: -0.01, refused: -0.1, unreadable: -0.2 }';
    const replies = ['I do not know.', 'ACTION: TAKE coin', ...TAKE];
    expect(await paid(corridor(`${COIN}\n${rewards}`, replies))).toEqual([
      ['ann', { paid: { ann: -0.31 } }],
      ['bob', { paid: { bob: -0.01 } }],
      ['world', { paid: {} }],
      ['ann', { paid: { ann: 9.99, bob: 10 }, outcomes: { ann: 'succeeded', bob: 'succeeded' } }],
    ]);
  });

  it('have the names of what they are paid for, which add up', async () => {
    const rewards = 'rewards: { success: 10, step: -0.01, refused: -0.1, unreadable: -0.2, progress: 1 }';
    const replies = ['I do not know.', 'ACTION: TAKE coin', ...TAKE];
    const { steps } = await runScenario(corridor(`${COIN}\n${rewards}`, replies));
    expect(steps.map((step) => step.rewards?.byName)).toEqual([
      { ann: { step: -0.01, refused: -0.1, unreadable: -0.2 } },
      { bob: { step: -0.01 } },
      { ann: { progress: 1 }, bob: { progress: 1 } },
      { ann: { step: -0.01, success: 10, progress: 1 }, bob: { success: 10, progress: 1 } },
    ]);
    for (const { rewards: { paid: sums, byName = {} } = { paid: {} } } of steps)
      for (const [agent, sum] of Object.entries(sums))
        expect(Object.values(byName[agent] ?? {}).reduce((all, one) => all + one, 0)).toBeCloseTo(sum, 6);
  });

  it('of what happens to all come with the last step of a tick, where agents act at once', async () => {
    const rewards = 'rewards: { success: 10, step: -0.01 }\nturns: { order: simultaneous, max: 9 }';
    expect((await paid(corridor(`${COIN}\n${rewards}`, TAKE))).slice(-2)).toEqual([
      ['ann', { paid: { ann: -0.01 } }],
      ['bob', { paid: { ann: 10, bob: 9.99 }, outcomes: { ann: 'succeeded', bob: 'succeeded' } }],
    ]);
  });

  it('pay failure where the rules say so, and nothing where the turns run out', async () => {
    const failure = `failure: { agent: ann, holds: coin }\nrewards: { failure: -5 }`;
    expect((await paid(corridor(failure, TAKE))).at(-1)).toEqual([
      'ann',
      { paid: { ann: -5, bob: -5 }, outcomes: { ann: 'failed', bob: 'failed' } },
    ]);
    const late = `${COIN}\nrewards: { failure: -5 }\nturns: { max: 1 }`;
    expect(await paid(corridor(late, TAKE))).toEqual([
      ['ann', { paid: {} }],
      ['bob', { paid: {} }],
      ['world', { paid: {} }],
    ]);
  });

  it('of progress sum up to the way that there was at the start, whatever was done between', async () => {
    const rewards = `${COIN}\nrewards: { progress: 1 }`;
    const away = ['ACTION: GO EAST', 'ACTION: WAIT', 'ACTION: GO WEST', 'ACTION: WAIT', ...TAKE];
    for (const replies of [TAKE, away]) {
      const { steps } = await runScenario(corridor(rewards, replies));
      const total = steps.reduce((sum, step) => sum + (step.rewards?.paid['bob'] ?? 0), 0);
      expect(total).toBeCloseTo(2, 6);
    }
  });

  it('of progress are discounted as the learner does it', async () => {
    const rewards = `${COIN}\nrewards: { progress: 1, discount: 0.5 }`;
    // From 2 turns away to 1: 0.5 · −1 − −2; then to the end: 0 − −1.
    expect(await paid(corridor(rewards, TAKE))).toEqual([
      ['ann', { paid: {} }],
      ['bob', { paid: {} }],
      ['world', { paid: { ann: 1.5, bob: 1.5 }, distance: 1 }],
      ['ann', { paid: { ann: 1, bob: 1 }, outcomes: { ann: 'succeeded', bob: 'succeeded' } }],
    ]);
  });

  it('of progress add nothing where the solver gives up, and say so', async () => {
    const rewards = `${COIN}\nrewards: { progress: 1, effort: 1 }\nturns: { max: 1 }`;
    expect((await paid(corridor(rewards, ['ACTION: WAIT']))).at(-1)).toEqual([
      'world',
      { paid: {}, distance: null },
    ]);
  });

  it('are absent where the scenario has none', async () => {
    const { steps } = await runScenario(corridor(COIN, TAKE));
    expect(steps.filter((step) => 'rewards' in step)).toEqual([]);
  });
});

describe('a log with rewards', () => {
  const scenario = corridor(`${COIN}\nrewards: { success: 10, step: -0.01, progress: 1 }`, TAKE);
  const total = `SELECT round(sum(reward), 6) FROM rewards WHERE agent = 'ann'`;

  it('has them as rows, and is verified', async () => {
    const { path } = await logged(scenario);
    expect(await verified(path)).toMatchObject({ difference: null });
    let sum: unknown = null;
    damaged(path, (db) => (sum = db.prepare(total).pluck().get()));
    expect(sum).toBe(11.98);
  });

  it('differs where a name was changed in it; one of an earlier program has no names, and is verified', async () => {
    const { path } = await logged(scenario);
    const renamed = `UPDATE steps SET rewards = replace(rewards, '"progress"', '"failure"')`;
    const { difference } = await verified(changed(path, (db) => db.exec(renamed)));
    expect(difference).toMatchObject({ part: 'rewards', path: '/rewards/byName/ann/failure' });
    const earlier = `UPDATE steps SET rewards = json_remove(rewards, '$.byName')`;
    expect(await verified(changed(path, (db) => db.exec(earlier)))).toMatchObject({ difference: null });
  });

  it('is damaged where one is changed, and differs where its hashes were forged too', async () => {
    const { path } = await logged(scenario);
    const forge = `UPDATE steps SET rewards = json_set(rewards, '$.paid.ann', 3) WHERE step = 1`;
    const { damage } = await verified(damaged(path, (db) => db.exec(forge)));
    expect(damage).toContain('step 1 was altered');
    const { difference } = await verified(changed(path, (db) => db.exec(forge)));
    expect(difference).toMatchObject({ part: 'rewards', step: 1, logged: '3' });
    const away = 'UPDATE steps SET rewards = NULL WHERE step = 1';
    expect((await verified(changed(path, (db) => db.exec(away)))).difference?.part).toBe('rewards');
  });

  it('that was left and goes on has the same rewards as one that was not', async () => {
    const folder = temporaryFolder();
    const log = join(folder, 'whole.sqlite');
    const path = join(folder, 'left.sqlite');
    const away = corridor(`${COIN}\nrewards: { step: -0.01, progress: 1 }`, ['ACTION: WAIT', ...TAKE]);
    await leftInTheMidst(away, { log, runId: 'run', path });
    await resumeRun(path);
    const [whole, left] = [log, path].map((each) => {
      const reader = new LogReader(each);
      const all = [...reader.steps('run')].map(({ step, rewards }) => [step, rewards]);
      reader.close();
      return all;
    });
    expect(left).toEqual(whole);
    expect(left?.at(-1)).toEqual([7, expect.objectContaining({ paid: { ann: 0.99, bob: 1 } })]);
    expect(await verified(path)).toMatchObject({ difference: null });
  });
});

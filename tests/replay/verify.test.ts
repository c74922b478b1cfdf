/** A log proves itself; and whatever is changed in it, verifying names the first step and part that differ. */
import { describe, expect, it } from 'vitest';
import { corridor } from '../orchestrator/two-agents.js';
import { answering } from '../support/controllers.js';
import { changed, logged, verified } from './support.js';

const ANSWERS = ['hm', 'ACTION: LOOK', 'ACTION: GO EAST'];

async function played() {
  return logged(corridor('max: 4'), {
    controllers: { ann: answering(ANSWERS), bob: answering(['ACTION: READ sign', 'ACTION: WAIT']) },
  });
}

describe('a log as it was written', () => {
  it('is made again, step by step and frame by frame', async () => {
    const { path, end } = await played();
    expect(await verified(path)).toMatchObject({ difference: null, steps: end?.steps, status: 'ended' });
  });
});

describe('a changed log', () => {
  it.each([
    [
      'a part of the state',
      `UPDATE steps SET parts = json_set(parts, '$.rng', 'x') WHERE step = 3`,
      3,
      'rng',
    ],
    [
      'the chain',
      `UPDATE steps SET chain = replace(chain, substr(chain, 1, 1), 'z') WHERE step = 2`,
      2,
      'chain',
    ],
    [
      'an intent',
      `UPDATE steps SET acts = json_set(acts, '$[0].intent.action', 'DONE') WHERE step = 4`,
      4,
      'parser',
    ],
    [
      'a result',
      `UPDATE steps SET acts = json_set(acts, '$[0].result.message', 'x') WHERE step = 4`,
      4,
      'result',
    ],
    ['the seed', `UPDATE runs SET seed = '2'`, null, 'seed'],
    ['a missing step', `DELETE FROM steps WHERE step = 5`, 5, 'step'],
  ])('%s', async (_what, sql, step, part) => {
    const { path } = await played();
    const { difference } = await verified(changed(path, (db) => db.exec(sql)));
    expect(difference).toMatchObject({ step, part });
  });
});

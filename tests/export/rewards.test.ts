/** Rewards as columns: what came of a step up to the agent's next one, and from it on. */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { returnsIn, returnsOf } from '../../src/export/rewards.js';
import { LogReader, runScenario } from '../../src/index.js';
import { temporaryFolder } from '../support/folder.js';

it('belong to the step of an agent that they came after, whoever acted', () => {
  const steps = [
    { step: 1, agent: 'ann', rewards: { paid: { ann: -0.1, bob: 5 } } },
    { step: 2, agent: 'bob', rewards: { paid: { ann: 1 } } },
    { step: 3, agent: 'world', rewards: { paid: { ann: 0.2, bob: 0.2 } } },
    { step: 4, agent: 'ann', rewards: { paid: { ann: -0.1, bob: 10 } } },
  ];
  // Bob's 5 came before anything that he did.
  expect([...returnsOf(steps)].toSorted(([a], [b]) => a - b)).toEqual([
    [1, { reward: 1.1, return: 1 }],
    [2, { reward: 10.2, return: 10.2 }],
    [4, { reward: -0.1, return: -0.1 }],
  ]);
});

it('of a logged run begin with its whole return', async () => {
  const log = join(temporaryFolder(), 'room.sqlite');
  const { run, steps } = await runScenario(
    {
      title: 'A Room',
      map: '#####\n#A.k#\n#...#\n#####\n',
      legend: { A: { agent: 'ranger' }, k: { thing: 'key' } },
      things: { key: { name: 'brass key', kind: 'key' } },
      rooms: { hall: { name: 'hall', from: [1, 1] } },
      agents: [{ id: 'ranger', replies: ['ACTION: GO TO brass key', 'ACTION: TAKE brass key'] }],
      success: { agent: 'ranger', holds: 'key' },
      rewards: { success: 3, step: -0.1 },
    },
    { log },
  );
  const reader = new LogReader(log);
  const found = returnsIn(reader, { runId: run.runId, lastStep: steps.length });
  reader.close();
  expect(found.get(1)).toEqual({ reward: -0.1, return: 2.8 });
});

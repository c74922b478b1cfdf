/** Agents' own success and failure: each leaves the run with an outcome of its own, which the log keeps and `verify` proves. */
import { expect, it } from 'vitest';
import { runScenario } from '../../../src/index.js';
import { logged, verified } from '../../replay/support.js';

const RACE = (more: string, ann: string, bob: string): string => `title: Race
map: |
  #########
  #A..c...#
  #B..g...#
  #########
legend: { A: { agent: ann }, B: { agent: bob }, c: { thing: coin }, g: { thing: gem } }
rooms: { hall: { name: hall, from: [1, 1] } }
things: { coin: { kind: item, name: coin }, gem: { kind: item, name: gem, sprite: item/coin } }
agents:
  - { id: ann, sprite: ranger, replies: [${ann}], success: { agent: ann, holds: coin } }
  - { id: bob, sprite: ranger, replies: [${bob}], success: { agent: bob, holds: gem }, failure: { agent: any, said: stop } }
turns: { order: simultaneous, max: 6 }
${more}`;

const FETCH = (thing: string): string => `'ACTION: GO TO ${thing}', 'ACTION: TAKE ${thing}'`;
const WAIT = `'ACTION: WAIT'`;

it('decide for each agent when its own condition comes true, and it is asked no more', async () => {
  const { steps, end } = await runScenario(
    RACE('rewards: { success: 1, step: -0.5 }', FETCH('coin'), `${WAIT}, ${FETCH('gem')}`),
  );
  const outcomes = steps.flatMap(({ turn, rewards }) =>
    rewards?.outcomes ? [[turn, rewards.outcomes]] : [],
  );
  expect(outcomes).toEqual([
    [2, { ann: 'succeeded' }],
    [3, { bob: 'succeeded' }],
  ]);
  expect(steps.filter(({ agent }) => agent === 'ann').map(({ turn }) => turn)).toEqual([1, 2]);
  expect(end).toMatchObject({ status: 'ended', reason: 'no agent is left to act' });
  const paid = steps.flatMap(({ rewards }) => Object.entries(rewards?.paid ?? {}));
  const sum = (who: string): number =>
    paid.reduce((all, [agent, one]) => (agent === who ? all + one : all), 0);
  expect([sum('ann'), sum('bob')]).toEqual([0, -0.5]);
});

it('stand in the log without rewards too, failure first, and are verified', async () => {
  const stop = `'ACTION: SPEAK "stop"'`;
  const { path, end } = await logged(RACE('', stop, FETCH('gem')));
  expect(end?.finalState).toMatchObject({ marks: { 'failed:bob': 1 }, bodies: { bob: { status: 'done' } } });
  expect(await verified(path)).toMatchObject({ difference: null });
});

it('are no part of a scenario that has none', async () => {
  const { steps } = await runScenario(
    RACE('', WAIT, WAIT)
      .replace(/, success: \{[^}]*\}/g, '')
      .replace(/, failure: \{[^}]*\}/g, ''),
  );
  expect(steps.filter((step) => 'rewards' in step)).toEqual([]);
});

it('is a mistake where it names what is not there', async () => {
  const wrong = RACE('', WAIT, WAIT).replace('agent: ann, holds: coin', 'agent: ann, holds: cup');
  await expect(runScenario(wrong)).rejects.toThrow(/cup/);
});

/** A job of the queue arrives as it was sent, whoever plays its run. */
import { expect, it } from 'vitest';
import { readJob } from '../../src/batch/remote/job.js';
import type { QueueJob } from '../../src/batch/remote/job.js';
import { defaultModel } from '../../src/scenario/settings.js';
import { JOB } from './corridor-job.js';

const MODEL = {
  kind: 'model',
  spec: defaultModel(),
  servers: [{ baseUrl: 'http://one/v1', weight: 1 }],
} as const;

it.each<[string, Pick<QueueJob, 'servers'> & Pick<QueueJob['run'], 'players'>]>([
  ['the scenario', { players: { kind: 'own' }, servers: {} }],
  ['a program', { players: { kind: 'process' }, servers: {} }],
  ['a model', { players: MODEL, servers: { batch: 'http://one/v1' } }],
  [
    'different players',
    {
      players: {
        kind: 'seats',
        seats: { ann: { name: 'one', player: MODEL }, bob: { name: 'random', player: { kind: 'random' } } },
      },
      servers: { one: 'http://one/v1' },
    },
  ],
])('of %s is read as it was written', (_, { players, servers }) => {
  const job: QueueJob = { ...JOB, run: { ...JOB.run, players }, servers };
  expect(readJob(JSON.parse(JSON.stringify(job)))).toEqual(job);
});

it('is refused if a seat has a player that this program does not know', () => {
  const seats = { ann: { name: 'other', player: { kind: 'own' } } };
  const job = { ...JOB, run: { ...JOB.run, players: { kind: 'seats', seats } } };
  expect(() => readJob(job)).toThrow("the queue has a job that this version can't read: run.players");
});

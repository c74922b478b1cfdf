/** A run that is given up before its first step since the batch is being stopped is no failure: nothing is said of it, and it is left for the next time. */
import { describe, expect, it } from 'vitest';
import type { Executor } from '../../src/batch/executor.js';
import { playBatch } from '../../src/batch/play-batch.js';
import type { BatchNews } from '../../src/batch/play-batch.js';
import type { PlannedRun } from '../../src/batch/plan.js';
import { Servers } from '../../src/batch/servers.js';
import { TestClock } from '../model/harness.js';
import { temporaryFolder } from '../support/folder.js';

const RUN: PlannedRun = {
  id: 'run',
  cell: { scenario: 's', players: '', switches: {} },
  seed: '1',
  byProgram: [],
  path: 's.yaml',
  set: [],
  players: { kind: 'own' },
  maxTurns: null,
};

/** Each run throws the error; the batch is stopped meanwhile, or not. */
async function played(error: Error, isStopped: boolean) {
  const [soft, news] = [new AbortController(), [] as BatchNews[]];
  const executor: Executor = {
    play: () => {
      if (isStopped) soft.abort();
      return Promise.reject(error);
    },
    hasRun: () => false,
    release: () => Promise.resolve(),
    close: () => Promise.resolve(),
  };
  const end = await playBatch({
    runs: [RUN],
    folder: temporaryFolder(),
    ledger: new Map(),
    parallel: 1,
    limits: { requestsPerMinute: null, requestsAtOnce: null, tokens: null, cost: null },
    executor,
    servers: new Servers({
      answers: () => Promise.resolve(true),
      clock: new TestClock(),
      patienceMs: 1,
      onGone: () => undefined,
      onBack: () => undefined,
    }),
    stop: { soft: soft.signal, hard: new AbortController().signal },
    onNews: (one) => news.push(one),
  });
  const failed = news.flatMap((one) => (one.kind === 'failed' ? [one.willRetry] : []));
  return { failures: [...end.failures.keys()], failed };
}

const cancelled = new DOMException('the call was cancelled', 'AbortError');

describe('a run that could not be played', () => {
  it('since the batch is being stopped is left', async () => {
    expect(await played(cancelled, true)).toEqual({ failures: [], failed: [true] });
  });

  it('for another reason is a failure, though the batch is being stopped', async () => {
    expect(await played(new Error('broken'), true)).toEqual({ failures: ['run'], failed: [false] });
  });

  it('is a failure where nobody stops the batch', async () => {
    expect(await played(cancelled, false)).toEqual({ failures: ['run'], failed: [false] });
  });
});

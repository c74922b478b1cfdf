/** A worker that lost its run (its lock is gone, so another worker may have it) publishes nothing and stores no checkpoint, and keeps no log. */
import { copyFileSync, existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { openScenario } from '../../src/assembly/open.js';
import { prepare } from '../../src/assembly/play.js';
import type { Executor } from '../../src/batch/executor.js';
import { LostRun, playJob } from '../../src/batch/remote/played-job.js';
import type { JobPlayer } from '../../src/batch/remote/played-job.js';
import type { QueueJob } from '../../src/batch/remote/job.js';
import { openFolderStore } from '../../src/batch/store/folder-store.js';
import { LogWriter } from '../../src/log/writer.js';
import { systemDependencies } from '../../src/model/dependencies.js';
import { scenarioFile } from '../../src/scenario/folder.js';
import type { RunEnd } from '../../src/trajectory/records.js';
import { MODULES } from '../../src/worlds/registry.js';
import { corridor } from '../orchestrator/two-agents.js';
import { temporaryFolder } from '../support/folder.js';

const RUN = 'corridor-0123456789ab';
const JOB: QueueJob = {
  run: {
    id: RUN,
    path: 'corridor.yaml',
    set: [],
    players: { kind: 'scripted' },
    maxTurns: null,
    cell: { scenario: 'corridor', players: 'scripted', switches: {} },
    seed: '1',
    byProgram: [],
  },
  baseUrl: null,
  hasBudget: false,
};
const finished = join(temporaryFolder(), 'finished.sqlite');
let end: RunEnd;

beforeAll(async () => {
  const opened = await openScenario(scenarioFile(corridor('max: 2')), { modules: MODULES });
  const dependencies = systemDependencies(() => undefined);
  const prepared = await prepare(opened, { runId: RUN, dependencies, player: 'scripted' });
  const writer = new LogWriter(finished);
  end = await prepared.play(writer);
  writer.close();
});

/** "Plays" by putting the finished log there, so that nothing but the lock decides. */
const executor: Executor = {
  play: (_run, { log }) => {
    copyFileSync(finished, log);
    return Promise.resolve(end);
  },
  holds: (_run, log) => existsSync(log),
  release: () => Promise.resolve(),
  close: () => Promise.resolve(),
};

async function playedWith(requireHeld: () => Promise<void>) {
  const folder = temporaryFolder();
  const scratch = temporaryFolder();
  const store = await openFolderStore(folder, 'store');
  const player: JobPlayer = {
    store,
    executor,
    scratch,
    checkpointMs: 60_000,
    remark: () => undefined,
    bill: () => () => Promise.resolve(),
  };
  const never = new AbortController().signal;
  const result = await playJob(JOB, { stop: { soft: never, hard: never }, requireHeld }, player).catch(
    (error: unknown) => error,
  );
  return { result, stored: await store.read(RUN), left: readdirSync(scratch) };
}

it('publishes nothing of a run that it lost', async () => {
  const { result, stored, left } = await playedWith(() => Promise.reject(new LostRun('gone')));
  expect(result).toBeInstanceOf(LostRun);
  expect([stored, left]).toEqual([null, []]);
});

it('publishes a run that it holds', async () => {
  const { result, stored, left } = await playedWith(() => Promise.resolve());
  expect(result).toEqual({ kind: 'published' });
  expect([stored?.end?.chain, left]).toEqual([end.chain, []]);
});

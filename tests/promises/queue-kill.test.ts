/**
 * Promise: a batch on a queue loses no run and doubles none, however often its workers are killed (SIGKILL) or stand still (SIGSTOP) for longer than
 * they may. Every run has the chain that it has in one process, and little is played twice. Needs the built package and redis-server.
 * @module-tag long
 */
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { known } from '../../src/base/assert.js';
import { LogReader } from '../../src/log/reader.js';
import { corridor } from '../orchestrator/two-agents.js';
import { runProgram, startProgram } from '../support/children.js';
import type { Child } from '../support/children.js';
import { temporaryFolder } from '../support/folder.js';
import { NO_REDIS, startRedis } from '../support/redis-server.js';
import { draws } from './lives.js';
import { SIZED, grouped, reached, sizeOf } from '../support/sizes.js';

const WORKERS = 4;
const LOCK_SECONDS = 2;
/** Starts of runs for each run. */
const WORK_MAX = 1.3;

function chainsIn(folder: string): ReadonlyMap<string, string | undefined> {
  const chains = new Map<string, string | undefined>();
  for (const name of readdirSync(folder).filter((one) => one.endsWith('.sqlite'))) {
    const reader = new LogReader(join(folder, name));
    for (const { runId } of reader.runs()) {
      expect(chains.has(runId)).toBe(false);
      chains.set(runId, reader.end(runId)?.chain);
    }
    reader.close();
  }
  return chains;
}

it(
  'a batch whose workers are killed and stopped again and again publishes every run once',
  SIZED,
  async ({ skip }) => {
    const redis = (await startRedis()) ?? skip(NO_REDIS);
    const [runs, blows] = [sizeOf('queueRuns'), sizeOf('queueBlows')];
    const cwd = temporaryFolder();
    const draw = draws('queue');
    writeFileSync(join(cwd, 'corridor.yaml'), corridor('max: 4'));
    const models = 'models: { scripted: { controller: scripted }, random: { controller: random } }';
    writeFileSync(
      join(cwd, 'many.yaml'),
      `scenarios: [corridor.yaml]\n${models}\nseeds: ${runs / 2}\nparallel: 16\n`,
    );
    const at = ['--queue', redis.url, '--store', 'store'];
    const all: Child[] = [];
    const start = (): Child => {
      const words = ['worker', ...at, '--parallel', '1', '--lock', String(LOCK_SECONDS)];
      const worker = startProgram(words, { cwd });
      all.push(worker);
      return worker;
    };
    const living = Array.from({ length: WORKERS }, start);
    const batch = startProgram(['batch', 'many.yaml', ...at], { cwd });
    const done = { killed: 0, stopped: 0, isOver: false };
    void batch.ended.then(() => (done.isOver = true));
    for (let blow = 1; blow <= blows && !done.isOver; blow++) {
      const due = Math.floor((blow * runs) / (blows + 1));
      while (!done.isOver && chainsOver(batch) < due) await wait(20);
      const i = draw(WORKERS);
      const worker = known(living[i], 'a worker');
      if (draw(2) === 0) {
        worker.process.kill('SIGKILL');
        living[i] = start();
        done.killed += 1;
      } else {
        worker.process.kill('SIGSTOP');
        void wait(LOCK_SECONDS * (500 + draw(2000))).then(() => worker.process.kill('SIGCONT'));
        done.stopped += 1;
      }
    }
    const { code, err } = await batch.ended;
    for (const { process } of living) process.kill('SIGCONT');
    for (const { process } of living) process.kill('SIGINT');
    await Promise.all(all.map(({ ended }) => ended));
    await redis.kill();

    expect([code, err]).toEqual([0, '']);
    await runProgram(['batch', 'many.yaml', '--out', 'calm', '--quiet'], { cwd });
    const chains = chainsIn(join(cwd, 'store'));
    expect(chains.size).toBe(runs);
    expect(chains).toEqual(new Map([...chainsIn(join(cwd, 'calm'))].toSorted(byName)));
    const names = readdirSync(join(cwd, 'store')).filter((name) => !name.endsWith('.sqlite'));
    expect(names.toSorted()).toEqual(expect.arrayContaining(['checkpoints', 'store.json']));
    expect(names.filter((name) => name.includes('.other-'))).toEqual([]);
    const starts = all.reduce((sum, worker) => sum + worker.output().split('playing ').length - 1, 0);
    reached(
      'a queue',
      `${grouped(runs)} runs, ${done.killed} workers killed and ${done.stopped} stopped, ${starts} starts, none lost or doubled`,
    );
    expect(starts / runs).toBeLessThanOrEqual(WORK_MAX);
    expect(done.killed + done.stopped).toBe(blows);
  },
);

/** How many runs the batch has told as over. */
function chainsOver(batch: Child): number {
  return batch
    .output()
    .split('\n')
    .filter((line) => /^ *\d+\/\d+ /.test(line)).length;
}

function byName([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1;
}

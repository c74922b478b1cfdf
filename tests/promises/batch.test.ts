/**
 * Promise 2 of a batch: killed with SIGKILL at any moment, three times in a row, it ends with `--resume` as one that was left alone, and what was
 * answered is not asked again.
 */
import { copyFileSync, existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LogReader } from '../../src/log/reader.js';
import { startFakeServer } from '../fake-server/server.mjs';
import type { FakeServer } from '../fake-server/server.mjs';
import { corridor } from '../orchestrator/two-agents.js';
import { startProgram } from '../support/children.js';
import { temporaryFolder } from '../support/folder.js';
import { SIZED, sizeOf, someOf } from '../support/sizes.js';

const cwd = temporaryFolder();
const RUNS = 12;
const PARALLEL = 4;
const KILLS = sizeOf('batchBlows');
const FILE = 'batch.yaml';
let server: FakeServer;
let untouched: readonly string[];

beforeAll(async () => {
  server = await startFakeServer({ latencyMs: 15 });
  writeFileSync(join(cwd, 'corridor.yaml'), corridor('max: 4'));
  writeFileSync(
    join(cwd, FILE),
    [
      'scenarios: [corridor.yaml]',
      `models: { fake: { base_url: "${server.baseUrl}", model: fake-vlm } }`,
      `seeds: ${RUNS}`,
      `parallel: ${PARALLEL}`,
    ].join('\n'),
  );
  const { code } = await startProgram(['batch', FILE, '--out', 'untouched', '--quiet'], { cwd }).ended;
  expect(code).toBe(0);
  untouched = chainsIn('untouched');
  expect(untouched).toHaveLength(RUNS);
});

afterAll(() => server.close());

function logsIn(folder: string): readonly string[] {
  const path = join(cwd, folder);
  return existsSync(path) ? readdirSync(path).filter((name) => name.endsWith('.sqlite')) : [];
}

/** "id status chain" of every run, sorted. */
function chainsIn(folder: string): readonly string[] {
  const found = logsIn(folder).flatMap((log) => {
    const reader = new LogReader(join(cwd, folder, log));
    const runs = reader
      .runs()
      .map(({ runId, status }) => `${runId} ${status} ${reader.end(runId)?.chain ?? ''}`);
    reader.close();
    return runs;
  });
  return found.toSorted();
}

describe('a batch that is killed', () => {
  it.each(someOf([260, 40, 90, 150], 'batchKills'))(
    'after some %i ms of playing, again and again, ends as if nothing had been',
    SIZED,
    async (ms) => {
      const folder = `killed-${ms}`;
      const asked = server.chats.length;
      for (let kill = 0; kill < KILLS; kill++) {
        const child = startProgram(['batch', FILE, '--out', folder, '--resume', '--quiet'], { cwd });
        const before = server.chats.length;
        while (server.chats.length === before && child.process.exitCode === null) await wait(2);
        await wait(ms);
        child.process.kill('SIGKILL');
        await child.ended;
      }
      const last = await startProgram(['batch', FILE, '--out', folder, '--resume', '--quiet'], { cwd }).ended;
      expect(last.err).toBe('');
      expect(last.code).toBe(0);
      expect(chainsIn(folder)).toEqual(untouched);
      const whole = RUNS * 8;
      // Of each run that was being played one call may have been under way.
      expect(server.chats.length - asked).toBeLessThanOrEqual(whole + KILLS * PARALLEL);
      const logs = logsIn(folder).map((log) => join(folder, log));
      expect((await startProgram(['verify', ...logs], { cwd }).ended).code).toBe(0);
    },
  );

  it('by a log that is not one is told, and nothing else of the folder is touched', async () => {
    copyFileSync(join(cwd, FILE), join(cwd, 'untouched', 'runs-009.sqlite'));
    const { code, err } = await startProgram(['batch', FILE, '--out', 'untouched', '--resume'], { cwd })
      .ended;
    expect(code).toBe(2);
    expect(err).toContain('untouched/runs-009.sqlite');
  });
});

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

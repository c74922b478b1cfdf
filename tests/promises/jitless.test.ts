/**
 * The whole program where nothing may be compiled while it runs (`node --jitless`, as hardened systems have it): every command works, and a run
 * has the chain that it has elsewhere. Needs dist/.
 */
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { LogReader } from '../../src/log/reader.js';
import { startFakeServer } from '../fake-server/server.mjs';
import type { FakeServer } from '../fake-server/server.mjs';
import { COMMANDS, folderForCommands, startCommand } from '../support/every-command.js';
import { temporaryFolder } from '../support/folder.js';
import { grouped, PROMISE_TIMEOUT_MS, reached, sizeOf } from './sizes.js';

const NEEDED = new Set(['model.sqlite', 'process.sqlite']);

/** Each once, and what makes the logs that others need; a soak tries every way of each. */
const TRIED = COMMANDS.filter(
  (words, i) =>
    sizeOf('openFileLimits') > 1 ||
    words.some((word) => NEEDED.has(word)) ||
    COMMANDS.findIndex(([verb]) => verb === words[0]) === i,
);

const cwd = temporaryFolder();
let server: FakeServer;

beforeAll(async () => {
  server = await startFakeServer({ images: 'any' });
});

afterAll(() => server.close());

const chainOf = (log: string): string | undefined => {
  const reader = new LogReader(log);
  try {
    return reader.end(reader.runs()[0]?.runId ?? '')?.chain;
  } finally {
    reader.close();
  }
};

it(
  'every command works under --jitless',
  async () => {
    const folder = folderForCommands(join(cwd, 'jitless'), server);
    for (const words of TRIED) {
      const { code, err, out } = await startCommand(words, {
        cwd: folder,
        server,
        nodeOptions: ['--jitless'],
      });
      expect(code, `${words.join(' ')}: ${err}${out}`).toBe(0);
      // Node's own word on flags that it turns off is no complaint of ours.
      expect(err, words.join(' ')).not.toMatch(/WebAssembly|\n\s+at |internal error/);
    }
    const elsewhere = folderForCommands(join(cwd, 'compiled'), server);
    const words = COMMANDS.find((each) => each.includes('model.sqlite')) ?? [];
    expect(await startCommand(words, { cwd: elsewhere, server })).toMatchObject({ code: 0 });
    const [compiled, jitless] = [elsewhere, folder].map((place) => chainOf(join(place, 'model.sqlite')));
    expect([typeof compiled, jitless]).toEqual(['string', compiled]);
    reached('--jitless', `${grouped(TRIED.length)} commands, 0 failed, the same chain`);
  },
  PROMISE_TIMEOUT_MS,
);

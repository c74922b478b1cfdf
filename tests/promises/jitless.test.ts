/**
 * The whole program where nothing may be compiled while it runs (`node --jitless`, as hardened systems have it): every command works, and a run
 * has the chain that it has elsewhere. Needs dist/.
 * @module-tag long
 */
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { LogReader } from '../../src/log/reader.js';
import { startFakeServer } from '../fake-server/server.mjs';
import type { FakeServer } from '../fake-server/server.mjs';
import { COMMANDS, folderForCommands, startCommand } from '../support/every-command.js';
import { temporaryFolder } from '../support/folder.js';
import { LONG_SIZED, grouped, reached, sizeOf } from '../support/sizes.js';

/** The first of them make the logs that the others read. */
const TRIED = COMMANDS.slice(0, sizeOf('commands'));

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

it('every command works under --jitless', LONG_SIZED, async () => {
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
});

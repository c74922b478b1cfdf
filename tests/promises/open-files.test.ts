/**
 * Few open files: every command works where a process may have 64 at once, and where it may have fewer still says so in words, with how to
 * allow more; never a stack trace, never another reason. Children of the built program, with the limit that a shell sets. Needs dist/.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startFakeServer } from '../fake-server/server.mjs';
import type { FakeServer } from '../fake-server/server.mjs';
import { ROOT, startProgram } from '../support/children.js';
import type { Ended } from '../support/children.js';
import { batchOf, COMMANDS, folderForCommands, startCommand } from '../support/every-command.js';
import { temporaryFolder } from '../support/folder.js';
import { grouped, LONG_SIZED, SIZED, reached, sizeOf, someOf } from '../support/sizes.js';

/** From the smallest under which every command must work; some systems allow 256. */
const LIMITS_TRIED = [64, 72, 80, 96, 112, 128, 192, 256, 384, 512].slice(0, sizeOf('openFileLimits'));
const isSoak = LIMITS_TRIED.length > 1;

const cwd = temporaryFolder();

/** Whether Node itself starts a program with so few: Node 20 needs 19, Node 22 crashes with 20. */
const nodeStarts = (openFiles: number): boolean => {
  const program = join(cwd, 'empty.mjs');
  writeFileSync(program, '');
  const words = ['-c', 'ulimit -n "$0" && exec "$1" "$2"', String(openFiles), process.execPath, program];
  return spawnSync('sh', words).status === 0;
};
const TOO_FEW = [20, 24, 28, 32, 36, 40, 44, 46].filter(nodeStarts);

let server: FakeServer;
const tried = { starts: 0 };

/** A folder of its own for each limit. */
const freshFolder = (name: string): string => folderForCommands(join(cwd, name), server);

function start(words: readonly string[], folder: string, openFiles: number): Promise<Ended> {
  tried.starts += 1;
  return startCommand(words, { cwd: folder, openFiles, server });
}

beforeAll(async () => {
  server = await startFakeServer({ images: 'any' });
});

afterAll(() => server.close());

/** What must never be said or shown of it. */
const MISLEADING = /\n\s+at |does not exist|internal error|no such|not found|can't find/i;

describe.skipIf(process.platform === 'win32')('where few files may be open', () => {
  it.each(LIMITS_TRIED)('every command works with %i', LONG_SIZED, async (limit) => {
    const folder = freshFolder(`with-${limit}`);
    for (const words of COMMANDS.slice(0, sizeOf('commands'))) {
      const { code, err, out } = await start(words, folder, limit);
      expect(code, `${words.join(' ')}: ${err}${out}`).toBe(0);
      expect(err).not.toMatch(MISLEADING);
    }
  });

  it.each(someOf(TOO_FEW, 'tooFewFiles'))(
    'no command says anything but that %i are too few',
    SIZED,
    async (limit) => {
      const folder = freshFolder(`without-${limit}`);
      const some = COMMANDS.filter((_, i) => isSoak || i % TOO_FEW.length === TOO_FEW.indexOf(limit));
      for (const words of some) {
        const { code, err, out } = await start(words, folder, limit);
        expect([code, out], words.join(' ')).toEqual([3, '']);
        expect(err).toMatch(/^error: .*open files.*`ulimit -n 1024`\n$/);
      }
    },
  );

  it(
    'a batch that plays more at once than may be open says so before it plays',
    { tags: ['long'] },
    async () => {
      const folder = freshFolder('batch');
      writeFileSync(join(folder, 'batch.yaml'), batchOf(12, 12, server));
      const refused = await start(['batch', 'batch.yaml', '--out', 'many'], folder, 64);
      expect(refused).toMatchObject({ code: 3, out: '' });
      expect(refused.err).toMatch(/playing 12 runs at once needs up to 60 open files.*`ulimit -n 1024`/);
      expect(existsSync(join(folder, 'many'))).toBe(false);
      const played = await start(['batch', 'batch.yaml', '--out', 'many', '--parallel', '4'], folder, 64);
      expect(played, played.err).toMatchObject({ code: 0 });
    },
  );

  it('the page of a run is served where 64 may be open', { tags: ['long'] }, async () => {
    const folder = freshFolder('view');
    await start(['run', 'corridor.yaml', '--out', 'a.sqlite'], folder, 64);
    const child = startProgram(['view', 'a.sqlite', '--no-open'], { cwd: folder, openFiles: 64 });
    await child.prints(/http:\/\/127\.0\.0\.1:\d+\/#token=\S+/);
    const [address = ''] = /http:\S+/.exec(child.output()) ?? [];
    const pages = await Promise.all(Array.from({ length: 8 }, () => fetch(address)));
    expect(pages.map(({ status }) => status)).toEqual(Array(8).fill(200));
    await Promise.all(pages.map((page) => page.text()));
    child.process.kill('SIGINT');
    await child.ended;
  });

  it('a world is served, and its clients start, where 128 may be open', { tags: ['long'] }, async () => {
    const folder = freshFolder('served');
    const place = ['--listen', '127.0.0.1:0', '--pace', 'lockstep', '--wait', 'all'];
    const child = startProgram(['serve', 'corridor.yaml', ...place], { cwd: folder, openFiles: 128 });
    await child.prints(/serving \S+,/);
    child.process.kill('SIGINT');
    await child.ended;
    const world = '127.0.0.1:1';
    writeFileSync(
      join(folder, 'runner.yaml'),
      JSON.stringify({ world, agents: { all: { program: process.execPath } } }),
    );
    for (const words of [
      ['agent', '--world', world, '--entity', 'a', '--controller', 'scripted'],
      ['runner', 'runner.yaml'],
    ]) {
      const { code, err } = await start(words, folder, 128);
      expect([code, err], words.join(' ')).toEqual([2, expect.stringContaining('ECONNREFUSED')]);
    }
  });

  it("a program of one's own takes the library where 256 may be open", { tags: ['long'] }, () => {
    const words = [process.execPath, join(ROOT, 'examples', 'own-action.mjs')];
    const out = execFileSync('sh', ['-c', 'ulimit -n 256 && exec "$@"', 'sh', ...words], {
      encoding: 'utf8',
    });
    expect(out).toContain('dong, dong');
  });

  it('has a figure', LONG_SIZED, () => {
    reached('open files', `${grouped(tried.starts)} starts of ${COMMANDS.length} commands, 0 badly met`);
    expect(tried.starts).toBeGreaterThan(COMMANDS.length);
  });
});

/**
 * Promise 3: a full or read-only disk ends a run with exit code 3 and words about what to do; the log stays readable and is never removed or begun
 * anew; with room again the run goes on to the end it would have had. A small disk of its own where one can be mounted, a limit on the size of
 * files everywhere. Needs the built package.
 */
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { LogReader } from '../../src/log/reader.js';
import { corridor } from '../orchestrator/two-agents.js';
import { orchestrate } from '../support/captured-io.js';
import { PROGRAM, ROOT, startProgram } from '../support/children.js';
import type { Ended } from '../support/children.js';
import { temporaryFolder } from '../support/folder.js';
import { play } from '../support/play.js';
import { withSmallDisk } from '../support/small-disk.js';
import { look, NOTHING } from './stored-run.js';
import { LONG_SIZED, SIZED, reached, sizeOf, someOf } from '../support/sizes.js';

const folder = temporaryFolder();
const SCENARIO = 'scenarios/crypt.yaml';
const WORDS = ['--controller', 'scripted', '--json'];
/** Room for the beginning of the run and not for its end, in blocks of 1024 bytes as `ulimit -f` of bash counts them. */
const BLOCKS = someOf([420, 200, 700], 'fileLimits');

/** The program where no file grows beyond a limit: writes fail with EFBIG. */
function limited(words: readonly string[], blocks: number): Promise<Ended> {
  const script = `trap '' XFSZ; ulimit -f ${blocks}; exec "$0" "$@"`;
  const child = spawn('bash', ['-c', script, process.execPath, PROGRAM, ...words], { cwd: ROOT });
  const printed = { out: '', err: '' };
  child.stdout.on('data', (data: Buffer) => (printed.out += data.toString()));
  child.stderr.on('data', (data: Buffer) => (printed.err += data.toString()));
  return new Promise((resolve) => child.on('close', (code, signal) => resolve({ code, signal, ...printed })));
}

/** Null where this process may not mount a disk. */
function withDisk<T>(size: string, work: (disk: string) => Promise<T>): Promise<T | null> {
  const disk = join(folder, `disk-${size}`);
  return withSmallDisk(disk, size, () => work(disk));
}

/** `told`: where the reason stands. */
function expectRefusal({ code, err }: Ended, told = err): void {
  expect(code, err).toBe(3);
  expect(told).toMatch(/: can't (write|open|read) the log/);
  expect(err).toMatch(/hint: /);
  expect(err).not.toMatch(/internal error/);
}

describe('a disk that is full', () => {
  it(
    'by a limit on files: the log is whole, and the run goes on where there is room',
    LONG_SIZED,
    async () => {
      const whole = await play(SCENARIO);
      for (const blocks of BLOCKS) {
        const log = join(folder, `limited-${blocks}.sqlite`);
        expectRefusal(await limited(['run', SCENARIO, '--out', log, ...WORDS], blocks));
        const before = statSync(log).ino;
        const stored = look(log, whole, NOTHING);
        expect(stored.faults).toEqual([]);
        const again = await startProgram([
          stored.steps > 0 ? 'resume' : 'run',
          ...(stored.steps > 0 ? [log] : [SCENARIO, '--out', log]),
          ...WORDS,
        ]).ended;
        expect(again.code, again.err).toBe(0);
        expect(again.out).toContain(whole.end.chain);
        expect(statSync(log).ino).toBe(before);
        expect(look(log, whole, stored).steps).toBe(whole.sink.steps.length);
      }
      reached(
        '3 disk full',
        `${BLOCKS.length} runs stopped by a limit on files: exit 3, log whole, gone on with to the same end`,
      );
    },
  );

  it(
    'by a disk of its own: it says what to free, and goes on once there is room',
    { tags: ['long'] },
    async () => {
      const whole = await play(SCENARIO);
      const isMounted = await withDisk('2m', async (disk) => {
        const log = join(disk, 'run.sqlite');
        const filler = join(disk, 'filler');
        writeFileSync(filler, Buffer.alloc(1_000_000));
        const full = await startProgram(['run', SCENARIO, '--out', log, ...WORDS]).ended;
        expectRefusal(full);
        expect(full.err).toMatch(/the disk is full/);
        expect(full.err).toMatch(
          /hint: the log is complete up to step \d+|hint: the earlier contents of the log are complete/,
        );
        expect(full.err).toMatch(/hint: free space/);
        const stored = look(log, whole, NOTHING);
        expect(stored.faults).toEqual([]);
        expect(stored.steps).toBeGreaterThan(0);
        rmSync(filler);
        execFileSync('mount', ['-o', 'remount,size=16m', disk]);
        const again = await startProgram(['resume', log, ...WORDS]).ended;
        expect(again.code, again.err).toBe(0);
        expect(again.out).toContain(whole.end.chain);
        execFileSync('mount', ['-o', 'remount,ro', disk]);
        for (const words of [
          ['resume', log],
          ['run', SCENARIO, '--out', join(disk, 'new.sqlite'), ...WORDS],
        ]) {
          const refused = await startProgram(words).ended;
          // A run that is over has nothing to write.
          if (words[0] === 'run') expectRefusal(refused);
          else expect(refused.code).toBe(0);
        }
        const reader = new LogReader(log);
        expect([...reader.steps(reader.runs()[0]?.runId ?? '')]).toHaveLength(whole.sink.steps.length);
        reader.close();
        return true;
      });
      if (isMounted === true)
        reached(
          '3 disk full',
          'a full and a read-only disk of its own: exit 3, log readable, gone on with to the same end',
        );
    },
  );
});

/** The smallest disk that is tried, and the largest: a run that is over fits into it. In KB, as `mount` counts. */
const [LEAST, MOST] = [4, 480] as const;
const PAGE = 4;
const FEW = [
  'scenarios: [corridor.yaml]',
  'models: { scripted: { controller: scripted } }',
  'seeds: 3',
  'parallel: 2',
];

function chainsIn(logs: string): readonly string[] {
  const names = existsSync(logs) ? readdirSync(logs).filter((name) => name.endsWith('.sqlite')) : [];
  const chains = names.flatMap((name) => {
    const reader = new LogReader(join(logs, name));
    const found = reader.runs().map(({ runId }) => `${runId} ${reader.end(runId)?.chain ?? ''}`);
    reader.close();
    return found;
  });
  return chains.toSorted();
}

describe('a disk that is full in the first moments', () => {
  it(
    'of the logs of a batch: exit 3, whatever there is room for, and with room it goes on to the same end',
    LONG_SIZED,
    async () => {
      const cwd = join(folder, 'batch');
      mkdirSync(cwd);
      writeFileSync(join(cwd, 'corridor.yaml'), corridor('max: 2'));
      writeFileSync(join(cwd, 'few.yaml'), FEW.join('\n'));
      expect((await orchestrate(['batch', 'few.yaml', '--out', 'whole', '--quiet'], { cwd })).code).toBe(0);
      const whole = chainsIn(join(cwd, 'whole'));
      const steps = Math.max(1, sizeOf('fullDisks') - 1);
      const sizes = Array.from(
        { length: steps + 1 },
        (_, i) => LEAST + Math.round(((MOST - LEAST) * i) / steps / PAGE) * PAGE,
      );
      let refused = 0;
      for (const size of new Set(sizes)) {
        const isMounted = await withDisk(`${size}k`, async (disk) => {
          const words = ['batch', 'few.yaml', '--out', disk, '--quiet'];
          const full = await orchestrate(words, { cwd });
          if (full.code !== 0) {
            refused += 1;
            // Which runs could not be played is told where a batch tells of its runs; the error says what to try.
            expectRefusal({ ...full, signal: null }, full.out);
          }
          const logs = readdirSync(disk)
            .filter((name) => name.endsWith('.sqlite'))
            .map((name) => join(disk, name));
          const seen = logs.length > 0 ? await orchestrate(['verify', ...logs], { cwd }) : null;
          expect(seen?.code ?? 0, `${size} KB: ${seen?.err} ${seen?.out}`).toBe(0);
          expect(readdirSync(disk).filter((name) => name.endsWith('.tmp'))).toEqual([]);
          execFileSync('mount', ['-o', 'remount,size=64m', disk]);
          const again = await orchestrate([...words, '--resume'], { cwd });
          expect(again.code, `${size} KB: ${again.err}`).toBe(0);
          expect(chainsIn(disk)).toEqual(whole);
          return true;
        });
        if (isMounted === null) return;
      }
      expect(refused).toBeGreaterThan(steps / 4);
      reached(
        '3 disk full',
        `a batch on ${sizes.length} disks of ${LEAST} to ${MOST} KB: ${refused} times exit 3, each gone on with to the same end`,
      );
    },
  );

  it('of a project: exit 3, what to free, and nothing is left', async () => {
    await withDisk('8k', async (disk) => {
      writeFileSync(join(disk, 'filler'), Buffer.alloc(4096));
      const full = await orchestrate(['init', 'mine'], { cwd: disk });
      expect(full).toMatchObject({ code: 3, out: '' });
      expect(full.err).toMatch(
        /error: can't create a project in .*mine: the disk is full\n +hint: free space/,
      );
      expect(readdirSync(disk)).toEqual(['filler']);
      execFileSync('mount', ['-o', 'remount,size=16m', disk]);
      expect((await orchestrate(['init', 'mine'], { cwd: disk })).code).toBe(0);
    });
  });

  it.each(someOf([1, 90, 200], 'fileLimits'))(
    'of a run whose files may have %i KB: it begins anew or goes on',
    SIZED,
    async (blocks) => {
      const log = join(folder, 'first', `${blocks}.sqlite`);
      expectRefusal(await limited(['run', SCENARIO, '--out', log, ...WORDS], blocks));
      const isThere = existsSync(log);
      if (isThere) expect((await orchestrate(['verify', log])).code).toBe(0);
      const again = await orchestrate(
        isThere ? ['resume', log, ...WORDS] : ['run', SCENARIO, '--out', log, ...WORDS],
      );
      expect(again.code, again.err).toBe(0);
      expect(again.out).toContain((await play(SCENARIO)).end.chain);
    },
  );
});

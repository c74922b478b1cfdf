/** Exports of the built program that are killed at any moment: nothing half has a final name, and going on ends with the same bytes. Needs dist/. */
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { startProgram, runProgram } from '../support/children.js';
import type { Ended } from '../support/children.js';
import { temporaryFolder } from '../support/folder.js';
import { SIZED, someOf } from '../support/sizes.js';
import { filesIn } from './runs.js';

const cwd = temporaryFolder();
const log = join(cwd, 'run.sqlite');

beforeAll(async () => {
  await runProgram(['run', 'scenarios/crypt.yaml', '--controller', 'scripted', '--quiet', '--out', log]);
});

/** Starts it, and kills it once so many files are there. */
async function struck(args: readonly string[], out: string, files: number): Promise<Ended> {
  const child = startProgram(args);
  const watch = setInterval(() => {
    if (namesIn(join(cwd, out)).length >= files) child.process.kill('SIGKILL');
  }, 10);
  const ended = await child.ended;
  clearInterval(watch);
  return ended;
}

/** While they come and go. */
function namesIn(folder: string): readonly string[] {
  try {
    const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    return names.filter((name) => /\.(?:webp|tar|parquet)$/.test(name));
  } catch {
    return [];
  }
}

describe('a killed export', () => {
  it.each([
    ['openai', ['--image', 'webp', '--scale', '2']],
    ['imagefolder', ['--image', 'webp', '--scale', '2']],
    ['webdataset', ['--image', 'webp', '--shard-rows', '5']],
    ['parquet', ['--shard-rows', '5', '--image', 'webp']],
  ])('%s', { tags: ['long'] }, async (format, words) => {
    const args = (out: string) => [
      'export',
      log,
      '--format',
      format,
      ...words,
      '--limit',
      '24',
      '--out',
      join(cwd, out),
    ];
    expect((await runProgram(args(`${format}-whole`))).code).toBe(0);
    const whole = filesIn(join(cwd, `${format}-whole`));
    const out = `${format}-killed`;
    const first = await struck(args(out), out, 2);
    expect(first.signal).toBe('SIGKILL');
    for (const [name, bytes] of Object.entries(filesIn(join(cwd, out))))
      if (!/\.part(?:\/|$)/.test(name) && name !== 'unfinished.json')
        expect([name, bytes.equals(whole[name] ?? Buffer.alloc(0))]).toEqual([name, true]);
    await struck([...args(out), '--continue'], out, 4);
    expect((await runProgram([...args(out), '--continue'])).code).toBe(0);
    expect(filesIn(join(cwd, out))).toEqual(whole);
  });
});

describe('an export that may write no more', () => {
  it.each(someOf(['webdataset', 'parquet', 'imagefolder', 'jsonl'], 'diskFormats'))(
    'as %s says so in words',
    SIZED,
    async (format) => {
      const out = join(cwd, `${format}-full`);
      // The system's limit for a file, in blocks of 512 or 1024 bytes.
      const words = `ulimit -f 40; exec "$0" dist/cli/main.js export "$1" --format ${format} --out "$2"`;
      const ran = spawnSync('bash', ['-c', words, process.execPath, log, out], { encoding: 'utf8' });
      expect([ran.status, ran.stderr]).toEqual([3, expect.stringMatching(/^error: .*can't be written/m)]);
      expect(ran.stderr).not.toMatch(/\n +at /);
    },
  );
});

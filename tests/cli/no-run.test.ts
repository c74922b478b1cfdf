/** A folder of logs with files that hold no run, as a kill, a full disk or an older version leaves them: told, and in nobody's way. */
import { copyFileSync, mkdirSync, readdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { exportLogs } from '../../src/export/export-logs.js';
import { corridor } from '../orchestrator/two-agents.js';
import { orchestrate } from '../support/captured-io.js';
import { temporaryFolder } from '../support/folder.js';

const cwd = temporaryFolder();
const on = (...args: readonly string[]) => orchestrate(args, { cwd });

beforeAll(async () => {
  writeFileSync(join(cwd, 'corridor.yaml'), corridor('max: 2'));
  expect((await on('run', 'corridor.yaml', '--controller', 'scripted', '--out', 'whole.sqlite')).code).toBe(
    0,
  );
  writeFileSync(join(cwd, 'empty.sqlite'), '');
  copyFileSync(join(cwd, 'whole.sqlite'), join(cwd, 'orchestrate-new-999999999-0123456789ab.tmp'));
  copyFileSync(join(cwd, 'whole.sqlite'), join(cwd, 'damaged.sqlite'));
  truncateSync(join(cwd, 'damaged.sqlite'), 20_000);
});

const WITHOUT = ['empty.sqlite', 'orchestrate-new-999999999-0123456789ab.tmp'];
const COMMANDS: readonly (readonly [words: readonly string[], more: readonly string[]])[] = [
  [['verify'], []],
  [['report'], []],
  [['reparse'], []],
  [['export'], ['--format', 'jsonl', '--out', 'data', '--dry-run']],
  [['view'], ['--out', 'page.html', '--force']],
];

describe.each(COMMANDS)('%s', (words, more) => {
  it('tells of files without a run, and reads the others', async () => {
    const { code, err } = await on(...words, ...WITHOUT, 'whole.sqlite', ...more);
    expect(code, err).toBe(0);
    const told = err.split('\n').filter((line) => line.startsWith('warning: '));
    for (const name of WITHOUT)
      expect(told).toContain(
        `warning: ${name} contains no run: the program was stopped before it logged anything`,
      );
  });

  it('refuses where there are no others, and a damaged log as before', async () => {
    const alone = await on(...words, ...WITHOUT, ...more);
    expect(alone.code).toBe(2);
    expect(alone.err).toContain('error: empty.sqlite contains no run');
    const damaged = await on(...words, 'damaged.sqlite', 'whole.sqlite', ...more);
    expect(damaged.code).toBe(3);
    expect(damaged.err).toContain('damaged');
  });
});

it('exportLogs takes what there is', async () => {
  const logs = ['empty.sqlite', 'whole.sqlite'].map((name) => join(cwd, name));
  const { rows } = await exportLogs({ logs, format: 'jsonl', out: join(cwd, 'exported') });
  expect(rows).toBeGreaterThan(0);
});

it('a batch tells of it, and plays into it', async () => {
  mkdirSync(join(cwd, 'runs'));
  writeFileSync(join(cwd, 'runs', 'runs-001.sqlite'), '');
  writeFileSync(
    join(cwd, 'batch.yaml'),
    'scenarios: [corridor.yaml]\nmodels: { scripted: { controller: scripted } }\nseeds: 2\n',
  );
  const { code, err } = await on('batch', 'batch.yaml', '--out', 'runs', '--resume', '--quiet');
  expect(code, err).toBe(0);
  expect(err).toContain('warning: runs/runs-001.sqlite contains no run');
  expect(readdirSync(join(cwd, 'runs'))).toContain('runs-001.sqlite');
  const again = await on('batch', 'batch.yaml', '--out', 'runs', '--resume', '--quiet');
  expect(again).toMatchObject({ code: 0, err: '' });
});

it('an export that was broken off before it could say what it is to be begins anew', async () => {
  mkdirSync(join(cwd, 'begun'));
  writeFileSync(join(cwd, 'begun', 'unfinished.json.part'), '{"for');
  const words = ['export', 'whole.sqlite', '--format', 'jsonl', '--out'];
  expect((await on(...words, 'begun', '--continue')).code).toBe(0);
  expect((await on(...words, 'fresh')).code).toBe(0);
  expect(readdirSync(join(cwd, 'begun')).toSorted()).toEqual(readdirSync(join(cwd, 'fresh')).toSorted());
});

it('half frames of a killed run go with the run that goes on; nothing else of the folder does', async () => {
  mkdirSync(join(cwd, 'frames'));
  const [half, theirs] = ['000001-turn-0001-ann.png.part', 'mine.part'];
  for (const name of [half, theirs]) writeFileSync(join(cwd, 'frames', name), 'half');
  const run = [
    'run',
    'corridor.yaml',
    '--controller',
    'scripted',
    '--out',
    'framed.sqlite',
    '--frames',
    'frames',
  ];
  expect((await on(...run)).code).toBe(0);
  const parts = readdirSync(join(cwd, 'frames')).filter((name) => name.endsWith('.part'));
  expect(parts).toEqual([theirs]);
});

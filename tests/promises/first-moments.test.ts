/**
 * Promise 2 for the first moments of a log and of an export: a command that is killed after any call of the system that changes something leaves a
 * folder that every other command reads, or tells what is missing there, and the same command goes on to the end that it would have had. Where one
 * process may look at another's calls, the folder is made after each of them; named points of real processes are in `kill.test.ts`. Needs dist/.
 */
import { mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { LogReader } from '../../src/log/reader.js';
import { corridor } from '../orchestrator/two-agents.js';
import { orchestrate } from '../support/captured-io.js';
import { temporaryFolder } from '../support/folder.js';
import { canTrace, folderAfter, tracedCommand, writeFolder } from './folder-trace.js';
import type { FolderChange, FolderFiles } from './folder-trace.js';
import { SIZED, grouped, reached, sizeOf, someOf } from '../support/sizes.js';

const folder = temporaryFolder();
const disks = temporaryFolder();

const BATCH = [
  'scenarios: [corridor.yaml]',
  'models: { scripted: { controller: scripted }, random: { controller: random } }',
  'seeds: 2',
  'parallel: 2',
];
const RUN = ['run', 'corridor.yaml', '--controller', 'scripted', '--out', 'runs/a.sqlite'];

interface Case {
  name: string;
  /** What is done before the command that is watched. */
  before: readonly (readonly string[])[];
  words: readonly string[];
  /** What is typed to go on, by what lies there. */
  goOn: (cwd: string) => readonly string[];
}

const CASES: readonly Case[] = [
  {
    name: 'run',
    before: [],
    words: RUN,
    goOn: (cwd) => (runsIn(cwd).length > 0 ? ['resume', 'runs/a.sqlite'] : RUN),
  },
  {
    name: 'batch',
    before: [],
    words: ['batch', 'batch.yaml', '--out', 'runs'],
    goOn: () => ['batch', 'batch.yaml', '--out', 'runs', '--resume'],
  },
  {
    name: 'fork',
    before: [RUN],
    words: forkWords(),
    goOn: (cwd) => {
      const [, fork] = runsIn(cwd);
      return fork === undefined ? forkWords() : ['resume', `runs/a.sqlite#${fork.runId}`];
    },
  },
  {
    name: 'export',
    before: [RUN],
    words: ['export', 'runs/a.sqlite', '--format', 'openai', '--out', 'data'],
    goOn: () => ['export', 'runs/a.sqlite', '--format', 'openai', '--out', 'data', '--continue'],
  },
];

function forkWords(): readonly string[] {
  return ['fork', 'runs/a.sqlite', '--at', '2', '--controller', 'scripted', '--set', 'turns.max=3'];
}

interface Watched {
  start: FolderFiles;
  changes: readonly FolderChange[];
  end: readonly string[];
}

/** Plays the whole of a case, and what it did on the way. */
async function watched({ name, before, words }: Case): Promise<Watched> {
  const cwd = join(folder, name);
  mkdirSync(cwd);
  writeFileSync(join(cwd, 'corridor.yaml'), corridor('max: 2'));
  writeFileSync(join(cwd, 'batch.yaml'), BATCH.join('\n'));
  for (const one of before) expect((await orchestrate(one, { cwd })).code).toBe(0);
  const start = filesIn(cwd);
  const changes = tracedCommand(words, { folder: cwd, trace: join(folder, `${name}.trace`) });
  const seen = folderAfter(start, changes, changes.length);
  // What strace told is what was done.
  expect([...seen.keys()].toSorted()).toEqual([...filesIn(cwd).keys()].toSorted());
  for (const [path, file] of filesIn(cwd))
    expect(seen.get(path)?.bytes.equals(file?.bytes ?? Buffer.alloc(0)) ?? true, path).toBe(true);
  return { start, changes, end: endOf(cwd) };
}

function filesIn(cwd: string): FolderFiles {
  const names = readdirSync(cwd, { recursive: true, encoding: 'utf8' });
  return new Map(
    names.map((name) => {
      const path = join(cwd, name);
      return [name, statSync(path).isDirectory() ? null : { bytes: readFileSync(path) }] as const;
    }),
  );
}

interface FoundRun {
  runId: string;
  chain: string;
}

/** Throws where a log can't be read. */
function runsIn(cwd: string): readonly FoundRun[] {
  return logsIn(cwd).flatMap((log) => {
    try {
      const reader = new LogReader(join(cwd, log));
      const runs = reader.runs().map(({ runId }) => ({ runId, chain: reader.end(runId)?.chain ?? '' }));
      reader.close();
      return runs;
    } catch {
      return [];
    }
  });
}

function logsIn(cwd: string): readonly string[] {
  return [...filesIn(cwd).keys()].filter((name) => name.endsWith('.sqlite')).toSorted();
}

/** All that two whole executions have in common: names of files, chains, bytes of an export. */
function endOf(cwd: string): readonly string[] {
  // What SQLite has beside a log of which everything was written before the kill lies there until somebody writes it again.
  const own = [...filesIn(cwd)].filter(([path]) => !/\.sqlite-(wal|shm|journal)$/.test(path));
  const files = own.map(([path, file]) =>
    path.startsWith('data/') && file !== null ? `${path} ${file.bytes.toString('base64')}` : path,
  );
  const chains = runsIn(cwd).map(({ chain }) => chain);
  return [...files.toSorted(), ...chains.toSorted()];
}

/** What is wrong with a folder that a kill left; null for nothing. */
async function faultOf({ goOn }: Case, files: FolderFiles, end: readonly string[]): Promise<string | null> {
  const cwd = join(disks, 'disk');
  rmSync(cwd, { recursive: true, force: true });
  mkdirSync(cwd);
  writeFolder(cwd, files);
  const looks = await faultOfLooking(cwd);
  if (looks !== null) return looks;
  const { code, err } = await orchestrate(goOn(cwd), { cwd });
  if (code !== 0) return `it can't be gone on with: exit ${code}, ${err}`;
  const found = endOf(cwd);
  const [lost, more] = [end.filter((one) => !found.includes(one)), found.filter((one) => !end.includes(one))];
  if (lost.length + more.length > 0) return `the end lacks ${shown(lost)} and has ${shown(more)}`;
  const verified = await orchestrate(['verify', ...logsIn(cwd)], { cwd });
  return verified.code === 0 ? null : `it differs: ${verified.err}${verified.out}`;
}

/** Commands that only read refuse nothing but a folder without any run. */
async function faultOfLooking(cwd: string): Promise<string | null> {
  const logs = logsIn(cwd);
  if (logs.length === 0) return null;
  const code = runsIn(cwd).length > 0 ? 0 : 2;
  const looking = [
    ['verify', ...logs],
    ['report', ...logs],
    ['export', ...logs, '--format', 'jsonl', '--out', 'other', '--dry-run'],
    ['view', ...logs, '--out', join(disks, 'page.html'), '--force'],
  ];
  for (const words of looking) {
    const looked = await orchestrate(words, { cwd });
    if (looked.code !== code || looked.err.includes('internal error'))
      return `${words.join(' ')} ended with ${looked.code}: ${looked.err}`;
  }
  return null;
}

function shown(list: readonly string[]): string {
  return list.length === 0 ? 'nothing' : list.map((one) => one.slice(0, 80)).join(', ');
}

/** Of calls of one kind on one file in a row, the first and the last; of those, so many, evenly. */
function sample(changes: readonly FolderChange[]): readonly number[] {
  const isSame = (a: FolderChange | undefined, b: FolderChange): boolean =>
    a?.call === b.call && a.path === b.path;
  const all = [...changes.keys()].map((i) => i + 1);
  const edges = all.filter((count) => {
    const [one, before, after] = [changes[count - 1], changes[count - 2], changes[count]];
    return one !== undefined && !(isSame(before, one) && after !== undefined && isSame(after, one));
  });
  return someOf(all.length <= sizeOf('firstMoments') ? all : edges, 'firstMoments');
}

describe.runIf(canTrace())('killed after a call of the system', () => {
  it.each(someOf(CASES, 'firstCommands'))(
    'of $name, everything else reads what is left, and it ends as if nothing had been',
    SIZED,
    async (one) => {
      const { start, changes, end } = await watched(one);
      const counts = sample(changes);
      const faults: string[] = [];
      for (const count of counts) {
        const fault = await faultOf(one, folderAfter(start, changes, count), end);
        const last = changes[count - 1];
        if (fault !== null) faults.push(`after call ${count} (${last?.call} ${last?.path}): ${fault}`);
      }
      expect(faults.slice(0, 5)).toEqual([]);
      reached(
        '2 kill',
        `${one.name}: folders after ${grouped(counts.length)} of ${grouped(changes.length)} calls of the system, each gone on with to the same end`,
      );
    },
  );
});

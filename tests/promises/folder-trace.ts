/**
 * What a command changes in its folder, call by call of the system, and the folder as a kill after each of those calls leaves it: what was done is
 * there, what comes after is not. In: words of a command; out: its changes in order (strace saw them), and the folder after any of them.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { known } from '../../src/base/assert.js';
import { PROGRAM } from '../support/children.js';
import { bytesOf } from './disk-trace.js';

/** One call of the system that changed something below the folder. Paths are relative to it. */
export interface FolderChange {
  call: string;
  path: string;
  apply: (files: FolderFiles) => void;
}

/** By path, content; null for a folder. Two names of one file share it. */
export type FolderFiles = Map<string, { bytes: Buffer } | null>;

const TRACED =
  'openat,creat,write,writev,pwrite64,ftruncate,rename,renameat,renameat2,link,linkat,unlink,unlinkat,mkdir,mkdirat,rmdir';

/** Whether this machine lets one process look at another's calls. */
export function canTrace(): boolean {
  return spawnSync('strace', ['-e', 'trace=none', 'true']).status === 0;
}

/** Runs `orchestrate` with these words in `folder` and tells what it changed there. */
export function tracedCommand(
  words: readonly string[],
  { folder, trace }: { folder: string; trace: string },
): readonly FolderChange[] {
  const strace = ['-xx', '-y', '-s', '10000000', '-e', `trace=${TRACED}`, '-o', trace];
  const { status, stderr } = spawnSync('strace', [...strace, process.execPath, PROGRAM, ...words], {
    cwd: folder,
    env: { PATH: process.env['PATH'] ?? '' },
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`orchestrate ${words.join(' ')} ended with ${status}: ${stderr}`);
  return changesIn(readFileSync(trace, 'latin1'), folder);
}

function changesIn(trace: string, folder: string): readonly FolderChange[] {
  const changes: FolderChange[] = [];
  for (const line of trace.split('\n')) {
    const call = /^(\w+)\((.*)\)\s+= (\d+)(?:<[^>]*>)?$/.exec(line);
    if (call === null) continue;
    const [, name = '', args = '', result = ''] = call;
    const strings = [...args.matchAll(/"((?:\\x[0-9a-f]{2})*)"/g)].map(([, hex = '']) => bytesOf(hex));
    const opened = /^\d+<((?:\\x[0-9a-f]{2})+)>/.exec(args)?.[1];
    const isOnFile = /^(write|writev|pwrite64|ftruncate)$/.test(name);
    const paths = isOnFile
      ? [opened === undefined ? '' : bytesOf(opened).toString()]
      : strings.map((path) => path.toString());
    const [path = '', to = ''] = paths.map((one) => below(one, folder));
    if (path === '') continue;
    const apply = changeOf(name, { args, result: Number(result), path, to, data: Buffer.concat(strings) });
    if (apply !== null) changes.push({ call: name, path, apply });
  }
  return changes;
}

/** The path from the folder on; '' for one that lies elsewhere. */
function below(path: string, folder: string): string {
  // A socket or pipe has no path.
  const whole = /^\w+:\[/.test(path) ? '' : join(path.startsWith('/') ? '' : folder, path);
  return whole.startsWith(`${folder}/`) ? whole.slice(folder.length + 1) : '';
}

interface Call {
  args: string;
  result: number;
  path: string;
  to: string;
  data: Buffer;
}

/** Null for a call that changes nothing. */
function changeOf(name: string, { args, result, path, to, data }: Call): FolderChange['apply'] | null {
  const last = Number(/(\d+)$/.exec(args)?.[1]);
  switch (name) {
    case 'openat':
    case 'creat':
      return openingOf(path, args);
    case 'write':
    case 'writev':
      return (files) => writeAt(files, path, null, data.subarray(0, result));
    case 'pwrite64':
      return (files) => writeAt(files, path, last, data.subarray(0, result));
    case 'ftruncate':
      return (files) => {
        const file = files.get(path);
        if (file == null) return;
        const next = Buffer.alloc(last);
        file.bytes.copy(next);
        file.bytes = next;
      };
    case 'unlink':
    case 'unlinkat':
    case 'rmdir':
      return (files) => void files.delete(path);
    case 'mkdir':
    case 'mkdirat':
      return (files) => void files.set(path, null);
    case 'link':
    case 'linkat':
      return (files) => void files.set(to, known(files.get(path), path));
    default:
      return (files) => moveTo(files, path, to);
  }
}

function openingOf(path: string, args: string): FolderChange['apply'] | null {
  if (!/O_CREAT|O_TRUNC/.test(args)) return null;
  return (files) => {
    const file = files.get(path);
    if (file == null) files.set(path, { bytes: Buffer.alloc(0) });
    else if (args.includes('O_TRUNC')) file.bytes = Buffer.alloc(0);
  };
}

/** At the end where no place is given: files are written in order. */
function writeAt(files: FolderFiles, path: string, place: number | null, data: Buffer): void {
  const file = files.get(path);
  // It has lost its name, or is a folder's.
  if (file == null) return;
  const at = place ?? file.bytes.length;
  const next = Buffer.alloc(Math.max(file.bytes.length, at + data.length));
  file.bytes.copy(next);
  data.copy(next, at);
  file.bytes = next;
}

/** A folder takes along what is in it. */
function moveTo(files: FolderFiles, path: string, to: string): void {
  for (const [name, file] of files) {
    if (name !== path && !name.startsWith(`${path}/`)) continue;
    files.delete(name);
    files.set(to + name.slice(path.length), file);
  }
}

/** The folder after the first `count` changes, beginning with what was there before. */
export function folderAfter(
  before: FolderFiles,
  changes: readonly FolderChange[],
  count: number,
): FolderFiles {
  const files: FolderFiles = new Map(
    [...before].map(([path, file]) => [path, file === null ? null : { bytes: file.bytes }]),
  );
  for (const { apply } of changes.slice(0, count)) apply(files);
  return files;
}

export function writeFolder(folder: string, files: FolderFiles): void {
  for (const [path, file] of files) {
    const whole = join(folder, path);
    mkdirSync(file === null ? whole : dirname(whole), { recursive: true });
    if (file !== null) writeFileSync(whole, file.bytes);
  }
}

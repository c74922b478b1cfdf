/**
 * What a process did to its log's files, as strace saw it, and the disks that a power cut may leave of it. In: a trace; out: operations in
 * order, and for a moment and a seed the content of each file. What was synced is there; of what was not, anything may be lost, come before
 * what was written earlier, or be torn at a sector. The directory's own changes are kept in order.
 */
import { known } from '../../src/base/assert.js';

/** Files are named by what follows the log's path: '', '-wal', '-journal'; the one in which a log is made by `TEMPORARY`. */
export type Operation =
  | { kind: 'create' | 'unlink' | 'sync'; file: string }
  | { kind: 'write'; file: string; at: number; data: Buffer }
  | { kind: 'truncate'; file: string; bytes: number }
  | { kind: 'link'; file: string; to: string }
  | { kind: 'sync-folder' }
  /** Lines about finished steps that had been printed by then. */
  | { kind: 'told'; lines: number };

export const TRACED = 'openat,write,writev,pwrite64,fsync,fdatasync,ftruncate,link,unlink,rename';

/** The name that a log has while it is made, of a process that is gone. */
export const TEMPORARY = 'orchestrate-new-999999999-000000000000.tmp';

/** What is torn is torn here: a disk writes whole sectors. */
const SECTOR_BYTES = 512;

/** Reads what `strace -xx -y -s 10000000 -e trace=TRACED` wrote of the thread that writes the log. Throws where it does what is not known here. */
export function operationsIn(trace: string, log: string): readonly Operation[] {
  const folder = log.slice(0, log.lastIndexOf('/'));
  const found: Operation[] = [];
  const there = new Set<string>();
  let told = 0;
  for (const line of trace.split('\n')) {
    const call = /^(\w+)\((.*)\)\s+= (\d+)/.exec(line);
    if (call === null) continue;
    const [, name, args = '', result = ''] = call;
    const strings = [...args.matchAll(/"((?:\\x[0-9a-f]{2})*)"/g)].map(([, hex = '']) => bytesOf(hex));
    const on = /^\d+<((?:\\x[0-9a-f]{2})+)>/.exec(args)?.[1];
    const path = on === undefined ? pathIn(strings) : bytesOf(on).toString();
    if (name === 'write' || name === 'writev') {
      if (!args.startsWith('1<')) continue;
      told += strings
        .join('')
        .split('\n')
        .filter((text) => /^ *T\d+ {2}/.test(text)).length;
      found.push({ kind: 'told', lines: told });
      continue;
    }
    if (path === folder && /^f(data)?sync$/.test(name ?? '')) found.push({ kind: 'sync-folder' });
    const file = fileIn(path, log);
    if (file === null) continue;
    switch (name) {
      case 'openat':
        if (there.has(file) || !args.includes('O_CREAT')) break;
        there.add(file);
        found.push({ kind: 'create', file });
        break;
      case 'pwrite64': {
        const data = known(strings[0], 'what is written').subarray(0, Number(result));
        found.push({ kind: 'write', file, at: Number(/(\d+)$/.exec(args)?.[1]), data });
        break;
      }
      case 'ftruncate':
        found.push({ kind: 'truncate', file, bytes: Number(/(\d+)$/.exec(args)?.[1]) });
        break;
      case 'fsync':
      case 'fdatasync':
        found.push({ kind: 'sync', file });
        break;
      case 'link': {
        const to = known(fileIn(String(strings[1]), log), 'a name of the log');
        there.add(to);
        found.push({ kind: 'link', file, to });
        break;
      }
      case 'unlink':
        there.delete(file);
        found.push({ kind: 'unlink', file });
        break;
      default:
        throw new Error(`${name} of ${path}`);
    }
  }
  return found;
}

/** Null for what is none of the log's files, or not kept on the disk. */
function fileIn(path: string, log: string): string | null {
  if (/\/orchestrate-new-[^/]*\.tmp$/.test(path)) return TEMPORARY;
  return path.startsWith(log) && !path.endsWith('-shm') ? path.slice(log.length) : null;
}

export function bytesOf(hex: string): Buffer {
  return Buffer.from(hex.replaceAll('\\x', ''), 'hex');
}

function pathIn(strings: readonly Buffer[]): string {
  return strings[0]?.toString() ?? '';
}

type Change = Extract<Operation, { kind: 'write' | 'truncate' }>;

/** A file apart from its name: one that is unlinked and made again is another. */
interface Inode {
  synced: Buffer;
  pending: Change[];
}

export interface Disk {
  /** By the end of its name. */
  files: ReadonlyMap<string, Buffer>;
  told: number;
}

/** How much of what was not synced gets lost. */
export type Loss = 'all' | 'the-end' | 'any' | 'torn';

/** A disk as a power cut right after the first `count` operations may leave it. */
export function diskAfter(
  operations: readonly Operation[],
  count: number,
  loss: Loss,
  draw: (below: number) => number,
): Disk {
  const inodes = new Map<string, Inode>();
  /** What the folder holds for sure, and what it was told since. */
  let names = new Map<string, Inode>();
  let renames: ((names: Map<string, Inode>) => void)[] = [];
  let told = 0;
  for (const operation of operations.slice(0, count)) {
    switch (operation.kind) {
      case 'create': {
        const inode: Inode = { synced: Buffer.alloc(0), pending: [] };
        inodes.set(operation.file, inode);
        renames.push((all) => all.set(operation.file, inode));
        break;
      }
      case 'link': {
        const inode = known(inodes.get(operation.file), operation.file);
        inodes.set(operation.to, inode);
        renames.push((all) => all.set(operation.to, inode));
        break;
      }
      case 'unlink':
        renames.push((all) => all.delete(operation.file));
        break;
      case 'sync-folder':
        for (const rename of renames) rename(names);
        renames = [];
        break;
      case 'sync': {
        const inode = known(inodes.get(operation.file), operation.file);
        inode.synced = inode.pending.reduce(applied, inode.synced);
        inode.pending = [];
        break;
      }
      case 'told':
        told = operation.lines;
        break;
      default:
        known(inodes.get(operation.file), operation.file).pending.push(operation);
    }
  }
  names = new Map(names);
  const kept = loss === 'all' ? 0 : draw(renames.length + 1);
  for (const rename of renames.slice(0, kept)) rename(names);
  const files = new Map([...names].map(([name, inode]) => [name, left(inode, loss, draw)] as const));
  return { files, told };
}

function left({ synced, pending }: Inode, loss: Loss, draw: (below: number) => number): Buffer {
  if (loss === 'all') return synced;
  if (loss === 'the-end') return pending.slice(0, draw(pending.length + 1)).reduce(applied, synced);
  // Few are lost, or few are kept.
  const among = known([2, 8, 8][draw(3)], 'a chance');
  const isKeptMostly = draw(2) === 0;
  const kept = pending.flatMap((change) => {
    const isRare = draw(among) === 0;
    if (isRare === isKeptMostly) return [];
    return loss === 'torn' && change.kind === 'write' && draw(3) === 0 ? sectorsOf(change, draw) : [change];
  });
  return kept.reduce<Buffer>(applied, synced);
}

/** Some of a write's sectors. */
function sectorsOf(
  { file, at, data }: Extract<Change, { kind: 'write' }>,
  draw: (below: number) => number,
): readonly Change[] {
  const sectors: Change[] = [];
  let from = 0;
  while (from < data.length) {
    const to = Math.min(data.length, from + SECTOR_BYTES - ((at + from) % SECTOR_BYTES));
    if (draw(2) === 0) sectors.push({ kind: 'write', file, at: at + from, data: data.subarray(from, to) });
    from = to;
  }
  return sectors;
}

function applied(content: Buffer, change: Change): Buffer {
  if (change.kind === 'truncate') {
    const next = Buffer.alloc(change.bytes);
    content.copy(next);
    return next;
  }
  const next = Buffer.alloc(Math.max(content.length, change.at + change.data.length));
  content.copy(next);
  change.data.copy(next, change.at);
  return next;
}

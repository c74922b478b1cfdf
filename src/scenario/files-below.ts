/**
 * Files below one folder: the only way to read a file that a scenario or an agent names. An opened file is
 * checked by its descriptor before a byte is read: it must be a regular file whose real path is below the
 * folder, without a dotfile or dot folder in the path, and without another, unknown name on the disk. If a
 * link or folder is swapped meanwhile, the descriptor is refused.
 */
import type { BigIntStats, Dirent } from 'node:fs';
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  openSync,
  opendirSync,
  readlinkSync,
  realpathSync,
} from 'node:fs';
import { join, relative, sep } from 'node:path';
import { NotGivenError, READ_FLAGS, readDescriptor } from './regular-file.js';

const DOTTED = 'files and folders whose names begin with a dot are never read';
const HARD_LINKED =
  'it has a second name on the disk (a hard link), which may be anywhere; use a copy instead';
const LINKED = 'links are not followed';
const OUTSIDE = 'it is outside the folder';

/** A folder and how its files are reached. */
export interface OpenedFolder {
  /** Its real path, determined once: a folder that replaces it later is a different one. */
  readonly root: string;
  /** Whether links are followed, to places below the folder. */
  readonly followsLinks: boolean;
}

export interface FolderEntries {
  readonly entries: readonly Dirent[];
  readonly hasMore: boolean;
}

/** Whether a name is that of a dotfile or dot folder. */
export function isDotted(name: string): boolean {
  return name.startsWith('.');
}

/**
 * The bytes of a file below the folder, by the parts of its path. Throws NotGivenError, or the system's own
 * error.
 */
export function readBelow(folder: OpenedFolder, parts: readonly string[], bytesMax: number): Uint8Array {
  return opened(folder, parts, (descriptor) => readDescriptor(descriptor, bytesMax));
}

/**
 * The entries of a folder below it (no parts: the folder itself), without dotfiles and dot folders, up to a
 * maximum. Throws like `readBelow`.
 */
export function entriesBelow(folder: OpenedFolder, parts: readonly string[], max: number): FolderEntries {
  return opened(folder, parts, (descriptor, place) => {
    if (!fstatSync(descriptor).isDirectory()) throw new NotGivenError('it is not a folder');
    // By the descriptor, if the system has a way to do this: the path may lead to another folder by now.
    const entries = entriesAt(descriptorPath(descriptor) ?? place, max);
    requireBelow(folder, place, descriptor);
    return entries;
  });
}

function entriesAt(place: string, max: number): FolderEntries {
  const directory = opendirSync(place);
  const entries: Dirent[] = [];
  try {
    for (let entry = directory.readSync(); entry !== null; entry = directory.readSync()) {
      if (isDotted(entry.name)) continue;
      if (entries.length >= max) return { entries, hasMore: true };
      entries.push(entry);
    }
  } finally {
    directory.closeSync();
  }
  return { entries, hasMore: false };
}

function opened<T>(
  folder: OpenedFolder,
  parts: readonly string[],
  use: (descriptor: number, place: string) => T,
): T {
  if (parts.some(isDotted)) throw new NotGivenError(DOTTED);
  const place = join(folder.root, ...parts);
  if (!folder.followsLinks) requireNoLinks(folder.root, parts);
  requireReadable(place);
  const noFollow = folder.followsLinks ? 0 : (constants.O_NOFOLLOW ?? 0);
  const descriptor = openSync(place, READ_FLAGS | noFollow);
  try {
    // Checked before the path: if a second name is removed in between, the descriptor has no path left.
    requireOneName(descriptor);
    requireBelow(folder, place, descriptor);
    return use(descriptor, place);
  } finally {
    closeSync(descriptor);
  }
}

/** Reports a link as such; whether it still is none is checked by the descriptor. */
function requireNoLinks(root: string, parts: readonly string[]): void {
  let place = root;
  for (const part of parts) {
    place = join(place, part);
    if (lstatSync(place).isSymbolicLink()) throw new NotGivenError(LINKED);
  }
}

/** Opening some devices has an effect. */
function requireReadable(place: string): void {
  const stats = lstatSync(place);
  if (!stats.isFile() && !stats.isDirectory() && !stats.isSymbolicLink())
    throw new NotGivenError('it is not a file');
}

function requireOneName(descriptor: number): void {
  const stats = fstatSync(descriptor);
  if (stats.isFile() && stats.nlink > 1) throw new NotGivenError(HARD_LINKED);
}

function requireBelow({ root, followsLinks }: OpenedFolder, place: string, descriptor: number): void {
  const real = realPathOf(descriptor, place);
  if (real === null || !isWithin(root, real)) throw new NotGivenError(OUTSIDE);
  if (relative(root, real).split(sep).some(isDotted)) throw new NotGivenError(DOTTED);
  if (!followsLinks && real !== place && descriptorPath(descriptor) !== null) throw new NotGivenError(LINKED);
}

export function isWithin(root: string, place: string): boolean {
  return place === root || place.startsWith(root.endsWith(sep) ? root : root + sep);
}

/** A path to an open descriptor, independent of its names, if the system has one; otherwise null. */
function descriptorPath(descriptor: number): string | null {
  return TELLS_PATHS ? `${DESCRIPTORS}/${descriptor}` : null;
}

const DESCRIPTORS = '/proc/self/fd';
const TELLS_PATHS = process.platform === 'linux' && existsSync(DESCRIPTORS);

/** The real path of an open file; null if unknown. */
function realPathOf(descriptor: number, place: string): string | null {
  const shown = descriptorPath(descriptor);
  return shown === null ? pathHeldAgainst(descriptor, place) : readlinkSync(shown);
}

/**
 * Without descriptor paths: the path's current target, if it is the opened file, checked twice. A folder that
 * is swapped between all of these checks is not noticed.
 */
function pathHeldAgainst(descriptor: number, place: string): string | null {
  const open = fstatSync(descriptor, { bigint: true });
  const [first, second] = [0, 1].map(() => {
    const real = realpathSync.native(place);
    return isSame(lstatSync(real, { bigint: true }), open) ? real : null;
  });
  return first === second ? (first ?? null) : null;
}

function isSame(one: BigIntStats, other: BigIntStats): boolean {
  return one.dev === other.dev && one.ino === other.ino;
}

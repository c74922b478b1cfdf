/**
 * Files below one folder: the only way to read a file that a scenario or an agent names. An opened file is
 * checked by its descriptor before a byte is read: it must be a regular file whose real path is below the
 * folder, without a dotfile or dot folder in the path. A second name on the disk (a hard link) may be anywhere,
 * so it must be one that nobody else can have made. If a link or folder is swapped meanwhile, the descriptor
 * is refused.
 */
import type { Dirent } from 'node:fs';
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  openSync,
  opendirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
} from 'node:fs';
import { join, relative, sep } from 'node:path';
import { PACKAGE_FOLDER } from '../package/folders.js';
import { FileRefusedError, READ_FLAGS, readDescriptor } from './regular-file.js';

const DOTFILE_REFUSED = 'files and folders whose names begin with a dot are never read';
const HARD_LINK_REFUSED =
  'it has a second name on the disk (a hard link), which may be anywhere; use a copy instead';
const LINK_REFUSED = 'links are not followed';
const OUTSIDE_REFUSED = 'it is outside the folder';

/** A folder below which files are read, and whether links are followed. */
export interface OpenedFolder {
  /** Its real path, determined once: a folder that replaces it later is a different one. */
  root: string;
  /** Whether links are followed, to places below the folder. */
  followsLinks: boolean;
  /** Whether a file may have a second name that only this user can have made. */
  allowsOwnNames: boolean;
}

export interface FolderEntries {
  entries: readonly Dirent[];
  hasMore: boolean;
}

/** Whether a name is that of a dotfile or dot folder. */
export function isDotted(name: string): boolean {
  return name.startsWith('.');
}

/**
 * The bytes of a file below the folder, by the parts of its path. Throws FileRefusedError, or the system's own
 * error.
 */
export function readBelow(folder: OpenedFolder, parts: readonly string[], bytesMax: number): Uint8Array {
  return withOpened(folder, parts, (descriptor) => readDescriptor(descriptor, bytesMax));
}

/**
 * The entries of a folder below it (no parts: the folder itself), without dotfiles and dot folders, up to a
 * maximum. Throws like `readBelow`.
 */
export function entriesBelow(folder: OpenedFolder, parts: readonly string[], max: number): FolderEntries {
  return withOpened(folder, parts, (descriptor, path) => {
    if (!fstatSync(descriptor).isDirectory()) throw new FileRefusedError('it is not a folder');
    // By the descriptor if possible, because the path may lead to another folder by now.
    const entries = entriesAt(descriptorPath(descriptor) ?? path, max);
    requireBelow(folder, path, descriptor);
    return entries;
  });
}

function entriesAt(path: string, max: number): FolderEntries {
  const directory = opendirSync(path);
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

function withOpened<T>(
  folder: OpenedFolder,
  parts: readonly string[],
  use: (descriptor: number, path: string) => T,
): T {
  if (parts.some(isDotted)) throw new FileRefusedError(DOTFILE_REFUSED);
  const path = join(folder.root, ...parts);
  if (!folder.followsLinks) requireNoLinks(folder.root, parts);
  requireReadable(path);
  const noFollow = folder.followsLinks ? 0 : (constants.O_NOFOLLOW ?? 0);
  const descriptor = openSync(path, READ_FLAGS | noFollow);
  try {
    // Checked before the path: if a second name is removed in between, the descriptor has no path left.
    requireOneName(folder, descriptor);
    requireBelow(folder, path, descriptor);
    return use(descriptor, path);
  } finally {
    closeSync(descriptor);
  }
}

/** Refuses links with a clear message; the check of the descriptor covers links that appear afterwards. */
function requireNoLinks(root: string, parts: readonly string[]): void {
  let path = root;
  for (const part of parts) {
    path = join(path, part);
    if (lstatSync(path).isSymbolicLink()) throw new FileRefusedError(LINK_REFUSED);
  }
}

/** Refuses devices before they are opened, because opening some of them has an effect. */
function requireReadable(path: string): void {
  const stats = lstatSync(path);
  if (!stats.isFile() && !stats.isDirectory() && !stats.isSymbolicLink())
    throw new FileRefusedError('it is not a file');
}

function requireOneName({ root, allowsOwnNames }: OpenedFolder, descriptor: number): void {
  const stats = fstatSync(descriptor);
  if (stats.isFile() && stats.nlink > 1) {
    // Package managers share the files of a package between projects (pnpm).
    if (IS_INSTALLED && isWithin(PACKAGE_FOLDER, root)) return;
    if (allowsOwnNames && areLinksProtected() && stats.uid === process.getuid?.()) return;
    throw new FileRefusedError(HARD_LINK_REFUSED);
  }
}

const IS_INSTALLED = PACKAGE_FOLDER.split(sep).includes('node_modules');

/**
 * Whether Linux lets nobody make a second name of another user's file, as by default: a file of this user
 * then has it from this user (`cp -al`).
 */
function areLinksProtected(): boolean {
  try {
    return readFileSync('/proc/sys/fs/protected_hardlinks', 'utf8').trim() === '1';
  } catch {
    return false;
  }
}

function requireBelow({ root, followsLinks }: OpenedFolder, path: string, descriptor: number): void {
  const real = realPathOf(descriptor, path);
  if (real === null || !isWithin(root, real)) throw new FileRefusedError(OUTSIDE_REFUSED);
  if (relative(root, real).split(sep).some(isDotted)) throw new FileRefusedError(DOTFILE_REFUSED);
  if (!followsLinks && real !== path && descriptorPath(descriptor) !== null)
    throw new FileRefusedError(LINK_REFUSED);
}

export function isWithin(root: string, path: string): boolean {
  return path === root || path.startsWith(root.endsWith(sep) ? root : root + sep);
}

/** A path to an open descriptor, independent of its names, if the system has one; otherwise null. */
function descriptorPath(descriptor: number): string | null {
  return HAS_DESCRIPTOR_PATHS ? `${DESCRIPTORS}/${descriptor}` : null;
}

const DESCRIPTORS = '/proc/self/fd';
const HAS_DESCRIPTOR_PATHS = process.platform === 'linux' && existsSync(DESCRIPTORS);

/** The real path of an open file; null if unknown. */
function realPathOf(descriptor: number, path: string): string | null {
  const descriptorLink = descriptorPath(descriptor);
  return descriptorLink === null ? verifiedPath(descriptor, path) : readlinkSync(descriptorLink);
}

/**
 * Without descriptor paths: the path's current target, if it is the opened file, checked twice. A folder that
 * is swapped between all of these checks is not noticed.
 */
function verifiedPath(descriptor: number, path: string): string | null {
  const opened = fstatSync(descriptor, { bigint: true });
  const [first, second] = [0, 1].map(() => {
    const real = realpathSync.native(path);
    const { dev, ino } = lstatSync(real, { bigint: true });
    return dev === opened.dev && ino === opened.ino ? real : null;
  });
  return first === second ? (first ?? null) : null;
}

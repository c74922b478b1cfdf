/**
 * What LIST_FILES, READ_FILE and SEARCH_FILES reach for: the regular files below one folder, and nothing else on the disk. No path is
 * followed through a link, whether it leads out or not; nothing but regular files is ever opened, and without waiting, so that no pipe or
 * device holds a run. Everything has a limit. Out comes JSON for the log; what can't be given is `{ error }` in words for the agent.
 */
import { constants, realpathSync, statSync } from 'node:fs';
import type { Dirent } from 'node:fs';
import { lstat, open, opendir, realpath } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { counted } from '../base/counted.js';
import { UsageError } from '../base/errors.js';
import { compareText } from '../base/ids.js';
import type { Json } from '../base/json.js';
import { LIMITS } from '../base/limits.js';
import { cutText } from '../base/text.js';
import type { Performer } from '../orchestrator/parts.js';
import { FILE_PERFORMERS } from '../worlds/toolbox/definition.js';
import { holdsWords, keyWordsOf } from '../worlds/toolbox/words.js';
import type { Origin, Performers } from './performers.js';

/** Why something can't be given, in words for the agent. */
class Refusal extends Error {}

/** Those of a scenario: the folder that the user named, else the scenario's own. Throws UsageError where either is not to be read from. */
export function scenarioFileTools({ definition, folder, root, isLogged = false }: Origin): Performers {
  const named = (definition as { readonly folder?: string | null }).folder ?? null;
  if (root !== null && named === null)
    throw new UsageError('the scenario has no files to read', [
      'leave --root out, or give the scenario a folder:',
    ]);
  if (root !== null) return fileTools(folderNamed(root));
  if (named !== null && isLogged)
    throw new UsageError("the run's agents read files, and a log doesn't say where they lie", [
      `name their folder (${named} beside the scenario) with --root`,
    ]);
  if (named === null || folder === null) return fileTools(null);
  const place = folderNamed(join(folder, named));
  if (!isBelow(realpathSync(folder), place))
    throw new UsageError(`${named} leads out of the folder of the scenario`);
  return fileTools(place);
}

/** The real path of a folder that the user or the scenario named. */
function folderNamed(path: string): string {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats?.isDirectory() === true) return realpathSync(path);
  throw new UsageError(`${path} is no folder`, ['name a folder whose files may be read']);
}

/** The performers for a folder; null where there is none to read from. */
export function fileTools(folder: string | null): Performers {
  const within =
    (
      perform: (root: string, args: Parameters<Performer>[0], signal: AbortSignal) => Promise<Json>,
    ): Performer =>
    async (args, _agent, signal) => {
      try {
        if (folder === null) throw new Refusal('there is no folder to read from');
        return await perform(await realpath(folder), args, signal);
      } catch (error) {
        signal.throwIfAborted();
        return { error: wordsFor(error) };
      }
    };
  return {
    [FILE_PERFORMERS.list]: within((root, { folder: path }) => list(root, textOf(path))),
    [FILE_PERFORMERS.read]: within((root, { path }) => read(root, textOf(path))),
    [FILE_PERFORMERS.search]: within((root, { words }, signal) => search(root, textOf(words), signal)),
  };
}

function textOf(value: string | number | undefined): string {
  return value === undefined ? '' : String(value);
}

/** The machine's own messages hold paths that are nobody's business. */
function wordsFor(error: unknown): string {
  if (error instanceof Refusal) return error.message;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'ENOENT' || code === 'ENOTDIR') return 'there is no such file or folder';
  return code === 'EACCES' || code === 'EPERM' ? 'it may not be read' : 'it could not be read';
}

/** The parts of a path as an agent writes it; `.`, empty parts and a slash at the end mean nothing. */
function partsOf(path: string): readonly string[] {
  if (/[\0\\]/.test(path) || /^(?:\/|~|[A-Za-z]:)/.test(path))
    throw new Refusal('only paths below the folder are read, with / between their parts');
  const parts = path.split('/').filter((part) => part !== '' && part !== '.');
  if (parts.includes('..')) throw new Refusal('nothing outside the folder is read');
  return parts;
}

/** The real place of a path below the root, no link on the way. */
async function placeOf(root: string, path: string): Promise<string> {
  let place = root;
  for (const part of partsOf(path)) {
    place = join(place, part);
    if ((await lstat(place)).isSymbolicLink()) throw new Refusal('links are not followed');
  }
  return place;
}

interface Folder {
  readonly entries: readonly Dirent[];
  readonly hasMore: boolean;
}

async function folderAt(root: string, place: string): Promise<Folder> {
  if (!(await lstat(place)).isDirectory()) throw new Refusal('it is not a folder');
  const entries: Dirent[] = [];
  const folder = await opendir(place);
  if (!isWithin(root, await realpath(place))) {
    await folder.close();
    throw new Refusal('it is not a folder of this one');
  }
  for await (const entry of folder) {
    if (entries.length >= LIMITS.folderEntries) return { entries: sorted(entries), hasMore: true };
    entries.push(entry);
  }
  return { entries: sorted(entries), hasMore: false };
}

function sorted(entries: readonly Dirent[]): readonly Dirent[] {
  return entries.toSorted((a, b) => compareText(a.name, b.name));
}

async function list(root: string, path: string): Promise<Json> {
  const { entries, hasMore } = await folderAt(root, await placeOf(root, path));
  return { entries: entries.map(entryName), more: hasMore };
}

function entryName(entry: Dirent): string {
  const name = entry.name.toWellFormed();
  if (entry.isDirectory()) return `${name}/`;
  return entry.isFile() ? name : `${name} (not a file)`;
}

/** The lines of a text file; refuses what is no regular file, too large, or no text. */
async function linesOf(root: string, place: string): Promise<readonly string[]> {
  const before = await lstat(place);
  if (before.isDirectory()) throw new Refusal('it is a folder');
  if (!before.isFile()) throw new Refusal('it is not a file');
  const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
  const file = await open(place, flags);
  try {
    const stats = await file.stat();
    // A folder on the way may have become a link in the meantime: then the file lies elsewhere.
    const real = await realpath(place);
    if (!stats.isFile() || stats.ino !== before.ino || stats.dev !== before.dev || !isBelow(root, real))
      throw new Refusal('it is not a file of the folder');
    if (stats.size > LIMITS.fileBytes)
      throw new Refusal(`it has ${stats.size} bytes, more than the ${LIMITS.fileBytes} that are read`);
    const bytes = new Uint8Array(LIMITS.fileBytes + 1);
    const { bytesRead } = await file.read(bytes, 0, bytes.length, 0);
    if (bytesRead > LIMITS.fileBytes) throw new Refusal(`it has more than ${LIMITS.fileBytes} bytes`);
    return splitLines(decoded(bytes.subarray(0, bytesRead)));
  } finally {
    await file.close();
  }
}

function isWithin(root: string, place: string): boolean {
  return place === root || isBelow(root, place);
}

function isBelow(root: string, place: string): boolean {
  return place.startsWith(root.endsWith(sep) ? root : root + sep);
}

function decoded(bytes: Uint8Array): string {
  if (bytes.includes(0)) throw new Refusal('it is not a text');
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new Refusal('it is not a text');
  }
}

function splitLines(text: string): readonly string[] {
  const lines = text.split(/\r\n|\r|\n/);
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}

function cut(line: string): string {
  return cutText(line, LIMITS.fileLineCharacters);
}

/** `log.txt:81` is the file `log.txt` from line 81 on, unless a file is called so. */
async function read(root: string, path: string): Promise<Json> {
  const [, name, line] = /^(.*):([1-9]\d{0,6})$/.exec(path) ?? [];
  const whole = await placeOf(root, path).then(
    (place) => lstat(place).then(() => place),
    () => null,
  );
  const isNumbered = whole === null && name !== undefined;
  const lines = await linesOf(root, whole ?? (await placeOf(root, isNumbered ? name : path)));
  const from = isNumbered ? Number(line) : 1;
  if (from > Math.max(1, lines.length)) throw new Refusal(`it has only ${counted(lines.length, 'line')}`);
  const shown = lines.slice(from - 1, from - 1 + LIMITS.fileLines).map(cut);
  return { lines: shown, from, total: lines.length };
}

async function search(root: string, query: string, signal: AbortSignal): Promise<Json> {
  const words = keyWordsOf(query);
  if (words.length === 0) throw new Refusal('there are no words to look for');
  const found: string[] = [];
  const { files, hasMore } = await filesBelow(root, signal);
  for (const place of files) {
    signal.throwIfAborted();
    const name = relative(root, place).split(sep).join('/').toWellFormed();
    const lines = await linesOf(root, place).catch(() => []);
    for (const [i, line] of lines.entries()) {
      if (!holdsWords(line, words)) continue;
      if (found.length >= LIMITS.searchedLines) return { lines: found, more: true };
      found.push(cut(`${name}:${i + 1}: ${line}`));
    }
  }
  return { lines: found, more: hasMore };
}

/** Regular files in their order, folder by folder, to a limited number and depth. */
async function filesBelow(
  root: string,
  signal: AbortSignal,
): Promise<{ readonly files: readonly string[]; readonly hasMore: boolean }> {
  const files: string[] = [];
  let folders: readonly string[] = [root];
  let hasMore = false;
  for (let depth = 0; depth < LIMITS.folderDepth && folders.length > 0; depth++) {
    const below: string[] = [];
    for (const place of folders) {
      signal.throwIfAborted();
      const folder = await folderAt(root, place);
      hasMore ||= folder.hasMore;
      for (const entry of folder.entries) {
        if (entry.isDirectory()) below.push(join(place, entry.name));
        else if (entry.isFile()) files.push(join(place, entry.name));
      }
      if (files.length > LIMITS.searchedFiles || below.length > LIMITS.searchedFiles)
        return { files: files.slice(0, LIMITS.searchedFiles), hasMore: true };
    }
    folders = below;
  }
  return { files, hasMore: hasMore || folders.length > 0 };
}

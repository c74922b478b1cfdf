/**
 * The effect handlers of LIST_FILES, READ_FILE, SEARCH_FILES and SEARCH_IN_FILE: they read the regular files below one
 * folder, and nothing else on the disk. Links are never followed, dotfiles and dot folders are not listed,
 * and an opened file is checked before it is read (`scenario/files-below.ts`). Sizes and counts are limited.
 * The log gets their output as JSON; a failure is `{ error }` with a message for the agent.
 */
import { realpathSync, statSync } from 'node:fs';
import type { Dirent } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { setImmediate as nextRound } from 'node:timers/promises';
import { counted } from '../../../base/counted.js';
import { UsageError } from '../../../base/errors.js';
import { compareText } from '../../../base/ids.js';
import type { Json } from '../../../base/json.js';
import { LIMITS } from '../../../base/limits.js';
import { cutText } from '../../../base/text.js';
import type { EffectHandler } from '../../../orchestrator/run-context.js';
import { entriesBelow, isDotted, isWithin, readBelow } from '../../../scenario/files-below.js';
import type { OpenedFolder } from '../../../scenario/files-below.js';
import { FileRefusedError } from '../../../scenario/regular-file.js';
import { FILE_EFFECTS } from '../definition.js';
import { containsWords, significantWordsOf } from '../words.js';
import type { EffectOrigin, EffectHandlers } from '../../effect-handlers.js';

/**
 * The handlers for a scenario: they read the folder that the user named, otherwise that of the scenario.
 * Throws UsageError if it must not be read.
 */
export function scenarioFileTools({
  definition,
  folder,
  root,
  isLogged = false,
}: EffectOrigin): EffectHandlers {
  const folderName = (definition as { folder?: string | null }).folder ?? null;
  if (root !== null && folderName === null)
    throw new UsageError('the scenario has no files to read', [
      'leave out --root, or set `folder` in the scenario',
    ]);
  if (root !== null) return fileTools(realFolder(root));
  if (folderName !== null && isLogged)
    throw new UsageError("the run's agents read files, and the log does not contain their location", [
      `pass their folder (${folderName} next to the scenario) with --root`,
    ]);
  if (folderName === null || folder === null) return fileTools(null);
  const folderPath = realFolder(join(folder, folderName));
  const scenarioRoot = realpathSync(folder);
  if (folderPath === scenarioRoot || !isWithin(scenarioRoot, folderPath))
    throw new UsageError(`${folderName} is outside the scenario's folder`);
  // Checked on the real path, because a link may lead into a dot folder.
  if (relative(scenarioRoot, folderPath).split(sep).some(isDotted))
    throw new UsageError(
      `${folderName} is in a folder whose name begins with a dot: its files are never read`,
    );
  return fileTools(folderPath);
}

/** The real path of a folder that the user or the scenario named. */
function realFolder(path: string): string {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats?.isDirectory() === true) return realpathSync(path);
  throw new UsageError(`${path} is not a folder`, ['choose a folder whose files agents may read']);
}

/**
 * The effect handlers for a folder, by its real path (a folder that replaces it later is a different one);
 * null if there is none to read from.
 */
export function fileTools(root: string | null): EffectHandlers {
  const guarded =
    (
      perform: (
        root: string,
        args: Parameters<EffectHandler>[0],
        signal: AbortSignal,
      ) => Json | Promise<Json>,
    ): EffectHandler =>
    async (args, _agent, signal) => {
      try {
        if (root === null) throw new FileRefusedError('there is no folder to read from');
        return await perform(root, args, signal);
      } catch (error) {
        signal.throwIfAborted();
        return { error: errorText(error) };
      }
    };
  return {
    [FILE_EFFECTS.list]: guarded((at, { folder: path }) => list(at, textOf(path))),
    [FILE_EFFECTS.read]: guarded((at, { path }) => read(at, textOf(path))),
    [FILE_EFFECTS.search]: guarded((at, { words }, signal) => search(at, textOf(words), signal)),
    [FILE_EFFECTS.searchIn]: guarded((at, { file_name: path, search_term: query }) =>
      searchIn(at, textOf(path), textOf(query)),
    ),
  };
}

function textOf(value: string | number | undefined): string {
  return value === undefined ? '' : String(value);
}

/** A message without the system's own text, which contains paths that must not be revealed. */
function errorText(error: unknown): string {
  if (error instanceof FileRefusedError) return error.message;
  if (isMissing(error)) return 'there is no such file or folder';
  return ['EACCES', 'EPERM'].includes(codeOf(error)) ? 'it may not be read' : 'it could not be read';
}

function isMissing(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR'].includes(codeOf(error));
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

/** The parts of a path as an agent writes it; `.`, empty parts and a trailing slash are ignored. */
function partsOf(path: string): readonly string[] {
  if (/[\0\\]/.test(path) || /^(?:\/|~|[A-Za-z]:)/.test(path))
    throw new FileRefusedError('only paths below the folder are read, with / between their parts');
  const parts = path.split('/').filter((part) => part !== '' && part !== '.');
  if (parts.includes('..')) throw new FileRefusedError('nothing outside the folder is read');
  return parts;
}

/** A model names the files, so another program of this user must not be able to place one there. */
function toolFolder(root: string): OpenedFolder {
  return { root, followsLinks: false, allowsOwnNames: false };
}

function folderAt(root: string, parts: readonly string[]): { entries: readonly Dirent[]; hasMore: boolean } {
  const { entries, hasMore } = entriesBelow(toolFolder(root), parts, LIMITS.folderEntries);
  return { entries: entries.toSorted((a, b) => compareText(a.name, b.name)), hasMore };
}

function list(root: string, path: string): Json {
  const { entries, hasMore } = folderAt(root, partsOf(path));
  return { entries: entries.map(entryName), more: hasMore };
}

function entryName(entry: Dirent): string {
  const name = entry.name.toWellFormed();
  if (entry.isDirectory()) return `${name}/`;
  return entry.isFile() ? name : `${name} (not a file)`;
}

/** The lines of a text file; throws if it is not a regular file, is too large, or is not text. */
function linesOf(root: string, parts: readonly string[]): readonly string[] {
  const lines = decodeText(readBelow(toolFolder(root), parts, LIMITS.fileBytes)).split(/\r\n|\r|\n/);
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}

function decodeText(bytes: Uint8Array): string {
  if (bytes.includes(0)) throw new FileRefusedError('it is not a text');
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new FileRefusedError('it is not a text');
  }
}

function cutLine(line: string): string {
  return cutText(line, LIMITS.fileLineCharacters);
}

/** Reads a file. `log.txt:81` means `log.txt` from line 81 on, unless a file has that name. */
function read(root: string, path: string): Json {
  const [, name, line] = /^(.*):([1-9]\d{0,6})$/.exec(path) ?? [];
  if (name === undefined) return linesFrom(linesOf(root, partsOf(path)), 1);
  try {
    return linesFrom(linesOf(root, partsOf(path)), 1);
  } catch (error) {
    if (!isMissing(error)) throw error;
    return linesFrom(linesOf(root, partsOf(name)), Number(line));
  }
}

function linesFrom(lines: readonly string[], from: number): Json {
  if (from > Math.max(1, lines.length))
    throw new FileRefusedError(`it has only ${counted(lines.length, 'line')}`);
  const shown = lines.slice(from - 1, from - 1 + LIMITS.fileLines).map(cutLine);
  return { lines: shown, from, total: lines.length };
}

function wordsIn(query: string): readonly string[] {
  const words = significantWordsOf(query);
  if (words.length === 0) throw new FileRefusedError('there are no words to look for');
  return words;
}

/** The lines that contain all of the words, as `name:12: text`. */
function foundIn(
  lines: readonly string[],
  words: readonly string[],
  parts: readonly string[],
): readonly string[] {
  const name = parts.join('/').toWellFormed();
  return lines.flatMap((line, i) => (containsWords(line, words) ? cutLine(`${name}:${i + 1}: ${line}`) : []));
}

function searchIn(root: string, path: string, query: string): Json {
  const parts = partsOf(path);
  const hits = foundIn(linesOf(root, parts), wordsIn(query), parts);
  return { lines: hits.slice(0, LIMITS.searchedLines), more: hits.length > LIMITS.searchedLines };
}

async function search(root: string, query: string, signal: AbortSignal): Promise<Json> {
  const words = wordsIn(query);
  const hits: string[] = [];
  const { files, hasMore } = await filesBelow(root, signal);
  for (const parts of files) {
    await nextRound(undefined, { signal });
    hits.push(...foundIn(linesOrNone(root, parts), words, parts));
    if (hits.length > LIMITS.searchedLines) return { lines: hits.slice(0, LIMITS.searchedLines), more: true };
  }
  return { lines: hits, more: hasMore };
}

function linesOrNone(root: string, parts: readonly string[]): readonly string[] {
  try {
    return linesOf(root, parts);
  } catch {
    return [];
  }
}

/**
 * Regular files in their order, folder by folder, up to a maximum number and depth, each as the parts of its
 * path.
 */
async function filesBelow(
  root: string,
  signal: AbortSignal,
): Promise<{ files: readonly (readonly string[])[]; hasMore: boolean }> {
  const files: (readonly string[])[] = [];
  let folders: readonly (readonly string[])[] = [[]];
  let hasMore = false;
  for (let depth = 0; depth < LIMITS.folderDepth && folders.length > 0; depth++) {
    const subfolders: (readonly string[])[] = [];
    for (const path of folders) {
      await nextRound(undefined, { signal });
      const folder = folderAt(root, path);
      hasMore ||= folder.hasMore;
      for (const entry of folder.entries) {
        if (entry.isDirectory()) subfolders.push([...path, entry.name]);
        else if (entry.isFile()) files.push([...path, entry.name]);
      }
      if (files.length > LIMITS.searchedFiles || subfolders.length > LIMITS.searchedFiles)
        return { files: files.slice(0, LIMITS.searchedFiles), hasMore: true };
    }
    folders = subfolders;
  }
  return { files, hasMore: hasMore || folders.length > 0 };
}

/**
 * Where a module of the user's own is at fault when it can't be loaded. Node tells a program the words of a syntax error but not its
 * place, which only `node --check` prints: so the file, and the files that it imports by their paths, are checked there, without running
 * any of them. In: the error and the module's path. Out: file, line and the line itself, or null where nothing tells them.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { LIMITS } from '../base/limits.js';

export interface FaultPlace {
  /** Absolute. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** The line as it stands there, and marks below what is meant; null where Node tells no line. */
  readonly source: string | null;
}

/** The place of what loading `file` threw; null where it can't be told. */
export function faultPlace(error: unknown, file: string): FaultPlace | null {
  const stack = error instanceof Error ? (error.stack ?? '') : '';
  return told(stack) ?? thrownAt(stack) ?? (nameOf(error) === 'SyntaxError' ? checked(file) : null);
}

function nameOf(error: unknown): unknown {
  return (Object(error) as { readonly name?: unknown }).name;
}

/** What Node puts before a stack: the place, the line, marks below it. */
function told(text: string): FaultPlace | null {
  const [, place = '', line, source = ''] = /^(\S[^\n]*?):(\d+)\r?\n([^\n]*\r?\n[ \t]*\^+)/.exec(text) ?? [];
  return line === undefined ? null : { file: pathOf(place), line: Number(line), source };
}

/** The first place of a stack that lies in a file, not in Node or in a package. */
function thrownAt(stack: string): FaultPlace | null {
  for (const [, url = '', line] of stack.matchAll(/(file:\/\/[^\s)]+?):(\d+):\d+/g))
    if (!url.includes('/node_modules/') && !url.startsWith(OURS))
      return { file: pathOf(url), line: Number(line), source: null };
  return null;
}

const OURS = new URL('../', import.meta.url).href;

function pathOf(place: string): string {
  return place.startsWith('file://') ? fileURLToPath(place) : place;
}

/** The first file, of this one and those that it names, that Node can't read. */
function checked(first: string): FaultPlace | null {
  const files = [first];
  for (const file of files) {
    const { status, stderr } = spawnSync(process.execPath, ['--check', file], { encoding: 'utf8' });
    if (status !== 0) return told(stderr);
    const more = namedBy(file).filter((other) => !files.includes(other));
    files.push(...more.slice(0, LIMITS.checkedModules - files.length));
  }
  return null;
}

/** The files that stand in a module as relative paths, as imports do. */
function namedBy(file: string): readonly string[] {
  const paths = [...readFileSync(file, 'utf8').matchAll(/['"](\.\.?\/[^'"\n]+)['"]/g)];
  return paths
    .map(([, path = '']) => resolve(dirname(file), path))
    .filter((path) => /\.m?js$/.test(path) && statSync(path, { throwIfNoEntry: false })?.isFile() === true);
}

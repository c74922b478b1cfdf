/**
 * The position of an error in a user's module that can't be loaded. Node gives a program the message of a
 * syntax error but not its position, which only `node --check` prints: so the file and the files that it
 * imports by path are checked this way, without running them.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { LIMITS } from '../base/limits.js';
import { isOurCode } from '../package/folders.js';

export interface FaultPlace {
  /** Absolute. */
  file: string;
  /** From 1. */
  line: number;
  /** The line's text, and marks below the error; null if Node gives no line. */
  source: string | null;
}

/** The position of the error thrown while loading `file`; null if unknown. */
export function faultPlace(error: unknown, file: string): FaultPlace | null {
  const stack = error instanceof Error ? (error.stack ?? '') : '';
  return (
    printedPlace(stack) ??
    placeInStack(stack) ??
    ((Object(error) as { name?: unknown }).name === 'SyntaxError' ? checkSyntax(file) : null)
  );
}

/** What Node prints before a stack trace: the position, the line, marks below it. */
function printedPlace(text: string): FaultPlace | null {
  const [, place = '', line, source = ''] = /^(\S[^\n]*?):(\d+)\r?\n([^\n]*\r?\n[ \t]*\^+)/.exec(text) ?? [];
  return line === undefined ? null : { file: pathOf(place), line: Number(line), source };
}

/** The first position of a stack trace in a file that is not in Node or in a package. */
function placeInStack(stack: string): FaultPlace | null {
  for (const [, url = '', line] of stack.matchAll(/(file:\/\/[^\s)]+?):(\d+):\d+/g))
    if (!url.includes('/node_modules/') && !isOurCode(url))
      return { file: pathOf(url), line: Number(line), source: null };
  return null;
}

function pathOf(location: string): string {
  return location.startsWith('file://') ? fileURLToPath(location) : location;
}

/** The first file that Node can't read, out of this one and those that it imports. */
function checkSyntax(entry: string): FaultPlace | null {
  const files = [entry];
  for (const file of files) {
    const { status, stderr } = spawnSync(process.execPath, ['--check', file], { encoding: 'utf8' });
    if (status !== 0) return printedPlace(stderr);
    // The files that a module names as relative paths, as in imports.
    const paths = [...readFileSync(file, 'utf8').matchAll(/['"](\.\.?\/[^'"\n]+)['"]/g)];
    const imported = paths
      .map(([, path = '']) => resolve(dirname(file), path))
      .filter((path) => /\.m?js$/.test(path) && statSync(path, { throwIfNoEntry: false })?.isFile() === true)
      .filter((path) => !files.includes(path));
    files.push(...imported.slice(0, LIMITS.checkedModules - files.length));
  }
  return null;
}

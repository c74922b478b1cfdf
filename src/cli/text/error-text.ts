/**
 * Errors for a person: one clear message, every mistake of a scenario with its line, hints, and the exit
 * code. An internal error is reported as such, with its position.
 */
import { sep } from 'node:path';
import { counted } from '../../base/counted.js';
import { errorMessage, ModelError, OrchestrateError, ScenarioError } from '../../base/errors.js';
import type { Diagnostic, ExitCode } from '../../base/errors.js';
import { LIMITS } from '../../base/limits.js';
import { isOutOfFiles, systemWords } from '../../base/system-words.js';
import { isOurCode } from '../../package/folders.js';
import type { Io } from '../terminal/io.js';
import { cutLines, painter } from '../terminal/style.js';
import type { Paint } from '../terminal/style.js';

/** As the package `bindings` says it, and Node of a library for another version of it. */
const SQLITE_MISSING = /Could not locate the bindings file|better_sqlite3\.node[^]*NODE_MODULE_VERSION/;

export function printError(error: unknown, io: Io): ExitCode {
  const paint = painter(io, io.err);
  if (error instanceof ScenarioError) {
    io.err.write(`${diagnosticsText(error.diagnostics, paint)}${paint('red', 'error:')} ${summary(error)}\n`);
    return error.exitCode;
  }
  if (error instanceof OrchestrateError) {
    const hints = error.hints
      .map((hint) => `  ${paint('dim', 'hint:')} ${cutLines(withRelativePaths(hint, io))}\n`)
      .join('');
    io.err.write(`${paint('red', 'error:')} ${cutLines(withRelativePaths(error.message, io))}\n${hints}`);
    return error.exitCode;
  }
  if (isOutOfFiles(error)) {
    io.err.write(`${paint('red', 'error:')} ${systemWords(error)}\n`);
    return 3;
  }
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  if (SQLITE_MISSING.test(stack)) {
    io.err.write(
      `${paint('red', 'error:')} the library of SQLite is not there for this Node (${process.version}): npm did not run its install script, or another Node did\n` +
        `  ${paint('dim', 'hint:')} npx: npx --allow-scripts=better-sqlite3 orchestrate-vlm …\n` +
        `  ${paint('dim', 'hint:')} in a project: npm install-scripts approve better-sqlite3, then npm rebuild better-sqlite3\n`,
    );
    return 3;
  }
  const userPosition = positionInUserModule(stack);
  if (userPosition !== null) {
    io.err.write(`${paint('red', 'error:')} a mistake in ${userPosition}:\n${cutLines(stack)}\n`);
    return 1;
  }
  io.err.write(
    `${paint('red', 'internal error')} (a bug in orchestrate; please report it):\n${cutLines(stack)}\n`,
  );
  return 1;
}

/**
 * Prints why runs could not be played: each reason once, with the number of its runs and its hints. An error of a
 * server affects all its runs, however often each of them was tried.
 */
export function printFailures(errors: readonly OrchestrateError[], io: Io): void {
  const paint = painter(io, io.err);
  for (const reason of new Set(errors.map(reasonOf))) {
    const group = errors.filter((error) => reasonOf(error) === reason);
    const hints = [...new Set(group.flatMap((error) => error.hints))];
    const lines = hints.map(
      (hint) => `  ${paint('dim', 'hint:')} ${cutLines(withRelativePaths(hint, io))}\n`,
    );
    io.err.write(
      `${paint('red', 'error:')} ${counted(group.length, 'run')} could not be played: ${cutLines(withRelativePaths(reason, io))}\n${lines.join('')}`,
    );
  }
}

/** The reason of a failure: the same words for everything that fails for the same reason. */
export function reasonOf(error: unknown): string {
  return error instanceof ModelError ? error.gist : errorMessage(error);
}

/** The number of mistakes, and their files. */
function summary({ diagnostics, message }: ScenarioError): string {
  const errors = diagnostics.filter((one) => one.severity === 'error');
  const files = [...new Set(errors.map(({ file }) => file))];
  if (files.length === 0) return cutLines(message);
  const last = files.at(-1) ?? '';
  const named = files.length === 1 ? last : `${files.slice(0, -1).join(', ')} and ${last}`;
  return `${counted(errors.length, 'mistake')} in ${named}`;
}

function withRelativePaths(text: string, { cwd }: Io): string {
  return cwd.endsWith(sep) ? text : text.replaceAll(`${cwd}${sep}`, '');
}

/**
 * The innermost position in a stack that is in a user's module, as `file.mjs:12:5`; null if all of it is ours or
 * in packages.
 */
function positionInUserModule(stack: string): string | null {
  for (const [place = ''] of stack.matchAll(/file:\/\/[^\s)]+:\d+:\d+/g)) {
    if (isOurCode(place) || place.includes('/node_modules/')) continue;
    return place.slice(place.lastIndexOf('/') + 1);
  }
  return null;
}

/** A warning: the command continued. */
export function printWarning(message: string, io: Io): void {
  io.err.write(`${painter(io, io.err)('yellow', 'warning:')} ${cutLines(withRelativePaths(message, io))}\n`);
}

/** Each mistake as `file:line:column` with its message, the line with a caret, and the suggestion. */
export function diagnosticsText(diagnostics: readonly Diagnostic[], paint: Paint): string {
  const printed = diagnostics.slice(0, LIMITS.diagnosticsPrinted).map((one) => diagnosticText(one, paint));
  const omitted = diagnostics.length - printed.length;
  return printed.join('') + (omitted > 0 ? `… and ${omitted} more\n` : '');
}

function diagnosticText(one: Diagnostic, paint: Paint): string {
  const colour = one.severity === 'error' ? 'red' : 'yellow';
  const head = `${paint('bold', `${one.file}:${one.line}:${one.column}`)} ${paint(colour, one.severity)}: ${cutLines(one.message)}`;
  const number = String(one.line);
  // The source line is already safe, and the caret depends on its indentation.
  const source = `  ${paint('dim', `${number} |`)} ${one.source}`;
  const caret = `  ${paint('dim', `${' '.repeat(number.length)} |`)} ${' '.repeat(Math.max(0, one.caret - 1))}${paint(colour, '^')}`;
  const suggestion = one.suggestion === undefined ? '' : `\n  ${paint('cyan', cutLines(one.suggestion))}`;
  return one.source === '' ? `${head}${suggestion}\n\n` : `${head}\n${source}\n${caret}${suggestion}\n\n`;
}

/** Whether a program's file can be started, and the reason if not. */
import { accessSync, closeSync, constants, existsSync, openSync, readSync, statSync } from 'node:fs';
import { basename, delimiter, join, resolve } from 'node:path';
import { systemWords } from '../base/system-words.js';
import { oneLine } from '../base/text.js';

/** The path of a program: absolute, or a name that the system looks up in PATH. */
export function programPath(folder: string, program: string): string {
  return program.includes('/') ? resolve(folder, program) : program;
}

/**
 * Completes "can't be started: …" for a program that has no executable file, or whose interpreter is missing;
 * null if it can be started.
 */
export function fileFault(program: string, path: string, searchPath: string): string | null {
  const candidates = candidatePaths(path, searchPath).filter(isFile);
  const executable = candidates.find(isExecutable);
  if (executable === undefined)
    return startFault(program, path, candidates.length === 0 ? 'ENOENT' : 'EACCES');
  // The first line after the `#!`; '' if the file is no script.
  const line = /^#!([^\n]*)/.exec(firstBytes(executable))?.[1] ?? '';
  if (line.endsWith('\r'))
    return `${program}: its first line (#!) ends with a Windows line break (CRLF); use LF`;
  const missingInterpreter = interpreters(line).find(
    (name) => !candidatePaths(name, searchPath).some(isExecutable),
  );
  return missingInterpreter === undefined
    ? null
    : `${program}: ${NO_INTERPRETER}: ${oneLine(missingInterpreter)}`;
}

/** The folders in which the system looks for a program. */
function candidatePaths(path: string, searchPath: string): readonly string[] {
  if (path.includes('/')) return [path];
  return searchPath.split(delimiter).map((folder) => join(folder === '' ? '.' : folder, path));
}

/** What a script's first line names: an interpreter and, after `env`, the program that `env` looks for. */
function interpreters(line: string): readonly string[] {
  const [interpreter, ...words] = line.split(/[ \t]+/).filter((word) => word !== '');
  if (interpreter === undefined) return [];
  if (basename(interpreter) !== 'env') return [interpreter];
  const envProgram = words.find((word) => !word.startsWith('-') && !word.includes('='));
  return envProgram === undefined ? [interpreter] : [interpreter, envProgram];
}

/** As many bytes as the system reads; none if the file can be run but not read. */
function firstBytes(path: string): string {
  const bytes = Buffer.alloc(256);
  try {
    const file = openSync(path, 'r');
    try {
      return bytes.toString('latin1', 0, readSync(file, bytes));
    } finally {
      closeSync(file);
    }
  } catch {
    return '';
  }
}

const NO_INTERPRETER = 'the interpreter in its first line (#!) is missing';

/** The same for the system's error at the start. */
export function startFault(program: string, path: string, error: string | NodeJS.ErrnoException): string {
  const code = typeof error === 'string' ? error : error.code;
  if (code === 'ENOENT' && !path.includes('/')) return `${program}: no such program in PATH`;
  if (code === 'ENOENT') return `${program}: ${existsSync(path) ? NO_INTERPRETER : 'no such file'}`;
  if (code === 'EACCES') return `${program}: it is not executable (chmod +x ${program})`;
  if (code === 'ENOEXEC') return `${program}: its first line names no interpreter (#!)`;
  return `${program}: ${systemWords(error)}`;
}

function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

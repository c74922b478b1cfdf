/** Whether a program's file can be started, and the words for why not. In: a path or a name in PATH; out: null, or the reason. */
import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { systemWords } from '../base/system-words.js';

/** Where a program lies: whole, or a name that the system looks for in PATH. */
export function programPath(folder: string, program: string): string {
  return program.includes('/') ? resolve(folder, program) : program;
}

/** Completes "can't be started: …" for a program that has no executable file; null where it has one. */
export function fileFault(program: string, path: string, searched: string): string | null {
  const places = path.includes('/')
    ? [path]
    : searched.split(delimiter).map((folder) => join(folder === '' ? '.' : folder, path));
  const found = places.filter(isFile);
  if (found.some(isExecutable)) return null;
  return startFault(program, path, found.length === 0 ? 'ENOENT' : 'EACCES');
}

/** The same for what the system said when it was started. */
export function startFault(program: string, path: string, error: string | NodeJS.ErrnoException): string {
  const code = typeof error === 'string' ? error : error.code;
  if (code === 'ENOENT') return `${program}: ${missing(path)}`;
  if (code === 'EACCES') return `${program}: it is not executable (chmod +x ${program})`;
  if (code === 'ENOEXEC') return `${program}: its first line names no interpreter (#!)`;
  return `${program}: ${systemWords(error)}`;
}

function missing(path: string): string {
  if (!path.includes('/')) return 'no such program in PATH';
  return existsSync(path) ? 'the interpreter in its first line (#!) is missing' : 'no such file';
}

function isFile(place: string): boolean {
  try {
    return statSync(place).isFile();
  } catch {
    return false;
  }
}

function isExecutable(place: string): boolean {
  try {
    accessSync(place, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

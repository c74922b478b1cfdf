/**
 * The guard: a small separate process. If its parent dies, for whatever reason, the guard ends the processes
 * that the parent started and removes the folders that the parent made for them. It holds the read end of a
 * pipe whose write end only the parent has, so the pipe ends when the parent is gone. It reads lines: `+PID`
 * and `-PID` for process groups, `+PATH` and `-PATH` for folders, which are also the marks of what left a
 * group. Its arguments are the one folder that removable folders are in and the beginning of their names.
 */
import { rmSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { killStrays } from './strays.js';

const [, , parentFolder, prefix] = process.argv;
const groups = new Set<number>();
const folders = new Set<string>();
let partialLine = '';

process.stdin.setEncoding('utf8').on('data', (data: string) => {
  partialLine += data;
  const lines = partialLine.split('\n');
  partialLine = lines.pop() ?? '';
  for (const line of lines) handleLine(line.slice(0, 1), line.slice(1));
});

function handleLine(sign: string, target: string): void {
  const pid = Number(target);
  if (Number.isSafeInteger(pid) && pid > 1) {
    if (sign === '+') groups.add(pid);
    else groups.delete(pid);
  } else if (isRemovable(target)) {
    if (sign === '+') folders.add(target);
    else folders.delete(target);
  }
}

function isRemovable(path: string): boolean {
  if (parentFolder === undefined || prefix === undefined) return false;
  const name = basename(path);
  return path === `${dirname(path)}/${name}` && dirname(path) === parentFolder && name.startsWith(prefix);
}

process.stdin.on('end', () => {
  for (const pid of groups) attempt(() => process.kill(-pid, 'SIGKILL'));
  for (const folder of folders) killStrays(folder);
  for (const folder of folders) attempt(() => rmSync(folder, { recursive: true, force: true }));
  process.exit(0);
});

/** A group may already be gone, and a folder may be in use. */
function attempt(work: () => void): void {
  try {
    work();
  } catch {
    // The remaining groups and folders still have to be handled.
  }
}

// Ctrl-C in the terminal is for the parent to handle; the guard ends only when the pipe ends.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);

/**
 * The guard: a small process of its own that ends what its parent started if the parent dies, however it dies, and removes the folders that
 * it made for them. It holds the read end of a pipe whose write end only the parent has: when the parent is gone the pipe ends. In: lines
 * `+PID` and `-PID` of process groups, `+PATH` and `-PATH` of folders; as words of its command line the one folder and the beginning of the
 * name that a folder to be removed must have. It does nothing else.
 */
import { rmSync } from 'node:fs';
import { basename, dirname } from 'node:path';

const [, , within, prefix] = process.argv;
const groups = new Set<number>();
const folders = new Set<string>();
let rest = '';

process.stdin.setEncoding('utf8').on('data', (data: string) => {
  rest += data;
  const lines = rest.split('\n');
  rest = lines.pop() ?? '';
  for (const line of lines) hear(line.slice(0, 1), line.slice(1));
});

function hear(sign: string, named: string): void {
  const pid = Number(named);
  if (Number.isSafeInteger(pid) && pid > 1) {
    if (sign === '+') groups.add(pid);
    else groups.delete(pid);
  } else if (isRemovable(named)) {
    if (sign === '+') folders.add(named);
    else folders.delete(named);
  }
}

function isRemovable(path: string): boolean {
  if (within === undefined || prefix === undefined) return false;
  const name = basename(path);
  return path === `${dirname(path)}/${name}` && dirname(path) === within && name.startsWith(prefix);
}

process.stdin.on('end', () => {
  for (const pid of groups) attempt(() => process.kill(-pid, 'SIGKILL'));
  for (const folder of folders) attempt(() => rmSync(folder, { recursive: true, force: true }));
  process.exit(0);
});

/** A group may be gone, and a folder may be held. */
function attempt(work: () => void): void {
  try {
    work();
  } catch {
    // The others are still to be ended.
  }
}

// A Ctrl-C in the terminal is the parent's to answer: the guard ends with the pipe alone.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);

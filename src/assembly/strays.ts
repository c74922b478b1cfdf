/**
 * Processes that left the group of the program that started them (`setsid`, daemons). They are found by a
 * variable that each start of a program has for itself, because every process keeps the environment that it
 * inherited. Only Linux shows that (`/proc`), and a process that cleared its environment isn't found.
 */
import { readFileSync, readdirSync } from 'node:fs';

/** Passes over all processes: one may start another while it is being looked for. */
const PASSES_MAX = 8;

/** The variable; its value is another one for each start of a program. */
export const PROGRAM_MARK = 'ORCHESTRATE_PROGRAM';

/** Kills every process that has this mark. */
export function killStrays(mark: string): void {
  for (let pass = 0; pass < PASSES_MAX; pass++) {
    const strays = processes().filter((pid) => pid !== process.pid && isMarked(pid, mark));
    if (strays.length === 0) return;
    for (const pid of strays) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // It is gone.
      }
    }
  }
}

function processes(): readonly number[] {
  try {
    return readdirSync('/proc').map(Number).filter(Number.isSafeInteger);
  } catch {
    return [];
  }
}

function isMarked(pid: number, mark: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(`${PROGRAM_MARK}=${mark}`);
  } catch {
    // It is gone, or another user's.
    return false;
  }
}

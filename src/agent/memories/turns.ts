/**
 * Memories that keep past turns as they were: none of them, the newest N, or a history that only grows until a large block of it is
 * dropped. The history keeps a request's beginning byte for byte the same between drops, so a server's prefix cache stays
 * warm; the window moves with every turn and costs that.
 */
import type { Memory, Turn } from '../memory.js';
import { turnMessages } from '../memory.js';

/** Which turns stay, given all that were kept and the newest. */
type Trim = (turns: readonly Turn[]) => readonly Turn[];

export function noMemory(): Memory {
  return turnsMemory([], () => []);
}

/** The newest `turnsMax` turns. */
export function windowMemory(turnsMax: number): Memory {
  return turnsMemory([], (turns) => turns.slice(Math.max(0, turns.length - turnsMax)));
}

/** At most `turnsMax` turns; when there would be more, only the newest `turnsKept` stay. */
export function historyMemory(turnsMax: number, turnsKept: number): Memory {
  return turnsMemory([], blockTrim(turnsMax, turnsKept));
}

export function blockTrim(turnsMax: number, turnsKept: number): Trim {
  return (turns) => (turns.length > turnsMax ? turns.slice(turns.length - turnsKept) : turns);
}

function turnsMemory(turns: readonly Turn[], trim: Trim): Memory {
  const memory: Memory = {
    messages: () => turnMessages(turns),
    remember: (turn) => turnsMemory(trim([...turns, turn]), trim),
    wish: () => null,
    digest: () => memory,
    kept: () => null,
  };
  return memory;
}

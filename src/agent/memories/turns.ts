/**
 * Memories that keep past turns as they were: none of them, the newest N, or a history that only grows until a large block of it is
 * dropped. The history keeps a request's beginning byte for byte the same between drops, so a server's prefix cache stays
 * warm; the window moves with every turn and costs that.
 */
import type { MemoryExchange, Memory } from '../memory.js';
import { exchange, exchanged } from '../memory.js';

/** Which turns stay, given all that were kept and the newest. */
type TrimMemory = (past: readonly MemoryExchange[]) => readonly MemoryExchange[];

/** A memory that keeps nothing. */
export function noMemory(): Memory {
  return turnsMemory([], () => []);
}

/** Keeps the newest `turnsMax` turns. */
export function windowMemory(turnsMax: number): Memory {
  return turnsMemory([], (past) => past.slice(Math.max(0, past.length - turnsMax)));
}

/** Keeps at most `turnsMax` turns; when there would be more, it keeps only the newest `turnsKept`. */
export function historyMemory(turnsMax: number, turnsKept: number): Memory {
  return turnsMemory([], blockTrim(turnsMax, turnsKept));
}

export function blockTrim(turnsMax: number, turnsKept: number): TrimMemory {
  return (past) => (past.length > turnsMax ? past.slice(past.length - turnsKept) : past);
}

function turnsMemory(past: readonly MemoryExchange[], trim: TrimMemory): Memory {
  const memory: Memory = {
    messages: () => exchanged(past),
    remember: (turn) => turnsMemory(trim([...past, exchange(turn)]), trim),
    wish: () => null,
    digest: () => memory,
    kept: () => null,
  };
  return memory;
}

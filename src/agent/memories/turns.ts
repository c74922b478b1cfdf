/**
 * Memories that keep past turns unchanged: none of them, the newest N, or a history that only grows until a
 * large block of it is dropped. Between drops, the history begins with the same bytes in each request, so a
 * server's prefix cache stays warm; a window changes with every turn, so nothing after the system text is
 * cached.
 */
import type { MemoryExchange, Memory } from '../memory.js';
import { toExchange, exchangeMessages } from '../memory.js';

/** Which turns stay, given all that were kept and the newest. */
type TrimMemory = (past: readonly MemoryExchange[]) => readonly MemoryExchange[];

/** A memory that keeps nothing. */
export function noMemory(): Memory {
  return turnsMemory([], { pictures: 0, trim: () => [] });
}

/** Keeps the newest `turnsMax` turns, the newest `pictures` of them with their pictures. */
export function windowMemory(turnsMax: number, pictures = 0): Memory {
  return turnsMemory([], { pictures, trim: (past) => past.slice(Math.max(0, past.length - turnsMax)) });
}

/**
 * Keeps at most `turnsMax` turns; when there would be more, it keeps only the newest `turnsKept`. The newest
 * `pictures` turns have their pictures.
 */
export function historyMemory(turnsMax: number, turnsKept: number, pictures = 0): Memory {
  return turnsMemory([], { pictures, trim: blockTrim(turnsMax, turnsKept) });
}

export function blockTrim(turnsMax: number, turnsKept: number): TrimMemory {
  return (past) => (past.length > turnsMax ? past.slice(past.length - turnsKept) : past);
}

function turnsMemory(past: readonly MemoryExchange[], options: { pictures: number; trim: TrimMemory; }): Memory {
  const memory: Memory = {
    messages: () => exchangeMessages(past, options.pictures),
    remember: (turn) => turnsMemory(options.trim([...past, toExchange(turn)]), options),
    textRequest: () => null,
    withText: () => memory,
    kept: () => null,
  };
  return memory;
}

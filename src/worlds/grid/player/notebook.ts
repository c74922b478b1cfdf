/**
 * What the scripted controller remembers between steps: failed commands, what it has read and said, where it
 * has been. Plain JSON that the log stores with the step, so that a resumed run continues with it.
 */
import type { Json } from '../../../base/json.js';

export interface Notebook {
  /**
   * Commands that were refused or led nowhere: under which circumstances (`circumstancesOf`), and in which
   * turn.
   */
  failed: Readonly<Record<string, { when: string; turn: number }>>;
  /** Ids of things read. */
  read: readonly string[];
  /** Sentences said, each with the ids of those who were near. */
  told: Readonly<Record<string, readonly string[]>>;
  /** Ids of remembered things that it has set out for to see them up close: it does so once for each. */
  seenUp: readonly string[];
  /** Ids of things to which bare hands did nothing, since they take a tool. */
  takesTool: readonly string[];
  /**
   * The command given last, its turn, the circumstances in which it was given (`at`, from `circumstancesOf`),
   * and whether it leaves the turn open (`isFree`).
   */
  last: {
    command: string;
    turn: number;
    at: string;
    isFree: boolean;
  } | null;
  /**
   * The circumstances (`circumstancesOf`) in which it last looked around, if it has to ask for what is in
   * sight.
   */
  looked?: string;
  /** How often each room, step or trial was chosen because there was nothing better to do. */
  worn: Readonly<Record<string, number>>;
}

const EMPTY: Notebook = { failed: {}, read: [], told: {}, seenUp: [], takesTool: [], last: null, worn: {} };

export function openNotebook(memory: Json): Notebook {
  const isOurs = typeof memory === 'object' && memory !== null && !Array.isArray(memory) && 'worn' in memory;
  return isOurs ? (memory as unknown as Notebook) : EMPTY;
}

export function closeNotebook(notebook: Notebook): Json {
  return notebook as unknown as Json;
}

/**
 * The memory of a player whose agent did something else than it had chosen, because somebody else decided. `command`:
 * with ids, as players write commands.
 */
export function withDone(memory: Json, { command, isFree }: { command: string; isFree: boolean }): Json {
  const notebook = openNotebook(memory);
  const { last } = notebook;
  return last === null ? memory : closeNotebook({ ...notebook, last: { ...last, command, isFree } });
}

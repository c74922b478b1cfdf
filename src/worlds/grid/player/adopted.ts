/** The memory of a player whose agent did something else than it had chosen, because somebody else decided. */
import type { Json } from '../../../base/json.js';
import { closeNotebook, openNotebook } from './notebook.js';

/** `command`: with ids, as players write commands. */
export function withDone(memory: Json, { command, isFree }: { command: string; isFree: boolean }): Json {
  const notebook = openNotebook(memory);
  const { last } = notebook;
  return last === null ? memory : closeNotebook({ ...notebook, last: { ...last, command, isFree } });
}

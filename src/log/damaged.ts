/** The error of a file whose content is not valid for a log; apart from SQLite, whose errors are in `failures.ts`. */
import { StorageError } from '../base/errors.js';

export const DAMAGE_HINTS = [
  'keep the file as it is; `sqlite3 FILE .recover` may save what can still be read',
];

export function damaged(path: string, problem: string): StorageError {
  return new StorageError(`the log ${path} is damaged: ${problem}`, DAMAGE_HINTS);
}

/**
 * How an export begins: in a folder that holds nothing, or, where it goes on, in one that holds the same export unfinished. In: the folder and what
 * the export is made of; out: whether there is anything to do.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { StorageError, UsageError } from '../base/errors.js';
import type { Target } from './target.js';
import { writeWhole } from './target.js';

/** Written last of all. */
export const MANIFEST = 'export.json';
/** There while an export is under way, or was broken off. */
export const UNFINISHED = 'unfinished.json';

export interface Beginning {
  readonly folder: string;
  /** The folder as the user names it. */
  readonly out: string;
  /** What this export is made of. */
  readonly begun: string;
  readonly continues: boolean;
  readonly target: Target;
}

/** Whether there is anything to do. Throws UsageError where the folder holds something else. */
export function beginExport({ folder, out, begun, continues, target }: Beginning): boolean {
  const held = namesIn(folder);
  if (continues && held.includes(UNFINISHED)) {
    if (readFileSync(join(folder, UNFINISHED), 'utf8') === begun) return true;
    throw new UsageError(`${out} was begun with other logs or options`, [
      'give the same ones, or name another folder with --out',
    ]);
  }
  if (continues && held.includes(MANIFEST)) return false;
  if (held.length > 0)
    throw new UsageError(`${out} is not empty`, [
      held.includes(UNFINISHED) ? '--continue goes on with it' : 'name a new folder with --out',
    ]);
  writeWhole(target, UNFINISHED, begun);
  return true;
}

function namesIn(folder: string): readonly string[] {
  try {
    return existsSync(folder) ? readdirSync(folder) : [];
  } catch (error) {
    throw new StorageError(
      `${folder} can't be read: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

/**
 * Decides how an export begins: in an empty folder or, if it is resumed, in the folder of the same unfinished
 * export. In: the folder and the inputs of the export; out: whether there is anything to do.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { StorageError, UsageError } from '../base/errors.js';
import { inputsChanged, keptInputs, published } from './inputs.js';
import type { Inputs } from './inputs.js';
import { partOf } from './staged-folders.js';
import type { ExportTarget } from './target.js';
import { writeWhole } from './target.js';

/** The last file that an export writes. */
export const MANIFEST = 'export.json';
/** Exists while an export is running or after it was interrupted. */
export const UNFINISHED = 'unfinished.json';

export interface Beginning {
  readonly folder: string;
  /** The folder as the user names it. */
  readonly out: string;
  readonly inputs: Inputs;
  readonly continues: boolean;
  readonly target: ExportTarget;
}

/** Whether there is anything to do. Throws UsageError if the folder holds something else. */
export function beginExport({ folder, out, inputs, continues, target }: Beginning): boolean {
  // The export was interrupted before it recorded its inputs, so it starts again.
  const held = namesIn(folder).filter((name) => name !== partOf(UNFINISHED));
  if (continues && held.includes(UNFINISHED)) {
    refuseOther(`${out} was started`, join(folder, UNFINISHED), inputs);
    return true;
  }
  if (continues && held.includes(MANIFEST)) {
    refuseOther(`${out} is complete and was made`, join(folder, MANIFEST), published(inputs));
    return false;
  }
  if (held.length > 0)
    throw new UsageError(`${out} is not empty`, [
      held.includes(UNFINISHED) ? '--continue resumes it' : 'choose a new folder with --out',
    ]);
  writeWhole(target, UNFINISHED, `${JSON.stringify(keptInputs(inputs))}\n`);
  return true;
}

/** Number of changes that the message lists; the others are only counted. */
const TOLD = 3;

function refuseOther(what: string, path: string, inputs: Inputs): void {
  const changes = inputsChanged(valueIn(path), inputs);
  if (changes.length === 0) return;
  const more = changes.length > TOLD ? ` and ${changes.length - TOLD} more` : '';
  throw new UsageError(`${what} with different input. Changed: ${changes.slice(0, TOLD).join('; ')}${more}`, [
    'use the original logs and options, or choose a new folder with --out',
  ]);
}

/** The parsed file; null if it is not JSON. */
function valueIn(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as unknown;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw new StorageError(
      `${path} can't be read: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
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

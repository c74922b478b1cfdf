/**
 * Decides how an export begins: in an empty folder or, if it is resumed, in the folder of the same unfinished
 * export.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorMessage, StorageError, UsageError } from '../base/errors.js';
import { partOf } from '../log/write-atomically.js';
import { describeChanges, storedInputs, publishable } from './inputs.js';
import type { ExportInputs } from './inputs.js';
import type { ExportTarget } from './target.js';
import { writeWhole } from './target.js';

/** The last file that an export writes. */
export const MANIFEST = 'export.json';
/** Exists while an export is running or after it was interrupted. */
export const UNFINISHED = 'unfinished.json';

export interface ExportStart {
  folder: string;
  /** The folder as the user names it. */
  out: string;
  inputs: ExportInputs;
  continues: boolean;
  target: ExportTarget;
}

/** Whether there is anything to do. Throws UsageError if the folder holds something else. */
export function beginExport({ folder, out, inputs, continues, target }: ExportStart): boolean {
  // The export was interrupted before it recorded its inputs, so it starts again.
  const existing = listNames(folder).filter((name) => name !== partOf(UNFINISHED));
  if (continues && existing.includes(UNFINISHED)) {
    refuseChangedInputs(`${out} was started`, join(folder, UNFINISHED), inputs);
    return true;
  }
  if (continues && existing.includes(MANIFEST)) {
    refuseChangedInputs(`${out} is complete and was made`, join(folder, MANIFEST), publishable(inputs));
    return false;
  }
  if (existing.length > 0)
    throw new UsageError(`${out} is not empty`, [
      existing.includes(UNFINISHED) ? 'resume it with --continue' : 'choose a new folder with --out',
    ]);
  writeWhole(target, UNFINISHED, `${JSON.stringify(storedInputs(inputs))}\n`);
  return true;
}

/** The number of changes that a message lists; any others are only counted. */
const CHANGES_LISTED = 3;

function refuseChangedInputs(context: string, path: string, inputs: ExportInputs): void {
  const changes = describeChanges(readJson(path), inputs);
  if (changes.length === 0) return;
  const suffix = changes.length > CHANGES_LISTED ? ` and ${changes.length - CHANGES_LISTED} more` : '';
  throw new UsageError(
    `${context} with different input. Changed: ${changes.slice(0, CHANGES_LISTED).join('; ')}${suffix}`,
    ['use the original logs and options, or choose a new folder with --out'],
  );
}

/** The parsed file; null if it is not JSON. */
function readJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as unknown;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw new StorageError(`${path} can't be read: ${errorMessage(error)}`);
  }
}

function listNames(folder: string): readonly string[] {
  try {
    return existsSync(folder) ? readdirSync(folder) : [];
  } catch (error) {
    throw new StorageError(`${folder} can't be read: ${errorMessage(error)}`);
  }
}

/**
 * Files without a run: their writer was stopped before anything was logged, by a kill, a full disk or a power
 * cut. They are not damaged: commands that read many logs report them and continue, and a log can be created
 * in their place.
 */
import { basename } from 'node:path';
import { UsageError } from '../base/errors.js';

/** The error for a file into which nothing was logged. */
export class NoRunError extends UsageError {}

export function noRun(path: string): NoRunError {
  return new NoRunError(`${path} contains no run: the program was stopped before it logged anything`, [
    'start the run again',
  ]);
}

/** The name of a log while it is being created, with the process that creates it. */
const TEMPORARY = /^orchestrate-new-(\d+)-[0-9a-f]{12}\.tmp$/;

/** The process that is creating a log under such a name; null for any other name. */
export function creatorOf(path: string): number | null {
  const pid = TEMPORARY.exec(basename(path))?.[1];
  return pid === undefined ? null : Number(pid);
}

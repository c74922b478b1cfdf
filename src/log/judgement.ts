/**
 * Keeps a person's word on a step of a log, after asking whether it can be one: `mark` and the served page come here both. In: an open log and the word;
 * out: what was kept. A step that a fork shares with its parent is its parent's, so the word is kept under that run.
 */
import { UsageError } from '../base/errors.js';
import { WORLD_ID } from '../base/ids.js';
import { LIMITS } from '../base/limits.js';
import { addMark } from './marks.js';
import type { Said } from './marks.js';
import type { LogReader } from './reader.js';

/** Throws UsageError for a step that nobody answered, or that there is not, and for too long a text; StorageError where it can't be kept. Gives the agent whose step it is. */
export function judgeStep(reader: LogReader, said: Said): string {
  const { run, step, text } = said;
  if (text.length > LIMITS.markCharacters)
    throw new UsageError(`a mark takes at most ${LIMITS.markCharacters} characters`);
  const record = reader.step(run, step);
  if (record === null) {
    const last = reader.runs().find(({ runId }) => runId === run)?.steps ?? 0;
    throw new UsageError(`the run has no step ${step}`, [`its last is ${last}`]);
  }
  if (record.agent === WORLD_ID || record.calls.length === 0)
    throw new UsageError(`step ${step} is the world's own, and nobody's answer`);
  const holder = reader.stretches(run).find(({ from, to }) => step >= from && step <= to);
  addMark(reader.path, { ...said, run: holder?.runId ?? run });
  return record.agent;
}

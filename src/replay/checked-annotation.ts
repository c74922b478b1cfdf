/**
 * Stores a person's verdict on a step of a log, after checking it; used by `mark` and the served page. A step
 * that a fork shares with its parent belongs to the parent, so the verdict is stored for that run. A
 * correction is stored only if the agent could have answered like that.
 */
import { UsageError } from '../base/errors.js';
import { WORLD_ID } from '../base/ids.js';
import { LIMITS } from '../base/limits.js';
import { addMark, judgedAct } from '../log/annotations.js';
import type { AnnotationEntry } from '../log/annotations.js';
import type { LogReader } from '../log/reader.js';
import { readCorrection } from './correction.js';
import type { Correction } from './correction.js';
import type { OpenStage } from './verify.js';

/** The stored verdict. */
export interface CheckedAnnotation {
  /** Agent of the step. */
  agent: string;
  /** How a correction was understood; null for any other verdict. */
  correction: Correction | null;
}

/**
 * Throws UsageError for a step that no controller answered or that does not exist, for a text that is too
 * long, and for a correction that the agent's protocol can't parse or the rules would refuse; StorageError if
 * it can't be saved. `open`: opens runs, used only for corrections.
 */
export function annotateStep(reader: LogReader, entry: AnnotationEntry, open: OpenStage): CheckedAnnotation {
  const { run, step, text, verdict } = entry;
  if (text.length > LIMITS.markCharacters)
    throw new UsageError(`a mark can have at most ${LIMITS.markCharacters} characters`);
  const record = reader.step(run, step);
  if (record === null) {
    const last = reader.runs().find(({ runId }) => runId === run)?.steps ?? 0;
    throw new UsageError(`the run has no step ${step}`, [`its last step is ${last}`]);
  }
  const act = judgedAct(record);
  if (record.agent === WORLD_ID)
    throw new UsageError(`step ${step} belongs to the world`, [
      'choose a step of an agent: orchestrate show lists them',
    ]);
  if (act === null) throw new UsageError(`no controller was called in step ${step}`);
  const owner = reader.stretches(run).find(({ from, to }) => step >= from && step <= to)?.runId ?? run;
  const correctedStep = { reader, run: reader.run(owner), step: record, call: act.call };
  const correction = verdict === 'corrected' ? readCorrection(correctedStep, text, open) : null;
  addMark(reader.path, { ...entry, run: owner });
  return { agent: record.agent, correction };
}

/**
 * What an export was made of, as a value that can be compared: the wishes and every run with the hash that binds it together. An export that was
 * broken off goes on only where this is still the same, and a data card names the hash.
 */
import { hashJson } from '../base/canonical.js';
import type { Json } from '../base/json.js';
import { openRuns } from './rows.js';
import type { PickedRun } from './picked-runs.js';

/** Raised whenever the same logs and wishes would give other bytes. */
export const EXPORT_VERSION = 1;

export interface Inputs {
  readonly version: number;
  readonly wishes: Json;
  /** Over the runs alone: 64 hexadecimal digits. */
  readonly runsHash: string;
  readonly runs: number;
}

export function inputsOf(runs: readonly PickedRun[], wishes: Json): Inputs {
  const told: Json[] = [];
  for (const { run, reader, marks } of openRuns(runs)) {
    const chain = reader.step(run.runId, run.lastStep)?.chain ?? reader.run(run.runId).genesisHash;
    // A step that a fork shares is marked as its parent's.
    const judged = reader
      .stretches(run.runId)
      .flatMap(({ runId }) => marks.ofRun(runId))
      .map(({ step, verdict, text }) => [step, verdict, text]);
    told.push([run.runId, run.firstStep, run.lastStep, chain, run.summary.status, run.summary.name, judged]);
  }
  return { version: EXPORT_VERSION, wishes, runsHash: hashJson('export-inputs', told), runs: runs.length };
}

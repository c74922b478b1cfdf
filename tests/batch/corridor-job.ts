/** A short run as a job of a queue, and its finished log, for tests of what a worker does with both. */
import { openScenario } from '../../src/assembly/open.js';
import { prepare } from '../../src/assembly/play.js';
import type { QueueJob } from '../../src/batch/remote/job.js';
import { LogWriter } from '../../src/log/writer.js';
import { systemDependencies } from '../../src/model/dependencies.js';
import { scenarioFile } from '../../src/scenario/folder.js';
import type { RunEnd } from '../../src/trajectory/records.js';
import { MODULES } from '../../src/worlds/registry.js';
import { corridor } from '../orchestrator/two-agents.js';

export const RUN = 'corridor-0123456789ab';
export const JOB: QueueJob = {
  run: {
    id: RUN,
    path: 'corridor.yaml',
    set: [],
    players: { kind: 'scripted' },
    maxTurns: null,
    cell: { scenario: 'corridor', players: 'scripted', switches: {} },
    seed: '1',
    byProgram: [],
  },
  servers: {},
  hasBudget: false,
};

/** Plays the run into a new log at the path. */
export async function playedTo(path: string): Promise<RunEnd> {
  const writer = new LogWriter(path);
  const end = await playedBy(writer);
  writer.close();
  return end;
}

export async function playedBy(writer: LogWriter): Promise<RunEnd> {
  const opened = await openScenario(scenarioFile(corridor('max: 2')), { modules: MODULES });
  const dependencies = systemDependencies(() => undefined);
  const prepared = await prepare(opened, { runId: RUN, dependencies, player: 'scripted' });
  return prepared.play(writer);
}

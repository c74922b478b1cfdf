/**
 * Verifying against playing: the same run is played with the scripted controller into a log, as `orchestrate run` does, and verified from it.
 * Both in processor time on one core, medians of alternating rounds, so that a busy machine stretches neither.
 */
import { join } from 'node:path';
import { stageOpener } from '../src/assembly/stage.js';
import { MODULES } from '../src/worlds/registry.js';
import { LogReader } from '../src/log/reader.js';
import { verifyRun } from '../src/replay/verify.js';
import { median } from './figures.js';
import { playInto } from './play.js';

/** Opened once for all runs, as a batch does. */
const open = stageOpener({ modules: MODULES });
const RUN = 'bench';

export interface VerifyFigures {
  readonly steps: number;
  /** Processor time per step, microseconds. */
  readonly playedUs: number;
  readonly verifiedUs: number;
  /** How many steps are verified while one is played. */
  readonly ratio: number;
}

/** Throws where a run does not verify. `folder` gets the logs. */
export async function measureVerify(path: string, rounds: number, folder: string): Promise<VerifyFigures> {
  const [played, verified]: [number[], number[]] = [[], []];
  let steps = 0;
  // The first round warms up and is not counted.
  for (let round = 0; round <= rounds; round++) {
    const log = join(folder, `verify-${round}.sqlite`);
    const playing = await timed(() => playInto(log, { scenario: path, seed: String(round), runId: RUN }));
    const verifying = await timed(() => verify(log));
    if (round === 0) continue;
    steps += playing.value;
    played.push(playing.us / playing.value);
    verified.push(verifying.us / playing.value);
  }
  const [playedUs, verifiedUs] = [median(played), median(verified)];
  return { steps, playedUs, verifiedUs, ratio: playedUs / verifiedUs };
}

async function verify(log: string): Promise<void> {
  const reader = new LogReader(log);
  const { difference } = await verifyRun(reader, RUN, open);
  reader.close();
  if (difference !== null) throw new Error(`the run does not verify: ${difference.note}`);
}

async function timed<T>(work: () => Promise<T>): Promise<{ readonly value: T; readonly us: number }> {
  const before = process.cpuUsage();
  const value = await work();
  const { user, system } = process.cpuUsage(before);
  return { value, us: user + system };
}

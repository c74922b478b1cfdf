/**
 * Floors: the least that a stage could cost, measured beside it on the same data, so that a ratio stays true on a slower or
 * busier machine. They do the bare work and nothing of ours: copy a frame's bytes and hash them, compress finished rows, insert what a run
 * inserts and commit it.
 */
import { createHash } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { deflateSync, inflateSync } from 'node:zlib';
import { median } from './figures.js';
import { logFloor } from './log-floor.js';
import type { LoopFigures } from './loop.js';
import type { Stage } from './stage-clock.js';

export interface Floor {
  readonly what: string;
  /** Median microseconds by the wall. */
  readonly us: number;
}

type Samples = Pick<LoopFigures, 'frames'>;

/** `folder` gets logs of the scenario. */
export async function measureFloors(
  samples: Samples,
  {
    scenario,
    rounds,
    folder,
  }: { readonly scenario: string; readonly rounds: number; readonly folder: string },
): Promise<Partial<Record<Stage, Floor>>> {
  return {
    draw: { what: 'copy, SHA-256', us: timeEach(samples.frames, rounds, copyAndHash) },
    encode: { what: 'zlib level 2', us: deflateFloor(samples, rounds) },
    log: { what: 'INSERTs, COMMIT', us: await logFloor(scenario, rounds, folder) },
  };
}

/** The first round warms up. */
function timeEach<T>(samples: readonly T[], rounds: number, work: (sample: T) => void): number {
  const times: number[] = [];
  for (let round = 0; round <= rounds; round++)
    for (const sample of samples) {
      const from = performance.now();
      work(sample);
      if (round > 0) times.push((performance.now() - from) * 1000);
    }
  return median(times);
}

/** As many bytes as a frame has, copied and hashed. */
function copyAndHash({ frame: { indices } }: Samples['frames'][number]): void {
  createHash('sha256').update(indices.slice()).digest('hex');
}

function deflateFloor({ frames }: Samples, rounds: number): number {
  const rows = frames.map(({ png }) => inflateSync(imageData(png)));
  return timeEach(rows, rounds, (each) => deflateSync(each, { level: 2, memLevel: 8 }));
}

/** The content of a PNG's one IDAT chunk. */
function imageData(png: Uint8Array): Uint8Array {
  const file = Buffer.from(png.buffer, png.byteOffset, png.byteLength);
  const at = file.indexOf('IDAT');
  return file.subarray(at + 4, at + 4 + file.readUInt32BE(at - 4));
}

/**
 * Floors: the least that a stage could cost, measured beside it on the same data, so that a ratio stays true on a slower or
 * busier machine. They do the bare work and nothing of ours: copy a frame's bytes and hash them, compress finished rows, insert and commit.
 */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { deflateRawSync, deflateSync, inflateSync } from 'node:zlib';
import Database from 'better-sqlite3';
import { median } from './figures.js';
import type { LoopFigures } from './loop.js';
import type { Stage } from './stage-clock.js';

export interface Floor {
  readonly what: string;
  /** Median microseconds by the wall. */
  readonly us: number;
}

type Samples = Pick<LoopFigures, 'frames' | 'observations'>;

export function measureFloors(
  samples: Samples,
  rounds: number,
  folder: string,
): Partial<Record<Stage, Floor>> {
  return {
    draw: { what: 'copy, SHA-256', us: timeEach(samples.frames, rounds, copyAndHash) },
    encode: { what: 'zlib level 2', us: deflateFloor(samples, rounds) },
    log: { what: 'one INSERT, COMMIT', us: insertFloor(samples, rounds, folder) },
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

/** A step's picture and observation as one row of a bare table, committed as durably as the log does. */
function insertFloor({ frames, observations }: Samples, rounds: number, folder: string): number {
  const db = new Database(join(folder, 'floor.sqlite'));
  db.pragma('journal_mode = WAL');
  db.pragma('synchronous = FULL');
  db.exec('CREATE TABLE floor (id INTEGER PRIMARY KEY, png BLOB, observation BLOB) STRICT');
  const insert = db.prepare('INSERT INTO floor (png, observation) VALUES (?, ?)');
  const rows = observations.map((observation, i) => [
    frames[i % frames.length]?.png ?? new Uint8Array(0),
    deflateRawSync(observation, { level: 1 }),
  ]);
  const us = timeEach(rows, rounds, (row) => insert.run(...row));
  db.close();
  return us;
}

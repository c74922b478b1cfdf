/** A run played into a file, verified, and a copy of its log in which something was changed behind the program's back. */
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { known } from '../../src/base/assert.js';
import { MODULES } from '../../src/worlds/registry.js';
import type { EnvironmentModule } from '../../src/worlds/environment-module.js';
import { stageOpener } from '../../src/assembly/stage.js';
import { LogReader } from '../../src/log/reader.js';
import type { RunEnd } from '../../src/trajectory/records.js';
import { LogWriter } from '../../src/log/writer.js';
import { TurnOrchestrator } from '../../src/orchestrator/turn-orchestrator.js';
import type { WallClock, StopSignals } from '../../src/orchestrator/run-context.js';
import { verifyRun } from '../../src/replay/verify.js';
import type { VerifiedRun } from '../../src/replay/verify.js';
import { reseal } from './changes.js';
import { folderPerFile } from '../support/folder.js';
import { NEVER_STOPPED, partsFor } from '../support/play.js';
import type { PlayOptions } from '../support/play.js';

const folder = folderPerFile();
let files = 0;

function newPath(): string {
  files += 1;
  return join(folder(), `${files}.sqlite`);
}

export interface Logged {
  path: string;
  /** Null where the run threw. */
  end: RunEnd | null;
}

/** Plays a scenario into a log of its own. */
export async function logged(
  text: string,
  options: PlayOptions = {},
  outside: { stop?: StopSignals; clock?: WallClock } = {},
): Promise<Logged> {
  const path = newPath();
  const writer = new LogWriter(path);
  const parts = await partsFor(text, writer, options);
  const { stop = NEVER_STOPPED, clock = parts.clock } = outside;
  const end = await new TurnOrchestrator({ ...parts, clock }).run(stop).catch(() => null);
  writer.close();
  return { path, end };
}

/** Verifies the only run of a log. */
export async function verified(
  path: string,
  modules: readonly EnvironmentModule[] = MODULES,
): Promise<VerifiedRun> {
  const reader = new LogReader(path);
  try {
    const { runId } = known(reader.runs()[0], 'a run');
    return await verifyRun(reader, runId, stageOpener({ modules }));
  } finally {
    reader.close();
  }
}

/** A copy of the log, changed by SQL, and its own hashes with it, as whoever forges a log would. */
export function changed(path: string, change: (db: Database.Database) => void): string {
  return damaged(path, (db) => {
    change(db);
    reseal(db);
  });
}

/** A copy of the log, changed by SQL, and its hashes left as they were. */
export function damaged(path: string, change: (db: Database.Database) => void): string {
  const copy = newPath();
  copyFileSync(path, copy);
  const db = new Database(copy);
  db.pragma('foreign_keys = OFF');
  change(db);
  db.close();
  return copy;
}

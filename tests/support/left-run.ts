/** A log as a process leaves it that is killed in the midst of a run: the writer's row stands in it, and no end. In: a scenario; out: the file, in one piece. */
import { copyFileSync } from 'node:fs';
import Database from 'better-sqlite3';
import { runScenario } from '../../src/assembly/run-scenario.js';

/** Steps and ticks that are played before the fourth is asked for. */
const LEFT_BEFORE = 4;

export async function leftInTheMidst(
  scenario: string,
  { log, runId, path }: { log: string; runId: string; path: string },
): Promise<void> {
  let asked = 0;
  const beforeStep = (): Promise<void> => {
    asked += 1;
    if (asked === LEFT_BEFORE) for (const end of ['', '-wal']) copyFileSync(log + end, path + end);
    return Promise.resolve();
  };
  await runScenario(scenario, { log, runId, beforeStep });
  const db = new Database(path);
  db.pragma('wal_checkpoint(TRUNCATE)');
  db.pragma('journal_mode = DELETE');
  db.close();
}

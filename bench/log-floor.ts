/**
 * The floor of the log: what a real run had SQLite do, done again with nothing of ours. In: a scenario, played here into a log whose statements are listened to.
 * Out: how long a transaction of it takes, in a log with the same tables and settings, where rows lie ready: nothing is hashed, compressed or put together.
 */
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import Database from 'better-sqlite3';
import { at } from '../src/base/assert.js';
import { openForWriting, useWal } from '../src/log/file.js';
import { median } from './figures.js';
import { playInto } from './play.js';

/** A statement as it was run. */
interface Done {
  readonly sql: string;
  readonly values: readonly unknown[];
}

const [BEGIN, COMMIT] = ['BEGIN IMMEDIATE', 'COMMIT'];

/** Median microseconds of a transaction, by the wall; one holds what a step left, a request and its reply. `runs` many, of different seeds. */
export async function logFloor(scenario: string, runs: number, folder: string): Promise<number> {
  const times: number[] = [];
  for (let run = 0; run <= runs; run++) {
    const log = join(folder, `heard-${run}.sqlite`);
    const done = await heard(() => playInto(log, { scenario, seed: `floor-${run}`, runId: 'floor' }));
    const took = repeated(done, join(folder, `bare-${run}.sqlite`));
    // The first run warms up.
    if (run > 0) times.push(...took);
  }
  return median(times);
}

type Prepare = (this: Database.Database, sql: string) => Database.Statement;

/** What is written meanwhile, in order. */
async function heard(work: () => Promise<unknown>): Promise<readonly Done[]> {
  const done: Done[] = [];
  const prepare = Reflect.get(Database.prototype, 'prepare') as Prepare;
  const prepareHeard: Prepare = function prepareHeard(sql) {
    const statement = prepare.call(this, sql);
    if (!/^(?:BEGIN|COMMIT|INSERT)/.test(sql)) return statement;
    const run = statement.run.bind(statement);
    const runHeard = (...values: unknown[]) => {
      done.push({ sql, values });
      return run(...values);
    };
    return Object.defineProperty(statement, 'run', { value: runHeard });
  };
  Reflect.set(Database.prototype, 'prepare', prepareHeard);
  try {
    await work();
  } finally {
    Reflect.set(Database.prototype, 'prepare', prepare);
  }
  return done;
}

/** Microseconds of each transaction. */
function repeated(done: readonly Done[], path: string): readonly number[] {
  const db = openForWriting(path);
  useWal(db, path);
  const prepared = new Map(done.map(({ sql }) => [sql, db.prepare(sql)]));
  const ready = done.map(({ sql, values }) => ({ sql, values, statement: prepared.get(sql) }));
  const times: number[] = [];
  let began = 0;
  for (let i = 0; i < ready.length; i++) {
    const { sql, values, statement } = at(ready, i);
    if (sql === BEGIN) began = performance.now();
    statement?.run(...values);
    if (sql === COMMIT) times.push((performance.now() - began) * 1000);
  }
  db.close();
  return times;
}

/**
 * Logs of version 1: the one that the last program of that version wrote (a whole run, its fork, and one that was killed), and one of today's made
 * into such a log by the definitions of that version, since nobody goes on with a run whose rules or prompts are of an older version than the
 * program's. In: a path; out: the file.
 */
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import Database from 'better-sqlite3';
import { known } from '../../src/base/assert.js';
import { forkChain, genesis, messagesHash, stepChain, stepContent } from '../../src/trajectory/chain.js';
import { hashOfJson } from '../../src/trajectory/content.js';
import { sha256 } from '../../src/base/canonical.js';
import { LogReader } from '../../src/log/reader.js';
import { firstCallHash, firstReplyHash } from '../../src/log/row-hashes.js';
import { createTables } from '../../src/log/schema.js';
import type { ReplyRow } from '../../src/log/read-columns.js';

export const FIRST_VERSION = gunzipSync(
  readFileSync(new URL('../fixtures/logs/v1.sqlite.gz', import.meta.url)),
);

export function writeFirstVersion(path: string): void {
  writeFileSync(path, FIRST_VERSION);
}

/** What version 1 would have written of the same runs. */
export function asFirstVersion(path: string): void {
  const reader = new LogReader(path);
  const db = new Database(path);
  try {
    db.exec('BEGIN');
    const runs = new Map(reader.runs().map(({ runId }, i) => [runId, i + 1]));
    const chains = new Map<string, ReadonlyMap<number, string>>();
    for (const [runId, run] of runs) {
      chains.set(runId, rechained(reader, runId, chains));
      writeRun(db, run, known(chains.get(runId), 'chains'));
      rehashCalls(db, reader, { run, runId });
    }
    db.exec(`UPDATE sittings SET versions = json_set(versions, '$.log', 1)`);
    db.exec('COMMIT');
  } finally {
    reader.close();
    db.close();
  }
  withTablesOf(1, path);
}

/** Moves the rows into the tables of an older version, without the tables and columns that it lacks. */
export function withTablesOf(version: number, path: string): void {
  const older = `${path}.older`;
  const db = new Database(older);
  createTables(db, version);
  db.prepare('ATTACH ? AS newer').run(path);
  db.pragma('foreign_keys = OFF');
  const tables = db.prepare(
    "SELECT name FROM main.sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'",
  );
  for (const table of tables.pluck().all() as readonly string[]) {
    const columns = (db.pragma(`main.table_info(${table})`) as readonly { name: string }[]).map(
      ({ name }) => name,
    );
    db.exec(
      `INSERT INTO main.${table} (${columns.join(', ')}) SELECT ${columns.join(', ')} FROM newer.${table}`,
    );
  }
  db.close();
  renameSync(older, path);
}

/** By step; that of step 0 is the genesis. */
function rechained(
  reader: LogReader,
  runId: string,
  parents: ReadonlyMap<string, ReadonlyMap<number, string>>,
): ReadonlyMap<number, string> {
  const { scenario, seed, versions, parent } = reader.run(runId);
  const own = genesis({ scenario, seed, rules: versions.rules, log: 1 });
  const chains = new Map([[0, own]]);
  let chain = own;
  if (parent !== undefined) {
    const before = known(parents.get(parent.runId), 'the chains of the parent');
    const last = {
      chain: known(before.get(parent.step - 1), 'a chain'),
      genesis: known(before.get(0), 'a genesis'),
    };
    chain = forkChain(last, own);
  }
  for (const step of reader.steps(runId, { from: parent?.step ?? 1 })) {
    const made = reader.calls(runId, step.step);
    const calls = step.calls.flatMap((number) => made.filter(({ request }) => request.call === number));
    chain = stepChain(chain, stepContent(step, calls));
    chains.set(step.step, chain);
  }
  return chains;
}

function writeRun(db: Database.Database, run: number, chains: ReadonlyMap<number, string>): void {
  db.prepare('UPDATE runs SET genesis = ? WHERE run = ?').run(chains.get(0), run);
  for (const [step, chain] of chains)
    db.prepare('UPDATE steps SET chain = ? WHERE run = ? AND step = ?').run(chain, run, step);
  db.prepare(
    `UPDATE ends SET chain = (SELECT chain FROM steps WHERE steps.run = ends.run AND step = ends.steps) WHERE run = ?`,
  ).run(run);
}

function rehashCalls(
  db: Database.Database,
  reader: LogReader,
  { run, runId }: { run: number; runId: string },
): void {
  const calls = db.prepare('SELECT call FROM calls WHERE run = ?').pluck().all(run) as readonly number[];
  for (const number of calls) {
    const { observation, messages, settings } = known(reader.call(runId, number), 'a call').request;
    const hash = firstCallHash({
      observation: hashOfJson(observation),
      messages: messagesHash(messages),
      settings: settings === null ? null : sha256(JSON.stringify(settings)),
    });
    db.prepare('UPDATE calls SET sha256 = ? WHERE run = ? AND call = ?').run(hash, run, number);
    const reply = db
      .prepare<[number, number], ReplyRow>('SELECT * FROM replies WHERE run = ? AND call = ?')
      .get(run, number);
    if (reply === undefined) continue;
    const replied = reply.error === null ? firstReplyHash(reply) : null;
    db.prepare('UPDATE replies SET sha256 = ? WHERE run = ? AND call = ?').run(replied, run, number);
  }
}

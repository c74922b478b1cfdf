/**
 * The promise that a newer program reads every older log: one that the last program of version 1 wrote (tests/fixtures/logs), with a whole run,
 * its fork and one that was killed, is shown, verified, reported, exported, taken up and forked. Reading changes nothing of it.
 */
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import Database from 'better-sqlite3';
import { beforeEach, describe, expect, it } from 'vitest';
import { known } from '../../src/base/assert.js';
import { runScenario } from '../../src/assembly/run-scenario.js';
import { endChain } from '../../src/trajectory/chain.js';
import { LogReader } from '../../src/log/reader.js';
import { LOG_VERSION } from '../../src/log/log-version.js';
import { expectedObjects, schemaObjects } from '../../src/log/schema.js';
import { NEWEST_ADDITION } from '../../src/log/tables.js';
import { orchestrate } from '../support/captured-io.js';
import { chainsOf } from '../support/chains.js';
import { FIRST_VERSION, asFirstVersion, writeFirstVersion } from '../support/first-version.js';
import { leftInTheMidst } from '../support/left-run.js';
import { temporaryFolder } from '../support/folder.js';

const SCENARIO = readFileSync(new URL('../fixtures/logs/v1.yaml', import.meta.url), 'utf8');

const folder = temporaryFolder();
let cwd = '';
let path = '';
let tests = 0;

beforeEach(() => {
  tests += 1;
  cwd = join(folder, String(tests));
  mkdirSync(cwd);
  path = join(cwd, 'v1.sqlite');
  writeFirstVersion(path);
});

/** Prompts may have other words since; whatever else differs is no wording. */
const WORDING: readonly unknown[] = ['observation', 'messages', 'memory', 'version'];

/** The same runs as this program plays them, in a log of version 1: nobody goes on with a run of other rules or prompts. */
async function writeToday(): Promise<void> {
  const playing = join(cwd, 'playing.sqlite');
  await runScenario(SCENARIO, { log: playing, runId: 'whole' });
  rmSync(path);
  await leftInTheMidst(SCENARIO, { log: playing, runId: 'killed', path });
  asFirstVersion(path);
}

interface Verdict {
  ok: boolean;
  first_difference: { part: string; note: string } | null;
}

async function verified(address: string): Promise<unknown> {
  const { out, err } = await orchestrate(['verify', address, '--json'], { cwd });
  const { ok, first_difference: found } = JSON.parse(out) as Verdict;
  return ok || WORDING.includes(found?.part) ? 'as it was' : `${found?.part}: ${found?.note} ${err}`;
}

describe('a log of version 1', () => {
  it.each([
    ['show', 'v1.sqlite'],
    ['show', 'v1.sqlite', '--tree'],
    ['show', 'v1.sqlite#whole', '--step', '1'],
    ['replay', 'v1.sqlite#whole', '--step', '2', '--out', 'step.png'],
    ['report', 'v1.sqlite', '--json'],
    ['reparse', 'v1.sqlite'],
    ['export', 'v1.sqlite', '--format', 'jsonl', '--out', 'data'],
    ['export', 'v1.sqlite', '--format', 'tables', '--out', 'data'],
    ['view', 'v1.sqlite', '--out', 'page.html'],
  ])('%s %s %s: is read, and left as it was', async (...words) => {
    const { code, err } = await orchestrate(words, { cwd });
    expect([code, err.includes('damaged')]).toEqual([0, false]);
    expect(readFileSync(path).equals(FIRST_VERSION)).toBe(true);
  });

  it('is verified, and its chain is what its definition makes of it', async () => {
    expect(await verified('v1.sqlite')).toBe('as it was');
    const reader = new LogReader(path);
    for (const runId of ['whole', 'killed'])
      for (const [stored, made] of chainsOf(reader, runId)) expect(stored).toBe(made);
    const end = known(reader.end('whole'), 'an end');
    expect(end.chain).toBe(known(reader.step('whole', end.steps), 'a step').chain);
    reader.close();
  });

  it('is taken up: the session that is added is sealed, the run keeps its genesis', async () => {
    await writeToday();
    const { code, err } = await orchestrate(['resume', 'v1.sqlite#killed', '--quiet'], { cwd });
    expect([code, err]).toEqual([0, '']);
    const reader = new LogReader(path);
    expect(reader.sessions('killed').map(({ versions }) => versions.log)).toEqual([1, LOG_VERSION]);
    for (const [stored, made] of chainsOf(reader, 'killed')) expect(stored).toBe(made);
    const end = known(reader.end('killed'), 'an end');
    const last = known(reader.step('killed', end.steps), 'a step').chain;
    expect([end.steps, end.chain]).toEqual([9, endChain(LOG_VERSION, last, end)]);
    reader.close();
    expect(await verified('v1.sqlite')).toBe('as it was');
    const db = new Database(path, { readonly: true });
    const objects = schemaObjects(db);
    expect(objects).toEqual(expectedObjects(NEWEST_ADDITION, objects));
    expect(db.prepare('SELECT run, sitting, kind FROM seals ORDER BY kind').all()).toEqual([
      { run: 2, sitting: 2, kind: 'begin' },
      { run: 2, sitting: 2, kind: 'end' },
    ]);
    db.close();
  });

  it('is forked', async () => {
    await writeToday();
    const words = ['fork', 'v1.sqlite#whole', '--at', '4', '--reply', 'ACTION: LOOK', '--quiet', '--json'];
    const { code, out } = await orchestrate(words, { cwd });
    expect(code).toBe(0);
    const { run_id: fork } = JSON.parse(out) as { run_id: string };
    expect(await verified(`v1.sqlite#${fork}`)).toBe('as it was');
  });
});

const KEPT = readdirSync(new URL('../fixtures/logs/', import.meta.url)).filter((file) =>
  file.endsWith('.gz'),
);

it.each(KEPT)('%s: whatever differs since, verify names the version that was raised for it', async (file) => {
  const log = file.replace('.gz', '');
  writeFileSync(
    join(cwd, log),
    gunzipSync(readFileSync(new URL(`../fixtures/logs/${file}`, import.meta.url))),
  );
  const { out } = await orchestrate(['verify', log, '--json'], { cwd });
  for (const line of out.trim().split('\n')) {
    const { ok, first_difference: found } = JSON.parse(line) as Verdict;
    expect(ok ? 'version' : found?.part, found?.note).toBe('version');
  }
});

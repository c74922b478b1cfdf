/** Splits from outside: the same in every format, none empty without a word, no row in two of them; and names that nothing has are told. */
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { beforeAll, describe, expect, it } from 'vitest';
import { pickRuns } from '../../src/export/picked-runs.js';
import { samplesOf } from '../../src/export/sample.js';
import { NO_MARKS } from '../../src/log/annotations.js';
import { LogReader } from '../../src/log/reader.js';
import { orchestrate } from '../support/captured-io.js';
import { temporaryFolder } from '../support/folder.js';
import { parquetRows } from './hyparquet.js';
import { ANSWERS, filesIn, jsonLines, playInto } from './runs.js';
import { reseal } from '../replay/changes.js';

const cwd = temporaryFolder();
const SEEDS = ['1', '2', '3', '4', '5', '6'];
const LOGS = SEEDS.map((seed) => `s${seed}.sqlite`);

beforeAll(async () => {
  for (const seed of SEEDS) {
    const more = 'success: { agent: ann, holds: coin }\n';
    const ann = [`I am number ${seed}.\nACTION: GO EAST`, 'no idea', 'ACTION: FLY', 'ACTION: WAIT'];
    const answers = { ...ANSWERS, ann };
    await playInto(cwd, `s${seed}`, { seed, answers, more });
    // With seeds 1, 3 and 5 the fork succeeds where its parent does not.
    const reply = Number(seed) % 2 === 1 ? 'ACTION: TAKE coin' : 'ACTION: WAIT';
    const words = ['--at', '4', '--reply', reply, '--quiet'];
    expect((await orchestrate(['fork', `s${seed}.sqlite`, ...words], { cwd })).err).toBe('');
  }
});

function exported(format: string, out: string, ...words: readonly string[]) {
  return orchestrate(['export', ...LOGS, '--format', format, '--out', out, ...words], { cwd });
}

function rowsIn(folder: string, split: string) {
  const lines = filesIn(folder)[`${split}.jsonl`];
  return lines === undefined ? parquetRows(folder, split) : jsonLines(lines);
}

/** The seeds of all runs, in the order of the runs' ids. */
function seedsInOrder(): readonly string[] {
  const runs = LOGS.flatMap((name) => {
    const reader = new LogReader(join(cwd, name));
    const told = reader.runs();
    reader.close();
    return told;
  });
  return runs.toSorted((one, other) => (one.runId < other.runId ? -1 : 1)).map(({ seed }) => seed);
}

/** The split of each seed that has rows; two runs are of each. */
async function splitOfSeeds(out: string, splits: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const seeds = seedsInOrder();
  const found = new Map<string, string>();
  for (const split of splits)
    for (const row of await rowsIn(join(cwd, out), split)) {
      const seed = seeds[Number(String(row['id']).slice(0, 5)) - 1] ?? '';
      expect(found.get(seed) ?? split).toBe(split);
      found.set(seed, split);
    }
  return found;
}

describe('splits', () => {
  it('are the same in every format, whatever filters leave of a run', { tags: ['long'] }, async () => {
    const words = ['--split', 'train=0.5,test=0.5', '--outcome', 'succeeded', '--duplicates', 'keep'];
    // These runs show the same pictures: what is done with those, row-splits.test.ts asks.
    words.push('--shared', 'keep');
    for (const seed of ['0', '1', '2', '3']) {
      for (const format of ['jsonl', 'preference'])
        await exported(format, `${format}-${seed}`, ...words, '--seed', seed);
      const whole = await splitOfSeeds(`jsonl-${seed}`, ['train', 'test']);
      expect(new Set(whole.values())).toEqual(new Set(['train', 'test']));
      const pairs = await splitOfSeeds(`preference-${seed}`, ['train', 'test']);
      expect(pairs.size).toBeGreaterThan(0);
      for (const [one, split] of pairs) expect([seed, one, split]).toEqual([seed, one, whole.get(one)]);
    }
  });

  it('that stay empty are told, and why', async () => {
    // Of one seed nothing can be parted.
    const one = await exported('jsonl', 'alone', '--split', 'train=1,test=1', '--where', 'seed == "2"');
    expect(one.out).toMatch(
      /^ {2}train +\d+ rows of 2 runs\n {2}test +0 rows of 0 runs$|^ {2}train +0 rows/m,
    );
    expect(one.err).toMatch(/split (train|test) is empty: .*form only 1 group/);
    const card = filesIn(join(cwd, 'alone'))['README.md']?.toString();
    expect(card).toMatch(/\| (train|test) \| 0 \| 0 \| 0 \|/);
    const whole = await exported('jsonl', 'whole', '--shared', 'keep', '--split', 'train=1,test=1');
    expect(whole.err).toBe('');
  });

  it('of which one would hold all of it, though it is told to hold a part, are refused', async () => {
    const { code, err } = await exported('jsonl', 'none', '--split', 'train=0.9');
    expect([code, err]).toEqual([2, expect.stringContaining('does not say where the remaining rows go')]);
    expect((await exported('jsonl', 'named', '--split', 'all=1')).code).toBe(0);
  });
});

describe('frames', () => {
  it('hold no picture twice, in one split or in two', async () => {
    await exported('frames', 'frames', '--split', 'train=0.5,test=0.5');
    const pictures = Object.entries(filesIn(join(cwd, 'frames'))).filter(([name]) => /^t.*png$/.test(name));
    const bytes = pictures.map(([, file]) => file.toString('base64'));
    expect(bytes.length).toBeGreaterThan(1);
    expect(new Set(bytes).size).toBe(bytes.length);
    await exported('frames', 'all', '--duplicates', 'keep');
    const all = Object.keys(filesIn(join(cwd, 'all'))).filter((name) => name.startsWith('train/'));
    expect(all.length).toBeGreaterThan(5 * bytes.length);
  });
});

describe('what is asked for by name', () => {
  it('and is nowhere is told, before anything is written where that can be', async () => {
    const strange = await exported('jsonl', 'none', '--scenario', 'answerin');
    expect(strange.code).toBe(2);
    expect(strange.err).toMatch(/no run has the scenario "answerin"[^]*did you mean answering\?/);
    const some = await exported('jsonl', 'some', '--agent', 'ann', '--agent', 'bobb');
    expect(some.err).toMatch(/no agent "bobb"; /);
    const none = await exported('jsonl', 'nobody', '--agent', 'an');
    expect(none.err).toMatch(/no agent "an"; did you mean ann\?/);
    const model = await exported('jsonl', 'model', '--model', 'scripted', '--model', 'given');
    expect(model.err).toMatch(/no model "scripted"/);
  });

  it('of tables, which are of whole runs, is told by its name', async () => {
    const { code, err } = await exported('tables', 'none', '--split', 'train=1,test=1', '--redact', 'x');
    expect(code).toBe(2);
    expect(err).toContain('--format tables does not support --redact, --split');
    // A word that is another option's default is asked for all the same.
    const drawn = await exported('tables', 'none', '--seed', 'full');
    expect([drawn.code, drawn.err]).toEqual([2, expect.stringContaining('does not support --seed')]);
    const some = await exported('tables', 'tables', '--outcome', 'succeeded');
    expect(some.out).toMatch(/of 3 of 12 runs/);
    expect(filesIn(join(cwd, 'tables'))['README.md']?.toString()).toContain('| succeeded | 3 |');
  });
});

describe('a fork', () => {
  it('tells the steps that it shares where its parent is left out', async () => {
    const words = ['--outcome', 'succeeded', '--duplicates', 'keep'];
    await exported('jsonl', 'shared', ...words);
    const rows = jsonLines(filesIn(join(cwd, 'shared'))['train.jsonl']);
    const first = rows.filter(({ step }) => step === 1).map(({ run }) => run);
    expect(first).toEqual([...new Set(rows.map(({ run }) => run))]);
    expect(first).toHaveLength(3);
  });

  it('that descends from itself is a damaged log', async () => {
    copyFileSync(join(cwd, 's1.sqlite'), join(cwd, 'circle.sqlite'));
    const db = new Database(join(cwd, 'circle.sqlite'));
    db.exec('UPDATE runs SET parent_run = 2, fork_step = 3 WHERE run = 1');
    db.exec('DELETE FROM steps WHERE run = 1 AND step < 3');
    reseal(db);
    db.close();
    const ran = await orchestrate(['export', 'circle.sqlite', '--format', 'jsonl', '--out', 'circle'], {
      cwd,
    });
    expect([ran.code, ran.err]).toEqual([3, expect.stringContaining('descends from itself')]);
  });
});

it('of a run that is still going the steps are told that it had at the beginning', () => {
  const reader = new LogReader(join(cwd, 's1.sqlite'));
  const picks = pickRuns([{ path: join(cwd, 's1.sqlite'), runs: reader.runs(), runId: null }]);
  const whole = picks.find(({ lastStep }) => lastStep > 4);
  if (whole === undefined) throw new Error('no run');
  const picked = { ...whole, lastStep: 4, summary: { ...whole.summary, status: 'running' as const } };
  const range = { turns: null, agents: null };
  const told = [...samplesOf({ reader, marks: NO_MARKS, picked }, range)];
  expect(told.map(({ step }) => step).every((step) => step <= 4)).toBe(true);
  expect(new Set(told.map(({ outcome }) => outcome.status))).toEqual(new Set(['running']));
  expect([...samplesOf({ reader, marks: NO_MARKS, picked: whole }, range)].length).toBeGreaterThan(
    told.length,
  );
  reader.close();
});

/**
 * What steps cost, in data sets: what `check` says of the fewest turns is the outside measure, and the waits that the test itself puts into a run are what it loses.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { beforeAll, describe, expect, it } from 'vitest';
import type { RunReport } from '../../src/report/report.js';
import { orchestrate } from '../support/captured-io.js';
import { temporaryFolder } from '../support/folder.js';
import { filesIn, jsonLines } from './runs.js';

const cwd = temporaryFolder();

/** The shortest way through the brass key, six turns by `check`, with two turns waited: the second and the fifth. */
const REPLIES = ['GO TO oak-door', 'WAIT', 'TAKE brass-key', 'OPEN oak-door', 'WAIT', 'GO EAST'];
const END = ['GO TO goblet', 'TAKE goblet'];

beforeAll(async () => {
  await runReplies('waits', REPLIES, []);
  const crypt = join(process.cwd(), 'scenarios/crypt.yaml');
  await orchestrate(['run', crypt, '--out', 'crypt.sqlite', '--quiet', '--max-turns', '6'], { cwd });
});

/** A run of the brass key with these replies, and then those that end it. */
async function runReplies(name: string, begin: readonly string[], words: readonly string[]): Promise<void> {
  const replies = [...begin, ...END].map((one) => `ACTION: ${one}`);
  const text = readFileSync('scenarios/brass-key.yaml', 'utf8');
  const hood = 'description: A ranger in a green hood.';
  writeFileSync(
    join(cwd, `${name}.yaml`),
    text.replace(hood, `${hood}\n    replies: ${JSON.stringify(replies)}`),
  );
  await orchestrate(['run', `${name}.yaml`, '--out', `${name}.sqlite`, '--quiet', ...words], { cwd });
}

async function exported(out: string, words: readonly string[], log = 'waits.sqlite') {
  const ran = await orchestrate(['export', log, '--format', 'jsonl', '--out', out, ...words], { cwd });
  const files = filesIn(join(cwd, out));
  return { ran, files, rows: jsonLines(files['train.jsonl']) };
}

describe('what a step cost, in a data set', () => {
  it('stands in columns where it is asked for, and sums up to what the run took too long', async () => {
    const { rows } = await exported('all', ['--regret']);
    expect(rows.map((row) => row['regret'])).toEqual([0, 1, 0, 0, 1, 0, 0, 0]);
    expect(new Set(rows.map((row) => row['regret_kind']))).toEqual(new Set(['exact']));
    expect(rows.map((row) => row['progress'])).toEqual([16, 16, 33, 50, 50, 66, 83, 100]);
    const plain = await exported('plain', []);
    expect(plain.rows.map((row) => [row['regret'], row['regret_kind'], row['progress']])).toEqual(
      plain.rows.map(() => [null, null, null]),
    );
  });

  it('is a figure of the run in a report that searches for it', { tags: ['long'] }, async () => {
    const report = async (...words: readonly string[]) =>
      JSON.parse(
        (await orchestrate(['report', 'waits.sqlite', '--json', ...words], { cwd })).out,
      ) as RunReport;
    expect((await report('--regret')).runs[0]?.regret).toBeCloseTo(2 / 8, 9);
    expect((await report()).runs[0]?.regret).toBeNull();
    // DONE in the second of 60 turns ends the only agent's run: the turns that were left are lost.
    await runReplies('over', ['GO TO oak-door', 'DONE'], []);
    const over = await orchestrate(['report', 'over.sqlite', '--regret', '--json'], { cwd });
    const { runs } = JSON.parse(over.out) as RunReport;
    const { max } = parse(readFileSync('scenarios/brass-key.yaml', 'utf8')).turns;
    expect(runs[0]).toMatchObject({ status: 'failed', regret: (0 + (max - 1)) / 2 });
    const vain = await orchestrate(['report', 'waits.sqlite', '--effort', '5'], { cwd });
    expect([vain.code, vain.err]).toEqual([2, expect.stringContaining('--effort needs --regret')]);
  });

  it('is that of the last refused reply where the agent had to wait', { tags: ['long'] }, async () => {
    const begin = REPLIES.flatMap((one) => (one === 'WAIT' ? ['TAKE moon', 'TAKE goblet'] : [one]));
    await runReplies('refused', begin, ['--set', 'turns.attempts=2']);
    const { rows } = await exported('refused', ['--regret', '--all'], 'refused.sqlite');
    expect(rows.map((row) => row['regret'])).toEqual([0, null, 1, 0, 0, null, 1, 0, 0, 0]);
  });

  it('is asked about by conditions, also where no column is written', { tags: ['long'] }, async () => {
    const { rows } = await exported('lost', ['--where', 'regret > 0']);
    expect(rows.map((row) => row['turn'])).toEqual([2, 5]);
    const near = await exported('near', ['--where', 'progress >= 66 && progress_kind == "exact"']);
    expect(near.rows.map((row) => row['turn'])).toEqual([6, 7, 8]);
    const trl = await orchestrate(
      ['export', 'waits.sqlite', '--format', 'trl', '--out', 'trl', '--where', 'regret == 0'],
      { cwd },
    );
    expect(trl.out).toContain('6 rows');
  });

  it(
    'is named an estimate where the search gives up, is told of every step, and is the same each time',
    { tags: ['long'] },
    async () => {
      const words = ['--regret', '--effort', '20'];
      const { rows, files } = await exported('crypt', words, 'crypt.sqlite');
      const settled = rows.filter((row) => row['settled'] === true);
      expect(settled.length).toBeGreaterThan(12);
      expect(new Set(settled.slice(0, 12).map((row) => row['regret_kind']))).toEqual(new Set(['estimate']));
      expect(settled.slice(0, 12).map((row) => typeof row['regret'])).toEqual(
        settled.slice(0, 12).map(() => 'number'),
      );
      const again = await exported('again', words, 'crypt.sqlite');
      expect(again.files['train.jsonl']?.equals(files['train.jsonl'] ?? Buffer.of())).toBe(true);
    },
  );

  it('takes no effort that nothing is searched with', async () => {
    const ran = await orchestrate(
      ['export', 'waits.sqlite', '--format', 'jsonl', '--out', 'idle', '--effort', '20'],
      { cwd },
    );
    expect(ran.code).toBe(2);
    expect(ran.err).toContain('--regret');
  });
});

/**
 * A field of acts that is added after logs have been written, as one entry of the table (src/trajectory/act.ts) and where it is recorded: here
 * every act records 3 late turns. Logs that lack it stay as good as they were, and it is compared, checked, exported and shown in the others.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { LOG_VERSION } from '../../src/log/log-version.js';
import { LogReader } from '../../src/log/reader.js';
import { compareStep } from '../../src/replay/comparison.js';
import type { ActRecord } from '../../src/trajectory/act.js';
import { corridor } from '../orchestrator/two-agents.js';
import { orchestrate } from '../support/captured-io.js';
import { answering } from '../support/controllers.js';
import { temporaryFolder } from '../support/folder.js';
import { changed, logged, verified } from './support.js';

vi.mock('../../src/trajectory/act.js', async (importOriginal) => {
  const original = await importOriginal<typeof import('../../src/trajectory/act.js')>();
  const lateTurns = {
    part: 'lateness',
    note: 'the reply came another number of turns late',
    later: {
      type: 'integer',
      column: { name: 'late_turns', about: 'the turns by which the reply came late' },
      words: (turns: unknown) => (turns === 0 ? null : `${String(turns)} turns late`),
    },
  };
  Object.assign(original.ACT_FIELDS, { lateTurns });
  Object.assign(original.LATER_ACT_FIELDS, { lateTurns: lateTurns.later });
  const actOf: typeof original.actOf = (...args) => withLateTurns(original.actOf(...args), 3);
  return { ...original, actOf };
});

function withLateTurns(act: ActRecord, lateTurns: number): ActRecord {
  return Object.assign({}, act, { lateTurns });
}

const folder = temporaryFolder();
let path = '';

beforeAll(async () => {
  const controllers = {
    ann: answering(['ACTION: LOOK', 'ACTION: GO EAST']),
    bob: answering(['ACTION: WAIT']),
  };
  ({ path } = await logged(corridor('max: 2'), { controllers }));
});

const setIn = (set: string): string =>
  changed(path, (db) => db.exec(`UPDATE steps SET acts = ${set} WHERE step = 1`));

describe('a later field of acts', () => {
  it('is made again by verify', async () => {
    expect(await verified(path)).toMatchObject({ difference: null, steps: 6 });
  });

  it('is not missed in a log of an earlier program', async () => {
    const older = setIn(`json_remove(acts, '$[0].lateTurns', '$[1].lateTurns')`);
    expect(await verified(older)).toMatchObject({ difference: null, steps: 6 });
  });

  it.each(['4', 'null'])('is compared where it was logged: %s', async (value) => {
    const { difference } = await verified(setIn(`json_set(acts, '$[1].lateTurns', json('${value}'))`));
    const { part, note } = { part: 'lateness', note: 'the reply came another number of turns late' };
    expect(difference).toMatchObject({
      step: 1,
      part,
      note,
      path: '/acts/1/lateTurns',
      logged: value,
      made: '3',
    });
  });

  it.each(Array.from({ length: LOG_VERSION - 2 }, (_, i) => i + 2))(
    'leaves the steps of a log of version %i as they are',
    (version) => {
      const older = join(folder, `v${version}.sqlite`);
      const fixture = new URL(`../fixtures/logs/v${version}.sqlite.gz`, import.meta.url);
      writeFileSync(older, gunzipSync(readFileSync(fixture)));
      const reader = new LogReader(older);
      const steps = reader.runs().flatMap(({ runId }) => [...reader.steps(runId)]);
      reader.close();
      expect(steps.flatMap(({ acts }) => acts).length).toBeGreaterThan(1);
      for (const step of steps) {
        const acts = step.acts.map((act) => withLateTurns(act, 3));
        expect(() => compareStep(step, { ...step, acts }, () => ({}))).not.toThrow();
      }
    },
  );

  it('is checked when a log is read', async () => {
    const forged = setIn(`json_set(acts, '$[0].lateTurns', 'x')`);
    const reader = new LogReader(forged);
    const [{ runId } = { runId: '' }] = reader.runs();
    expect(() => reader.step(runId, 1)).toThrow('acts of step 1 is wrong: 0: lateTurns');
    reader.close();
  });

  it('is a column of data sets and a line of show', async () => {
    const cwd = dirname(path);
    const out = join(folder, 'data');
    const exported = await orchestrate(['export', path, '--format', 'jsonl', '--all', '--out', out], { cwd });
    expect(exported.code).toBe(0);
    const rows = readFileSync(join(out, 'train.jsonl'), 'utf8').trimEnd().split('\n');
    expect(rows.map((row) => (JSON.parse(row) as { late_turns: unknown }).late_turns)).toContain(3);
    const { out: page } = await orchestrate(['show', basename(path), '--step', '1'], { cwd });
    expect(page).toContain('LOOK: 3 turns late');
  });
});

/**
 * A field of acts that is added after logs have been written, as if its entry stood in the table (src/trajectory/act.ts): logs that lack it stay
 * as good as they were, and it is compared, checked, exported and shown where it was logged.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { laterActColumns } from '../../src/export/columns.js';
import { pickRuns } from '../../src/export/picked-runs.js';
import { samplesOf } from '../../src/export/sample.js';
import { NO_MARKS } from '../../src/log/annotations.js';
import { LOG_VERSION } from '../../src/log/log-version.js';
import { LogReader } from '../../src/log/reader.js';
import { acts as actsShape } from '../../src/trajectory/shapes.js';
import { compareStep } from '../../src/replay/comparison.js';
import { ACT_FIELDS, LATER_ACT_FIELDS } from '../../src/trajectory/act.js';
import type { ActRecord, LaterActField } from '../../src/trajectory/act.js';
import type { StepRecord } from '../../src/trajectory/records.js';
import { corridor } from '../orchestrator/two-agents.js';
import { orchestrate } from '../support/captured-io.js';
import { answering } from '../support/controllers.js';
import { temporaryFolder } from '../support/folder.js';
import { changed, logged, verified } from './support.js';

const later: LaterActField = {
  type: 'integer',
  column: { name: 'late_turns', about: 'the turns by which the reply came late' },
  words: (turns) => (turns === 0 ? null : `${turns} turns late`),
};
const OTHER = { part: 'lateness', note: 'the reply came another number of turns late' };

const folder = temporaryFolder();
/** A run of today's program in which the first step's two acts have the field. */
let path = '';

beforeAll(async () => {
  Object.assign(ACT_FIELDS, { lateTurns: { ...OTHER, later } });
  Object.assign(LATER_ACT_FIELDS, { lateTurns: later });
  const ann = answering(['ACTION: LOOK', 'ACTION: GO EAST']);
  const played = await logged(corridor('max: 2'), { controllers: { ann, bob: answering(['ACTION: WAIT']) } });
  const set = `json_set(acts, '$[0].lateTurns', 0, '$[1].lateTurns', 3)`;
  path = changed(played.path, (db) => db.exec(`UPDATE steps SET acts = ${set} WHERE step = 1`));
});

// Other files of this process read the same tables.
afterAll(() => {
  Reflect.deleteProperty(ACT_FIELDS, 'lateTurns');
  Reflect.deleteProperty(LATER_ACT_FIELDS, 'lateTurns');
});

/** As a program with the field makes the step. */
function withLateTurns(step: StepRecord, lateTurns: number | null): StepRecord {
  return { ...step, acts: step.acts.map((act): ActRecord => Object.assign({}, act, { lateTurns })) };
}

function stepsOf(log: string): readonly StepRecord[] {
  const reader = new LogReader(log);
  const steps = reader.runs().flatMap(({ runId }) => [...reader.steps(runId)]);
  reader.close();
  return steps;
}

const compared = (log: StepRecord, made: StepRecord) => () => compareStep(log, made, () => ({}));

describe('a later field of acts', () => {
  it.each(Array.from({ length: LOG_VERSION - 1 }, (_, i) => i + 2))(
    'is not missed in a log of version %i',
    (version) => {
      const older = join(folder, `v${version}.sqlite`);
      const fixture = new URL(`../fixtures/logs/v${version}.sqlite.gz`, import.meta.url);
      writeFileSync(older, gunzipSync(readFileSync(fixture)));
      const steps = stepsOf(older);
      expect(steps.flatMap(({ acts }) => acts).length).toBeGreaterThan(1);
      for (const step of steps) {
        expect(compared(step, withLateTurns(step, 3))).not.toThrow();
        expect(compared(step, withLateTurns(step, null))).not.toThrow();
      }
    },
  );

  it('is compared where it was logged', async () => {
    const [step] = stepsOf(path);
    if (step === undefined) throw new Error('no step');
    const late = withLateTurns(step, 3);
    expect(compared(late, late)).not.toThrow();
    expect(compared(late, withLateTurns(step, null))).toThrow(OTHER.note);
    expect(compared(withLateTurns(step, null), late)).toThrow(OTHER.note);
    const at = { step: 1, path: '/acts/0/lateTurns', logged: '0', made: null };
    expect((await verified(path)).difference).toMatchObject({ ...OTHER, ...at });
  });

  it('is checked when a log is read', () => {
    const acts = actsShape({ lateTurns: later });
    const [{ acts: [act] } = { acts: [] }] = stepsOf(path);
    const isRead = (value: object) => acts.safeParse([Object.assign({}, act, value)]).success;
    expect([{}, { lateTurns: null }, { lateTurns: undefined }].map(isRead)).toEqual([true, true, true]);
    expect([{ lateTurns: 'x' }, { lateTurns: 1.5 }, { lateTurns: true }].map(isRead)).toEqual([
      false,
      false,
      false,
    ]);
  });

  it('is a column of data sets', () => {
    const reader = new LogReader(path);
    const [picked] = pickRuns([{ path, runs: reader.runs(), runId: null }]);
    if (picked === undefined) throw new Error('no run');
    const samples = [...samplesOf({ reader, marks: NO_MARKS, picked }, { turns: null, agents: ['ann'] })];
    const [column] = laterActColumns({ lateTurns: later });
    expect(column).toMatchObject({ name: 'late_turns', type: 'integer' });
    expect(samples.map((sample) => column?.read(sample)).slice(0, 3)).toEqual([0, 3, null]);
    reader.close();
  });

  it('is told by show --step', async () => {
    const { out } = await orchestrate(['show', basename(path), '--step', '1'], { cwd: dirname(path) });
    expect(out).toContain('GO EAST: 3 turns late');
    expect(out).not.toContain('0 turns late');
  });
});

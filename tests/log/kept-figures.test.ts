/** What a run came to is kept with its end: the same as its steps say, of whole, resumed, forked and early-asking runs; never believed over them. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AGENT_COUNTS } from '../../src/trajectory/agent-figures.js';
import { FIGURES_VERSION, forEachCount } from '../../src/trajectory/run-figures.js';
import { readFigures } from '../../src/log/read-figures.js';
import { FiguresKeeper } from '../../src/log/figures-keeper.js';
import { LogReader } from '../../src/log/reader.js';
import { LIMITS } from '../../src/base/limits.js';
import { runFigures } from '../../src/report/run-metrics.js';
import { error, ok } from '../fake-server/behaviours.mjs';
import { startFakeServer } from '../fake-server/server.mjs';
import type { FakeServer } from '../fake-server/server.mjs';
import { corridor } from '../orchestrator/two-agents.js';
import { reseal } from '../replay/changes.js';
import { orchestrate } from '../support/captured-io.js';
import { cutOff, goOn, remembering } from '../support/going-on.js';
import { temporaryFolder } from '../support/folder.js';

const cwd = temporaryFolder();
const on = (...args: readonly string[]) => orchestrate(args, { cwd });
let server: FakeServer;

beforeAll(async () => {
  let asked = 0;
  const words = ['ACTION: GO NORTH', 'I sing.', 'ACTION: SPEAK "Hello"', 'ACTION: WAIT', 'ACTION: GO EAST'];
  server = await startFakeServer({ reply: () => words[asked++ % words.length] ?? '' });
  const price = 'price: { prompt: 0.3, reply: 0.7 }';
  const models = `models: { main: { base_url: "${server.baseUrl}", model: fake-vlm, ${price} } }\n`;
  const asks = corridor('max: 4').replaceAll(/(knight|wizard) }/g, '$1, model: main }');
  const more = 'reflection: { when: always }\nprobes: { every: 1, each: 1 }\n';
  writeFileSync(join(cwd, 'asked.yaml'), asks + models + more);
  await on('run', 'asked.yaml', '--out', 'asked.sqlite', '--quiet');
  await on('fork', 'asked.sqlite', '--at', '4', '--quiet');
});

afterAll(() => server.close());

/** Both readings of every run of a log. */
function readings(path: string) {
  const reader = new LogReader(path);
  try {
    return reader.runs().map(({ runId }) => {
      const run = reader.run(runId);
      const read = runFigures(reader, run, path, () => readFigures(reader, run));
      return { isKept: reader.keptFigures(runId) !== null, kept: runFigures(reader, run, path), read };
    });
  } finally {
    reader.close();
  }
}

function expectSame(path: string): void {
  for (const { isKept, kept, read } of readings(path)) {
    expect(isKept).toBe(true);
    expect(JSON.stringify(kept)).toBe(JSON.stringify(read));
  }
}

function changed(change: (db: Database.Database) => void): void {
  const db = new Database(join(cwd, 'asked.sqlite'));
  try {
    change(db);
  } finally {
    db.close();
  }
}

describe('figures that a log keeps', () => {
  it('are those of the steps, with what is asked after the end, in a run and its fork', () => {
    const [run, fork] = readings(join(cwd, 'asked.sqlite'));
    expect(run?.kept).toMatchObject({
      status: 'ended',
      players: 'fake-vlm',
      refused: { 'illegal/blocked': expect.any(Number) },
    });
    expect(run?.kept.probes).toBeGreaterThan(0);
    expect(run?.kept.cost).toBeGreaterThan(0);
    expect(fork?.kept.steps).toBe(run?.kept.steps);
    expectSame(join(cwd, 'asked.sqlite'));
  });

  it(
    'are those of the steps of a run that was cut off at any moment and went on',
    { tags: ['long'] },
    async () => {
      const answers = ['hm', 'ACTION: GO NORTH', 'ACTION: SPEAK "x"', 'ACTION: GO EAST', 'ACTION: GO EAST'];
      const controllers = {
        ann: remembering(answers, true, () => undefined),
        bob: remembering(answers.toReversed(), true, () => undefined),
      };
      for (const order of ['sequential', 'simultaneous']) {
        const { cuts } = await cutOff(corridor(`max: 3, order: ${order}`), { controllers });
        for (const cut of cuts.filter((_, i) => i % 3 === 0)) {
          await goOn(cut, { controllers });
          expectSame(cut);
        }
      }
    },
  );

  it('have what was paid for a step that was only begun, and how many answers are lost, also once the run goes on', async () => {
    const fails = await startFakeServer({ reply: () => 'I sing.' });
    const price = 'price: { prompt: 0.3, reply: 0.7 }';
    const model = `{ base_url: "${fails.baseUrl}", model: fake-vlm, retries: 0, ${price} }`;
    const text = corridor('max: 1, attempts: 2').replaceAll(/(knight|wizard) }/g, '$1, model: main }');
    writeFileSync(join(cwd, 'fails.yaml'), `${text}models: { main: ${model} }\n`);
    fails.next(ok, error(401, 'the key has expired'));
    const stopped = await on('run', 'fails.yaml', '--out', 'fails.sqlite', '--quiet', '--json');
    expect(stopped.code).toBe(4);
    const path = join(cwd, 'fails.sqlite');
    expectSame(path);
    const [before] = readings(path);
    expect(before?.kept).toMatchObject({ steps: 0, unknownUsage: 1 });
    expect(before?.kept.promptTokens).toBeGreaterThan(0);
    expect((await on('resume', 'fails.sqlite', '--quiet')).code).toBe(0);
    await fails.close();
    expectSame(path);
    const [after] = readings(path);
    expect(after?.kept).toMatchObject({ status: 'ended', unknownUsage: 1, steps: 2 });
    expect(after?.kept.promptTokens).toBeGreaterThan(before?.kept.promptTokens ?? 0);
    expect((await on('report', 'fails.sqlite')).out).toMatch(/  ≥ [\d,]+  /);
  });

  it('are no part of a log whose run has no end, or of another version of the figures', () => {
    changed((db) => db.exec(`UPDATE figures SET version = ${FIGURES_VERSION + 1} WHERE run = 2`));
    changed(reseal);
    const [run, fork] = readings(join(cwd, 'asked.sqlite'));
    expect([run?.isKept, fork?.isKept]).toEqual([true, false]);
    expect(JSON.stringify(fork?.kept)).toBe(JSON.stringify(fork?.read));
  });

  it('that were changed are refused by every command, and by verify where the seal was forged too', async () => {
    const lie = `UPDATE figures SET figures = json_set(figures, '$.firstTries', 99) WHERE run = 1`;
    changed((db) => db.exec(lie));
    const told = await on('report', 'asked.sqlite');
    expect([told.code, told.err]).toMatchObject([3, expect.stringContaining('was altered (hash mismatch)')]);
    changed(reseal);
    expect((await on('report', 'asked.sqlite')).code).toBe(0);
    const verified = await on('verify', 'asked.sqlite');
    expect(verified.code).toBe(1);
    expect(verified.out).toContain(
      "figures: the figures stored with the run's end differ from those of its steps",
    );
    expect(verified.out).toContain('path    /firstTries');
    for (const value of [`'$.firstTries', 'x'`, `'$.agents', json('{}')`, `'$.unread', 7`]) {
      changed((db) => db.exec(`UPDATE figures SET figures = json_set(figures, ${value}) WHERE run = 1`));
      changed(reseal);
      const strange = await on('report', 'asked.sqlite');
      expect([strange.code, strange.err]).toMatchObject([
        3,
        expect.stringMatching(/the structure of .* is wrong/),
      ]);
    }
  });
});

it('of a run with a long past are not counted again, and not kept', () => {
  const path = join(cwd, 'asked.sqlite');
  const reader = new LogReader(path);
  const run = reader.run(reader.runs()[0]?.runId ?? '');
  reader.close();
  const keeper = new FiguresKeeper(path);
  keeper.resume(run, LIMITS.figuresRereadSteps);
  expect(keeper.end(run.runId)).not.toBeNull();
  keeper.resume(run, LIMITS.figuresRereadSteps + 1);
  expect(keeper.end(run.runId)).toBeNull();
});

it('a count that is added, renamed or removed raises the version of the figures', () => {
  const names = [...Object.keys(forEachCount(0)), '·', ...AGENT_COUNTS].join(' ');
  // Rows of logs that were written with other counts would be called damaged.
  expect({ [FIGURES_VERSION]: names }).toEqual({
    5: 'turns steps replies wasted firstTries standIns uncontrolled repeated said unheard unknownUsage · steps firstTries unread unanswered refused standIns standInsRefused said reward succeeded promptTokens replyTokens probes probesRight',
  });
});

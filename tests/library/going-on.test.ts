/** Resuming and forking from a program: the same ends as the command line's, the same refusals, and a log that is let go of. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it, vi } from 'vitest';
import {
  LogReader,
  LogWriter,
  diffRuns,
  forkRun,
  MODULES,
  readAgain,
  resumeRun,
  runScenario,
  stageOpener,
  verifyRun,
} from '../../src/index.js';
import { at } from '../../src/base/assert.js';
import { eventLoop } from '../../src/model/fair-queue.js';
import { corridor } from '../orchestrator/two-agents.js';
import { temporaryFolder } from '../support/folder.js';
import { reseal } from '../replay/changes.js';

const folder = temporaryFolder();
let logs = 0;

async function played(turns = 3) {
  logs += 1;
  const log = join(folder, `${logs}.sqlite`);
  return { log, ...(await runScenario(corridor(`max: ${turns}`), { log })) };
}

/** As if it had been killed after the fourth step. */
function left(log: string): void {
  const db = new Database(log);
  db.exec('DELETE FROM ends; DELETE FROM steps WHERE step > 4');
  reseal(db);
  db.close();
}

describe('a run whose log was changed', () => {
  it.each([
    ['its name', "UPDATE runs SET name = 'other'"],
    ['its end', "UPDATE ends SET reason = 'because'"],
    ['its sitting', 'UPDATE sittings SET started_at = 1'],
    ['no end', 'DELETE FROM ends'],
  ])('is neither taken up nor forked, and the file is as it was: %s', async (_what, sql) => {
    const { log } = await played();
    const db = new Database(log);
    db.exec(sql);
    db.close();
    const before = readFileSync(log);
    await expect(resumeRun(log)).rejects.toThrow(
      /is damaged: run .*: .*session 1 (?:is missing|was altered)/,
    );
    await expect(forkRun(log, { at: 2 })).rejects.toThrow(
      /is damaged: run .*: .*session 1 (?:is missing|was altered)/,
    );
    expect(readFileSync(log).equals(before)).toBe(true);
  });
});

describe('resumeRun', () => {
  it('ends with the chain of the run that nobody left; of one that is over it tells the end', async () => {
    const { log, end, run } = await played();
    left(log);
    const gone = await resumeRun(log);
    expect([gone.run.runId, gone.end.chain, gone.end.steps]).toEqual([run.runId, end.chain, 9]);
    expect((await resumeRun(log)).end).toEqual(gone.end);
    const reader = new LogReader(log);
    expect(reader.sessions(run.runId)).toHaveLength(2);
    reader.close();
  });

  it('takes up a long past in pieces, and one run after the other', { tags: ['long'] }, async () => {
    const logs = [await played(1), await played(30), await played(30)].map(({ log }) => log);
    const pieces = vi.spyOn(eventLoop, 'quietRound');
    const piecesUntilThen = async (log: string): Promise<number> => {
      await resumeRun(log);
      return pieces.mock.calls.length;
    };
    const short = await piecesUntilThen(at(logs, 0));
    pieces.mockClear();
    const long = await Promise.all([piecesUntilThen(at(logs, 1)), piecesUntilThen(at(logs, 2))]);
    pieces.mockRestore();
    // 90 steps, eight in a piece.
    const [first, second] = [Math.min(...long), Math.max(...long)];
    expect(first).toBeGreaterThan(short + 8);
    expect(second - first).toBeGreaterThan(8);
  });

  it('refuses a log that is not there, that holds several runs, or that somebody writes, and lets go of it', async () => {
    const none = join(folder, 'none.sqlite');
    await expect(resumeRun(none)).rejects.toThrow('there is no log');
    expect(existsSync(none)).toBe(false);
    const { log } = await played();
    await runScenario(corridor('max: 1'), { log });
    await expect(resumeRun(log)).rejects.toThrow('has 2 runs');
    const writer = new LogWriter(log);
    await expect(resumeRun(log)).rejects.toThrow('is being written');
    writer.close();
  });
});

describe('forkRun', () => {
  it('plays anew from a step on with what it is given, and is compared and read again', async () => {
    const { log, run } = await played();
    const fork = await forkRun(log, { at: 4, replies: { ann: 'ACTION: GO SOUTH' }, set: ['turns.max=4'] });
    expect([fork.run.parent, fork.end.steps]).toEqual([{ runId: run.runId, step: 4 }, 12]);
    const reader = new LogReader(log);
    const open = stageOpener({ modules: MODULES });
    expect((await verifyRun(reader, fork.run.runId, open)).difference).toBeNull();
    const diff = diffRuns({ a: { reader, run }, b: { reader, run: fork.run } }, { open, moments: 3 });
    expect([diff.isSame, diff.sharedSteps, diff.divergence?.moment.turn]).toEqual([false, 3, 2]);
    const readings = [...readAgain(reader, fork.run.runId, open)];
    expect(readings.length).toBeGreaterThan(3);
    expect(new Set(readings.map(({ comparison }) => comparison))).toEqual(new Set(['same']));
    reader.close();
  });

  it('refuses a step that is not there and a setting that would have made another past', async () => {
    const { log, run } = await played();
    await expect(forkRun(log, { at: 11 })).rejects.toThrow('there is no step 11');
    await expect(forkRun(log, { at: 2, set: ['seed=7'] })).rejects.toThrow('depend on it');
    const reader = new LogReader(log);
    expect(reader.runs().map(({ runId }) => runId)).toEqual([run.runId]);
    reader.close();
  });
});

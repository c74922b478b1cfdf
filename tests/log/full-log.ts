/** A log with rows in every table that a run fills: served, with a probe, speculation, rewards, timing and an untimely intent. Gives its path. */
import { join } from 'node:path';
import { LogWriter } from '../../src/log/writer.js';
import { temporaryFolder } from '../support/folder.js';
import { play, sampleCall, sampleEnd, sampleReply, sampleRun, sampleStep } from './sample.js';

export function fullLog(): string {
  const path = join(temporaryFolder(), 'full.sqlite');
  const writer = new LogWriter(path);
  const run = sampleRun();
  writer.begin(
    run,
    {},
    {
      pace: 'clock',
      periodMs: 1000,
      windowMs: 500,
      ttlMs: 10_000,
      waitFor: 1,
      staleness: 0,
      own: [],
    },
  );
  play(writer, run, 3, false);
  writer.request(sampleCall(run.runId, 4, []), false);
  writer.reply(run.runId, 4, { kind: 'replied', reply: sampleReply('SPEAK hello'), memory: null }, false);
  writer.request({ ...sampleCall(run.runId, 5, []), step: 4, purpose: 'probe' }, false);
  writer.reply(run.runId, 5, { kind: 'replied', reply: sampleReply('no'), memory: null }, false);
  writer.probe({
    runId: run.runId,
    call: 5,
    kind: 'door',
    question: 'Is it open?',
    options: ['yes', 'no'],
    expected: 'no',
    answer: 'no',
    verdict: 'right',
  });
  writer.request({ ...sampleCall(run.runId, 6, []), step: 4, purpose: 'speculation' }, false);
  writer.reply(run.runId, 6, { kind: 'replied', reply: sampleReply('WAIT'), memory: null }, false);
  const said = { kind: 'said', actor: 'nyla', at: null, data: { text: 'hello' }, seenBy: ['odo'] };
  const rewards = { paid: { nyla: -0.01 }, distance: 3 };
  const timing = { overrunMs: 12, settleMs: 8 };
  const untimely = [{ entity: 'nyla', reason: 'late', missed: 3, count: 2 }] as const;
  const step = sampleStep(run.runId, 4, [4]);
  const insteadOf = { code: 'late', message: 'Your answer came too late.' } as const;
  const acts = step.acts.map((act) => (act.insteadOf === null ? act : { ...act, insteadOf }));
  const last = { ...step, acts, events: [said], rewards, timing, untimely };
  writer.step(last);
  writer.end(run.runId, sampleEnd(last));
  writer.close();
  return path;
}

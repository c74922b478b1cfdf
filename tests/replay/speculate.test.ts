/** A log whose run asked ahead: its calls are told as what became of them, it is verified, taken up and exported as any other. */
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { known } from '../../src/base/assert.js';
import { NO_MARKS } from '../../src/log/annotations.js';
import { messagesHash } from '../../src/trajectory/chain.js';
import { LogReader } from '../../src/log/reader.js';
import { LogWriter } from '../../src/log/writer.js';
import { pickRuns } from '../../src/export/picked-runs.js';
import { openRun, samplesAt } from '../../src/export/sample.js';
import { TurnOrchestrator } from '../../src/orchestrator/turn-orchestrator.js';
import { runFigures } from '../../src/report/run-metrics.js';
import { copyOf, goOn, newLog } from '../support/going-on.js';
import { NEVER_STOPPED, partsFor } from '../support/play.js';
import { rooms, thinking } from '../support/thinkers.js';
import type { ThinkOptions } from '../support/thinkers.js';
import { verified } from './support.js';

const AHEAD = ['turns.speculate.ahead=4', 'turns.speculate.wasted_max=3'];
/** Calls take so long that some come back before their turn and some after it. */
const uneven = (call: number): number => [40, 3, 90, 12, 5][call % 5] ?? 0;
const some = (call: number): boolean => call % 11 === 0;
/** The first agent speaks from turn 2, which makes vain what the others were asked ahead; nothing depends on the wording of a prompt. */
const speaksOften = (agent: string, turn: number): string =>
  agent === 'a1' && turn > 1 ? 'ACTION: SPEAK "Who is there?"' : 'ACTION: WAIT';
const SEEN = rooms(4, true, 'max: 4').replaceAll('figure/knight }', 'figure/knight, sight: 5 }');

async function logged(text: string, set: readonly string[], options: ThinkOptions = {}) {
  const path = newLog();
  const writer = new LogWriter(path);
  const cuts: string[] = [];
  const { parts } = thinking(await partsFor(text, writer, { set }), { rounds: uneven, ...options });
  const cut = (): void => void cuts.push(copyOf(path));
  const { sink } = parts;
  const kept: typeof sink = {
    ...sink,
    request: (call, durable) => {
      sink.request(call, durable);
      cut();
    },
    reply: (runId, call, end, durable) => {
      sink.reply(runId, call, end, durable);
      cut();
    },
    step: (record) => {
      sink.step(record);
      cut();
    },
  };
  const end = await new TurnOrchestrator({ ...parts, sink: kept }).run(NEVER_STOPPED);
  writer.close();
  return { path, end, cuts };
}

function reading<T>(path: string, read: (reader: LogReader, runId: string) => T): T {
  const reader = new LogReader(path);
  try {
    return read(reader, known(reader.runs().at(-1), 'a run').runId);
  } finally {
    reader.close();
  }
}

/** Calls that were answered, of all steps and those that were begun. */
function answered(path: string) {
  return reading(path, (reader, runId) => {
    const last = known(reader.runs().at(-1), 'a run').steps;
    const steps = Array.from({ length: last + 4 }, (_, i) => i + 1);
    return steps.flatMap((step) => reader.calls(runId, step)).filter(({ end }) => end?.kind === 'replied');
  });
}

/** Rows of a data set, without what tells how a call was made. */
function rows(path: string) {
  return reading(path, (reader, runId) => {
    const picked = known(pickRuns([{ path, runs: reader.runs(), runId }])[0], 'a run');
    const open = openRun({ reader, picked, marks: NO_MARKS });
    return [...reader.played(runId)]
      .flatMap((step) => samplesAt(open, step))
      .map((sample) => JSON.stringify({ ...sample, prompt: sample.prompt(), runId: '', call: 0 }));
  });
}

describe('the log of a run that asked ahead', () => {
  it('tells a call that counted as the one that acted, and one in vain as a speculation', async () => {
    const { path, end } = await logged(SEEN, AHEAD, { answer: speaksOften });
    const told = reading(path, (reader, runId) =>
      [...reader.steps(runId)].flatMap(({ step, calls }) =>
        reader.calls(runId, step).map(({ request }) => ({
          purpose: request.purpose,
          isListed: calls.includes(request.call),
          same: reader.call(runId, request.call)?.request.purpose === request.purpose,
        })),
      ),
    );
    expect(told.every(({ same }) => same)).toBe(true);
    expect(told.filter(({ purpose }) => purpose === 'speculation').every(({ isListed }) => !isListed)).toBe(
      true,
    );
    expect(told.filter(({ isListed }) => isListed).every(({ purpose }) => purpose !== 'speculation')).toBe(
      true,
    );
    const db = new Database(path, { readonly: true });
    const sent = db.prepare(`SELECT count(*) FROM calls WHERE purpose = 'speculation'`).pluck().get();
    db.close();
    const wasted = told.filter(({ purpose }) => purpose === 'speculation').length;
    expect(wasted).toBeGreaterThan(2);
    expect(sent).toBeGreaterThan(wasted + 2);
    expect(end.steps).toBe(20);
  });

  it('is verified, as that of a run that asked in turn', { tags: ['long'] }, async () => {
    const [plain, ahead] = [await logged(SEEN, []), await logged(SEEN, AHEAD, { fails: some })];
    expect(ahead.end.chain).toBe(plain.end.chain);
    for (const { path } of [plain, ahead])
      expect(await verified(path)).toMatchObject({ difference: null, damage: null, steps: 20 });
  });

  it('gives the same rows of a data set', { tags: ['long'] }, async () => {
    const [plain, ahead] = [await logged(SEEN, []), await logged(SEEN, AHEAD, { fails: some })];
    expect(rows(plain.path).length).toBeGreaterThan(15);
    expect(rows(ahead.path)).toEqual(rows(plain.path));
  });

  it('is in the figures with what was in vain, which costs', { tags: ['long'] }, async () => {
    const [plain, ahead] = [await logged(SEEN, MODELS), await logged(SEEN, [...MODELS, ...AHEAD])];
    const [one, other] = [plain, ahead].map(({ path }) =>
      reading(path, (reader, runId) => runFigures(reader, reader.run(runId), path)),
    );
    const inVain = answered(ahead.path).filter(({ request }) => request.purpose === 'speculation').length;
    expect(one?.wasted).toBe(0);
    expect(other?.wasted).toBeGreaterThanOrEqual(inVain);
    expect(other?.replies).toBe(one?.replies);
    expect(other?.promptTokens).toBe((one?.promptTokens ?? 0) + 10 * inVain);
  });

  it(
    'cut off at any moment is verified as far as it goes, and goes on to the same end',
    { tags: ['long'] },
    async () => {
      const whole = await logged(SEEN, AHEAD, { fails: some });
      const { controllers } = thinking(await partsFor(SEEN, new LogWriter(newLog())), { rounds: uneven });
      expect(whole.cuts.length).toBeGreaterThan(60);
      for (const [i, cut] of whole.cuts.entries()) {
        if (i % 2 === 0) expect((await verified(copyOf(cut))).difference, `cut ${i}`).toBeNull();
        const before = answered(copyOf(cut)).length;
        const end = await goOn(cut, { controllers });
        expect({ ...end, endedAt: 0 }, `cut ${i}`).toEqual({ ...whole.end, endedAt: 0 });
        const replies = answered(cut);
        // What was paid for is there still, and nobody was asked the same twice.
        expect(replies.length).toBeGreaterThanOrEqual(before);
        const asked = replies.map(({ request }) =>
          [request.step, request.agent, request.attempt, messagesHash(request.messages)].join(' '),
        );
        expect(new Set(asked).size, `cut ${i}`).toBe(asked.length);
        if (i % 4 === 0) expect((await verified(cut)).difference, `cut ${i}`).toBeNull();
      }
    },
  );

  it('whose budget was used up by calls in vain is verified', { tags: ['long'] }, async () => {
    const set = [...MODELS, ...AHEAD, 'budget.tokens=200'];
    const rounds = (_call: number, isEarly: boolean) => (isEarly ? 1 : 40);
    const whole = await logged(SEEN, set, { rounds });
    expect(whole.end.reason).toContain('tokens is used up');
    const plain = await logged(SEEN, [...MODELS, 'budget.tokens=200']);
    expect(whole.end.steps).toBeLessThan(plain.end.steps);
    expect((await verified(whole.path)).difference).toBeNull();
  });
});

const MODELS = [
  'models.m.base_url=http://127.0.0.1:1/v1',
  ...['a1', 'a2', 'a3', 'a4'].map((id) => `agents.${id}.model=m`),
];

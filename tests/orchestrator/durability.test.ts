/** What is told and when: nothing before it is kept, nothing after the log has failed, and the log whole however a run ends. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { at, known } from '../../src/base/assert.js';
import { ModelError, StorageError } from '../../src/base/errors.js';
import { endChain } from '../../src/trajectory/chain.js';
import { LOG_VERSION } from '../../src/log/log-version.js';
import { MemorySink } from '../../src/trajectory/memory-sink.js';
import { LogReader } from '../../src/log/reader.js';
import type { RunEnd, StepRecord } from '../../src/trajectory/records.js';
import type { RunSink } from '../../src/trajectory/sink.js';
import { LogWriter } from '../../src/log/writer.js';
import { TurnOrchestrator } from '../../src/orchestrator/turn-orchestrator.js';
import { answering, neverAnswers, neverListens } from '../support/controllers.js';
import { temporaryFolder } from '../support/folder.js';
import { NEVER_STOPPED, partsFor, play } from '../support/play.js';
import { corridor } from './two-agents.js';

const folder = temporaryFolder();

/** Passes everything on, and calls `before` with the name of each call. */
function tapped(sink: RunSink, before: (name: keyof RunSink, argument?: unknown) => void): RunSink {
  const tap =
    <A extends unknown[]>(name: keyof RunSink, call: (...args: A) => void) =>
    (...args: A): void => {
      before(name, args[0]);
      call(...args);
    };
  return {
    begin: tap('begin', (...args) => sink.begin(...args)),
    resume: tap('resume', (...args) => sink.resume(...args)),
    request: tap('request', (...args) => sink.request(...args)),
    reply: tap('reply', (...args) => sink.reply(...args)),
    probe: tap('probe', (...args) => sink.probe(...args)),
    outside: tap('outside', (...args) => sink.outside(...args)),
    step: tap('step', (...args) => sink.step(...args)),
    flush: tap('flush', () => sink.flush()),
    end: tap('end', (...args) => sink.end(...args)),
    onDurable: (listener) => sink.onDurable(listener),
  };
}

describe('a step', () => {
  it('is announced only once it is durable', async () => {
    const path = join(folder, 'announced.sqlite');
    const writer = new LogWriter(path);
    const seen: number[] = [];
    const watcher = {
      stepDone: (step: StepRecord) => {
        const reader = new LogReader(path);
        expect(reader.step(step.runId, step.step)?.chain).toBe(step.chain);
        reader.close();
        seen.push(step.step);
      },
    };
    const parts = await partsFor(corridor(), writer, { watcher });
    await new TurnOrchestrator(parts).run(NEVER_STOPPED);
    writer.close();
    expect(seen).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it('of a remote agent is committed with the next request, and that before it is sent', async () => {
    const path = join(folder, 'remote.sqlite');
    const writer = new LogWriter(path);
    const found: (number | undefined)[] = [];
    const look = (): string => {
      const reader = new LogReader(path);
      const runId = at(reader.runs(), 0).runId;
      found.push([...reader.steps(runId)].length, reader.calls(runId, found.length / 2 + 1).length);
      reader.close();
      return 'ACTION: WAIT';
    };
    const controllers = { ann: answering([look], true), bob: answering([look], true) };
    const parts = await partsFor(corridor('max: 1'), writer, { controllers });
    await new TurnOrchestrator(parts).run(NEVER_STOPPED);
    writer.close();
    expect(found).toEqual([0, 1, 1, 1]);
  });
});

describe('a sink that fails', () => {
  it.each(['begin', 'request', 'reply', 'step'] as const)(
    'in %s ends the run without telling of what was not kept',
    async (broken) => {
      const sink = new MemorySink();
      const told: (StepRecord | RunEnd)[] = [];
      let calls = 0;
      const failing = tapped(sink, (name) => {
        if (name !== broken) return;
        calls += 1;
        if (calls > (broken === 'begin' ? 0 : 2)) throw new StorageError('the disk is full');
      });
      const watcher = {
        stepDone: (step: StepRecord) => void told.push(step),
        runEnded: (end: RunEnd) => void told.push(end),
      };
      const parts = await partsFor(corridor(), failing, { watcher });
      await expect(new TurnOrchestrator(parts).run(NEVER_STOPPED)).rejects.toThrow('the disk is full');
      expect(told.every((one) => 'step' in one)).toBe(true);
      expect(told.length).toBeLessThanOrEqual(2);
      expect(sink.entries.some((entry) => entry.kind === 'end')).toBe(false);
    },
  );
});

describe('a model that fails', () => {
  it('ends the run as an error, with the log whole', async () => {
    const path = join(folder, 'model.sqlite');
    const writer = new LogWriter(path);
    const fail = (): never => {
      throw new ModelError('the server said no', { isRetryable: false });
    };
    const controllers = { ann: answering([]), bob: answering(['ACTION: WAIT', fail], true) };
    const parts = await partsFor(corridor('max: 5'), writer, { controllers });
    await expect(new TurnOrchestrator(parts).run(NEVER_STOPPED)).rejects.toThrow('the server said no');
    writer.close();
    const reader = new LogReader(path);
    const { runId } = at(reader.runs(), 0);
    const steps = [...reader.steps(runId)];
    expect(reader.end(runId)).toMatchObject({
      status: 'error',
      reason: 'the server said no',
      steps: 4,
      stateHash: steps.at(-1)?.stateHash,
    });
    expect(reader.calls(runId, 5).at(-1)?.end).toEqual({ kind: 'failed', error: 'the server said no' });
    reader.close();
  });

  it('ends a tick of many at once, giving up the others', async () => {
    const fail = (): never => {
      throw new ModelError('the server said no', { isRetryable: false });
    };
    const sink = new MemorySink();
    const controllers = { ann: answering([neverAnswers()], true), bob: answering([fail], true) };
    const parts = await partsFor(corridor('max: 5, order: simultaneous'), sink, { controllers });
    await expect(new TurnOrchestrator(parts).run(NEVER_STOPPED)).rejects.toThrow('the server said no');
    expect(sink.entries.at(-1)).toMatchObject({ kind: 'end', end: { status: 'error', steps: 0 } });
  });
});

describe('a stop', () => {
  const whole = corridor('max: 4');

  it('asked for softly ends the run after the step that is being played', async () => {
    const plain = await play(whole, { controllers: { ann: answering([]), bob: answering([]) } });
    const soft = new AbortController();
    const stopping = answering([
      'ACTION: WAIT',
      () => {
        soft.abort();
        return 'ACTION: WAIT';
      },
    ]);
    const sink = new MemorySink();
    const parts = await partsFor(whole, sink, { controllers: { ann: stopping, bob: answering([]) } });
    const end = await new TurnOrchestrator(parts).run({ ...NEVER_STOPPED, soft: soft.signal });
    expect(end).toMatchObject({ status: 'interrupted', steps: 4, reason: 'stopped by the user' });
    expect(sink.steps.map(({ chain }) => chain)).toEqual(
      plain.sink.steps.slice(0, 4).map(({ chain }) => chain),
    );
  });

  it('is heard between turns where nobody but embedded players is asked', async () => {
    const soft = new AbortController();
    const parts = await partsFor(corridor('max: 1000'), new MemorySink());
    setImmediate(() => soft.abort());
    const end = await new TurnOrchestrator(parts).run({ ...NEVER_STOPPED, soft: soft.signal });
    expect([end.status, end.turns < 10]).toEqual(['interrupted', true]);
  });

  it('asked for before the run plays nothing', async () => {
    const sink = new MemorySink();
    const parts = await partsFor(whole, sink);
    const end = await new TurnOrchestrator(parts).run({ ...NEVER_STOPPED, soft: AbortSignal.abort() });
    expect(end).toMatchObject({ status: 'interrupted', steps: 0 });
  });

  it.each([
    ['sequential', 'listens', neverAnswers],
    ['simultaneous', 'listens', neverAnswers],
    ['sequential', 'is deaf', neverListens],
    ['simultaneous', 'is deaf', neverListens],
  ])('asked for hard gives up a pending call (%s, whoever is asked %s)', async (order, who, pending) => {
    const path = join(folder, `hard-${order}-${who.replace(' ', '-')}.sqlite`);
    const writer = new LogWriter(path);
    const hard = new AbortController();
    const ann = answering(['ACTION: WAIT', pending(() => hard.abort())], true);
    const parts = await partsFor(corridor(`max: 4, order: ${order}`), writer, {
      controllers: { ann, bob: answering([], true) },
    });
    const end = await new TurnOrchestrator(parts).run({ soft: hard.signal, hard: hard.signal });
    writer.close();
    expect(end).toMatchObject({ status: 'interrupted', steps: 3 });
    const reader = new LogReader(path);
    const { runId, status } = at(reader.runs(), 0);
    expect(status).toBe('interrupted');
    const last = known([...reader.steps(runId)].at(-1), 'a step').chain;
    expect(endChain(LOG_VERSION, last, end)).toBe(end.chain);
    expect(reader.calls(runId, 4).find(({ request }) => request.agent === 'ann')?.end?.kind).toBe('failed');
    reader.close();
  });

  it('while waiting for a key plays no further step', async () => {
    const soft = new AbortController();
    const sink = new MemorySink();
    const asked: string[] = [];
    const parts = await partsFor(whole, sink, {
      beforeStep: async (agents) => {
        asked.push(agents.join(' '));
        if (asked.length === 2) soft.abort();
      },
    });
    const end = await new TurnOrchestrator(parts).run({ ...NEVER_STOPPED, soft: soft.signal });
    expect(asked).toEqual(['ann', 'bob']);
    expect(end).toMatchObject({ status: 'interrupted', steps: 1 });
  });

  it('is waited for only once the step before was told', async () => {
    const order: string[] = [];
    await play(corridor('max: 1'), {
      watcher: { stepDone: ({ agent }) => void order.push(`told ${agent}`) },
      beforeStep: async (agents) => void order.push(`waits for ${agents.join(' ')}`),
    });
    expect(order).toEqual(['waits for ann', 'told ann', 'waits for bob', 'told bob', 'told world']);
  });

  it('waits for one key for a whole tick', async () => {
    const asked: string[] = [];
    await play(corridor('max: 2, order: simultaneous'), {
      beforeStep: async (agents, turn) => void asked.push(`${turn} ${agents.join(' ')}`),
    });
    expect(asked).toEqual(['1 ann bob', '2 ann bob']);
  });
});

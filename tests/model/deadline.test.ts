/** The watchdog by itself, and under each call of the client: over a connection that heeds nothing and never ends, all of them end at their limit. */
import { describe, expect, it } from 'vitest';
import { ModelError } from '../../src/base/errors.js';
import { LIMITS } from '../../src/base/limits.js';
import { beforeDeadline } from '../../src/model/deadline.js';
import type { Dependencies } from '../../src/model/dependencies.js';
import { examineServer } from '../../src/model/doctor.js';
import type { KnownPicture } from '../../src/model/finding.js';
import { serverKeys } from '../../src/model/keys.js';
import { openChatModel } from '../../src/model/openai.js';
import { identify } from '../../src/model/server.js';
import type { Transport } from '../../src/model/transport.js';
import { VirtualClock } from '../support/virtual-clock.js';
import { game, NEVER, specification, tinyPng } from './harness.js';

const LIMIT_MS = 1000;

function timed(signal: AbortSignal = NEVER) {
  const clock = new VirtualClock();
  return { clock, deadline: { limitMs: LIMIT_MS, clock, signal } };
}

const forEver = (): Promise<never> => new Promise<never>(() => undefined);

describe('a call before its deadline', () => {
  it('is answered, or has failed, also before it began', async () => {
    const { clock, deadline } = timed();
    const error = new Error('no');
    expect(await beforeDeadline(deadline, () => Promise.resolve(7))).toEqual({ kind: 'answered', value: 7 });
    expect(await beforeDeadline(deadline, () => Promise.reject(error))).toEqual({ kind: 'failed', error });
    const thrown = beforeDeadline(deadline, () => {
      throw error;
    });
    expect(await thrown).toEqual({ kind: 'failed', error });
    expect(clock.pending).toBe(0);
  });

  it('is late at its limit, not before, where it heeds nothing', async () => {
    const { clock, deadline } = timed();
    let kind: string | null = null;
    void beforeDeadline(deadline, forEver).then((outcome) => (kind = outcome.kind));
    await clock.pass(LIMIT_MS - 1);
    expect(kind).toBe(null);
    await clock.pass(1);
    expect(kind).toBe('late');
    expect(clock.pending).toBe(0);
  });

  it('is told to close its connection when it is late or cancelled, and not otherwise', async () => {
    const caller = new AbortController();
    const { clock, deadline } = timed(caller.signal);
    const seen: AbortSignal[] = [];
    const call = (end: Promise<number>) =>
      beforeDeadline(deadline, (signal) => {
        seen.push(signal);
        return end;
      });
    await call(Promise.resolve(1));
    const late = call(forEver());
    await clock.pass(LIMIT_MS);
    const cancelled = call(forEver());
    caller.abort();
    expect([(await late).kind, (await cancelled).kind]).toEqual(['late', 'cancelled']);
    expect(seen.map(({ aborted }) => aborted)).toEqual([false, true, true]);
    expect(clock.pending).toBe(0);
  });

  it('is not begun where nobody wants it any more, and late where it has no time', async () => {
    const { deadline, clock } = timed(AbortSignal.abort());
    let begun = 0;
    const call = () => Promise.resolve((begun += 1));
    expect(await beforeDeadline(deadline, call)).toEqual({ kind: 'cancelled' });
    expect(begun).toBe(0);
    const outcome = beforeDeadline({ ...deadline, limitMs: -5, signal: NEVER }, forEver);
    await clock.pass(0);
    expect(await outcome).toEqual({ kind: 'late' });
  });

  it('may answer or fail afterwards, which reaches nobody', async () => {
    const { clock, deadline } = timed();
    const unhandled: unknown[] = [];
    const note = (reason: unknown): void => void unhandled.push(reason);
    process.on('unhandledRejection', note);
    const aborted = (signal: AbortSignal) =>
      new Promise<void>((resolve) => signal.addEventListener('abort', () => setImmediate(resolve)));
    const calls = [
      beforeDeadline(deadline, aborted),
      beforeDeadline(deadline, async (signal) => {
        await aborted(signal);
        throw new Error('too late');
      }),
    ];
    await clock.pass(LIMIT_MS);
    expect(await Promise.all(calls)).toEqual([{ kind: 'late' }, { kind: 'late' }]);
    await new Promise((resolve) => setTimeout(resolve, 5));
    process.off('unhandledRejection', note);
    expect(unhandled).toEqual([]);
  });
});

/** Never answers, and does not care whether anybody still waits. */
const DEAF: Transport = { send: forEver, close: () => undefined };
const PICTURE: KnownPicture = {
  png: tinyPng(),
  frameHash: 'f'.repeat(64),
  question: 'What is it?',
  accepted: ['grey'],
};
const BASE_URL = 'http://127.0.0.1:9/v1';
const SPEC = specification(BASE_URL, { timeoutMs: LIMIT_MS, retries: 2 });
const TRIES_MS = 3 * LIMIT_MS + 750;

interface Call {
  name: string;
  run: (dependencies: Dependencies) => Promise<unknown>;
  takesMs: number;
}

const CALLS: readonly Call[] = [
  // With the question whether the server answers others, and its waits.
  {
    name: 'complete',
    takesMs: TRIES_MS + LIMIT_MS + 750,
    run: (given) => openChatModel(SPEC, given).complete(game(), NEVER),
  },
  { name: 'models', takesMs: TRIES_MS, run: (given) => openChatModel(SPEC, given).models(NEVER) },
  { name: 'prepare', takesMs: TRIES_MS, run: (given) => openChatModel(SPEC, given).prepare(NEVER) },
  { name: 'examineServer', takesMs: TRIES_MS, run: (given) => examineServer(SPEC, given, PICTURE, NEVER) },
  {
    name: 'identify',
    takesMs: LIMITS.probeTimeoutMs,
    run: (given) => identify(BASE_URL, [], given, NEVER),
  },
  {
    name: 'answers',
    takesMs: LIMIT_MS / 2,
    run: (given) => openChatModel(SPEC, given).answers(LIMIT_MS / 2, NEVER),
  },
];

describe('over a connection that heeds nothing', () => {
  it.each(CALLS)('$name ends at its limit', async ({ run, takesMs }) => {
    const clock = new VirtualClock();
    const ends: unknown[] = [];
    const dependencies = { keys: serverKeys(() => undefined, {}), clock, random: () => 0, transport: DEAF };
    void run(dependencies).then(
      () => ends.push('told'),
      (error: unknown) => ends.push(error),
    );
    for (let i = 0; i < 100 && ends.length === 0 && clock.monotonicMs() <= takesMs; i++) {
      await new Promise((resolve) => setImmediate(resolve));
      clock.runOut();
    }
    await new Promise((resolve) => setImmediate(resolve));
    expect(clock.monotonicMs()).toBe(takesMs);
    expect(ends.length).toBe(1);
    const [end] = ends;
    if (end !== 'told') {
      expect(end).toBeInstanceOf(ModelError);
      expect(end).toMatchObject({ isRetryable: true });
      expect(String(end)).toMatch(/took too long, tried 3 times: no complete answer within 1 s$/);
    }
    expect(clock.pending).toBe(0);
  });
});

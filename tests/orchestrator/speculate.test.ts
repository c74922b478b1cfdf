/** Asking ahead: the run is the one that asks in turn, whoever answers when; what it costs is bounded, counted, and none of it outlives its turn. */
import { readdirSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { handover } from '../../src/agent/controllers/handover.js';
import { known } from '../../src/base/assert.js';
import { StorageError } from '../../src/base/errors.js';
import { MemorySink } from '../../src/trajectory/memory-sink.js';
import { passThroughSink } from '../../src/trajectory/passing-sink.js';
import type { RunSink } from '../../src/trajectory/sink.js';
import type { StopSignals } from '../../src/orchestrator/run-context.js';
import { TurnOrchestrator } from '../../src/orchestrator/turn-orchestrator.js';
import { answering } from '../support/controllers.js';
import { NEVER_STOPPED, partsFor } from '../support/play.js';
import { rooms, thinking } from '../support/thinkers.js';
import type { ThinkOptions } from '../support/thinkers.js';

interface How extends ThinkOptions {
  set?: readonly string[];
  stop?: StopSignals;
}

async function played(text: string, { set = [], stop = NEVER_STOPPED, ...options }: How = {}) {
  const sink = new MemorySink();
  const { parts, requests, most } = thinking(await partsFor(text, sink, { set }), options);
  const end = await new TurnOrchestrator(parts).run(stop);
  const listed = sink.steps.flatMap(({ calls }) => calls);
  const early = requests.filter(({ purpose }) => purpose === 'speculation');
  const wasted = early.filter(({ call }) => !listed.includes(call));
  const replies = sink.entries.flatMap((entry) => (entry.kind === 'reply' ? [entry] : []));
  return { end, sink, requests, replies, early, wasted, most: most() };
}

const AHEAD = ['turns.speculate=true'];

/** Nobody's step is another's business: they go to and fro. */
const pacing: ThinkOptions = {
  answer: (_agent, turn) => (turn % 2 === 0 ? 'ACTION: GO NORTH' : 'ACTION: GO SOUTH'),
  rounds: () => 40,
};

describe('agents in rooms of their own', () => {
  it('are asked all at once, and each step takes the reply that came', async () => {
    const plain = await played(rooms(8, false), pacing);
    const ahead = await played(rooms(8, false), { ...pacing, set: AHEAD });
    expect([plain.most, ahead.most]).toEqual([1, 8]);
    expect(ahead.requests).toHaveLength(plain.requests.length);
    expect(ahead.early).toHaveLength(3 * 7);
    expect(ahead.wasted).toEqual([]);
    expect(ahead.end.chain).toBe(plain.end.chain);
  });

  it('are asked so many at a time as the scenario says', async () => {
    const two = await played(rooms(8, false), { ...pacing, set: ['turns.speculate.ahead=2'] });
    expect(two.most).toBe(3);
    expect(two.wasted).toEqual([]);
  });
});

describe('whoever is asked', () => {
  it.each([
    ['is waited for from the moment when its turn has come', 400, false],
    ['was never waited for where it had answered by then', 1, true],
  ])('ahead %s', async (_, earlyRounds, isAheadAtLast) => {
    const told: { isEarly: boolean; isAhead: (() => boolean) | undefined }[] = [];
    const before: unknown[] = [];
    await played(rooms(3, false, 'max: 1'), {
      ...pacing,
      set: AHEAD,
      rounds: (_call, isEarly) => (isEarly ? earlyRounds : 100),
      hears: ({ isAhead }, isEarly) => {
        told.push({ isEarly, isAhead });
        before.push(isAhead?.());
      },
    });
    expect(told.map(({ isEarly }) => isEarly)).toEqual([false, true, true]);
    expect(before).toEqual([undefined, true, true]);
    expect(told.slice(1).map(({ isAhead }) => isAhead?.())).toEqual([isAheadAtLast, isAheadAtLast]);
  });
});

describe('agents that see each other', () => {
  const watched = rooms(6, true, 'max: 10').replaceAll('figure/knight }', 'figure/knight, sight: 20 }');

  it('are not asked ahead any more after so many calls in vain', { tags: ['long'] }, async () => {
    const plain = await played(watched, pacing);
    const ahead = await played(watched, { ...pacing, set: AHEAD });
    expect(ahead.end.chain).toBe(plain.end.chain);
    // The second agent's call is in vain as soon as the first one moves, and so are the others'.
    expect(ahead.wasted).toHaveLength(2 * 5);
    expect(ahead.requests).toHaveLength(plain.requests.length + 10);
  });

  it('give up what is in vain at once', async () => {
    const rounds = (_call: number, isEarly: boolean) => (isEarly ? 5000 : 40);
    const set = [...AHEAD, 'turns.max=1'];
    const { early, replies } = await played(watched, { ...pacing, rounds, set });
    const ends = early.map(({ call }) => replies.find((one) => one.call === call)?.end.kind);
    expect(early).not.toHaveLength(0);
    expect(ends.every((kind) => kind === 'failed')).toBe(true);
  });

  it('are asked ahead again when that would have paid', async () => {
    // For five turns everybody moves; then they stand still.
    const answer = (_agent: string, turn: number) =>
      turn > 5 ? 'ACTION: WAIT' : turn % 2 === 0 ? 'ACTION: GO NORTH' : 'ACTION: GO SOUTH';
    const { early, wasted } = await played(watched, { ...pacing, answer, set: AHEAD });
    const late = early.filter(({ turn }) => turn > 8);
    expect(late.length).toBe(2 * 5);
    expect(wasted.every(({ turn }) => turn < 4)).toBe(true);
  });
});

const SHIPPED = readdirSync('scenarios').filter((name) => name.endsWith('.yaml'));

/** What one run is played with and the other is not. */
const how = fc.record({
  text: fc.oneof(
    fc.constantFrom(...SHIPPED.map((name) => `scenarios/${name}`)),
    fc.tuple(fc.integer({ min: 2, max: 6 }), fc.boolean()).map(([count, isOne]) => rooms(count, isOne)),
  ),
  seed: fc.integer({ min: 1, max: 1000 }),
  ahead: fc.integer({ min: 1, max: 6 }),
  wasted: fc.integer({ min: 1, max: 50 }),
  rounds: fc.array(fc.integer({ min: 0, max: 12 }), { minLength: 1, maxLength: 20 }),
  fails: fc.array(fc.boolean(), { minLength: 1, maxLength: 20 }),
});

describe('a call that is made ahead', () => {
  const apart = rooms(3, false, 'max: 2');

  it('and fails is made again in its turn', async () => {
    const plain = await played(apart, pacing);
    const failing = await played(apart, { ...pacing, set: AHEAD, fails: () => true });
    expect(failing.end).toEqual(plain.end);
    // Both agents lose their credit by it: a server that can't do several things at a time is not pressed.
    expect(failing.wasted).toHaveLength(4);
    expect(failing.requests).toHaveLength(6 + 4);
  });

  it('is not made for an agent that is asked something else first, nor for one that keeps its own past', async () => {
    const probed = await played(apart, { ...pacing, set: [...AHEAD, 'probes.steps=[2]'] });
    expect(probed.early.map(({ step, agent }) => [step, agent])).toEqual([
      [3, 'a3'],
      [6, 'a2'],
      [7, 'a3'],
    ]);
    const own = await played(apart, { ...pacing, set: AHEAD, never: ['a2'] });
    expect(own.early.map(({ agent }) => agent)).toEqual(['a3', 'a3']);
  });

  it('does not answer for whoever took the seat meanwhile', async () => {
    const sink = new MemorySink();
    const { parts, controllers } = thinking(await partsFor(apart, sink, { set: AHEAD }), pacing);
    const person = answering(['ACTION: ANNOUNCE "It is me."'], true);
    let isTaken = false;
    const seats = parts.seats.map((seat) => {
      const own = known(controllers[seat.spec.id], 'a controller');
      return seat.spec.id === 'a2' ? { ...seat, controller: handover(own, person, () => isTaken) } : seat;
    });
    const beforeStep = async ([agent]: readonly string[]) => void (isTaken = agent === 'a2');
    await new TurnOrchestrator({ ...parts, seats, beforeStep }).run(NEVER_STOPPED);
    expect(sink.steps[1]?.acts[0]?.intent?.action).toBe('ANNOUNCE');
    expect(person.inputs).toHaveLength(2);
  });

  it('is not made where all act at once', async () => {
    const { early } = await played(apart, { ...pacing, set: [...AHEAD, 'turns.order=simultaneous'] });
    expect(early).toEqual([]);
  });

  it('costs like any other, so that a budget ends the run sooner', async () => {
    const model = ['a1', 'a2', 'a3'].map((id) => `agents.${id}.model=m`);
    const set = ['models.m.base_url=http://127.0.0.1:1/v1', ...model, 'budget.tokens=100'];
    const watched = rooms(3, true, 'max: 9').replaceAll('figure/knight }', 'figure/knight, sight: 20 }');
    const plain = await played(watched, { ...pacing, set });
    const rounds = (_call: number, isEarly: boolean) => (isEarly ? 1 : 40);
    const early = await played(watched, { ...pacing, rounds, set: [...set, ...AHEAD] });
    // 15 tokens a call: five acted, three were asked ahead of their steps in vain.
    expect([plain.end.steps, plain.end.reason]).toEqual([9, 'the budget of 100 tokens is used up (105)']);
    expect([early.end.steps, early.end.reason]).toEqual([6, 'the budget of 100 tokens is used up (120)']);
    expect(early.sink.steps.map(({ chain }) => chain)).toEqual(
      plain.sink.steps.slice(0, 6).map(({ chain }) => chain),
    );
  });

  it.each(['soft', 'hard'] as const)(
    'is given up by whoever stops the run, and in the log before its end is: %s',
    async (way) => {
      const stopping = new AbortController();
      const answer = (_agent: string, turn: number) => {
        if (turn === 2) stopping.abort();
        return 'ACTION: WAIT';
      };
      const stop = { ...NEVER_STOPPED, [way]: stopping.signal };
      const rounds = (call: number, isEarly: boolean) => (call > 3 && isEarly ? 5000 : 40);
      const { end, sink, early, replies } = await played(apart, { answer, rounds, set: AHEAD, stop });
      expect(end.status).toBe('interrupted');
      expect(end.steps).toBe(way === 'soft' ? 5 : 4);
      expect(sink.entries.at(-1)?.kind).toBe('end');
      const left = early.filter(({ turn }) => turn === 2).map(({ call }) => call);
      expect(left).toHaveLength(2);
      for (const call of left) expect(replies.find((one) => one.call === call)?.end.kind).toBe('failed');
    },
  );

  it('ends the run where it can not be kept', async () => {
    const sink = new MemorySink();
    let early = 0;
    const full: RunSink = {
      ...passThroughSink(sink),
      request: (call, durable) => {
        early += call.purpose === 'speculation' ? 1 : 0;
        if (early > 1) throw new StorageError('the disk is full');
        sink.request(call, durable);
      },
    };
    const { parts } = thinking(await partsFor(apart, full, { set: AHEAD }), pacing);
    await expect(new TurnOrchestrator(parts).run(NEVER_STOPPED)).rejects.toThrow('the disk is full');
    expect(sink.entries.some(({ kind }) => kind === 'end')).toBe(false);
  });
});

describe('whatever the world, the seed and the time that answers take', () => {
  it('the chain is that of a run that asks in turn', { tags: ['long'] }, async () => {
    let counted = 0;
    await fc.assert(
      fc.asyncProperty(how, async ({ text, seed, ahead, wasted, rounds, fails }) => {
        const set = [`seed=${seed}`, 'turns.max=5', 'turns.order=sequential'];
        const plain = await played(text, { set, rounds: () => 0 });
        const early = await played(text, {
          set: [...set, `turns.speculate.ahead=${ahead}`, `turns.speculate.wasted_max=${wasted}`],
          rounds: (call) => rounds[call % rounds.length] ?? 0,
          fails: (call) => fails[call % fails.length] ?? false,
        });
        expect({ ...early.end, endedAt: 0 }).toEqual({ ...plain.end, endedAt: 0 });
        expect(early.sink.steps.map(({ chain }) => chain)).toEqual(
          plain.sink.steps.map(({ chain }) => chain),
        );
        counted += early.early.length - early.wasted.length;
        // Every call has an end: nothing outlives the run.
        expect(early.replies.map(({ call }) => call).sort((a, b) => a - b)).toEqual(
          early.requests.map(({ call }) => call),
        );
      }),
      { numRuns: 60 },
    );
    expect(counted).toBeGreaterThan(50);
  });
});

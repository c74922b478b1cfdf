/** Replies that were asked for ahead of their turn (`turns.speculate`) and lost to the model's server: they cost and end what they would in their turn. */
import { setImmediate as nextRound } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { Controller } from '../../src/agent/controller.js';
import { embeddedReply } from '../../src/agent/controllers/embedded-reply.js';
import { modelController } from '../../src/agent/controllers/model.js';
import { errorMessage, ModelError } from '../../src/base/errors.js';
import type { Reply } from '../../src/model/chat.js';
import { TurnOrchestrator } from '../../src/orchestrator/turn-orchestrator.js';
import { MemorySink } from '../../src/trajectory/memory-sink.js';
import { NEVER_STOPPED, partsFor } from '../support/play.js';
import { rooms } from '../support/thinkers.js';

const failure = () =>
  new ModelError('the model server failed', { isRetryable: true, isOfRequest: true, tries: [] });

/** What a server does instead of answering, by its code. */
const LOSSES: Readonly<Record<string, () => Promise<Reply>>> = {
  'server-error': () => Promise.reject(failure()),
  'no-choice': async () => ({ ...embeddedReply(''), finishReason: 'no-choice' }),
};

/** A model that thinks for so many rounds of the event loop. */
function modelOf(rounds: number, answer: () => Promise<Reply>): Controller {
  return modelController('m', {
    settings: () => ({}),
    prepare: () => Promise.reject(failure()),
    complete: async (_messages, signal) => {
      for (let i = 0; i < rounds; i++) await nextRound(undefined, { signal });
      return answer();
    },
  });
}

interface How {
  turns: string;
  lost: () => Promise<Reply>;
  /** Whether a request of the second agent is lost, counted from 1. */
  isLost: (request: number) => boolean;
  speculate: boolean;
}

/** The first agent is answered late, so the second is asked meanwhile. */
async function played({ turns, lost, isLost, speculate }: How) {
  const waits = () => Promise.resolve(embeddedReply('ACTION: WAIT'));
  let asked = 0;
  const controllers = {
    a1: modelOf(40, waits),
    a2: modelOf(3, () => (isLost((asked += 1)) ? lost() : waits())),
  };
  const sink = new MemorySink();
  const set = [`turns.speculate=${speculate}`];
  const parts = await partsFor(rooms(2, false, turns), sink, { controllers, set });
  const run = await new TurnOrchestrator(parts).run(NEVER_STOPPED).then(
    ({ chain }) => ({ chain, error: null }),
    (error: unknown) => ({ chain: null, error: errorMessage(error) }),
  );
  return { ...run, sink, asked };
}

describe.each(Object.entries(LOSSES))('%s', (code, lost) => {
  it('of a reply that was asked for ahead costs an attempt, as in its turn', async () => {
    const how = { turns: 'max: 3, attempts: 2', lost, isLost: (request: number) => request === 2 };
    const plain = await played({ ...how, speculate: false });
    const ahead = await played({ ...how, speculate: true });
    const purposes = ahead.sink.entries.flatMap((entry) =>
      entry.kind === 'request' && entry.call.agent === 'a2' ? [entry.call.purpose] : [],
    );
    expect(purposes).toEqual(['speculation', 'speculation', 'act', 'speculation']);
    const acts = ahead.sink.steps
      .filter(({ agent }) => agent === 'a2')
      .map((step) => step.acts.map(({ result }) => (result.ok ? 'WAIT' : result.problem.code)));
    expect(acts).toEqual([['WAIT'], [code, 'WAIT'], ['WAIT']]);
    expect([ahead.error, ahead.chain]).toEqual([null, plain.chain]);
  });

  it.each([1, 2, 3])('of every reply ends the run as in turn, with %i attempts', async (attempts) => {
    const how = { turns: `max: 9, attempts: ${attempts}`, lost, isLost: () => true };
    const plain = await played({ ...how, speculate: false });
    expect(plain.error).toMatch(/so did the 2 requests before it|no answer in 3 turns in a row/);
    const ahead = await played({ ...how, speculate: true });
    expect(ahead.error).toBe(plain.error);
    expect(ahead.asked).toBeLessThanOrEqual(plain.asked + 1);
  });
});

/** A model that is slower than a tick: it acts in the tick that is open when it answers, on the newest observation that it had, and the log says which. */
import { setTimeout as wait } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { embeddedReply } from '../../src/agent/controllers/embedded-reply.js';
import { known } from '../../src/base/assert.js';
import { samplesOf } from '../../src/export/sample.js';
import { NO_MARKS } from '../../src/log/annotations.js';
import { LogReader } from '../../src/log/reader.js';
import type { ChatModel, Message } from '../../src/model/chat.js';
import { modelPlayer, playRemotely } from '../../src/serve/client/remote-agent.js';
import { WorldClient } from '../../src/serve/client/world-client.js';
import { Reason } from '../../src/serve/gen/orchestrate/world/v1/world_pb.js';
import type { IntentAck } from '../../src/serve/gen/orchestrate/world/v1/world_pb.js';
import { answeredTurn } from '../../src/trajectory/answered-turn.js';
import { factsOf } from '../../src/view/page/call-facts.js';
import { orchestrate } from '../support/captured-io.js';
import { HeldClock } from '../support/held-clock.js';
import { servedWorld } from '../support/served-world.js';
import { dataOf } from '../view/support.js';
import type { ServedOptions } from './served.js';

const HALL = `
title: A hall
map: |
  ####
  #a.#
  ####
legend: { a: { agent: ann } }
agents: [{ id: ann, sprite: knight }]
turns: { max: 20 }
`;

const CLOCK = { kind: 'clock', periodMs: 200, windowMs: 150 } as const;

/** Lets time go by in small pieces, so that the world and its client do what is due in between, however slow the machine is. */
async function letPass(clock: HeldClock, ms: number): Promise<void> {
  for (let passedMs = 0; passedMs < ms; passedMs += 20) {
    await clock.pass(20);
    await wait(2);
  }
}

function model(clock: HeldClock, thinksMs: number, asked: (readonly Message[])[]): ChatModel {
  return {
    settings: () => ({}),
    prepare: () => Promise.resolve({ model: 'slow', server: null }),
    complete: async (messages) => {
      asked.push(messages);
      await letPass(clock, thinksMs);
      return { ...embeddedReply('ACTION: WAIT'), model: 'slow' };
    },
  };
}

async function played(options: ServedOptions, thinksMs: number) {
  const clock = new HeldClock();
  const one = await servedWorld(HALL, { ...options, clock });
  const client = new WorldClient({ address: one.address, token: null });
  const signal = new AbortController().signal;
  const lease = await client.acquire({ run: '', entity: 'ann', controller: 'slow' }, signal);
  const acks: IntentAck[] = [];
  const asked: (readonly Message[])[] = [];
  const player = modelPlayer(model(clock, thinksMs, asked));
  const over = new AbortController();
  const playing = playRemotely({ client, lease, player, onAck: (ack) => acks.push(ack) }, signal)
    .then(() => one.run.ended)
    .finally(() => over.abort());
  // Time goes by while the model thinks, and when its player waits for the world.
  for (let before = clock.monotonicMs(); !over.signal.aborted; before = clock.monotonicMs()) {
    const done = asked.length + acks.length;
    await wait(30);
    if (clock.monotonicMs() === before && asked.length + acks.length === done) await letPass(clock, 20);
  }
  await playing;
  const reader = new LogReader(one.log);
  const { runId } = one.run.record;
  const picked = { runId, ordinal: '1', firstStep: 1, lastStep: 1000, summary: reader.runs()[0] };
  const samples = [
    ...samplesOf({ reader, marks: NO_MARKS, picked } as never, { agents: null, turns: null }),
  ].map((sample) => ({ turn: sample.turn, sent: sample.prompt().messages.at(-1)?.text ?? '' }));
  const calls = [...reader.steps(runId, { agent: 'ann' })].flatMap(({ step, turn }) =>
    reader.calls(runId, step).map((call) => ({ ...call, turn })),
  );
  reader.close();
  return { acks, asked, calls, samples, log: one.log };
}

const textOf = (messages: readonly Message[] | undefined): string =>
  (messages ?? [])
    .flatMap(({ parts }) => parts.map((part) => (part.kind === 'text' ? part.text : '')))
    .join('\n');

it('acts by the clock on what it saw before, where the world takes that', async () => {
  const { acks, asked, calls, samples } = await played({ pace: CLOCK, staleness: 6 }, 500);
  expect(acks.filter(({ accepted }) => accepted).length).toBeGreaterThanOrEqual(2);
  const based = calls.flatMap(({ turn, end }) =>
    end?.kind === 'replied'
      ? end.reply.adaptations.map((one) => [turn, Number(one.replace('based-on:', ''))] as const)
      : [],
  );
  expect(based.length).toBeGreaterThanOrEqual(2);
  for (const [turn, seen] of based) {
    expect(turn - seen).toBeGreaterThanOrEqual(1);
    expect(turn - seen).toBeLessThanOrEqual(6);
    // What the model was sent then is what the log holds of that turn.
    const sent = textOf(calls.find((call) => call.turn === seen)?.request.messages);
    expect(asked.map(textOf)).toContain(sent);
    // And what a data set pairs the answer with.
    const paired = samples.find((sample) => sample.turn === turn)?.sent;
    expect(paired).toContain(`Turn ${seen}.`);
    expect(paired).not.toContain(`Turn ${turn}.`);
  }
});

it('is shown with the turn whose observation it answered', { tags: ['long'] }, async () => {
  const { calls, log } = await played({ pace: CLOCK, staleness: 6 }, 500);
  const stale = calls.flatMap(({ request, turn, end }) => {
    const seen = end?.kind === 'replied' ? answeredTurn(end.reply) : null;
    return seen === null ? [] : [{ call: request.call, step: request.step, turn, seen }];
  });
  const { call, step, seen } = known(stale[0], 'a late answer');
  const { out } = await orchestrate(['show', log, '--step', String(step)]);
  expect(out).toContain(`\nReply to the observation of turn ${seen} (`);
  const page = (await dataOf(log)).runs.flatMap(({ steps }) => steps.flatMap((one) => one.calls));
  const facts = factsOf(
    known(
      page.find((one) => one.call === call),
      'its call on the page',
    ),
  );
  expect(facts).toContain(`to the observation of turn ${seen}`);
  const others = page.filter((one) => !stale.some((late) => late.call === one.call));
  expect(others.map(factsOf).join()).not.toContain('to the observation');
});

it(
  'is refused where the world takes answers to the newest observation alone',
  { tags: ['long'] },
  async () => {
    const { acks } = await played({ pace: CLOCK }, 500);
    expect(
      acks.some(({ reason }) => reason === Reason.STALE_OBSERVATION || reason === Reason.LATE_TICK),
    ).toBe(true);
  },
);

it('is waited for in lockstep', async () => {
  const { acks, calls } = await played({ set: ['turns.max=4'] }, 120);
  expect(acks.map(({ accepted }) => accepted)).toEqual([true, true, true, true]);
  expect(calls.every(({ end }) => end?.kind === 'replied' && end.reply.model === 'slow')).toBe(true);
});

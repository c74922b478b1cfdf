/** Requests that a model's server did not answer: what they cost an agent, what it is told, and what is counted. */
import { describe, expect, it } from 'vitest';
import type { ControllerInput } from '../../src/agent/controller.js';
import { modelController } from '../../src/agent/controllers/model.js';
import { at } from '../../src/base/assert.js';
import { ModelError } from '../../src/base/errors.js';
import { LIMITS } from '../../src/base/limits.js';
import type { ChatModel } from '../../src/model/chat.js';
import { RunFiguresSum } from '../../src/trajectory/run-figures.js';
import type { MemorySink } from '../../src/trajectory/memory-sink.js';
import { answering, lastText } from '../support/controllers.js';
import { play } from '../support/play.js';
import { NEVER, words } from '../model/harness.js';
import { corridor } from './two-agents.js';

const quiet = answering([]);
const LOST = 'server-error';

/** Answers in order; a word that is a finish reason is an answer that ended so. */
function ending(answers: readonly string[]) {
  const own = answering(
    answers.map((answer) => (answer.startsWith('ACTION') || answer === 'hm' ? answer : '')),
  );
  return {
    ...own,
    decide: async (...args: Parameters<typeof own.decide>) => {
      const { reply, memory } = await own.decide(...args);
      const answer = answers[own.inputs.length - 1] ?? '';
      const isEnd = ['server-error', 'no-choice', 'content_filter', 'refusal'].includes(answer);
      return { reply: isEnd ? { ...reply, finishReason: answer } : reply, memory };
    },
  };
}

function figuresOf(sink: MemorySink, scenario: ConstructorParameters<typeof RunFiguresSum>[0]['scenario']) {
  const sum = new RunFiguresSum({ scenario, sessions: [] });
  for (const step of sink.steps) sum.step(step);
  return sum.figures();
}

const messagesOf = (input: ControllerInput | undefined) => JSON.stringify(input?.messages);

it.each(['server-error', 'no-choice', 'content_filter'])(
  'after %s, the agent is asked the same again, as the next attempt',
  async (end) => {
    const ann = ending([end, 'ACTION: GO EAST']);
    const { sink } = await play(corridor('max: 1'), { controllers: { ann, bob: quiet } });
    expect(messagesOf(ann.inputs[1])).toBe(messagesOf(ann.inputs[0]));
    expect(ann.inputs.map(({ attempt }) => attempt)).toEqual([1, 2]);
    expect(at(sink.steps, 0).acts.map(({ intent }) => intent?.action)).toEqual([undefined, 'GO']);
  },
);

it('a mistake before is still told after it, with the agent’s own words', async () => {
  const ann = ending(['hm', LOST, 'ACTION: WAIT']);
  await play(corridor('max: 1, repair: false'), { controllers: { ann, bob: quiet } });
  expect(messagesOf(ann.inputs[2])).toBe(messagesOf(ann.inputs[1]));
  expect(lastText(ann.inputs[2])).toContain('You answered "hm".');
});

it('a repair call that was lost is sent again', async () => {
  const ann = ending(['hm', LOST, 'ACTION: WAIT']);
  const { sink } = await play(corridor('max: 1, repair: true'), { controllers: { ann, bob: quiet } });
  expect(messagesOf(ann.inputs[2])).toBe(messagesOf(ann.inputs[1]));
  expect(
    sink.entries.flatMap((entry) => (entry.kind === 'request' ? [entry.call.purpose] : [])).slice(0, 3),
  ).toEqual(['act', 'repair', 'repair']);
});

it('a turn that was lost to the server is told as such, and is nobody’s doing', async () => {
  const ann = ending([LOST, LOST, 'ACTION: GO EAST', 'hm', 'ACTION: WAIT']);
  const set = ['rewards.step=-1', 'rewards.unreadable=-10'];
  const turns = 'max: 3, attempts: 2, given_up: stop, repeats: { times: 2, then: stop }';
  const { sink, end, parts } = await play(corridor(turns), { controllers: { ann, bob: quiet }, set });
  const own = sink.steps.filter(({ agent }) => agent === 'ann');
  expect(own.map(({ acts }) => acts.map(({ insteadOf }) => insteadOf?.code ?? null))).toEqual([
    [null, null, LOST],
    [null],
    [null, null],
  ]);
  expect(lastText(ann.inputs[2])).toContain(
    'Turn 1 was lost, and you waited. The model server failed, so no answer of yours arrived.',
  );
  expect(end.turns).toBe(3);
  expect(own.map(({ rewards }) => rewards?.paid['ann'] ?? 0)).toEqual([0, -1, -11]);
  expect(figuresOf(sink, parts.scenario).agents[0]).toMatchObject({
    agent: 'ann',
    steps: 2,
    firstTries: 1,
    unanswered: 2,
    unread: 1,
    refused: 0,
    standIns: 1,
  });
  expect(figuresOf(sink, parts.scenario)).toMatchObject({
    unanswered: { [LOST]: 2 },
    unread: { unparsable: 1 },
    waits: { [LOST]: 1 },
    repeated: 2,
  });
});

it('a model that declines is told so, and is counted apart from what can’t be read', async () => {
  const ann = ending(['refusal', 'ACTION: WAIT']);
  const { sink, parts } = await play(corridor('max: 1'), { controllers: { ann, bob: quiet } });
  expect(lastText(ann.inputs[1])).toContain('You declined to answer, so nothing was done.');
  expect(figuresOf(sink, parts.scenario)).toMatchObject({
    unanswered: { 'refused-by-model': 1 },
    unread: {},
    firstTries: 1,
  });
});

describe('a model whose server fails at a request', () => {
  const tries = [{ problem: '500 out of memory', afterMs: 3 }];
  const failure = (isOfRequest: boolean) =>
    new ModelError('the model server failed', { isRetryable: true, isOfRequest, tries });
  const input = { messages: [words('user', 'x')], memory: 7 } as unknown as ControllerInput;

  function controllerWith(outcomes: readonly (ModelError | null)[]) {
    let calls = 0;
    const complete: ChatModel['complete'] = async () => {
      const outcome = outcomes[calls++];
      if (outcome != null) throw outcome;
      return (await quiet.decide(input, NEVER)).reply;
    };
    return modelController('m', {
      settings: () => ({}),
      prepare: () => Promise.reject(failure(false)),
      complete,
    });
  }

  it('gives a reply without an answer, with the words of the server and no tokens', async () => {
    const decision = await controllerWith([failure(true)]).decide(input, NEVER);
    expect(decision).toMatchObject({ memory: 7, reply: { content: '', finishReason: LOST, tries } });
    expect(decision.reply.usage).toMatchObject({ promptTokens: 0, completionTokens: 0 });
  });

  it('throws if the server is down', async () => {
    await expect(controllerWith([failure(false)]).decide(input, NEVER)).rejects.toThrow(
      'the model server failed',
    );
  });

  it('throws after LIMITS.unansweredInARow of them in a row, and counts from the start after an answer', async () => {
    const many = Array.from({ length: LIMITS.unansweredInARow - 1 }, () => failure(true));
    const controller = controllerWith([...many, null, ...many, failure(true)]);
    for (let i = 0; i < 2 * many.length + 1; i++) await controller.decide(input, NEVER);
    await expect(controller.decide(input, NEVER)).rejects.toThrow(/so did the 2 requests before it/);
  });

  const unread = (finishReason: string) => ({ finishReason });
  const answered = { finishReason: 'stop' };

  function askedInTurns(outcomes: readonly (readonly [number, { finishReason: string }])[]) {
    let calls = 0;
    const complete: ChatModel['complete'] = async () => {
      const { reply } = await quiet.decide(input, NEVER);
      return { ...reply, ...outcomes[calls++]?.[1] };
    };
    const controller = modelController('m', {
      settings: () => ({}),
      prepare: () => Promise.reject(failure(false)),
      complete,
    });
    return outcomes.map(
      ([turn]) =>
        () =>
          controller.decide({ ...input, turn }, NEVER),
    );
  }

  const until = LIMITS.unansweredInARow;

  it.each(['no-choice', 'content_filter'])(
    'throws in the last of LIMITS.unansweredInARow turns in a row without an answer (%s)',
    async (end) => {
      const turns = Array.from({ length: until }, (_, i) => i + 1);
      const asks = askedInTurns(
        turns.flatMap((turn) => [[turn, unread(end)] as const, [turn, unread(end)] as const]),
      );
      const before = asks.slice(0, 2 * (until - 1));
      for (const ask of before) await ask();
      await expect(asks[before.length]?.()).rejects.toMatchObject({
        message: expect.stringMatching(/no answer in 3 turns in a row/) as string,
        isOfRequest: true,
        isRetryable: true,
        exitCode: 4,
      });
    },
  );

  it('counts from the start after an answer, and no turn that had one', async () => {
    const lost = unread('no-choice');
    const turns = Array.from({ length: until - 1 }, (_, i) => i + 1);
    const asks = askedInTurns([
      ...turns.map((turn) => [turn, lost] as const),
      [until, answered],
      [until, lost],
      ...turns.map((turn) => [until + turn, lost] as const),
    ]);
    for (const ask of asks) await ask();
  });

  it('never throws because the model declines, which is an answer', async () => {
    for (const ask of askedInTurns(Array.from({ length: 9 }, (_, i) => [i + 1, unread('refusal')] as const)))
      await ask();
  });
});

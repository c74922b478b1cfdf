/** Actions, controllers and models: ours keep the contract, and one that breaks a promise fails its check. */
import { afterEach, describe, expect, it } from 'vitest';
import { actionSuite, controllerSuite, modelSuite } from '../../src/conformance/index.js';
import type { ConformanceCheck } from '../../src/conformance/index.js';
import {
  defineAction,
  defineEnvironment,
  embeddedReply,
  grammar,
  problem,
  randomController,
  scriptedController,
} from '../../src/index.js';
import type { ActionSpec, Controller } from '../../src/index.js';
import { startFakeServer } from '../fake-server/server.mjs';
import type { FakeServer } from '../fake-server/server.mjs';
import { SIZED, someOf } from '../support/sizes.js';

async function failures(suite: readonly ConformanceCheck[]): Promise<readonly string[]> {
  const failed: string[] = [];
  for (const { name, run } of suite) {
    await run().catch((error: unknown) => {
      failed.push(`${name}: ${error instanceof Error ? error.message : String(error)}`);
    });
  }
  return failed;
}

interface State {
  lit: number;
}

const LIGHT: ActionSpec<State> = defineAction({
  name: 'LIGHT',
  description: 'Light so many lamps.',
  grammar: grammar.sequence(
    grammar.integer('count', { min: 1, max: 5 }, 'how many'),
    grammar.text('why', 'your reason', 20),
  ),
  examples: ['2 "it is dark"'],
  check: ({ lit }: State, _agent, { count }) =>
    lit + count > 5 ? problem('illegal/none-left', 'So many lamps are not left.') : undefined,
  apply: ({ lit }: State, _agent, { count }) => ({
    state: { lit: lit + count },
    message: `You lit ${count}.`,
  }),
});

function suiteOf(change: Partial<ActionSpec<State>>) {
  const kind = defineEnvironment<object, State>({
    kind: 'lamps',
    rulesVersion: 1,
    actions: [{ ...LIGHT, ...change }],
    create: () => ({ lit: 0 }),
    tell: ({ lit }) => [`${lit} lamps are lit.`],
    outcome: () => ({ status: 'running', reason: '' }),
  });
  return actionSuite({ action: 'LIGHT', open: () => kind.open({ agents: ['ann'] }) });
}

let calls = 0;
const broken = (): never => {
  throw new Error('oh');
};

describe('an action', () => {
  it('that keeps its promises passes', async () => {
    expect(await failures(suiteOf({}))).toEqual([]);
  });

  const bugs: readonly (readonly [string, Partial<ActionSpec<State>>])[] = [
    ['it has a description', { description: 'light' }],
    ['its examples can be parsed', { examples: ['"it is dark" 2'] }],
    ['it can be expressed', { check: () => problem('illegal/never', 'Never.') }],
    ['it is deterministic', { apply: (state) => ({ state, message: `Lit at ${(calls += 1)}.` }) }],
    ['its refusals have a message', { check: () => problem('illegal/x', 'undefined lamps') }],
    [
      'its refusals have a message',
      { check: (_state, _agent, { count }) => (count === 4 ? problem('illegal/x', '') : undefined) },
    ],
    ['it can be expressed', { apply: (state) => ({ state: { lit: state.lit + 1 }, message: '' }) }],
    [
      'it is deterministic',
      { apply: () => ({ state: { lit: 1, lamp: undefined }, message: 'You lit it.' }) },
    ],
    ['it can be expressed in every protocol: LIGHT threw Error: oh', { apply: broken }],
    ['its refusals have a message for the agent: LIGHT threw Error: oh', { check: broken }],
    [
      'it can be expressed in every protocol: LIGHT threw TypeError: Cannot assign',
      {
        apply: (state) => {
          Object.assign(state, { lit: 9 });
          return { state, message: 'You lit it.' };
        },
      },
    ],
  ];
  it.each(someOf(bugs, 'conformanceBugs'))('with a bug fails: %s', SIZED, async (promise, change) => {
    expect((await failures(suiteOf(change))).map((line) => line.slice(0, promise.length))).toContain(promise);
  });
});

describe('a controller', () => {
  const take = 'ACTION: TAKE brass key';
  it('of ours passes', async () => {
    expect(await failures(controllerSuite({ open: scriptedController }))).toEqual([]);
    expect(await failures(controllerSuite({ open: () => randomController('1', 'ranger', []) }))).toEqual([]);
  });

  const own = (decide: Controller['decide']) => () => ({ name: 'own', isRemote: false, decide });
  const bugs: readonly (readonly [string, () => Controller])[] = [
    [
      'it gives a complete reply: the finish reason is length',
      own(async () => ({ reply: { ...embeddedReply(take), finishReason: 'length' }, memory: null })),
    ],
    ['its answer is understood', own(async () => ({ reply: embeddedReply('I take it.'), memory: null }))],
    ['its memory is JSON', own(async () => ({ reply: embeddedReply(take), memory: 0.5 }))],
    [
      'its memory is JSON, and it keeps no other state: with the same memory',
      () => {
        let turn = 0;
        return own(async () => ({
          reply: embeddedReply(turn++ > 0 ? 'ACTION: WAIT' : take),
          memory: null,
        }))();
      },
    ],
    [
      'it does not change its input',
      own(async ({ observation }) => {
        Object.assign(observation, { turn: 9 });
        return { reply: embeddedReply(take), memory: null };
      }),
    ],
    ['it stops when it is aborted', own(() => new Promise(() => undefined))],
  ];
  it.each(someOf(bugs, 'conformanceBugs'))('with a bug fails: %s', SIZED, async (promise, open) => {
    const failed = await failures(controllerSuite({ open, timeoutMs: 50 }));
    expect(failed.map((line) => line.slice(0, promise.length))).toContain(promise);
  });
});

describe('a model', () => {
  let server: FakeServer;
  afterEach(() => server.close());

  it('that is blind and never fails is found out', async () => {
    server = await startFakeServer({ reply: () => 'I see no picture.', images: 'any' });
    const failed = await failures(modelSuite({ baseUrl: server.baseUrl, timeoutMs: 5000 }));
    expect(failed).toEqual([
      expect.stringMatching(/^it sees a picture: shown the number [1-9]{3}, it answered "I see/),
    ]);
  });

  it('that is not there fails every check', async () => {
    server = await startFakeServer({});
    const { baseUrl } = server;
    await server.close();
    const failed = await failures(modelSuite({ baseUrl, retries: 0, timeoutMs: 2000 }));
    expect(failed.length).toBeGreaterThanOrEqual(4);
  });
});

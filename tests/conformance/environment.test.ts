/** Our own worlds keep the contract, and a world that breaks one of its promises fails the check of that promise. */
import { describe, expect, it } from 'vitest';
import { openScenario } from '../../src/assembly/open.js';
import { environmentSuite } from '../../src/conformance/index.js';
import { walksOf } from '../../src/conformance/walk.js';
import type { EnvironmentUnderTest } from '../../src/conformance/index.js';
import { defineEnvironment } from '../../src/environment/define.js';
import type { EnvironmentSpec } from '../../src/environment/environment-spec.js';
import { integer, name, sequence } from '../../src/environment/grammar.js';
import type { Environment } from '../../src/environment/environment.js';
import { problem } from '../../src/base/problem.js';
import { openScenarioFile } from '../../src/scenario/folder.js';
import { libraryModule } from '../support/library-world.js';
import { SIZED, someOf } from '../support/sizes.js';

/** Each with a seed by which more is done in three turns than to give up, and an action that is among it. */
const SCENARIOS = [
  ['crypt', '1', 'GO'],
  ['brass-key', '125', 'TAKE'],
  ['two-keepers', '1', 'GO'],
  ['watchman', '50', 'OPEN'],
  ['lever-gate', '22', 'USE'],
  ['one-glance', '10', 'GO'],
  ['car-repair', '1', 'LIST_SPARES'],
  ['two-robots', '1', 'SCAN_AREA'],
  ['react', '20', 'CALCULATE'],
  ['files', '6', 'READ_FILE'],
] as const;

describe.each(someOf(SCENARIOS, 'scenarios'))('the world of %s', SIZED, async (scenario, seed, action) => {
  const { module, scenario: read } = await openScenario(openScenarioFile(`scenarios/${scenario}.yaml`));
  const walked = { open: () => module.kind.open(read.definition), seeds: [seed], turns: 3 };
  const suite = environmentSuite(walked);
  it('is checked while it is played', () => {
    const moments = walksOf(walked).flatMap((walk) => walk.moments);
    expect(moments.map(({ intent }) => intent.action)).toContain(action);
  });
  it.each(suite)('$name', ({ run }) => run());
});

describe('the world of the tests', () => {
  const open = () => libraryModule().kind.open({ question: 'Why?', answer: 'so', agents: ['ann', 'ben'] });
  it.each(environmentSuite({ open, outside: () => 'The sky is blue.' }))('$name', ({ run }) => run());
});

interface Settings {
  secret: number;
}
interface State {
  pile: number;
  hidden: number;
}

const SPEC: EnvironmentSpec<Settings, State> = {
  kind: 'pile',
  rulesVersion: 1,
  actions: [
    {
      name: 'PUT',
      description: 'Put so many stones on a pile.',
      grammar: sequence(integer('count', { min: 1, max: 9 }, 'how many'), name('pile', ['pile'], 'where')),
      examples: ['3 red pile'],
      check: ({ pile }, _agent, { count }) =>
        pile + Number(count) > 12 ? problem('illegal/full', 'The pile would fall over.') : undefined,
      apply: (state, _agent, { count }) => ({
        state: { ...state, pile: state.pile + Number(count) },
        message: `You put ${count} there.`,
      }),
    },
  ],
  create: () => ({ pile: 0, hidden: 1 }),
  tell: ({ pile }) => [`There are ${pile} stones on the pile.`],
  outcome: () => ({ status: 'running', reason: '' }),
  nouns: () => [{ id: 'red', name: 'red pile', aliases: [], kinds: ['pile'] }],
};

type Broken = Partial<EnvironmentSpec<Settings, State>>;

function suiteOf(broken: Broken, change: (world: Environment<unknown>) => object = () => ({})) {
  const kind = defineEnvironment<Settings, State>({ ...SPEC, ...broken });
  const open = (): Environment<unknown> => {
    const world: Environment<unknown> = kind.open({ secret: 3, agents: ['ann', 'ben'] });
    return { ...world, ...change(world) };
  };
  return { open };
}

async function failures(spec: EnvironmentUnderTest<unknown>): Promise<readonly string[]> {
  const failed: string[] = [];
  for (const { name: promise, run } of environmentSuite(spec)) {
    await run().catch((error: unknown) => {
      failed.push(`${promise}: ${error instanceof Error ? error.message : String(error)}`);
    });
  }
  return failed;
}

let counter = 0;

const PUT = SPEC.actions[0] as (typeof SPEC.actions)[number];

const BUGS: readonly (readonly [string, string, ReturnType<typeof suiteOf>])[] = [
  ['state with a fraction', 'the state is JSON', suiteOf({ create: () => ({ pile: 0, hidden: 0.5 }) })],
  [
    'state that lives beside the state',
    'the same seed and intents',
    suiteOf({
      actions: [{ ...PUT, apply: (state) => ({ state, message: `Call ${(counter += 1)}.` }) }],
    }),
  ],
  [
    'a world of its own for each opening',
    'the same seed and intents',
    suiteOf({ create: () => ({ pile: 0, hidden: (counter += 1) }) }),
  ],
  [
    'telling that counts',
    'observing is deterministic',
    suiteOf({ tell: () => [`${(counter += 1)} asked.`] }),
  ],
  [
    'an offer that nothing backs',
    'every offer can be expressed',
    suiteOf({}, () => ({
      check: () => problem('illegal/never', 'Never.'),
    })),
  ],
  [
    'a refusal in a program’s words',
    'every refusal has a message',
    suiteOf({
      actions: [
        {
          ...PUT,
          check: (_s, _a, { count }) =>
            Number(count) > 3 ? problem('illegal/x', 'count undefined') : undefined,
        },
      ],
    }),
  ],
  [
    'a refusal that costs the world something',
    'a refusal does not change the world',
    suiteOf({}, (world) => ({
      advance: (state: unknown, intents: Parameters<typeof world.advance>[1]) => {
        const after = world.advance(state, intents);
        const [result] = after.results;
        const of = after.state as { world: State };
        return result?.ok === false ? { ...after, state: { ...of, world: { ...of.world, pile: 0 } } } : after;
      },
    })),
  ],
  [
    'a refusal without words, of one number only',
    'every refusal has a message',
    suiteOf({
      actions: [
        { ...PUT, check: (_s, _a, { count }) => (count === 7 ? problem('illegal/x', '') : undefined) },
      ],
    }),
  ],
  [
    'an action that tells nothing',
    'every result has a message',
    suiteOf({ actions: [{ ...PUT, apply: (state) => ({ state, message: '' }) }] }),
  ],
  [
    'a state with a hole',
    'the state is JSON',
    suiteOf({ create: () => ({ pile: 0, hidden: 1, lost: undefined }) }),
  ],
  [
    'a hash that is always the same',
    'the hashes of the parts',
    suiteOf({}, () => ({ parts: () => ({ all: 'x' }) })),
  ],
  [
    'a turn that is not counted',
    'the end of a turn',
    suiteOf({}, () => ({ endTurn: (state: unknown) => ({ state, events: [] }) })),
  ],
  [
    'two nouns of one id',
    'an observation is complete',
    suiteOf({
      nouns: () => [
        ...(SPEC.nouns?.({ pile: 0, hidden: 1 }, 'ann') ?? []),
        { id: 'red', name: 'other', aliases: [], kinds: ['x'] },
      ],
    }),
  ],
];

describe('a world with a bug', () => {
  it('is none of these', async () => {
    expect(await failures(suiteOf({}))).toEqual([]);
  });

  it.each(someOf(BUGS, 'conformanceBugs'))('%s fails: %s', SIZED, async (_bug, promise, world) => {
    const failed = await failures(world);
    expect(failed.some((line) => line.startsWith(promise))).toBe(true);
  });

  it('that tells what is hidden is found out by changing it', async () => {
    const { open } = suiteOf({ tell: ({ hidden }) => [`${hidden} is hidden.`] });
    const perturb = (state: unknown) => {
      const of = state as { world: State };
      return [{ ...of, world: { ...of.world, hidden: 99 } }];
    };
    expect(await failures({ open, perturb })).toEqual([
      expect.stringContaining(
        'an observation contains nothing hidden: ann observes something that is hidden',
      ),
    ]);
    expect(await failures({ open: suiteOf({}).open, perturb })).toEqual([]);
  });

  it('that changes a state in place throws at the spot', async () => {
    const { open } = suiteOf({
      actions: [
        {
          ...PUT,
          apply: (state) => {
            Object.assign(state, { pile: state.pile + 1 });
            return { state, message: 'Done.' };
          },
        },
      ],
    });
    expect((await failures({ open })).every((line) => line.includes('read only'))).toBe(true);
  });
});

// A tiny environment of your own, without map or picture: a safe with three wheels. Run it with `node examples/own-environment.mjs`.
import {
  defineAction,
  defineEnvironment,
  grammar,
  problem,
  runScenario,
  settingsReader,
  z,
} from 'orchestrate-vlm';
import { environmentSuite } from 'orchestrate-vlm/conformance';

/** @typedef {{ readonly wheels: readonly number[] }} State */
/** @typedef {{ readonly code: readonly number[] }} Settings */

/** @param {State} state @param {Settings} settings */
const clicks = ({ wheels }, { code }) => wheels.filter((digit, wheel) => digit === code[wheel]).length;

const kind = defineEnvironment({
  kind: 'safe',
  rulesVersion: 1,
  actions: [
    defineAction({
      name: 'TURN',
      description: 'Turn one of the three wheels to a digit.',
      grammar: grammar.sequence(
        grammar.integer('wheel', { min: 1, max: 3 }, 'which wheel'),
        grammar.integer('digit', { min: 0, max: 9 }, 'to which digit'),
      ),
      examples: ['2 7'],
      check: (/** @type {State} */ { wheels }, _agent, { wheel, digit }) =>
        wheels[wheel - 1] === digit
          ? problem('illegal/there', `Wheel ${wheel} shows ${digit} already.`)
          : undefined,
      apply: (/** @type {State} */ { wheels }, _agent, { wheel, digit }) => ({
        state: { wheels: wheels.with(wheel - 1, digit) },
        message: `You turned wheel ${wheel} to ${digit}.`,
      }),
    }),
  ],
  create: () => ({ wheels: [0, 0, 0] }),
  tell: (state, _agent, settings) => [
    `The wheels of the safe show ${state.wheels.join(' ')}.`,
    `${clicks(state, settings)} of them have clicked.`,
  ],
  outcome: (state, settings) =>
    clicks(state, settings) === 3
      ? { status: 'succeeded', reason: 'the safe is open' }
      : { status: 'running', reason: '' },
});

const safe = {
  kind,
  reader: settingsReader('safe', { code: z.array(z.int().min(0).max(9)).length(3) }),
  effectHandlers: {},
};

const { end, steps } = await runScenario(
  {
    title: 'The Safe',
    environment: 'safe',
    code: [4, 0, 7],
    agents: [{ id: 'cracker', replies: ['ACTION: TURN 1 4', 'ACTION: TURN 3 7'] }],
    turns: { max: 5 },
  },
  { modules: [safe] },
);

for (const { acts } of steps) {
  for (const { result } of acts) console.log(result.ok ? result.message : result.problem.message);
}
console.log(`${end.status}: ${end.reason}`);

// The promises of an environment, kept by this one.
const suite = environmentSuite({ open: () => kind.open({ code: [4, 0, 7], agents: ['cracker'] }) });
for (const { run } of suite) await run();
console.log(`${suite.length} promises kept`);

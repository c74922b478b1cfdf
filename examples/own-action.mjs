// An action of your own for the grid world: RING <bell> <times>. Run it with `node examples/own-action.mjs`.
import { defineAction, grammar, gridRules as rules, gridWith, problem, runScenario } from 'orchestrate-vlm';

/** @typedef {import('orchestrate-vlm').GridState} GridState */

const world = gridWith((map) =>
  defineAction({
    name: 'RING',
    description: 'Ring a bell beside you, so many times.',
    grammar: grammar.sequence(
      grammar.name('bell', ['thing'], 'which bell'),
      grammar.integer('times', { min: 1, max: 12 }, 'how many times'),
    ),
    examples: ['bell 3'],
    check: (/** @type {GridState} */ state, agent, { bell }) => {
      const target = rules.perceivedTarget(map, state, agent, bell);
      if (target === null) return rules.notPerceived(state, agent, bell);
      if (!target.name.endsWith('bell')) return problem('illegal/no-bell', 'Only a bell can be rung.');
      return rules.outOfReach(state, agent, target);
    },
    apply: (/** @type {GridState} */ state, _agent, { times }) => ({
      state,
      message: `The bell rings: ${Array(times).fill('dong').join(', ')}.`,
    }),
  }),
);

const { steps } = await runScenario(
  {
    title: 'The Bell',
    map: '#####\n#A.b#\n#####\n',
    legend: { A: { agent: 'sexton' }, b: { thing: 'bell' } },
    rooms: { tower: { name: 'tower', from: [1, 1] } },
    things: { bell: { name: 'bell', sprite: 'item/bell' } },
    agents: [
      {
        id: 'sexton',
        sprite: 'figure/monk',
        replies: ['ACTION: RING bell 3', 'ACTION: GO TO bell', 'ACTION: RING bell 3'],
      },
    ],
    turns: { max: 3 },
  },
  { modules: [world] },
);

for (const { acts } of steps) {
  for (const { result } of acts) console.log(result.ok ? result.message : result.problem.message);
}

// An action of your own for the grid world: THROW <thing> <direction>.
import { defineAction, grammar, gridRules as rules, problem } from 'orchestrate-vlm';

/** @typedef {import('orchestrate-vlm').GridState} GridState */

/** How far a thing flies, in tiles. */
const REACH_TILES = 3;

const STEPS = { north: [0, -1], east: [1, 0], south: [0, 1], west: [-1, 0] };

/** What `orchestrate … --modules throw.mjs` adds to the grid world; `map` is the map that is being opened. */
export const actions = [
  (map) =>
    defineAction({
      name: 'THROW',
      description:
        'Throw a thing that you hold. It flies up to three tiles, also over water, but not through walls.',
      grammar: grammar.sequence(
        // What lies about may be named too, so that `check` can say what to do first.
        grammar.name('thing', ['held', 'thing'], 'what to throw'),
        grammar.direction('direction', 'where to', false),
      ),
      examples: ['ball north'],

      // Why it would be refused now, in words for the agent; undefined where nothing speaks against it.
      check: (/** @type {GridState} */ state, agent, { thing }) => {
        if (rules.bodyOf(state, agent)?.holds.includes(thing)) return undefined;
        return problem('illegal/not-held', 'You can only throw what you hold. TAKE it first.');
      },

      // What it does: another state, and what the agent is told.
      apply: (/** @type {GridState} */ state, agent, { thing, direction }) => {
        const [east, south] = STEPS[direction];
        const from = rules.whereIs(state, thing);
        let landing = from;
        for (let flown = 1; flown <= REACH_TILES; flown += 1) {
          const tile = { x: from.x + east * flown, y: from.y + south * flown };
          if (rules.isOpaque(map, state, tile)) break;
          if (rules.isWalkable(map, state, tile)) landing = tile;
        }
        const { name, item } = rules.perceivedTarget(map, state, agent, thing);
        const to = { at: 'tile', x: landing.x, y: landing.y };
        const thrown = rules.transfer(map, state, { id: thing, amount: item.amount, to, by: agent });
        return { state: thrown.state, message: `You threw ${name} ${direction}.` };
      },
    }),
];

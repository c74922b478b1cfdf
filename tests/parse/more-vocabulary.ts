/** The parser's small vocabulary with a number, a choice of words and a final answer more, for the protocols of named arguments. */
import type { Action } from '../../src/environment/action.js';
import { actionRegistry } from '../../src/environment/action.js';
import type { Grammar } from '../../src/environment/grammar.js';
import {
  choice,
  direction,
  integer,
  name,
  optional,
  sequence,
  text,
  word,
} from '../../src/environment/grammar.js';
import type { Observation } from '../../src/environment/observation.js';
import { OBSERVATION, REGISTRY } from './vocabulary.js';

function action(verb: string, grammar: Grammar, terminal: boolean): Action<null> {
  return {
    name: verb,
    aliases: [],
    description: `${verb} does its work.`,
    grammar,
    examples: [],
    cost: 'turn',
    terminal,
    check: () => undefined,
    apply: (state) => ({ state, message: '', events: [] }),
  };
}

export const MORE_REGISTRY = actionRegistry<null>([
  ...REGISTRY.list(),
  action(
    'MOVE',
    sequence(
      integer('steps', { min: 1, max: 120 }, 'How many.'),
      optional(direction('direction', 'Which way.', false)),
    ),
    false,
  ),
  action(
    'TURN',
    sequence(name('thing', ['thing'], 'What.'), choice(word('LEFT', 'side'), word('RIGHT', 'side'))),
    false,
  ),
  action('ANSWER', text('text', 'The answer.', 200), true),
]);

export const MORE_VOCABULARY = MORE_REGISTRY.list();

const EVERYTHING = MORE_VOCABULARY.filter((one) => one.name !== 'DROP').map((one) => one.name);

export const MORE_OBSERVATION: Observation = {
  ...OBSERVATION,
  scope: EVERYTHING,
  offered: EVERYTHING.map((one) => ({ action: one, slots: {} })),
};

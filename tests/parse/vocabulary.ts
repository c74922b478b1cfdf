/** A small vocabulary with every kind of grammar, and an observation with names of several words, for the parser's tests. */
import type { Action } from '../../src/environment/action.js';
import { actionRegistry } from '../../src/environment/action.js';
import type { Grammar } from '../../src/environment/grammar.js';
import { choice, direction, name, optional, sequence, text, word } from '../../src/environment/grammar.js';
import type { Noun, Observation } from '../../src/environment/observation.js';

function action(verb: string, grammar: Grammar | null, aliases: readonly string[] = []): Action<null> {
  return {
    name: verb,
    aliases,
    description: `${verb} does its work.`,
    grammar,
    examples: [''],
    cost: verb === 'LOOK' || verb === 'READ' ? 'free' : 'turn',
    check: () => undefined,
    apply: (state) => ({ state, message: '', events: [] }),
  };
}

const heading = direction('direction', 'Which way.');
const TO = optional(word('TO'));
const thing = (of: readonly string[]) => name('thing', of, 'What is meant.');

export const REGISTRY = actionRegistry<null>([
  action(
    'GO',
    choice(heading, sequence(TO, name('target', ['thing', 'person', 'place', 'door'], 'Where to.'))),
  ),
  action('TAKE', thing(['thing']), ['GET']),
  action('DROP', thing(['held'])),
  action('PUSH', sequence(thing(['thing']), direction('direction', 'Which way.', false))),
  action(
    'USE',
    sequence(
      thing(['held', 'thing']),
      optional(sequence(word('ON'), name('target', ['thing', 'person', 'door'], 'On what.'))),
    ),
  ),
  action('OPEN', thing(['door', 'container'])),
  action('CLOSE', thing(['door', 'container'])),
  action(
    'LOOK',
    optional(sequence(optional(word('AT')), name('thing', ['thing', 'held', 'person', 'door'], 'At what.'))),
  ),
  action('READ', thing(['thing', 'held'])),
  action('GIVE', sequence(thing(['held']), word('TO'), name('person', ['person'], 'To whom.'))),
  action('WAIT', null, ['PASS']),
  action('SPEAK', text('text', 'What to say.', 500), ['SAY']),
  action('ANNOUNCE', text('text', 'What to announce.', 500)),
  action('DONE', null, ['FINISH']),
]);

export const VOCABULARY = REGISTRY.list();

function noun(id: string, called: string, kinds: readonly string[], aliases: readonly string[] = []): Noun {
  return { id, name: called, kinds, aliases };
}

export const NOUNS: readonly Noun[] = [
  noun('brass-key', 'brass key', ['thing']),
  noun('lantern', 'lantern', ['held']),
  noun('letter', 'sealed letter', ['held'], ['envelope']),
  noun('chest', 'oak chest', ['thing', 'container']),
  noun('boulder', 'boulder', ['thing']),
  noun('torch-1', 'torch', ['thing']),
  noun('torch-2', 'torch', ['thing']),
  noun('sign', 'Mr. Smith’s sign', ['thing']),
  noun('book', 'book of spells', ['thing']),
  noun('north-door', 'north door', ['door']),
  noun('iron-door', 'iron door', ['door']),
  noun('knight', 'knight', ['person']),
  noun('rat', 'giant rat', ['person']),
  noun('library', 'library', ['place']),
];

export const OBSERVATION: Observation = {
  agent: 'wizard',
  turn: 3,
  sections: [],
  scope: VOCABULARY.filter((one) => one.name !== 'DROP').map((one) => one.name),
  offered: VOCABULARY.filter((one) => one.name !== 'DROP').map((one) => ({ action: one.name, slots: {} })),
  nouns: NOUNS,
  facts: {},
  scene: null,
};

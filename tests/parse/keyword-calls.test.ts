/**
 * A call whose brackets name the slots (`TAKE(thing="brass key")`) is read in `command` and `react` as `tools` reads it, with its arguments
 * as they were written; in all other brackets nothing is read that was not read before.
 */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Action } from '../../src/environment/action.js';
import { actionRegistry } from '../../src/environment/action.js';
import { sequence, text } from '../../src/environment/grammar.js';
import { interpret } from '../../src/binding/interpret.js';
import { protocolOf } from '../../src/parse/protocols.js';
import { MORE_OBSERVATION, MORE_REGISTRY } from './more-vocabulary.js';
import { outcomeOf } from './reading.js';

const SEARCH: Action<null> = {
  name: 'SEARCH_IN_FILE',
  aliases: [],
  description: 'Searches.',
  grammar: sequence(text('file_name', 'The file.', 200), text('search_term', 'The words.', 200)),
  examples: [],
  cost: 'turn',
  check: () => undefined,
  apply: (state) => ({ state, message: '', events: [] }),
};
const REGISTRY = actionRegistry<null>([...MORE_REGISTRY.list(), SEARCH]);
const OBSERVATION = {
  ...MORE_OBSERVATION,
  scope: [...MORE_OBSERVATION.scope, SEARCH.name],
  offered: [...MORE_OBSERVATION.offered, { action: SEARCH.name, slots: {} }],
};

function read(protocol: Parameters<typeof protocolOf>[0], content: string) {
  const reply = { content, reasoning: null, toolCalls: [], finishReason: 'stop' };
  return interpret(reply, protocolOf(protocol), REGISTRY.list(), REGISTRY, OBSERVATION);
}

/** The ways in which a reply may consist of a call. */
const WAYS: readonly (readonly ['command' | 'react', (call: string) => string])[] = [
  ['command', (call) => `ACTION: ${call}`],
  ['command', (call) => `I think so.\n\n**ACTION:** \`${call}\``],
  ['command', (call) => `ACTION: ${call};`],
  ['command', (call) => `ACTION: ${call} # because I must`],
  ['command', (call) => `\`\`\`\nACTION: ${call}\n\`\`\``],
  ['react', (call) => `Thought: I do it.\nAction: ${call}`],
  ['react', (call) => `Thought: I do it.\nAction: \`${call}\``],
  ['react', (call) => `Action: ${call}\nAction Input: None`],
  ['react', (call) => `Action: ${call}\nAction Input: {}`],
  ['react', (call) => call.replace(/^(\w+)\((.*)\)$/, 'Action: $1\nAction Input: $2')],
  ['react', (call) => call.replace(/^(\w+)(\(.*\))$/, 'Action: $1\nAction Input: $2')],
];

const CALLS = [
  ['search_in_file(file_name="a.txt", search_term="x")', 'SEARCH_IN_FILE file_name=a.txt search_term=x'],
  [
    'SEARCH_IN_FILE(search_term="x, y", file_name="(a).txt")',
    'SEARCH_IN_FILE file_name=(a).txt search_term=x, y',
  ],
  ['TAKE(thing="brass key")', 'TAKE thing=brass-key'],
  ["take(thing='brass key')", 'TAKE thing=brass-key'],
  ['GO(direction = "north")', 'GO direction=north'],
  ['GO(direction="north", target=None)', 'GO direction=north'],
  ['GIVE(thing="lantern", person="knight")', 'GIVE thing=lantern person=knight'],
  ['GIVE({"thing": "lantern", "person": "knight"})', 'GIVE thing=lantern person=knight'],
  ['MOVE(steps=3, direction="east")', 'MOVE steps=3 direction=east'],
  ["SPEAK(text='I am here.')", 'SPEAK text="I am here."'],
  [
    'SPEAK(text="GO north; TAKE it (now), she said: \\"no\\".")',
    'SPEAK text="GO north; TAKE it (now), she said: "no"."',
  ],
] as const;

test.each(CALLS)('%s is read as by tools', (call, outcome) => {
  expect(outcomeOf(read('tools', call))).toBe(outcome);
  for (const [protocol, way] of WAYS) expect(outcomeOf(read(protocol, way(call))), way(call)).toBe(outcome);
});

test.each([
  ['GO(direction="up")', 'bad-argument'],
  ['TAKE(thing="brass key", amount=2)', 'bad-argument'],
  ['SPEAK(text="Hello.", to="knight")', 'bad-argument'],
  ['GIVE(thing="lantern")', 'bad-argument'],
  ['TAKE(thing="brass key"', 'bad-argument'],
  ['TAKE(thing="brass key") and GO(direction="north")', 'bad-argument'],
  ['WAIT(reason="I am tired")', 'bad-argument'],
])('%s is refused in every way', (call, code) => {
  for (const protocol of ['command', 'react'] as const)
    expect(read(protocol, `Action: ${call}`).problem?.code).toBe(code);
});

const RUNS = { numRuns: 400 };
const letters = fc.string({
  unit: fc.constantFrom('a', 'Z', ' ', '_', '*', '`', '"', "'", '\\', '(', ')', '=', ',', '#', '.'),
  maxLength: 20,
});

test('without a label it is an answer where it stands alone, and not within prose', () => {
  for (const [call] of CALLS) {
    expect(read('command', call).intent, call).toEqual(read('command', `ACTION: ${call}`).intent);
    expect(read('command', `I could say ${call} now, or wait.`).intent, call).toBeNull();
  }
});

test('a text arrives as it was written', () => {
  const value = letters.filter((one) => one === one.trim() && !/^(?:|\.{3})$/.test(one));
  fc.assert(
    fc.property(value, (words) => {
      const call = `SPEAK(text=${JSON.stringify(words)})`;
      for (const protocol of ['command', 'react'] as const)
        expect(read(protocol, `Action: ${call}`).intent?.args).toEqual({ text: words });
    }),
    RUNS,
  );
});

test('brackets that name no slot mean what they meant: their words', () => {
  const words = fc
    .tuple(
      fc.constantFrom('x', 'texts', 'the_text'),
      fc.constantFrom('=', '==', ' = ', ': '),
      fc.stringMatching(/^'[a-z]{1,8}'$/),
    )
    .map((parts) => parts.join(''));
  fc.assert(
    fc.property(words, (said) => {
      for (const protocol of ['command', 'react'] as const)
        expect(read(protocol, `Action: SPEAK(${said})`).intent?.args).toEqual({ text: said });
    }),
    RUNS,
  );
});

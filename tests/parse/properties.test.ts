/**
 * What holds for every reply: reading is total, only what ended properly acts, what acted is what the accepted span says,
 * and every form that a grammar allows is read back to the same arguments. Failures print fast-check's seed.
 */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
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
import { CARDINALS, DIRECTIONS } from '../../src/environment/space.js';
import type { GrammarLeaf } from '../../src/forms/layouts.js';
import { layOut } from '../../src/forms/layouts.js';
import { protocolOf } from '../../src/parse/protocols.js';
import { ATTACKS } from './attacks.js';
import { readCorpus } from './corpus.js';
import { outcome, readReply } from './reading.js';
import { NOUNS, REGISTRY, VOCABULARY } from './vocabulary.js';
import { SIZED, sizeOf } from '../support/sizes.js';

const corpus = readCorpus('command');
const RUNS = sizeOf('replyFuzz');

/** Everything that must hold of any reply whatever. */
function expectSane(content: string): void {
  const { reading, intent, problem } = readReply(content);
  expect(intent === null).toBe(problem !== null);
  if (problem !== null) expect(problem.message).toMatch(/^[^\p{Cc}]{10,1200}$/u);
  const { span } = reading;
  if (span !== null) {
    expect(span.start).toBeGreaterThanOrEqual(0);
    expect(span.end).toBeGreaterThan(span.start);
    expect(span.end).toBeLessThanOrEqual(content.length);
  }
  if (intent === null || span === null) return;
  const ids = NOUNS.map((noun) => noun.id);
  for (const [slot, value] of Object.entries(intent.args)) {
    if (slot === 'text') continue;
    expect([...ids, ...DIRECTIONS]).toContain(value);
  }
  expect(saysSo(content.slice(span.start, span.end), intent.action)).toBe(true);
}

/** The accepted span begins with the verb or one of its aliases, spelled out. */
function saysSo(accepted: string, verb: string): boolean {
  const action = REGISTRY.get(verb);
  const spelled = accepted
    .normalize('NFKC')
    .replace(/\p{Cf}|\p{Mn}|[*`_]/gu, '')
    .toUpperCase();
  return [verb, ...(action?.aliases ?? [])].some((one) => spelled.startsWith(one));
}

function expectSameFromSpan(content: string): void {
  const { reading, intent } = readReply(content);
  if (intent === null || reading.span === null) return;
  const accepted = content.slice(reading.span.start, reading.span.end);
  expect(outcome(`ACTION: ${accepted}`)).toBe(outcome(content));
}

const FRAGMENTS = [
  ...corpus.map((reply) => reply.content),
  ...Object.values(ATTACKS).map((family) => family(8)),
  ...VOCABULARY.map((action) => action.name),
  'ACTION:',
  '**Action:** ',
  'Answer: ',
  'NORTH',
  ' ON ',
  ' TO ',
  'brass key',
  '"',
  '“',
  "'",
  '\n',
  '\n\n',
  '- ',
  '> ',
  '<think>',
  '</think>',
  '```\n',
  'not ',
  'Example:\n',
  'Observation: ',
  '<|im_end|>',
  '(',
  ')',
  '.',
  ' because ',
  '{',
  '\u200B',
  '\uD800',
  '\u0000',
];

const anyText = fc.string({
  unit: fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)),
  maxLength: 400,
});
const anyMixture = fc
  .array(fc.oneof(fc.constantFrom(...FRAGMENTS), anyText), { maxLength: 8 })
  .map((parts) => parts.join(''));

/** A reply of the corpus with a few pieces cut out, doubled or put in. */
const mutated = fc
  .tuple(
    fc.constantFrom(...corpus.map((reply) => reply.content)),
    fc.array(fc.tuple(fc.nat(), fc.nat({ max: 12 }), fc.constantFrom(...FRAGMENTS, '', '', '')), {
      minLength: 1,
      maxLength: 4,
    }),
  )
  .map(([content, edits]) =>
    edits.reduce((now, [place, cut, put]) => {
      const at = place % (now.length + 1);
      return now.slice(0, at) + put + now.slice(at + cut);
    }, content),
  );

/** Found by the property below in a million replies: a comment that seemed to begin within a call or within a row of marks. */
const FOUND = [
  'ACTION: WAIT(ACTION: TAKE [item]the closer one)',
  'ACTION: SPEAK########What do you know about the "iron" door?"',
];

describe('any reply', () => {
  test('any text is read without an exception', SIZED, () => {
    fc.assert(fc.property(anyText, expectSane), { numRuns: RUNS });
  });

  test('any mixture of fragments is read without an exception', SIZED, () => {
    fc.assert(fc.property(anyMixture, expectSane), { numRuns: RUNS });
  });

  test('any mutated reply is read without an exception', SIZED, () => {
    fc.assert(fc.property(mutated, expectSane), { numRuns: RUNS });
  });

  test('the accepted span alone asks for the same', SIZED, () => {
    for (const content of [...corpus.map((reply) => reply.content), ...FOUND]) expectSameFromSpan(content);
    fc.assert(fc.property(mutated, expectSameFromSpan), { numRuns: RUNS });
  });

  test('no beginning of a reply that was cut off acts', () => {
    for (const { content } of corpus) {
      for (let end = 0; end <= content.length; end++) {
        expect(readReply(content.slice(0, end), 'length').intent).toBeNull();
      }
    }
  });

  test('reasoning given apart is never read', () => {
    fc.assert(
      fc.property(fc.constantFrom(...corpus.map((reply) => reply.content)), (reasoning) => {
        const reply = { content: '', reasoning, toolCalls: [], finishReason: 'stop' };
        expect(protocolOf('command').read(reply, VOCABULARY)).toMatchObject({
          ok: false,
          problem: { code: 'empty' },
        });
      }),
    );
  });
});

const DIRECTION = direction('way', 'Which way.');
const thing = (slot: string): Grammar => name(slot, ['thing'], 'A thing.');

const GRAMMARS: Readonly<Record<string, Grammar>> = {
  GO: choice(DIRECTION, sequence(optional(word('TO')), thing('target'))),
  PUSH: sequence(thing('what'), direction('way', 'Which way.', false)),
  USE: sequence(thing('what'), optional(sequence(word('ON'), thing('target')))),
  GIVE: sequence(thing('what'), word('TO'), thing('whom')),
  SPEAK: text('text', 'Words.', 500),
  TELL: sequence(thing('whom'), text('text', 'Words.', 500)),
  WRITE: sequence(text('text', 'Words.', 500), word('ON'), thing('what')),
  TURN: sequence(thing('what'), choice(word('LEFT', 'side'), word('RIGHT', 'side'))),
  MOVE: sequence(integer('steps', { min: 1, max: 99 }, 'How many.'), optional(DIRECTION)),
  PUT: sequence(
    thing('what'),
    choice(sequence(word('IN'), thing('container')), sequence(word('UNDER'), thing('below'))),
  ),
};

const ROUND_TRIP = Object.entries(GRAMMARS).map(([verb, grammar]) => ({
  name: verb,
  aliases: [],
  description: '',
  grammar,
  cost: 'turn' as const,
  examples: [],
}));

const WORDS = [
  'brass',
  'key',
  'oak',
  'chest',
  'old',
  'well',
  'lamp',
  'rusty',
  'gate',
  "smith's",
  'no-9',
  'café',
  '鍵',
];
const nameValue = fc
  .array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 4 })
  .map((words) => words.join(' '));
const spokenValue = fc
  .array(
    fc.constantFrom(
      'Hello',
      'don’t',
      'GO',
      'NORTH',
      'ACTION:',
      'WAIT.',
      '—',
      '鍵',
      '(really)',
      '🔑',
      '*bold*',
      'a_b',
    ),
    { minLength: 1, maxLength: 6 },
  )
  .map((words) => words.join(' '));

function leafValue(leaf: GrammarLeaf): fc.Arbitrary<{ said: string; value: string | number | null }> {
  if (leaf.kind === 'word')
    return fc.constant({ said: leaf.word, value: leaf.slot === undefined ? null : leaf.word });
  if (leaf.kind === 'direction') {
    return fc
      .constantFrom(...(leaf.diagonals ? DIRECTIONS : CARDINALS))
      .map((value) => ({ said: value.toUpperCase(), value }));
  }
  if (leaf.kind === 'integer')
    return fc.integer({ min: leaf.min, max: leaf.max }).map((value) => ({ said: String(value), value }));
  if (leaf.kind === 'text') return spokenValue.map((value) => ({ said: `"${value}"`, value }));
  return nameValue.map((value) => ({ said: value, value }));
}

const DRESSES = [
  'ACTION: %',
  '**Action:** %',
  '**ACTION: %**',
  'I think.\n\n### Action\n%',
  'action：%',
  '- Action: %.',
  '<think>GO</think>ACTION: `%`',
];

describe.each(ROUND_TRIP)('every form of $name', ({ name: verb, grammar }) => {
  test('is read back to the same arguments', () => {
    const forms = layOut(grammar);
    const sentence = fc
      .constantFrom(...forms)
      .chain((leaves) =>
        fc.tuple(fc.constant(leaves), fc.tuple(...leaves.map(leafValue)), fc.constantFrom(...DRESSES)),
      );
    fc.assert(
      fc.property(sentence, ([leaves, values, dress]) => {
        const line = [verb, ...values.map((value) => value.said)].join(' ');
        const wanted: Record<string, string | number> = {};
        for (const [index, leaf] of leaves.entries()) {
          const value = values[index]?.value ?? null;
          if (leaf.slot !== undefined && value !== null) wanted[leaf.slot] = value;
        }
        const reply = {
          content: dress.replace('%', () => line),
          reasoning: null,
          toolCalls: [],
          finishReason: 'stop',
        };
        const reading = protocolOf('command').read(reply, ROUND_TRIP);
        expect(reading).toMatchObject({ ok: true, command: { action: verb, args: wanted } });
      }),
      { numRuns: 300 },
    );
  });
});

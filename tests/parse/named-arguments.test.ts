/** What holds for every reply in the protocols of named arguments: reading is total, nothing acts that its span does not say. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LIMITS } from '../../src/base/limits.js';
import { interpret } from '../../src/binding/interpret.js';
import type { Interpretation } from '../../src/binding/interpret.js';
import { protocolOf } from '../../src/parse/protocols.js';
import type { ReplyText } from '../../src/parse/page.js';
import { ATTACKS, NAMED_ATTACKS } from './attacks.js';
import { readCorpus } from './corpus.js';
import { MORE_OBSERVATION, MORE_REGISTRY, MORE_VOCABULARY } from './more-vocabulary.js';
import { outcomeOf } from './reading.js';
import { SIZED, sizeOf } from '../support/sizes.js';

const NAMES = ['json', 'react', 'tools'] as const;
const RUNS = sizeOf('namedFuzz');

function readAs(name: (typeof NAMES)[number], reply: Partial<ReplyText>): Interpretation {
  const whole = { content: '', reasoning: null, toolCalls: [], finishReason: 'stop', ...reply };
  return interpret(whole, protocolOf(name), MORE_VOCABULARY, MORE_REGISTRY, MORE_OBSERVATION);
}

describe.each(NAMES)('any reply in %s', (name) => {
  const corpus = readCorpus(name);
  const fragments = [
    ...corpus.map((reply) => reply.content),
    ...Object.values({ ...ATTACKS, ...NAMED_ATTACKS }).map((family) => family(9)),
    '{',
    '}',
    '"',
    "'",
    '\\',
    ':',
    ',',
    '[',
    ']',
    '\n',
    '“',
    '<think>',
    '</think>',
    'Action: ',
    'Action Input: ',
    'Observation: ',
    '<tool_call>',
    '<function=GO>',
    '[TOOL_CALLS]',
    '```json\n',
    'null',
    '\uD800',
    '\u0000',
  ];
  const anyText = fc.string({ unit: 'binary', maxLength: 200 });
  const anyMixture = fc
    .array(fc.oneof(fc.constantFrom(...fragments), anyText), { maxLength: 6 })
    .map((parts) => parts.join(''));
  const mutated = fc
    .tuple(
      fc.constantFrom(...corpus.map((reply) => reply.content)),
      fc.nat(),
      fc.nat({ max: 9 }),
      fc.constantFrom(...fragments, '', ''),
    )
    .map(([content, place, cut, put]) => {
      const at = place % (content.length + 1);
      return content.slice(0, at) + put + content.slice(at + cut);
    });

  test('is read without an exception, to an intent or a problem in words', SIZED, () => {
    fc.assert(
      fc.property(fc.oneof(anyMixture, mutated), (content) => {
        const { reading, intent, problem } = readAs(name, { content });
        expect(intent === null).toBe(problem !== null);
        if (problem !== null) expect(problem.message).toMatch(/^[^\p{Cc}]{10,1200}$/u);
        const { span } = reading;
        if (span === null) return;
        expect(span.start).toBeGreaterThanOrEqual(0);
        expect(span.end).toBeGreaterThan(span.start);
        expect(span.end).toBeLessThanOrEqual(content.length);
      }),
      { numRuns: RUNS },
    );
  });

  test('says what it does: the accepted words alone ask for the same', SIZED, () => {
    const label = name === 'react' ? 'Action: ' : '';
    fc.assert(
      fc.property(mutated, (content) => {
        const read = readAs(name, { content });
        const { span } = read.reading;
        // A final answer is named by its label alone.
        const isFinal = name === 'react' && read.intent?.action === 'ANSWER';
        if (read.intent === null || span === null || isFinal) return;
        const alone = readAs(name, { content: label + content.slice(span.start, span.end) });
        expect(outcomeOf(alone)).toBe(outcomeOf(read));
      }),
      { numRuns: RUNS },
    );
  });

  test('does nothing where it was cut off, at any place', () => {
    for (const { content, toolCalls } of corpus) {
      for (let end = 0; end <= content.length; end += 3)
        expect(
          readAs(name, { content: content.slice(0, end), toolCalls, finishReason: 'length' }).intent,
        ).toBeNull();
    }
  });

  test('that only lacks its end does nothing either', () => {
    // One whose last object was made up has its own answer before it; doubled braces hold a whole object without the last.
    const isWholeBefore = (content: string) => /Observation|_turn>|\|>|\{\{/.test(content);
    const whole = corpus.filter(
      ({ class: kind, content }) => kind === 'clear' && content.endsWith('}') && !isWholeBefore(content),
    );
    for (const { content } of whole) {
      const { intent } = readAs(name, { content: content.slice(0, -1) });
      expect(intent, content).toBeNull();
    }
  });

  test('is never read from reasoning that came apart', () => {
    for (const { content } of corpus)
      expect(readAs(name, { reasoning: content }).problem?.code).toBe('empty');
  });
});

describe('the limits of a reply', () => {
  const answer = '{"name": "WAIT", "parameters": {}}';

  test('as many objects as the limit are read, one more is not', () => {
    const within = Array.from({ length: LIMITS.replyCandidates }, () => answer).join('\n');
    expect(readAs('json', { content: within }).intent?.action).toBe('WAIT');
    expect(readAs('json', { content: `${answer}\n${within}` }).problem?.code).toBe('ambiguous');
  });

  test('arguments of a native call that are too long are refused', () => {
    const padded = (length: number): string => `{"thing": "brass key"${' '.repeat(length - 22)}}`;
    const call = (length: number) => ({ toolCalls: [{ name: 'TAKE', arguments: padded(length) }] });
    expect(readAs('tools', call(LIMITS.answerCharacters)).intent?.action).toBe('TAKE');
    expect(readAs('tools', call(LIMITS.answerCharacters + 1)).problem?.code).toBe('bad-argument');
  });

  test('a name with a key of every object is no key', () => {
    for (const key of ['__proto__', 'constructor', 'toString', 'hasOwnProperty']) {
      const content = `{"name": "${key}", "parameters": {"${key}": "x"}}`;
      expect(readAs('json', { content }).problem?.code).toBe('unknown-action');
      const taken = `{"name": "WAIT", "parameters": {"${key}": "x"}}`;
      expect(readAs('json', { content: taken }).problem?.code).toBe('bad-argument');
    }
  });
});

/** The examples of docs/PROTOCOLS.md say what really happens. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { interpret } from '../../src/parse/interpret.js';
import { protocolOf } from '../../src/parse/protocols.js';
import { PROTOCOL_NAMES } from '../../src/scenario/scenario.js';
import { replyOf } from './corpus.js';
import { outcomeOf } from './reading.js';
import { OBSERVATION, REGISTRY, VOCABULARY } from './vocabulary.js';

const page = readFileSync(new URL('../../docs/PROTOCOLS.md', import.meta.url), 'utf8');
const examples = [...page.matchAll(/^```(?:(json|react|tools)-)?reply\n([\s\S]*?)\n=> (.*)\n```$/gm)].map(
  (match) => ({
    protocol: PROTOCOL_NAMES.find((name) => name === match[1]) ?? 'command',
    reply: match[2] ?? '',
    expected: match[3] ?? '',
  }),
);

test.each(PROTOCOL_NAMES)('the page has examples of %s', (name) => {
  expect(examples.filter(({ protocol }) => protocol === name).length).toBeGreaterThanOrEqual(4);
});

test.each(examples)('$protocol: $expected', ({ protocol, reply, expected }) => {
  const whole = { ...replyOf(reply), reasoning: null, finishReason: 'stop' };
  const read = interpret(whole, protocolOf(protocol), VOCABULARY, REGISTRY, OBSERVATION);
  expect(outcomeOf(read)).toBe(expected);
});

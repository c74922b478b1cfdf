/** The examples of docs/reference/protocols.md and docs/explanation/reading-replies.md say what really happens. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { interpret } from '../../src/binding/interpret.js';
import { protocolOf } from '../../src/parse/protocols.js';
import { PROTOCOL_NAMES } from '../../src/scenario/scenario.js';
import { replyOf } from './corpus.js';
import { outcome, outcomeOf } from './reading.js';
import { OBSERVATION, REGISTRY, VOCABULARY } from './vocabulary.js';

const page = ['docs/explanation/reading-replies.md', 'docs/reference/protocols.md']
  .map((path) => readFileSync(path, 'utf8'))
  .join('\n');
const examples = [...page.matchAll(/^```(?:(json|react|tools)-)?reply\n([\s\S]*?)\n=> (.*)\n```$/gm)].map(
  (match) => ({
    protocol: PROTOCOL_NAMES.find((name) => name === match[1]) ?? 'command',
    reply: match[2] ?? '',
    expected: match[3] ?? '',
  }),
);

/** The rows of the table of replies, with `⏎` for a new line. */
const rows = [...page.matchAll(/^\| `(.+?)` +\| `([A-Z!].*?)` +\|$/gm)]
  .filter(([, reply = '']) => /[A-Z]{2}/.test(reply))
  .map(([, reply = '', expected = '']) => ({
    reply: reply.replaceAll('\\|', '|').replace(/ ?⏎ ?/g, '\n'),
    expected,
  }));

test('the page has a table of replies', () => {
  expect(rows.length).toBeGreaterThanOrEqual(12);
});

test.each(rows)('of the table: $reply', ({ reply, expected }) => {
  expect(outcome(reply)).toBe(expected);
});

test('the rule is told in at most 15 lines', () => {
  const rule = page.slice(page.indexOf('## The rule'), page.indexOf('| a reply in `command`'));
  expect(
    rule.split('\n').filter((line) => /\S/.test(line) && !line.startsWith('#')).length,
  ).toBeLessThanOrEqual(15);
});

test.each(PROTOCOL_NAMES)('the page has examples of %s', (name) => {
  expect(examples.filter(({ protocol }) => protocol === name).length).toBeGreaterThanOrEqual(4);
});

test.each(examples)('$protocol: $expected', ({ protocol, reply, expected }) => {
  const whole = { ...replyOf(reply), reasoning: null, finishReason: 'stop' };
  const read = interpret(whole, protocolOf(protocol), VOCABULARY, REGISTRY, OBSERVATION);
  expect(outcomeOf(read)).toBe(expected);
});

/** The examples of docs/PROTOCOLS.md say what really happens. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { outcome } from './reading.js';

const page = readFileSync(new URL('../../docs/PROTOCOLS.md', import.meta.url), 'utf8');
const examples = [...page.matchAll(/^```reply\n([\s\S]*?)\n=> (.*)\n```$/gm)].map((match) => ({
  reply: match[1] ?? '',
  expected: match[2] ?? '',
}));

test('the page has examples', () => {
  expect(examples.length).toBeGreaterThanOrEqual(9);
});

test.each(examples)('$expected', ({ reply, expected }) => {
  expect(outcome(reply)).toBe(expected);
});

/** Nasty replies: no trap may act otherwise than allowed; what is well-formed is understood. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { outcome } from './reading.js';

interface Replies {
  readonly traps: readonly { readonly content: string; readonly allowed: readonly string[] }[];
  readonly wellFormed: readonly { readonly content: string; readonly expected: string }[];
}
const replies: Replies = JSON.parse(readFileSync(new URL('adversarial.json', import.meta.url), 'utf8'));

test('no trap acts', () => {
  const wrong = replies.traps.flatMap(({ content, allowed }) => {
    const got = outcome(content);
    const isAllowed = allowed.includes(got) || (got.startsWith('!') && allowed.includes('!'));
    return isAllowed ? [] : [{ content, got }];
  });
  expect(wrong).toEqual([]);
});

test('what is well-formed is understood', () => {
  const wrong = replies.wellFormed.flatMap(({ content, expected }) => {
    const got = outcome(content);
    return got === expected || (expected === '!' && got.startsWith('!')) ? [] : [{ content, expected, got }];
  });
  expect(wrong).toEqual([]);
});

/** Which events are words that somebody said, to whoever reads a log. */
import { expect, it } from 'vitest';
import { spokenIn } from '../../src/environment/spoken.js';

const event = {
  kind: 'said',
  actor: 'ann',
  at: null,
  data: { text: 'Hello.', hearers: ['bob'] },
  seenBy: [],
};

it.each([
  ['words', event, { speaker: 'ann', text: 'Hello.', hearers: ['bob'] }],
  [
    'words that nobody heard',
    { ...event, data: { text: 'Hello.' } },
    { speaker: 'ann', text: 'Hello.', hearers: [] },
  ],
  ['another kind', { ...event, kind: 'told' }, null],
  ['nobody who speaks', { ...event, actor: null }, null],
  ['no words', { ...event, data: {} }, null],
])('%s', (_what, given, spoken) => {
  expect(spokenIn(given)).toEqual(spoken);
});

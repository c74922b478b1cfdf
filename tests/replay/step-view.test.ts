/** What people are told of a step: notes stand in the layouts that they name, and words are wrapped alike everywhere. */
import { expect, it } from 'vitest';
import { plainLine, lineText, wrapLine } from '../../src/cli/terminal/styled-lines.js';
import { wrapped } from '../../src/base/wrap.js';
import { stepText } from '../../src/cli/text/replay-text.js';
import { stepLines } from '../../src/cli/text/step-line.js';
import { stepPage } from '../../src/cli/text/step-page.js';
import { notesFor, stepView, worldEvent } from '../../src/replay/step-view.js';
import type { StepRecord } from '../../src/trajectory/records.js';
import { sampleStep } from '../log/sample.js';

const names = { nyla: 'Nyla' };
const plain = (_: unknown, text: string) => text;

/** A step of the world, at whose end a gate opened and somebody was paid. */
const TURN: StepRecord = {
  ...sampleStep('run', 1, []),
  agent: 'world',
  acts: [],
  events: [
    { kind: 'gate-opened', actor: 'nyla', at: null, data: { door: 'gate', name: 'iron gate' }, seenBy: [] },
  ],
  rewards: { paid: { nyla: 3 }, byName: {} },
};

it.each([
  [{ id: 'sample', name: 'sample' }, 'appeared (sample)'],
  [{ id: 'red-lever', name: 'red lever' }, 'appeared (red lever)'],
  [
    { id: 'key-1', name: 'red key', amount: 2, on: 'chest', onId: 'chest' },
    'appeared (key-1, red key, chest)',
  ],
  [{}, 'appeared'],
])('says a name once: %j', (data, told) => {
  expect(worldEvent({ kind: 'appeared', actor: null, at: null, data, seenBy: [] })).toBe(told);
});

it('says each note in its own layouts, and in no other', () => {
  const { notes } = stepView(TURN, { names });
  expect(notesFor(notes, 'line')).toEqual(['world: nyla gate opened (gate, iron gate)']);
  expect(notesFor(notes, 'browser')).toEqual(['In the world: gate-opened iron gate (nyla)']);
  const line = stepLines(TURN, { paint: plain, names, columns: 80 });
  expect(line).toEqual(['      world: nyla gate opened (gate, iron gate)']);
  const page = stepPage({
    step: TURN,
    names,
    paint: plain,
    calls: [],
    outside: [],
    probes: [],
    pictures: [],
    players: [],
    turns: {
      order: 'sequential',
      max: 1,
      attempts: 3,
      givenUp: 'wait',
      freeActs: 3,
      repair: true,
      repeats: null,
    },
  });
  expect(page).toMatch(/\nrewards nyla 3\nstate \w+\nchain \w+\n$/);
  expect(page).not.toContain('In the world');
  const silent = stepText({ step: { ...TURN, events: [] }, calls: [], names }).map(lineText);
  expect(silent).toEqual(['Nothing happened in the world.']);
});

it('wraps a line of one style and a styled one alike', () => {
  const text = 'a word, ALongWordThatFitsNowhere and 👣 the  rest ';
  for (const columns of [1, 5, 9, 40])
    expect(wrapLine(plainLine(text), columns).map(lineText)).toEqual(wrapped(text, columns));
  expect(wrapped(text, 9).every((line) => Array.from(line).length <= 9)).toBe(true);
});

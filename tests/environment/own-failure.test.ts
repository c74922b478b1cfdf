/** What somebody's own action threw: the same words for every agent, error and place for people, no folder of anybody's machine. */
import { expect, it } from 'vitest';
import { LIMITS } from '../../src/base/limits.js';
import { actionFailure, describeForPeople } from '../../src/environment/own-failure.js';

function thrownAs(stack: string): Error {
  return Object.assign(new Error('oh'), { stack });
}

it('keeps where it was thrown, up to our own calls and without folders', () => {
  const stack = [
    'Error: oh',
    '    at swing (file:///home/ann/my%20game/hook.mjs:4:11)',
    '    at Object.apply (C:/games/hook.mjs:9:3)',
    '    at Object.applyOwn [as apply] (file:///usr/lib/orchestrate/own-action.js:70:40)',
    '    at perform (file:///usr/lib/orchestrate/advance.js:1:1)',
  ].join('\n');
  const { message, details } = actionFailure('HOOK', thrownAs(stack));
  expect(message).toBe(
    'HOOK broke off with an error of its own, and nothing changed. Choose another action.',
  );
  expect(details).toEqual({
    error: 'Error: oh',
    trace: 'at swing (hook.mjs:4:11)\nat Object.apply (hook.mjs:9:3)',
  });
  expect(describeForPeople(actionFailure('HOOK', thrownAs(stack)))).toBe('Error: oh (hook.mjs:4:11)');
});

it('has no more of it than a log should hold, and whole characters', () => {
  const long = '\uD83D'.repeat(LIMITS.traceCharacters + 9);
  const thrown = Object.assign(new Error(long), { stack: `Error: oh\n    at ${long}` });
  const { error, trace } = actionFailure('HOOK', thrown).details ?? {};
  for (const text of [error, trace].map((one) => (typeof one === 'string' ? one : ''))) {
    expect(text).toHaveLength(LIMITS.traceCharacters);
    expect(text.isWellFormed()).toBe(true);
  }
});

it('says of other problems what the agent was told', () => {
  expect(describeForPeople({ code: 'illegal/far', message: 'It is too far.' })).toBe('It is too far.');
});

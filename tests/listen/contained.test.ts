/** A guard around a listener: what the listener throws ends the connection that it was called for, and nothing else. */
import { expect, it } from 'vitest';
import { contained } from '../../src/listen/contained.js';

const coded = (code: string) => Object.assign(new Error(code), { code });

it.each([
  [
    'at once',
    'an error of ours',
    (error: Error) => {
      throw error;
    },
    new TypeError('Invalid URL'),
    1,
  ],
  ['later', 'an error of ours', (error: Error) => Promise.reject(error), new TypeError('Invalid URL'), 1],
  [
    'at once',
    'that the other side has gone',
    (error: Error) => {
      throw error;
    },
    coded('ERR_HTTP2_INVALID_STREAM'),
    0,
  ],
  [
    'later',
    'that the other side has gone',
    (error: Error) => Promise.reject(error),
    coded('ERR_STREAM_WRITE_AFTER_END'),
    0,
  ],
] as const)(
  'throws nothing %s, and drops the connection: %s',
  async (_when, _what, listener, error, told) => {
    const dropped: string[] = [];
    const errors: unknown[] = [];
    const guarded = contained((_connection: string) => listener(error), {
      drop: (connection) => dropped.push(connection),
      onError: (one) => errors.push(one),
    });
    expect(() => guarded('first')).not.toThrow();
    await Promise.resolve();
    await Promise.resolve();
    expect(dropped).toEqual(['first']);
    expect(errors).toEqual(told === 1 ? [error] : []);
  },
);

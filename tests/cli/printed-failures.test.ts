/** One reason of a server is told once, however often each call was tried before it was given up. */
import { expect, it } from 'vitest';
import { UsageError } from '../../src/base/errors.js';
import { PrintedFailures } from '../../src/cli/text/printed-failures.js';
import { modelError } from '../../src/model/error-messages.js';

const failed = (tries: number, message = 'out of memory') =>
  modelError(
    { kind: 'server', status: 500, message, isRetryable: true, retryAfter: { ms: null, header: null } },
    {
      baseUrl: 'http://gpu:8000/v1',
      model: null,
      kind: null,
      apiKeyEnv: null,
      hasKey: false,
      isWithheld: false,
      timeoutMs: 1000,
      tries,
      outOfTime: false,
      sentFields: [],
    },
  );

it('the first time in words, later as told', () => {
  const told = new PrintedFailures();
  expect(told.describe(failed(2))).toContain('out of memory');
  expect([told.describe(failed(3)), told.describe(failed(1))]).toEqual(['see above', 'see above']);
  expect(told.describe(failed(1, 'no such model'))).toContain('no such model');
  expect(told.has(new UsageError('the disk is full'))).toBe(false);
  expect(told.describe(new UsageError('the disk is full'))).toBe('the disk is full');
});

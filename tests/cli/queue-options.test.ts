/** The options of a worker are bounded: seconds of its lock and its checkpoints. */
import { expect, it } from 'vitest';
import { LIMITS } from '../../src/base/limits.js';
import { orchestrate } from '../support/captured-io.js';

it.each(['--lock', '--checkpoint'])('%s has a largest number of seconds', async (option) => {
  const most = await orchestrate(['worker', option, String(LIMITS.queueSeconds)]);
  expect(most.err).toContain('a worker needs --queue and --store');
  const more = await orchestrate(['worker', option, String(LIMITS.queueSeconds + 1)]);
  expect([more.code, more.err]).toEqual([2, expect.stringContaining(String(LIMITS.queueSeconds))]);
  expect(more.err).not.toContain('a worker needs');
});

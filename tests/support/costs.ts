/**
 * With TEST_COSTS=FILE, a setup file: appends a line per test and per test file, with the processor seconds that its process and the processes that
 * it started took (those that have ended), as JSON.
 */
import { appendFileSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';

const path = process.env['TEST_COSTS'];
const TICKS_PER_SECOND = 100;

/** Of this process and of its ended children, in seconds: fields 14 to 17 of proc(5). */
function usedSeconds(): number {
  const [, fields = ''] = /\) (.*)/.exec(readFileSync('/proc/self/stat', 'utf8')) ?? [];
  const ticks = fields.split(' ').slice(11, 15).map(Number);
  return ticks.reduce((sum, one) => sum + one, 0) / TICKS_PER_SECOND;
}

function note(test: string | null, since: number): void {
  const file = relative(process.cwd(), expect.getState().testPath ?? '');
  const seconds = Number((usedSeconds() - since).toFixed(2));
  appendFileSync(path ?? '', `${JSON.stringify({ ring: process.env['RING'], file, test, seconds })}\n`);
}

if (path !== undefined) {
  const started = { file: usedSeconds(), test: 0 };
  beforeAll(() => void (started.file = usedSeconds()));
  beforeEach(() => void (started.test = usedSeconds()));
  afterEach(() => note(expect.getState().currentTestName ?? '', started.test));
  afterAll(() => note(null, started.file));
}

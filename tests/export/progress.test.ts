/** The progress of an export in a terminal is there from the beginning: the search for a cost may take long. */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { jsonl } from '../../src/export/formats/jsonl.js';
import { DEFAULT_SETTINGS, exportRuns } from '../../src/export/export.js';
import { inspectRuns } from '../../src/export/inputs.js';
import { pickRuns } from '../../src/export/picked-runs.js';
import { CountingTarget } from '../../src/export/target.js';
import { readInProcess } from '../../src/export/rows.js';
import { LogReader } from '../../src/log/reader.js';
import { temporaryFolder } from '../support/folder.js';
import { playInto } from './runs.js';

const cwd = temporaryFolder();

it('is told before the first cost is searched for, and after every step', async () => {
  const path = join(cwd, await playInto(cwd, 'one'));
  const reader = new LogReader(path);
  const runs = pickRuns([{ path, runs: reader.runs(), runId: null }]);
  reader.close();
  const told: number[] = [];
  const settings = { ...DEFAULT_SETTINGS, effort: 1 };
  await exportRuns({
    format: jsonl,
    runs,
    inspected: inspectRuns(runs, null),
    settings,
    target: new CountingTarget(),
    signal: new AbortController().signal,
    onProgress: ({ done }) => told.push(done),
    source: readInProcess(runs, settings, () => {
      expect(told).toEqual([0]);
      return null;
    }),
  });
  const steps = runs[0]?.lastStep ?? 0;
  expect(steps).toBeGreaterThan(4);
  expect(told).toEqual(Array.from({ length: steps + 1 }, (_, i) => i));
});

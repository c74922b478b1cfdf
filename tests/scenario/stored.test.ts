/**
 * The check of scenarios in logs: a log of every earlier version is read (of the first:
 * tests/log/first-version.test.ts).
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { runScenario } from '../../src/assembly/run-scenario.js';
import { LOG_VERSION } from '../../src/log/log-version.js';
import { LogReader } from '../../src/log/reader.js';
import { scenarioFault } from '../../src/scenario/stored-scenario.js';
import { chainsOf } from '../support/chains.js';
import { temporaryFolder } from '../support/folder.js';

const LOGS = new URL('../fixtures/logs/', import.meta.url);
const EVERY_KEY = readFileSync(new URL('every-key.yaml', LOGS), 'utf8');
const folder = temporaryFolder();

function firstRun(path: string): void {
  const reader = new LogReader(path);
  const [{ runId } = { runId: '' }] = reader.runs();
  expect(scenarioFault(reader.run(runId).scenario)).toBeNull();
  const chains = chainsOf(reader, runId);
  expect(chains.length).toBeGreaterThan(3);
  for (const [written, made] of chains) expect(written).toBe(made);
  reader.close();
}

describe('a log with every key that all worlds share', () => {
  it.each(Array.from({ length: LOG_VERSION - 2 }, (_, i) => i + 2))(
    'is read as the last program of version %i wrote it',
    (version) => {
      const path = join(folder, `v${version}.sqlite`);
      writeFileSync(path, gunzipSync(readFileSync(new URL(`v${version}.sqlite.gz`, LOGS))));
      firstRun(path);
    },
  );

  it('is read as this program writes it', async () => {
    const log = join(folder, 'today.sqlite');
    await runScenario(EVERY_KEY, { log });
    firstRun(log);
  });
});

/** The plan of a batch beside its logs: what reads it, and what it refuses. */
import { truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { LIMITS } from '../../src/base/limits.js';
import { BATCH_FILE, readBatchFile } from '../../src/scenario/batch-record.js';
import { temporaryFolder } from '../support/folder.js';

const folder = temporaryFolder();
const path = join(folder, BATCH_FILE);

it('may be missing, as in a folder of logs without a batch', () => {
  expect(readBatchFile(temporaryFolder())).toBeNull();
});

it('is refused if it is something else, or larger than LIMITS.batchFileBytes', () => {
  const refusal = () => readBatchFile(folder);
  writeFileSync(path, '{"title": "runs"}');
  expect(refusal).toThrow(/runs\.json can't be read: it is not the plan of a batch/);
  truncateSync(path, LIMITS.batchFileBytes);
  expect(refusal).toThrow(/it is not the plan of a batch/);
  truncateSync(path, LIMITS.batchFileBytes + 1);
  expect(refusal).toThrow(/can't be read: (?!it is not the plan)/);
});

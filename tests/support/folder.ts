/** A folder for a test file's logs and pictures, gone when its tests are done. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'orchestrate-test-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A folder in memory where there is one: for thousands of logs whose durability is not what is tested. Gone when its tests are done. */
import { accessSync, constants, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

export function fastFolder(): string {
  const folder = mkdtempSync(join(isWritable('/dev/shm') ? '/dev/shm' : tmpdir(), 'orchestrate-test-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

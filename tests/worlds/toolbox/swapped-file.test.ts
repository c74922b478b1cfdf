/**
 * A folder that leads outside while a file in it is opened, and is back before anything is asked of the path: only what is open tells.
 * `promises/file-race.test.ts` has another process do this, as often as the machine lets it.
 */
import { mkdirSync, realpathSync, renameSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import type * as Files from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { readBelow } from '../../../src/scenario/files-below.js';
import { temporaryFolder } from '../../support/folder.js';

const around = vi.hoisted(() => ({ before: (): void => undefined, after: (): void => undefined }));

vi.mock(import('node:fs'), async (importOriginal) => {
  const own = await importOriginal();
  const openSync = (...args: Parameters<typeof Files.openSync>): number => {
    around.before();
    try {
      return own.openSync(...args);
    } finally {
      around.after();
    }
  };
  return { ...own, openSync };
});

describe.skipIf(process.platform !== 'linux')('a folder that is swapped while its file is opened', () => {
  const base = realpathSync(temporaryFolder());
  const root = join(base, 'root');
  const folder = join(root, 'd');
  const aside = join(base, 'aside');

  beforeEach(() => {
    around.before = () => undefined;
    around.after = () => undefined;
  });

  mkdirSync(folder, { recursive: true });
  mkdirSync(join(base, 'outside'));
  writeFileSync(join(folder, 'f.txt'), 'inside');
  writeFileSync(join(base, 'outside', 'f.txt'), 'walrus');

  it.each([true, false])('gives nothing from outside (links are followed: %s)', (followsLinks) => {
    const read = (): string =>
      Buffer.from(readBelow({ root, followsLinks, allowsOwnNames: false }, ['d', 'f.txt'], 100)).toString();
    expect(read()).toBe('inside');
    around.before = () => {
      renameSync(folder, aside);
      symlinkSync(join(base, 'outside'), folder);
    };
    around.after = () => {
      unlinkSync(folder);
      renameSync(aside, folder);
    };
    expect(read).toThrow('it is outside the folder');
  });
});

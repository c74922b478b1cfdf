/**
 * A folder that leads outside while a file in it is opened, and is back before anything is asked of its path: only what is open tells.
 * `promises/file-race.test.ts` has another process do this, as often as the machine lets it.
 */
import { mkdirSync, realpathSync, renameSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readBelow } from '../../../src/scenario/files-below.js';
import { temporaryFolder } from '../../support/folder.js';

describe.skipIf(process.platform !== 'linux')('a folder that is swapped while its file is opened', () => {
  const base = realpathSync(temporaryFolder());
  const root = join(base, 'root');
  const folder = join(root, 'd');
  const aside = join(base, 'aside');
  mkdirSync(folder, { recursive: true });
  mkdirSync(join(base, 'outside'));
  writeFileSync(join(folder, 'f.txt'), 'inside');
  writeFileSync(join(base, 'outside', 'f.txt'), 'walrus');

  it.each([true, false])('gives nothing from outside (links are followed: %s)', (followsLinks) => {
    const settings = { root, followsLinks, allowsOwnNames: false };
    expect(Buffer.from(readBelow(settings, ['d', 'f.txt'], 100)).toString()).toBe('inside');
    // The settings are read as the file is looked at, as it is opened, and once it is open.
    const read: string[] = [];
    const swapping = {
      root,
      get followsLinks() {
        if (read.push('followsLinks') === 2) {
          renameSync(folder, aside);
          symlinkSync(join(base, 'outside'), folder);
        }
        return followsLinks;
      },
      get allowsOwnNames() {
        if (read.push('allowsOwnNames') === 3) {
          unlinkSync(folder);
          renameSync(aside, folder);
        }
        return false;
      },
    };
    expect(() => readBelow(swapping, ['d', 'f.txt'], 100)).toThrow('it is outside the folder');
    expect(read.slice(0, 3)).toEqual(['followsLinks', 'followsLinks', 'allowsOwnNames']);
  });
});

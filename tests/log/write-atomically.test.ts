/** A file is there whole, or nothing of it is: also where the disk gets full, or something has its name. */
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { storageError, UnfinishedFile, writeAtomically } from '../../src/log/write-atomically.js';
import { temporaryFolder } from '../support/folder.js';
import { withSmallDisk } from '../support/small-disk.js';

it('has its name only once it is kept', () => {
  const folder = temporaryFolder();
  const file = new UnfinishedFile(join(folder, 'film.webp'));
  file.write(Buffer.from('0000 and the end'));
  file.write(Buffer.from('head'), 0);
  expect(readdirSync(folder)).toEqual(['film.webp.part']);
  file.keep();
  expect(readdirSync(folder)).toEqual(['film.webp']);
  expect(readFileSync(join(folder, 'film.webp'), 'utf8')).toBe('head and the end');
});

it('leaves nothing on a full disk, whether or not its caller cleans up', async ({ skip }) => {
  const disk = join(temporaryFolder(), 'disk');
  const left = await withSmallDisk(disk, '64k', () => {
    writeFileSync(join(disk, 'page.html'), 'the one before');
    const file = new UnfinishedFile(join(disk, 'page.html'));
    expect(() => file.write(Buffer.alloc(1_000_000))).toThrow(/ENOSPC/);
    const names = readdirSync(disk);
    file.discard();
    return Promise.resolve([...names, readFileSync(join(disk, 'page.html'), 'utf8')]);
  });
  if (left === null) return skip('nothing may be mounted here');
  expect(left).toEqual(['page.html', 'the one before']);
});

it('replaces what a killed process left', () => {
  const path = join(temporaryFolder(), 'notes.json');
  writeFileSync(`${path}.part`, 'longer than the whole');
  writeAtomically(path, '[]');
  expect(readFileSync(path, 'utf8')).toBe('[]');
});

it.runIf(process.platform === 'linux')('writes through no link and waits for no pipe', () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'outside'), 'mine');
  for (const [i, outside] of ['outside', 'nowhere'].entries()) {
    symlinkSync(join(folder, outside), join(folder, `${i}.json.part`));
    symlinkSync(join(folder, outside), join(folder, `${i}.json`));
    writeAtomically(join(folder, `${i}.json`), 'new');
    expect(lstatSync(join(folder, `${i}.json`)).isFile()).toBe(true);
  }
  expect(readFileSync(join(folder, 'outside'), 'utf8')).toBe('mine');
  expect(existsSync(join(folder, 'nowhere'))).toBe(false);
  execFileSync('mkfifo', [join(folder, 'pipe.json.part')]);
  writeAtomically(join(folder, 'pipe.json'), 'new');
  expect(readFileSync(join(folder, 'pipe.json'), 'utf8')).toBe('new');
});

it('is for its owner alone where that is asked', () => {
  const path = join(temporaryFolder(), 'allowed.json');
  writeAtomically(path, '{}', 0o600);
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

it('says in words what the file system refuses, and nothing else', () => {
  const path = join(temporaryFolder(), 'page.html');
  mkdirSync(`${path}.part`);
  const refusal = (work: () => void) => {
    try {
      work();
    } catch (error) {
      return storageError(path, error);
    }
    return null;
  };
  expect(refusal(() => writeAtomically(path, ''))).toMatchObject({
    name: 'StorageError',
    message: `${path} can't be written: it is a folder`,
  });
  const bug = new TypeError('a bug');
  expect(storageError(path, bug)).toBe(bug);
});

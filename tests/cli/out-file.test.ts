/** A file that a command makes is there whole, or nothing of it is: also where the disk gets full, or its place is taken. */
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { StorageError } from '../../src/base/errors.js';
import { OutFile, writeOut } from '../../src/cli/files/out-file.js';
import { temporaryFolder } from '../support/folder.js';
import { withSmallDisk } from '../support/small-disk.js';

it('leaves nothing where a folder has its name', () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'page.html'));
  expect(() => writeOut(join(folder, 'page.html'), Buffer.from('x'))).toThrow(StorageError);
  expect(readdirSync(folder)).toEqual(['page.html']);
});

it('leaves nothing on a full disk, whether or not its caller cleans up', async ({ skip }) => {
  const disk = join(temporaryFolder(), 'disk');
  const left = await withSmallDisk(disk, '64k', () => {
    const file = new OutFile(join(disk, 'page.html'));
    expect(() => file.write(Buffer.alloc(1_000_000))).toThrow(/the disk is full/);
    const names = readdirSync(disk);
    file.discard();
    return Promise.resolve(names);
  });
  if (left === null) return skip('nothing may be mounted here');
  expect(left).toEqual([]);
});

/** A file that a command makes is there whole, or nothing of it is: also where its place is taken. */
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { StorageError } from '../../src/base/errors.js';
import { writeOut } from '../../src/cli/files/out-file.js';
import { temporaryFolder } from '../support/folder.js';

it('leaves nothing where a folder has its name', () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'page.html'));
  expect(() => writeOut(join(folder, 'page.html'), Buffer.from('x'))).toThrow(StorageError);
  expect(readdirSync(folder)).toEqual(['page.html']);
});

/** Where the package's own files lie, and whose code a URL is. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { PACKAGE_FOLDER, PROGRAM_FOLDER, isOurCode } from '../../src/package/folders.js';

it('finds the assets and the built program from a source', () => {
  expect(existsSync(join(PACKAGE_FOLDER, 'assets', 'tileset.png'))).toBe(true);
  expect(PROGRAM_FOLDER).toBe(join(PACKAGE_FOLDER, 'dist'));
});

it.each([
  ['src/cli/main.ts', true],
  ['dist/cli/main.js', true],
  ['distant/main.js', false],
  ['scenarios/own.mjs', false],
  ['../src/cli/main.ts', false],
])('tells whether %s is its own code: %s', (path, isOurs) => {
  expect(isOurCode(pathToFileURL(join(PACKAGE_FOLDER, path)).href)).toBe(isOurs);
});

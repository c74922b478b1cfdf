/** What tests write goes with them: a whole run of them would leave gigabytes behind. */
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { folderPerFile, removeFolders, temporaryFolder } from './folder.js';

const TESTS = new URL('..', import.meta.url).pathname;

it('removes every folder with what is in it, and gives modules that outlive a file another one', () => {
  const shared = folderPerFile();
  const [first, own] = [shared(), temporaryFolder()];
  writeFileSync(join(first, 'a.sqlite'), 'log');
  expect(shared()).toBe(first);
  removeFolders();
  expect([first, own].filter((path) => existsSync(path))).toEqual([]);
  expect(shared()).not.toBe(first);
  expect(existsSync(shared())).toBe(true);
});

it('is the only way to a folder', () => {
  const files = readdirSync(TESTS, { recursive: true, encoding: 'utf8' }).filter(
    (path) =>
      /\.(?:ts|mjs)$/.test(path) && !path.includes('node_modules') && !path.startsWith('support/folder'),
  );
  expect(files.length).toBeGreaterThan(100);
  const naming = (word: string) =>
    files.filter((path) => readFileSync(join(TESTS, path), 'utf8').includes(word)).toSorted();
  expect(naming('mkdtemp')).toEqual([]);
  // What these keep there is for the next run: a program that was built, modules that were compiled.
  expect(naming('tmpdir')).toEqual(['promises/sabotage.config.ts', 'support/s3-server.ts']);
});

/** The .proto files: they keep the rules of style, and the committed code is what they generate. */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from '../support/children.js';
import { temporaryFolder } from '../support/folder.js';

function buf(...words: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync('npx', ['buf', ...words], { cwd: ROOT, encoding: 'utf8' });
  return status === 0 ? '' : `${stdout}${stderr}`;
}

const filesIn = (folder: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name))
      .map((path) => [path.slice(folder.length), readFileSync(path, 'utf8')]),
  );

it('keeps the rules of style', () => {
  expect(buf('lint')).toBe('');
});

it('generates the committed code', () => {
  const folder = temporaryFolder();
  expect(buf('generate', '--output', folder)).toBe('');
  expect(filesIn(join(folder, 'src/serve/gen'))).toEqual(filesIn(join(ROOT, 'src/serve/gen')));
});

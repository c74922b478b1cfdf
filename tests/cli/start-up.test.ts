/** What a command loads before it begins: a command waits for no file that it does not need. Read from V8's own list of the scripts that ran. */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { temporaryFolder } from '../support/folder.js';

const MAIN = join(process.cwd(), 'dist/cli/main.js');
const LOG = join(temporaryFolder(), 'run.sqlite');

/** The files that one command line loads, as URLs. */
function loadedBy(...args: readonly string[]): readonly string[] {
  const folder = temporaryFolder();
  const env = { ...process.env, NODE_V8_COVERAGE: folder };
  const { status } = spawnSync(process.execPath, [MAIN, ...args], { env });
  expect(status).toBe(0);
  const urls = readdirSync(folder).flatMap((name) => {
    const { result } = JSON.parse(readFileSync(join(folder, name), 'utf8')) as {
      readonly result: readonly { readonly url: string }[];
    };
    return result.map(({ url }) => url).filter((url) => url.startsWith('file:'));
  });
  return [...new Set(urls)];
}

beforeAll(() => {
  const { status } = spawnSync(process.execPath, [MAIN, 'run', 'scenarios/brass-key.yaml', '--out', LOG]);
  expect(status).toBe(0);
});

it.each([['--version'], ['--help']])('%s loads what reads a command line, and no command', (word) => {
  const loaded = loadedBy(word);
  expect(loaded.filter((url) => /\/(worlds|scenario|log|agent|model)\//.test(url))).toEqual([]);
  expect(loaded.length).toBeLessThan(90);
  expect(loaded.length).toBeGreaterThan(20);
});

it('check loads neither the library for pictures nor that of logs', () => {
  const loaded = loadedBy('check', 'scenarios/brass-key.yaml');
  expect(loaded.filter((url) => /node_modules\/(sharp|better-sqlite3)\//.test(url))).toEqual([]);
});

it('show decodes no picture', () => {
  expect(loadedBy('show', LOG).filter((url) => url.includes('node_modules/sharp/'))).toEqual([]);
});

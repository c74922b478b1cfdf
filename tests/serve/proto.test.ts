/** The .proto files: they keep the rules of style, an addition has a revision, and the committed code is what they generate. */
import { spawnSync } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { apiRevision } from '../../scripts/lib/versions.mjs';
import { API_REVISION } from '../../src/serve/services/messages.js';
import { ROOT } from '../support/children.js';
import { temporaryFolder } from '../support/folder.js';

function buf(...words: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync('npx', ['buf', ...words], { cwd: ROOT, encoding: 'utf8' });
  return status === 0 ? '' : `${stdout}${stderr}`;
}

/** What clients are held to: `proto/v1-revision-N.binpb`. */
const [RELEASED = '', ...others] = readdirSync(join(ROOT, 'proto'))
  .filter((name) => name.endsWith('.binpb'))
  .map((name) => `proto/${name}`);

/** The API alone, without comments and without what it imports. */
function shapeOf(source: string): Buffer {
  const words = ['build', source, '--exclude-source-info', '--exclude-imports', '--output', '-'];
  const { status, stdout, stderr } = spawnSync('npx', ['buf', ...words], { cwd: ROOT });
  expect(status, stderr.toString()).toBe(0);
  return stdout;
}

const filesIn = (folder: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name))
      .map((path) => [path.slice(folder.length), readFileSync(path, 'utf8')]),
  );

it('keeps the rules of style', { tags: ['long'] }, () => {
  expect(buf('lint')).toBe('');
});

it('breaks no client of the released API', () => {
  expect(others).toEqual([]);
  expect(buf('breaking', '--against', RELEASED)).toBe('');
});

it('has a revision of its own as soon as anything was added since the release', { tags: ['long'] }, () => {
  const released = Number(/\d+(?=\.binpb$)/.exec(RELEASED)?.[0]);
  const isReleased = shapeOf('proto').equals(shapeOf(RELEASED));
  expect(API_REVISION).toBe(isReleased ? released : released + 1);
  // A tag is refused without the file of its revision (scripts/release-notes.mjs).
  expect(apiRevision()).toMatchObject({ revision: API_REVISION, isKept: isReleased });
  const rows = readFileSync(join(ROOT, 'docs/reference/serving.md'), 'utf8').matchAll(/^\| (\d+) +\|/gm);
  expect(Math.max(...[...rows].map(([, revision]) => Number(revision)))).toBe(API_REVISION);
});

it.each([
  [
    'a field of another number',
    'string problem = 15;',
    'string problem = 2500;',
    'changed number|was deleted|deleted',
  ],
  ['a field of another type', 'bool is_final = 16;', 'string is_final = 16;', 'changed type'],
  ['a method that is gone', /  rpc StopRun.*\n/, '', 'StopRun'],
])('finds %s', { tags: ['long'] }, (_what, find, put, words) => {
  const folder = temporaryFolder();
  cpSync(join(ROOT, 'proto'), folder, { recursive: true });
  const file = join(folder, 'orchestrate/world/v1/world.proto');
  const before = readFileSync(file, 'utf8');
  writeFileSync(file, before.replace(find, put));
  expect(readFileSync(file, 'utf8')).not.toBe(before);
  const config = '{"version":"v2","breaking":{"use":["FILE"]}}';
  const found = buf('breaking', folder, '--against', RELEASED, '--config', config);
  expect(found).toMatch(new RegExp(words));
});

it('generates the committed code', { tags: ['long'] }, () => {
  const folder = temporaryFolder();
  expect(buf('generate', '--output', folder)).toBe('');
  expect(filesIn(join(folder, 'src/serve/gen'))).toEqual(filesIn(join(ROOT, 'src/serve/gen')));
});

/**
 * The page of exports tells of all that the package exports: one without words or in no group fails here. Needs dist/.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { readDoors } from '../../scripts/lib/declarations.mjs';
import { headingId } from '../../scripts/lib/heading-id.mjs';
import { temporaryFolder } from '../support/folder.js';

const GROUPS = [
  'Run a scenario',
  'Custom actions',
  'Custom environments',
  'Custom controllers',
  'Custom models',
  'Custom protocols',
  'Custom memories',
  'Read and write a log',
  'Verify a run',
  'Continue or fork a run',
  'Compare runs and parse their replies again',
  'Make a data set',
  'Draw a frame',
  'Parse a reply',
  'Search for a way to win',
  'Base',
  'Conformance',
  'Types that these name',
];

/** A package of one door: what it exports, and the file that declares it. */
function packageOf(door: string, declared: string): string {
  const root = temporaryFolder();
  mkdirSync(join(root, 'src'));
  mkdirSync(join(root, 'dist'));
  writeFileSync(join(root, 'src/index.ts'), door);
  writeFileSync(join(root, 'src/a.ts'), 'export const one = 1;\n');
  writeFileSync(join(root, 'dist/index.d.ts'), door.replace(/^\/\/.*\n/gm, ''));
  writeFileSync(join(root, 'dist/a.d.ts'), declared);
  return `${root}/`;
}

const DOOR = { source: 'src/index.ts', built: 'dist/index.d.ts' };

describe('the page of exports', { tags: ['long'] }, () => {
  let page: string;

  beforeAll(() => {
    const file = join(temporaryFolder(), 'api.md');
    const { status, stderr } = spawnSync(process.execPath, ['scripts/api-doc.mjs', file], {
      encoding: 'utf8',
    });
    // It fails where an export has no doc comment.
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    page = readFileSync(file, 'utf8');
  });

  it('has a group for all that one may want to do', () => {
    expect([...page.matchAll(/^## (.+)$/gm)].map(([, title]) => title)).toEqual(GROUPS);
  });

  it('tells of everything that a program can import', async () => {
    for (const door of ['dist/index.js', 'dist/conformance/index.js']) {
      const names = Object.keys((await import(join(process.cwd(), door))) as object);
      expect(names.length).toBeGreaterThan(0);
      for (const name of names) expect(page).toContain(`\n### ${name}\n`);
    }
  });

  it('leads from its contents to every heading', () => {
    const headings = [...page.matchAll(/^#{2,3} (.+)$/gm)].map(([, text = '']) => text);
    const counts = new Map<string, number>();
    const anchors = headings.map((text) => {
      const letters = headingId(text);
      const number = counts.get(letters) ?? 0;
      counts.set(letters, number + 1);
      return number === 0 ? letters : `${letters}-${number}`;
    });
    const links = [...page.matchAll(/\]\(#([^)]+)\)/g)].map(([, anchor]) => anchor);
    expect(links.filter((anchor) => anchor === undefined || !anchors.includes(anchor))).toEqual([]);
    expect(new Set(links).size).toBe(links.length);
  });
});

describe('reading a door', () => {
  it('groups exports under the headings of its source, with their words', () => {
    const declared =
      '/** The first.\n * Throws nothing. */\nexport declare const one: 1;\nexport declare const two: Two;\n/** Told of. */\nexport interface Two {\n}\n';
    const root = packageOf("// # Numbers\n// Small ones.\nexport { one, two } from './a.js';\n", declared);
    expect(readDoors(root, [DOOR])).toEqual({
      groups: [
        {
          title: 'Numbers',
          words: 'Small ones.',
          entries: [
            { name: 'one', comment: 'The first.\nThrows nothing.', code: 'const one: 1;' },
            { name: 'two', comment: '', code: 'const two: Two;' },
          ],
        },
      ],
      named: [{ name: 'Two', comment: 'Told of.', code: 'interface Two {\n}' }],
    });
  });

  it('refuses an export above the first heading', () => {
    const root = packageOf("export { one } from './a.js';\n", 'export declare const one: 1;\n');
    expect(() => readDoors(root, [DOOR])).toThrow('src/index.ts: there is no group above');
  });
});

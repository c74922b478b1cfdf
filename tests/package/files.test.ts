/**
 * What is published: all that a user needs, and nothing else. A reader of the package has no clone.
 * @module-tag long
 */
import { readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { ROOT } from '../support/children.js';
import { packedFiles } from './packed.js';

const CODE = /```[\s\S]*?```|`[^`\n]*`/g;
/** Of Markdown and of HTML; not of other sites, and not within a page. */
const LINK = /\]\((?![a-z]+:)([^)#\s]+)(?:#[^)\s]*)?\)|\bsrc="(?![a-z]+:)([^"]+)"/g;

let files: ReadonlySet<string> = new Set();
/** From a page to a file or a folder, as paths from the root. */
let links: readonly (readonly [string, string])[] = [];
beforeAll(() => {
  files = packedFiles();
  const pages = [...files].filter((path) => path.endsWith('.md'));
  links = pages.flatMap((page) => {
    const text = readFileSync(join(ROOT, page), 'utf8').replaceAll(CODE, '');
    return [...text.matchAll(LINK)].map(([, link, source]) => {
      const path = posix.normalize(posix.join(dirname(page), link ?? source ?? ''));
      return [page, path.replace(/\/$/, '')] as const;
    });
  });
});

it('has every file that one of its pages links to', { tags: ['long'] }, () => {
  const folders = new Set([...files].flatMap((path) => parents(path)));
  expect(links.filter(([, path]) => !files.has(path) && !folders.has(path))).toEqual([]);
  expect(links.length).toBeGreaterThan(200);
});

it('has no picture that no page shows', { tags: ['long'] }, () => {
  const shown = new Set(links.map(([, path]) => path));
  const pictures = [...files].filter((path) => path.startsWith('docs/pictures/'));
  expect(pictures.filter((path) => !shown.has(path))).toEqual([]);
  expect(pictures.length).toBeGreaterThan(10);
});

it('has the declarations that its entry points reach, and no others', { tags: ['long'] }, () => {
  const reached = new Set(['dist/types/index.d.ts', 'dist/types/conformance/index.d.ts']);
  for (const path of reached) {
    const text = readFileSync(join(ROOT, path), 'utf8');
    for (const [, specifier = ''] of text.matchAll(/["'](\.{1,2}\/[^"']+)\.js["']/g))
      reached.add(posix.join(dirname(path), `${specifier}.d.ts`));
  }
  const declarations = [...files].filter((path) => path.endsWith('.d.ts'));
  expect(declarations.toSorted()).toEqual([...reached].toSorted());
});

/** By the folder and the kind of file. What the program, its types and its examples need, and pages to read. */
const NEEDED = [
  /^dist\/(?:cli|assembly|conformance|chunks)\/[\w.-]+\.js$/,
  /^dist\/(?:index\.js|THIRD-PARTY-LICENCES\.txt)$/,
  /^dist\/page\/[\w.-]+$/,
  /^dist\/types\/.+\.d\.ts$/,
  /^assets\/(?:tileset\.json|tileset\.png|font\.png|README\.md)$/,
  /^assets\/project\/[\w.-]+$/,
  /^schema\/[\w.-]+\.json$/,
  /^scenarios\//,
  /^proto\/.+\.proto$/,
  /^examples\/(?!\w+\/(?:build|\w+\.egg-info)\/)(?!.*__pycache__)/,
  /^docs\/.+\.md$/,
  /^docs\/pictures\//,
  /^bench\/results\/[\w-]+\.md$/,
  // npm adds every licence that it finds.
  /^python\/(?:README\.md|LICENSE)$/,
  /^(?:README|ARCHITECTURE|CHANGELOG|CONTRIBUTING)\.md$|^LICENSE$|^package\.json$/,
];

it('has nothing that nobody needs', { tags: ['long'] }, () => {
  expect([...files].filter((path) => !NEEDED.some((one) => one.test(path)))).toEqual([]);
});

it.each([
  // The licences of packages whose code is taken in ask for it.
  'dist/THIRD-PARTY-LICENCES.txt',
  // Read by examples/served/conformance/client-grpc.mjs where they lie.
  'proto/orchestrate/world/v1/world.proto',
  'proto/grpc/health/v1/health.proto',
  'scenarios/crypt.yaml',
  'assets/tileset.json',
])('has %s', { tags: ['long'] }, (path) => {
  expect([...files]).toContain(path);
});

function parents(path: string): readonly string[] {
  const folder = dirname(path);
  return folder === '.' ? [] : [folder, ...parents(folder)];
}

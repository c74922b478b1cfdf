/**
 * What is published has what its pages link to: a reader of the package has no clone.
 * @module-tag long
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from '../support/children.js';

const CODE = /```[\s\S]*?```|`[^`\n]*`/g;
/** Of Markdown and of HTML; not of other sites, and not within a page. */
const LINK = /\]\((?![a-z]+:)([^)#\s]+)(?:#[^)\s]*)?\)|\bsrc="(?![a-z]+:)([^"]+)"/g;

it('has every file that one of its pages links to', { tags: ['long'] }, () => {
  const words = ['pack', '--dry-run', '--json', '--ignore-scripts'];
  const printed = execFileSync('npm', words, {
    cwd: ROOT,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [packed] = JSON.parse(printed) as readonly { files: readonly { path: string }[] }[];
  const files = new Set(packed?.files.map(({ path }) => path));
  const folders = new Set([...files].flatMap((path) => parents(path)));
  const pages = [...files].filter((path) => path.endsWith('.md'));
  const links = pages.flatMap((page) => {
    const text = readFileSync(join(ROOT, page), 'utf8').replaceAll(CODE, '');
    return [...text.matchAll(LINK)].map(([, link, source]) => [page, link ?? source ?? ''] as const);
  });
  const broken = links.filter(([page, link]) => {
    const path = posix.normalize(posix.join(dirname(page), link)).replace(/\/$/, '');
    return !files.has(path) && !folders.has(path);
  });
  expect(broken).toEqual([]);
  expect(links.length).toBeGreaterThan(200);
});

function parents(path: string): readonly string[] {
  const folder = dirname(path);
  return folder === '.' ? [] : [folder, ...parents(folder)];
}

/** Every link of the documentation leads to a file and a heading that exist, every page is on the site, and every page that the program names exists. */
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, it } from 'vitest';
import { headingId } from '../../scripts/lib/heading-id.mjs';
import { ROOT_PAGES, pagePath, sidebar } from '../../site/pages.mjs';

/** Made of the sources for the site and the package. */
const GENERATED = 'docs/reference/api.md';
const DOCS = readdirSync('docs', { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.md'))
  .map((name) => `docs/${name}`)
  .filter((page) => page !== GENERATED);
const PAGES = [...DOCS, ...Object.keys(ROOT_PAGES), 'README.md', 'AGENTS.md', 'bench/README.md'].filter(
  existsSync,
);

/** A page without its blocks of code, in which nothing is a link or a heading. */
function prose(page: string): string {
  return readFileSync(page, 'utf8').replace(/^( *)```[\s\S]*?^\1```$/gm, '');
}

/** The addresses of a page's headings; one that stands there twice is numbered. */
function headingsOf(page: string): ReadonlySet<string> {
  const seen = new Map<string, number>();
  const ids = [...prose(page).matchAll(/^#{1,6} (.+)$/gm)].map(([, words = '']) => {
    const id = headingId(words.replace(/[`*]/g, ''));
    const count = seen.get(id) ?? 0;
    seen.set(id, count + 1);
    return count === 0 ? id : `${id}-${count}`;
  });
  return new Set(ids);
}

/** Why a link leads nowhere, null where it leads somewhere. */
function fault(page: string, link: string): string | null {
  const [path = '', heading = ''] = link.split('#');
  const target = path === '' ? page : normalize(join(dirname(page), path));
  if (!existsSync(target)) return `${link}: no such file`;
  if (heading !== '' && !headingsOf(target).has(heading)) return `${link}: no such heading`;
  return null;
}

it.each(PAGES)('%s links only to what exists', (page) => {
  const links = [...prose(page).matchAll(/\]\(([^)\s]+)[^)]*\)|src="([^"]+)"/g)]
    .map(([, link, picture]) => link ?? picture ?? '')
    .filter((link) => !/^[a-z]+:/.test(link));
  expect(links.map((link) => fault(page, link)).filter((what) => what !== null)).toEqual([]);
});

it('every page is on the site once, and the site has no other', () => {
  const linked = [...JSON.stringify(sidebar).matchAll(/"link":"\/([^"]+)"/g)].map(([, page]) => page);
  const pages = [...DOCS, GENERATED, ...Object.keys(ROOT_PAGES)].map((file) =>
    pagePath(file)?.replace(/\.md$/, ''),
  );
  expect(new Set(linked)).toEqual(new Set(pages));
  expect(linked).toHaveLength(pages.length);
});

it('every page that a source, a test or a message names exists', () => {
  const files = ['src', 'tests', 'scripts', 'bench', 'examples', 'assets', 'schema'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(?:ts|tsx|mjs|py|md|yaml|json|yml)$/.test(name) && !name.includes('node_modules'))
      .map((name) => join(folder, name)),
  );
  const others = ['.ci/run', 'README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'AGENTS.md'];
  const named = [...files, ...others].flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/\bdocs\/[\w/.-]+\.(?:md|png|gif)\b/g)].map(([path]) => ({
      file,
      path,
    })),
  );
  expect(named.length).toBeGreaterThan(50);
  expect(named.filter(({ path }) => path !== GENERATED && !existsSync(path))).toEqual([]);
});

/**
 * Reads the built site as a browser would: every link, picture and script must lead to a file of the site, every `#heading` to an element of
 * that page, and nothing may be fetched from another host. Prints what is broken and exits 1.
 */
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';

const SITE = fileURLToPath(new URL('dist', import.meta.url));
const pages = new Map(
  readdirSync(SITE, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.html') && name !== '404.html')
    .map((name) => [name, readPage(readFileSync(join(SITE, name), 'utf8'))]),
);

/** @param {string} html */
function readPage(html) {
  const attributes = (pattern) => [...html.matchAll(pattern)].map(([, value]) => unescaped(value));
  return {
    ids: new Set(attributes(/\sid="([^"]*)"/g)),
    links: attributes(/<a\s[^>]*?href="([^"]*)"/g),
    fetched: attributes(/<(?:img|script|link|source|video)\s[^>]*?(?:src|href)="([^"]*)"/g),
  };
}

/** @param {string} value */
function unescaped(value) {
  return value
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}

/** What is wrong with a link of a page, null where nothing is. @param {string} page @param {string} link */
function fault(page, link) {
  const [path, heading = ''] = decodeURI(link).split('#');
  const target =
    path === '' ? page : posix.join(path.startsWith('/') ? '' : posix.dirname(page), path).replace(/^\//, '');
  const file = target === '' || target.endsWith('/') ? `${target}index.html` : target;
  if (!existsSync(join(SITE, file))) return 'no such file';
  if (heading !== '' && !pages.get(file)?.ids.has(heading)) return 'no such heading';
  return null;
}

const isElsewhere = (link) => /^(?:[a-z]+:|\/\/)/.test(link);
const broken = [...pages].flatMap(([page, { links, fetched }]) => [
  ...fetched
    .filter((link) => isElsewhere(link) && !link.startsWith('data:'))
    .map((link) => `${page}: ${link}: fetched from another host`),
  ...[...links, ...fetched]
    .filter((link) => !isElsewhere(link))
    .map((link) => [link, fault(page, link)])
    .filter(([, what]) => what !== null)
    .map(([link, what]) => `${page}: ${link}: ${what}`),
]);

for (const line of broken) process.stderr.write(`${line}\n`);
const count = [...pages.values()].reduce((sum, { links }) => sum + links.length, 0);
process.stdout.write(`docs site: ${pages.size} pages, ${count} links, ${broken.length} broken\n`);
process.exitCode = broken.length === 0 && pages.size > 0 ? 0 : 1;

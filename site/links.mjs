/**
 * Links between files become links between pages: from where a file lies in the repository to where its page is on the site. A link to a file
 * that is no page of the site stops the build.
 */
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pagePath } from './pages.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** A plugin of markdown-it. */
export function linksBetweenPages(md) {
  md.core.ruler.push('links-between-pages', ({ tokens, env }) => {
    const file = relative(ROOT, env.realPath ?? env.path);
    for (const token of tokens.flatMap(({ children }) => children ?? []))
      if (token.type === 'link_open') token.attrSet('href', siteLink(token.attrGet('href'), file));
  });
}

/** @param {string} href @param {string} file the linking file, from the root of the repository */
function siteLink(href, file) {
  if (/^(?:[a-z]+:|#)/.test(href)) return href;
  const [path, heading] = href.split('#');
  const target = join(dirname(file), path);
  const page = pagePath(target);
  if (page === undefined)
    throw new Error(`${file} links to ${target}, which is no page of the site (site/pages.mjs)`);
  return `/${page}${heading === undefined ? '' : `#${heading}`}`;
}

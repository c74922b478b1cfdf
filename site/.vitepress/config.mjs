/**
 * The docs as a site: every page of docs/, and the pages beside it that they link to. The order of the pages is in `pages.mjs`.
 * Addresses of headings are those of GitHub, so that a link leads to the same place in both.
 */
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitepress';
import { headingId } from '../../scripts/lib/heading-id.mjs';
import { linksBetweenPages } from '../links.mjs';
import { ROOT_PAGES, sidebar } from '../pages.mjs';

const HERE = fileURLToPath(import.meta.url);
const PICTURES = fileURLToPath(new URL('../../docs/pictures', import.meta.url));

/** Pages are compiled to modules that import Vue, and lie outside this package: they get the Vue that is installed here. */
const vueOfThisPackage = {
  name: 'vue-of-this-package',
  enforce: 'pre',
  resolveId(id, importer, { ssr }) {
    if (!/^vue(?:$|\/)/.test(id) || importer === HERE) return undefined;
    if (ssr) return { id, external: true };
    return this.resolve(id, HERE, { skipSelf: true });
  },
};

export default defineConfig({
  title: 'orchestrate',
  description: 'A turn-based orchestrator for vision-language models in a shared, grounded tile world.',
  lang: 'en-GB',
  // No icon, so that none is asked for.
  head: [['link', { rel: 'icon', href: 'data:,' }]],
  srcDir: '..',
  outDir: './dist',
  cacheDir: './.cache',
  srcExclude: [
    '{dist,dist-bench,schema,scenarios,scripts,site,src,tests}/**',
    'assets/*/**',
    'examples/{openenv,verifiers}/**',
    '{AGENTS,README}.md',
  ],
  rewrites: { 'docs/:path(.*)': ':path', ...ROOT_PAGES },
  // Pictures that a page shows are bundled; those that it links to are files of their own.
  buildEnd: ({ outDir }) => cpSync(PICTURES, join(outDir, 'pictures'), { recursive: true }),
  markdown: {
    anchor: { slugify: headingId },
    // Pages are written for GitHub as well: braces and colons are text.
    attrs: { disable: true },
    // A model's reply, by the protocol that reads it: text without colours.
    languages: ['reply', 'json-reply', 'react-reply', 'tools-reply'].map((name) => ({
      name,
      scopeName: `text.${name}`,
      patterns: [],
      repository: {},
    })),
    emoji: { defs: {}, shortcuts: {} },
    config: (md) => {
      md.use(linksBetweenPages);
      // What stands in code is text: `{{colour}}` is a scenario's own.
      md.renderer.rules.code_inline = (tokens, i, _options, _env, renderer) =>
        `<code v-pre${renderer.renderAttrs(tokens[i])}>${md.utils.escapeHtml(tokens[i].content)}</code>`;
    },
  },
  // A page of the whole API is one file, however long.
  vite: { plugins: [vueOfThisPackage], build: { chunkSizeWarningLimit: 4000 } },
  themeConfig: {
    search: { provider: 'local' },
    outline: { level: [2, 3] },
    nav: [],
    sidebar,
  },
});

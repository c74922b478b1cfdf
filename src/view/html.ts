/**
 * The page as one file, including script, styles and, if it is not served, the data. Text from a log is only
 * in the data, as base64 of its gzip, whose characters can close no tag; the policy allows only this script
 * and no requests.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { UsageError } from '../base/errors.js';
import { PACKAGE_FOLDER } from '../package/folders.js';
import type { PagePart } from './page-data.js';

/** The page's own files, as `npm run build` makes them. */
export interface PageFiles {
  script: string;
  styles: string;
}

/**
 * `page`: the page of `view`; `list`: its list of many runs; `seat`: the page on which a person plays. Throws
 * UsageError if they were not built.
 */
export function readPageFiles(page: 'page' | 'list' | 'seat' = 'page'): PageFiles {
  const read = (name: string) => readFileSync(join(PACKAGE_FOLDER, 'dist', 'page', name), 'utf8');
  try {
    return { script: read(`${page}.js`), styles: read(`${page}.css`) };
  } catch (error) {
    throw new UsageError('the page was not built', ['npm run build builds it'], { cause: error });
  }
}

/** Headers of a served page: no other site may embed it, and no one may cache it or learn its address. */
export function pageHeaders(files: PageFiles): Readonly<Record<string, string>> {
  return {
    'cache-control': 'no-store',
    'content-security-policy': `${policyOf(files, true)}; frame-ancestors 'none'`,
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'cross-origin-resource-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin',
  };
}

/**
 * What a page may do: run its script, use its styles and, if it is served, request data from its own server.
 */
export function policyOf({ script, styles }: PageFiles, isServed: boolean): string {
  return [
    "default-src 'none'",
    `script-src '${hashOf(script)}'`,
    `style-src '${hashOf(styles)}'`,
    `connect-src ${isServed ? "'self'" : "'none'"}`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
}

/**
 * `parts` null: a page that is served, and requests its data. `list`: the address of the list of runs that it
 * belongs to, as a link.
 */
export function pageHtml(
  files: PageFiles,
  parts: readonly PagePart[] | null,
  list: string | null = null,
): string {
  const data = parts === null ? '' : gzipSync(JSON.stringify(parts), { level: 9 }).toString('base64');
  return documentOf(
    files,
    policyOf(files, parts === null),
    `<script type="text/plain" id="data">${data}</script>\n`,
    list === null ? '' : ` data-list="${list}"`,
  );
}

/** The page on which a person plays; it requests its data from its server. */
export function seatHtml(files: PageFiles): string {
  return documentOf(files, policyOf(files, true), '');
}

function documentOf(files: PageFiles, policy: string, data: string, attributes = ''): string {
  return `<!doctype html>
<html lang="en"${attributes}>
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>orchestrate</title>
<style>${files.styles}</style>
</head>
<body>
<noscript>This page needs JavaScript: allow scripts to see the run.</noscript>
${data}<script>${files.script}</script>
</body>
</html>
`;
}

/** The hash of an inline script or style, as a content security policy names it. */
function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}

/** The frame of a page that opens from disk, needs no network and runs no script. In: a title and parts of HTML; out: the file's text. */
import { escaped } from './markup.js';
import { PAGE_STYLE } from './page-style.js';

export function fileOf(title: string, body: readonly string[]): string {
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">`,
    `<title>${escaped(title)} · orchestrate</title>`,
    `<style>${PAGE_STYLE}</style>`,
    '</head>',
    `<body><main>${body.join('\n')}</main></body>`,
    '</html>\n',
  ].join('\n');
}

/** The frame of a page that opens from disk, needs no network and runs no script. */
import { escaped } from './markup.js';

// The style of the report's page, in light and dark, on a screen and on paper. Tables fit from a width of
// 1280 pixels; on narrower screens, they scroll.

const PAGE_STYLE = `
:root { color-scheme: light dark; --paper: #fbfaf7; --ink: #23211d; --soft: #6d685f; --line: #ddd8cd; --main: #2c6e8f;
  --k0: #b3432f; --k1: #d28a2d; --k2: #7a6a9a; --k3: #a3567f; --k4: #4f7fae; --k5: #8c8578; --won: #3f8a4a; }
@media (prefers-color-scheme: dark) { :root { --paper: #1c1b19; --ink: #ebe7df; --soft: #a39d92; --line: #3a3733; --main: #6bb3d6;
  --k0: #e0735e; --k1: #e3a654; --k2: #a596c9; --k3: #d08bb0; --k4: #86b4de; --k5: #a9a294; --won: #7cc487; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
main { max-width: 80rem; margin: 0 auto; padding: 2.5rem 1.25rem 4rem; }
h1 { font-size: 1.9rem; line-height: 1.2; margin: 0 0 .4rem; }
h2 { font-size: 1.35rem; margin: 3rem 0 .5rem; padding-top: 1.5rem; border-top: 1px solid var(--line); }
h3, figcaption { font-size: 1rem; font-weight: 600; margin: 1.5rem 0 .4rem; }
.lead, .legend { color: var(--soft); }
.lead { margin: 0 0 1rem; }
.lead, ul { max-width: 60rem; }
figure { margin: 1.25rem 0 0; --name: 19rem; --words: 12rem; --gap: .9rem; }
.plot { list-style: none; margin: 0; padding: 0; }
.plot li { display: grid; grid-template-columns: var(--name) 1fr var(--words); column-gap: var(--gap); align-items: center;
  min-height: 30px; font-size: .8125rem; line-height: 1.25; }
.plot .name { margin: .25rem 0; display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 6; line-clamp: 6; overflow: hidden; }
.plot .words { color: var(--soft); font-variant-numeric: tabular-nums; }
.track { position: relative; align-self: stretch; }
.track svg { position: absolute; inset: 0; width: 100%; height: 100%; overflow: visible; }
.axis { display: flex; justify-content: space-between; max-width: 60rem; margin: .2rem 0 0; color: var(--soft); font-size: .75rem; line-height: 1.25;
  padding: 0 calc(var(--words) + var(--gap)) 0 calc(var(--name) + var(--gap)); }
.axis span { width: 0; display: flex; justify-content: center; white-space: nowrap; }
.grid { stroke: var(--line); stroke-width: 1; }
.interval { stroke: var(--main); stroke-width: 3; stroke-linecap: round; opacity: .55; }
.dot { fill: var(--main); }
.won { fill: var(--won); background: var(--won); }
.kind0 { fill: var(--k0); background: var(--k0); } .kind1 { fill: var(--k1); background: var(--k1); }
.kind2 { fill: var(--k2); background: var(--k2); } .kind3 { fill: var(--k3); background: var(--k3); }
.kind4 { fill: var(--k4); background: var(--k4); } .kind5 { fill: var(--k5); background: var(--k5); }
.legend { font-size: .875rem; margin: .25rem 0 0; }
.legend span { margin-right: 1.1rem; white-space: nowrap; }
.legend i { display: inline-block; width: .75rem; height: .75rem; margin-right: .4rem; border-radius: 2px; }
ul { margin: .25rem 0; padding-left: 1.2rem; }
a { color: var(--main); margin-right: .35rem; }
.wide { overflow-x: auto; margin-top: 1.5rem; }
table { border-collapse: collapse; font-size: .875rem; line-height: 1.35; font-variant-numeric: tabular-nums; }
th, td { text-align: right; padding: .35rem .55rem; border-bottom: 1px solid var(--line); vertical-align: top; white-space: nowrap; overflow-wrap: normal; }
th:last-child, td:last-child { padding-right: 0; }
.text { text-align: left; white-space: normal; overflow-wrap: anywhere; min-width: 6rem; max-width: 24rem; }
th:first-child { padding-left: 0; min-width: 10rem; }
thead th { color: var(--soft); font-weight: 500; vertical-align: bottom; white-space: normal; }
tbody th { font-weight: 500; }
details { margin-top: 3rem; }
summary { cursor: pointer; color: var(--soft); }
@media (min-width: 75rem) { .text:first-child { min-width: 17rem; } }
@media (max-width: 44rem) {
  figure { --name: 0rem; --words: 7.5rem; --gap: .6rem; }
  .plot li { grid-template-columns: 1fr var(--words); row-gap: 0; margin-bottom: .4rem; }
  .plot .name { grid-column: 1 / -1; }
  .track { min-height: 24px; margin-left: .6rem; }
}
`;

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

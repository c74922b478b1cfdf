/** How the report's page looks, in light and dark, on a screen and on paper. */
export const PAGE_STYLE = `
:root { color-scheme: light dark; --paper: #fbfaf7; --ink: #23211d; --soft: #6d685f; --line: #ddd8cd; --main: #2c6e8f;
  --k0: #b3432f; --k1: #d28a2d; --k2: #7a6a9a; --k3: #5c8a5a; }
@media (prefers-color-scheme: dark) { :root { --paper: #1c1b19; --ink: #ebe7df; --soft: #a39d92; --line: #3a3733; --main: #6bb3d6;
  --k0: #e0735e; --k1: #e3a654; --k2: #a596c9; --k3: #86b884; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 60rem; margin: 0 auto; padding: 2.5rem 1.25rem 4rem; }
h1 { font-size: 1.9rem; line-height: 1.2; margin: 0 0 .4rem; }
h2 { font-size: 1.35rem; margin: 3rem 0 .5rem; padding-top: 1.5rem; border-top: 1px solid var(--line); }
h3, figcaption { font-size: 1rem; font-weight: 600; margin: 1.5rem 0 .4rem; }
.lead, .legend { color: var(--soft); }
.lead { margin: 0 0 1rem; }
figure { margin: 1.25rem 0 0; }
svg { display: block; width: 100%; height: auto; max-width: 54rem; }
svg text { font: 13px system-ui, sans-serif; fill: var(--ink); }
svg .name { text-anchor: end; }
svg .mark { text-anchor: middle; fill: var(--soft); font-size: 12px; }
svg .words { fill: var(--soft); font-variant-numeric: tabular-nums; }
.grid { stroke: var(--line); stroke-width: 1; }
.interval { stroke: var(--main); stroke-width: 3; stroke-linecap: round; opacity: .55; }
.dot { fill: var(--main); }
.kind0 { fill: var(--k0); background: var(--k0); } .kind1 { fill: var(--k1); background: var(--k1); }
.kind2 { fill: var(--k2); background: var(--k2); } .kind3 { fill: var(--k3); background: var(--k3); }
.legend { font-size: .875rem; margin: .25rem 0 0; }
.legend span { margin-right: 1.1rem; white-space: nowrap; }
.legend i { display: inline-block; width: .75rem; height: .75rem; margin-right: .4rem; border-radius: 2px; }
ul { margin: .25rem 0; padding-left: 1.2rem; }
.wide { overflow-x: auto; margin-top: 1.5rem; }
table { border-collapse: collapse; font-size: .875rem; font-variant-numeric: tabular-nums; }
th, td { text-align: right; padding: .35rem .7rem; border-bottom: 1px solid var(--line); white-space: nowrap; }
th:first-child, td:first-child { text-align: left; padding-left: 0; }
thead th { color: var(--soft); font-weight: 500; }
tbody th { font-weight: 500; }
details { margin-top: 3rem; }
summary { cursor: pointer; color: var(--soft); }
`;

// Bundles the pages, each into one script and one sheet in dist/page/: those of `view` (a run, and a list of runs), and the seat of `serve`. What reaches for Node stops the build.
import { readFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const at = (/** @type {string} */ path) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const text = (/** @type {string} */ path) => readFileSync(at(path), 'utf8');

const PREACT = `Preact: ${text('node_modules/preact/LICENSE').trim()}`;
const CONNECT =
  'Protobuf-ES and Connect: copyright Buf Technologies, Inc. and The Connect Authors, Apache License 2.0, http://www.apache.org/licenses/LICENSE-2.0';
const PAGES = [
  { name: 'page', script: 'src/view/page/main.tsx', sheets: ['src/view/page/page.css'], licences: [PREACT] },
  {
    name: 'list',
    script: 'src/view/page/list-main.tsx',
    sheets: ['src/view/page/page.css', 'src/view/page/list.css'],
    licences: [PREACT],
  },
  {
    name: 'seat',
    script: 'src/seat/main.tsx',
    sheets: ['src/view/page/page.css', 'src/seat/seat.css'],
    licences: [PREACT, CONNECT],
  },
];

mkdirSync(at('dist/page'), { recursive: true });
for (const { name, script, sheets, licences } of PAGES) {
  const bundle = await rolldown({
    input: at(script),
    platform: 'browser',
    logLevel: 'silent',
    external: [],
    onLog: (_level, log) => {
      if (log.code === 'UNRESOLVED_IMPORT') throw new Error(log.message);
    },
    plugins: [
      {
        name: 'no-node',
        resolveId(/** @type {string} */ id) {
          if (id.startsWith('node:')) throw new Error(`the page can't have ${id}`);
        },
      },
    ],
  });
  // Licences go where their code goes.
  const banner = `/*! ${licences.join('\n\n')} */`;
  await bundle.write({ file: at(`dist/page/${name}.js`), format: 'iife', minify: true, banner });
  writeFileSync(at(`dist/page/${name}.css`), sheets.map(text).join(''));
}

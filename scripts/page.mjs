// Bundles the page of `view` into one script, and its styles into one sheet: dist/page/. What reaches for Node stops the build.
import { readFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const at = (/** @type {string} */ path) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const bundle = await rolldown({
  input: at('src/view/page/main.tsx'),
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
mkdirSync(at('dist/page'), { recursive: true });
// Preact's licence goes where its code goes.
const licence = readFileSync(at('node_modules/preact/LICENSE'), 'utf8').trim();
const banner = `/*! Preact: ${licence} */`;
await bundle.write({ file: at('dist/page/page.js'), format: 'iife', minify: true, banner });
writeFileSync(at('dist/page/page.css'), readFileSync(at('src/view/page/page.css')));

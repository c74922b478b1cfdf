/**
 * Writes schema/scenario.schema.json and schema/batch.schema.json from the schemas in src/scenario (built into dist first); `--check` only
 * compares. It also fills the tables of docs/SCENARIO.md, docs/BATCH.md, docs/WORKCELL.md and docs/TOOLBOX.md between their markers.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { batchKeyRows, batchSchemaText, ownKeyRows, schemaText } from '../dist/scenario/schema-document.js';
import { withTables } from '../dist/scenario/schema-tables.js';
import { toolboxWorld } from '../dist/worlds/toolbox/scenario/toolbox-world.js';
import { workcellWorld } from '../dist/worlds/workcell/scenario/workcell-world.js';

/** @type {[string, (text: string) => string][]} */
const files = [
  ['schema/scenario.schema.json', () => schemaText()],
  ['schema/batch.schema.json', () => batchSchemaText()],
  ['docs/BATCH.md', (text) => withTables(text, batchKeyRows())],
  ['docs/SCENARIO.md', (text) => withTables(text)],
  ['docs/TOOLBOX.md', (text) => withTables(text, ownKeyRows(toolboxWorld))],
  ['docs/WORKCELL.md', (text) => withTables(text, ownKeyRows(workcellWorld))],
];
let stale = 0;
for (const [path, generate] of files) {
  const url = new URL(`../${path}`, import.meta.url);
  const before = readText(url);
  const after = generate(before);
  if (before === after) continue;
  stale++;
  if (!process.argv.includes('--check')) writeFileSync(url, after);
}
if (process.argv.includes('--check') && stale > 0) {
  process.stderr.write('generated files are stale: npm run build && node scripts/scenario-schema.mjs\n');
  process.exitCode = 1;
}

function readText(url) {
  try {
    return readFileSync(url, 'utf8');
  } catch {
    return '';
  }
}

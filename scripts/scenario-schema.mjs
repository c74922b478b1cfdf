/**
 * Writes schema/scenario.schema.json and schema/batch.schema.json from the schemas in src/scenario (built into dist first); `--check` only
 * compares. It also fills the tables of docs/reference/scenario-format.md, docs/how-to/play-many-runs.md, docs/reference/workcell.md and docs/reference/toolbox.md between their markers.
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
  ['docs/how-to/play-many-runs.md', (text) => withTables(text, batchKeyRows())],
  ['docs/reference/scenario-format.md', (text) => withTables(text)],
  ['docs/reference/toolbox.md', (text) => withTables(text, ownKeyRows(toolboxWorld))],
  ['docs/reference/workcell.md', (text) => withTables(text, ownKeyRows(workcellWorld))],
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

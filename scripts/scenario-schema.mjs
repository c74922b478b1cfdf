/**
 * Writes schema/scenario.schema.json and schema/batch.schema.json from the schemas in src/scenario (built into dist first); `--check` only
 * compares. It also fills the tables of docs/reference/scenario-format.md, docs/reference/batch-file.md, docs/reference/workcell.md and docs/reference/toolbox.md between their markers.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import {
  batchKeyRows,
  batchSchemaText,
  keyRows,
  worldKeyRows,
  schemaText,
} from '../dist/modules/scenario/schema-document.js';
import { withTables } from '../dist/modules/scenario/schema-tables.js';
import { DEFAULT_WORLD } from '../dist/modules/scenario/names.js';
import { READERS } from '../dist/modules/worlds/registry.js';

/** @type {[string, (text: string) => string][]} */
const files = [
  ['schema/scenario.schema.json', () => schemaText(READERS)],
  ['schema/batch.schema.json', () => batchSchemaText()],
  ['docs/reference/batch-file.md', (text) => withTables(text, batchKeyRows())],
  ...READERS.map((reader) => pageOf(reader)),
];

/**
 * A world's page. The page of the default world also lists the keys that all worlds have.
 * @param {import('../dist/modules/worlds/environment-module.js').EnvironmentModule['reader']} reader
 * @returns {[string, (text: string) => string]}
 */
function pageOf(reader) {
  const isDefault = reader.kind === DEFAULT_WORLD;
  const name = isDefault ? 'scenario-format' : reader.kind;
  const rows = isDefault ? keyRows(reader) : worldKeyRows(reader);
  return [`docs/reference/${name}.md`, (text) => withTables(text, rows, reader.tables)];
}

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

/**
 * Fills the tables of servers in docs/how-to/connect-a-model.md from the table of capabilities (`npm run docs`, after a build). With `--check` it writes
 * nothing and exits 1 where the page is not what it would write.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { withServerTables } from '../dist/model/capabilities-doc.js';

const PAGE = new URL('../docs/how-to/connect-a-model.md', import.meta.url);

const before = readFileSync(PAGE, 'utf8');
const page = withServerTables(before);

if (!process.argv.includes('--check')) {
  writeFileSync(PAGE, page);
} else if (before !== page) {
  process.stderr.write('docs/how-to/connect-a-model.md is not current; run: npm run docs\n');
  process.exitCode = 1;
}

/**
 * Fills the tables of servers in docs/reference/models.md from the table of capabilities (`npm run docs`, after a build). With `--check` it writes
 * nothing and exits 1 where the page is not what it would write.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { withServerTables } from '../dist/modules/model/capabilities-doc.js';

const PAGE = new URL('../docs/reference/models.md', import.meta.url);

const before = readFileSync(PAGE, 'utf8');
const page = withServerTables(before);

if (!process.argv.includes('--check')) {
  writeFileSync(PAGE, page);
} else if (before !== page) {
  process.stderr.write('docs/reference/models.md is not current; run: npm run docs\n');
  process.exitCode = 1;
}

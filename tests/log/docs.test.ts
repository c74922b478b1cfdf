/** Every query in docs/reference/log.md runs on a log and finds something; every table is explained there. */
import { readFileSync } from 'node:fs';
import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import { fullLog } from './full-log.js';

const text = readFileSync(new URL('../../docs/reference/log.md', import.meta.url), 'utf8');
const queries = [...text.matchAll(/```sql\n([\s\S]*?)```/g)].map((match) => match[1] ?? '');

const path = fullLog();
const db = new Database(path, { readonly: true });

it('has queries to copy', () => {
  expect(queries.length).toBeGreaterThanOrEqual(8);
});

it.each(queries)('%s', (query) => {
  const rows = db.prepare(query).all();
  expect(rows.length).toBeGreaterThan(0);
  for (const column of Object.keys(rows[0] ?? {})) {
    expect(rows.map((row) => (row as Record<string, unknown>)[column])).not.toEqual(rows.map(() => null));
  }
});

it('explains every table', () => {
  const tables = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").pluck().all();
  for (const table of tables) expect(text).toMatch(new RegExp(`^\\| \`${String(table)}\` +\\|`, 'm'));
});

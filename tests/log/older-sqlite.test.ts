/** A log is one that older programs can open and check: SQLite since 3.31 reads its tables and views, and finds nothing damaged. */
import { spawnSync } from 'node:child_process';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { createTables, schemaObjects } from '../../src/log/schema.js';
import { temporaryFolder } from '../support/folder.js';
import { withTablesOf } from '../support/first-version.js';
import { fullLog } from './full-log.js';

const path = fullLog();

function rowsOf(log: string, sql: string): readonly unknown[] {
  const db = new Database(log, { readonly: true });
  try {
    return db.prepare(sql).all();
  } finally {
    db.close();
  }
}

describe('the tables of a log', () => {
  it('have nothing that SQLite 3.31 does not know', () => {
    const db = new Database(path, { readonly: true });
    const newer = schemaObjects(db).filter((text) => /STRICT|->|\biif\b|GENERATED|RETURNING/i.test(text));
    db.close();
    expect(newer).toEqual([]);
  });

  it('are whole for the SQLite of Python', ({ skip }) => {
    const check = `import sqlite3, sys
db = sqlite3.connect(sys.argv[1])
print(db.execute("PRAGMA integrity_check").fetchall(), db.execute("SELECT count(*) FROM acts").fetchone())`;
    const { stdout, status } = spawnSync('python3', ['-c', check, path], { encoding: 'utf8' });
    if (status === null) return skip('python3 is not installed');
    expect(stdout).toBe("[('ok',)] (8,)\n");
  });

  it('take no value of another type, in any column that they began with', () => {
    const began = new Database(':memory:');
    createTables(began, 5);
    const db = new Database(path);
    db.pragma('foreign_keys = OFF');
    const tables = began.prepare(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'",
    );
    const taken: string[] = [];
    let columns = 0;
    for (const table of tables.pluck().all() as readonly string[]) {
      if (db.prepare(`SELECT count(*) FROM ${table}`).pluck().get() === 0) continue;
      for (const { name, type } of began.pragma(`table_info(${table})`) as readonly Record<
        'name' | 'type',
        string
      >[]) {
        columns++;
        const other = type === 'BLOB' ? 7 : Buffer.from('{}');
        try {
          db.prepare(`UPDATE ${table} SET ${name} = ?`).run(other);
          taken.push(`${table}.${name}`);
        } catch (error) {
          expect(error).toMatchObject({
            code: expect.stringMatching(/^SQLITE_(CONSTRAINT|MISMATCH)/) as string,
          });
        }
      }
    }
    db.close();
    began.close();
    expect(taken).toEqual([]);
    expect(columns).toBeGreaterThan(90);
  });
});

describe('the views of a log', () => {
  const older = join(temporaryFolder(), 'older.sqlite');
  copyFileSync(path, older);
  withTablesOf(4, older);

  it.each(['acts', 'events', 'rewards', 'untimely'])('%s gives what it gave in version 4', (view) => {
    const rows = rowsOf(path, `SELECT * FROM ${view}`);
    expect(rows).toEqual(rowsOf(older, `SELECT * FROM ${view}`));
    expect(rows).not.toEqual([]);
  });
});

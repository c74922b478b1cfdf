/**
 * Promise 5: whatever is changed in a log, verify and show refuse it in words, naming the step where one is known, or everything that counts is
 * what it was: never a crash, a hang or another picture. Bytes are changed and cut off; rows are changed, swapped and removed behind SQLite.
 */
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { beforeAll, describe, expect, it } from 'vitest';
import { known } from '../../src/base/assert.js';
import { answering } from '../support/controllers.js';
import { orchestrate } from '../support/captured-io.js';
import { startProgram } from '../support/children.js';
import { corridor } from '../orchestrator/two-agents.js';
import { logged } from '../replay/support.js';
import { temporaryFolder } from '../support/folder.js';
import { draws } from './lives.js';
import { changedContent, contentOf, faultIn, timed, verify } from './log-faults.js';
import { SIZED, grouped, reached, sizeOf } from '../support/sizes.js';

type Draw = (below: number) => number;

const folder = temporaryFolder();
/** Each so-manieth goes through the command line too, and fewer through the built program. */
const COMMAND_EACH = 10;
const PROGRAM_EACH = 500;

let whole = Buffer.alloc(0);
let original = '';
let content: ReadonlyMap<string, string> = new Map();

beforeAll(async () => {
  const ann = answering(['hm', 'ACTION: LOOK', 'ACTION: GO EAST', 'I think.\nACTION: WAIT']);
  const bob = answering(['ACTION: READ sign', 'ACTION: WAIT']);
  ({ path: original } = await logged(corridor('max: 3'), { controllers: { ann, bob } }));
  whole = readFileSync(original);
  content = contentOf(original);
});

type Mutation = (path: string, draw: Draw) => string;

const MUTATIONS: readonly Mutation[] = [
  changeBytes,
  changeBits,
  cutOff,
  zeroPage,
  swapPages,
  changeRow,
  swapCells,
  removeRow,
];

function changeBytes(path: string, draw: Draw): string {
  const bytes = Buffer.from(whole);
  const places = Array.from({ length: 1 + draw(8) }, () => draw(bytes.length));
  for (const at of places) bytes.writeUInt8(draw(256), at);
  writeFileSync(path, bytes);
  return `bytes at ${places.join(', ')}`;
}

function changeBits(path: string, draw: Draw): string {
  const bytes = Buffer.from(whole);
  const [at, bit] = [draw(bytes.length), draw(8)];
  bytes.writeUInt8(bytes.readUInt8(at) ^ (1 << bit), at);
  writeFileSync(path, bytes);
  return `bit ${bit} at ${at}`;
}

function cutOff(path: string, draw: Draw): string {
  const length = draw(whole.length);
  writeFileSync(path, whole.subarray(0, length));
  return `cut off at ${length}`;
}

function pageOf(draw: Draw): number {
  return draw(Math.floor(whole.length / PAGE_BYTES)) * PAGE_BYTES;
}

const PAGE_BYTES = 4096;

function zeroPage(path: string, draw: Draw): string {
  const bytes = Buffer.from(whole);
  const at = pageOf(draw);
  bytes.fill(0, at, at + PAGE_BYTES);
  writeFileSync(path, bytes);
  return `page at ${at} is zero`;
}

function swapPages(path: string, draw: Draw): string {
  const bytes = Buffer.from(whole);
  const [one, other] = [pageOf(draw), pageOf(draw)];
  whole.copy(bytes, one, other, other + PAGE_BYTES);
  whole.copy(bytes, other, one, one + PAGE_BYTES);
  writeFileSync(path, bytes);
  return `pages at ${one} and ${other} are swapped`;
}

const TABLES = [
  'blobs',
  'calls',
  'ends',
  'frames',
  'replies',
  'runs',
  'sittings',
  'snapshots',
  'steps',
  'tileset_images',
] as const;

/** Behind the program's back: nothing of the schema is enforced. */
function inSql(path: string, work: (db: Database.Database) => string): string {
  copyFileSync(original, path);
  const db = new Database(path);
  try {
    db.pragma('foreign_keys = OFF');
    db.pragma('ignore_check_constraints = ON');
    return work(db);
  } catch (error) {
    // What a table can't hold at all can't be met in a log.
    return `refused by SQLite: ${String(error)}`;
  } finally {
    db.close();
  }
}

function cellIn(db: Database.Database, draw: Draw) {
  const table = known(TABLES[draw(TABLES.length)], 'a table');
  const columns = db.pragma(`table_info(${table})`) as readonly {
    name: string;
    pk: number;
  }[];
  const column = known(columns[draw(columns.length)], 'a column').name;
  const keys = columns.filter(({ pk }) => pk > 0).map(({ name }) => name);
  const rows = db
    .prepare(`SELECT ${keys.join(', ')}, ${column} AS cell FROM ${table}`)
    .all() as readonly Record<string, unknown>[];
  const where = keys.map((key) => `${key} = ?`).join(' AND ');
  const valuesOf = (row: Record<string, unknown>) => keys.map((key) => row[key]);
  return { table, column, where, rows, valuesOf };
}

function changeRow(path: string, draw: Draw): string {
  return inSql(path, (db) => {
    const { table, column, where, rows, valuesOf } = cellIn(db, draw);
    const row = rows[draw(Math.max(1, rows.length))];
    if (row === undefined) return 'nothing';
    const value = changedValue(row['cell'], draw);
    db.prepare(`UPDATE ${table} SET ${column} = ? WHERE ${where}`).run(value, ...valuesOf(row));
    return `${table}.${column} of ${valuesOf(row).join('/')} = ${String(value).slice(0, 60)}`;
  });
}

function changedValue(value: unknown, draw: Draw): unknown {
  if (typeof value === 'number')
    return known([value + 1, value - 1, 0, -1, 2 ** 40, 'x', null], 'a list')[draw(7)];
  if (Buffer.isBuffer(value)) {
    const bytes = Buffer.from(value);
    if (bytes.length > 0) bytes.writeUInt8(draw(256), draw(bytes.length));
    return bytes;
  }
  const text = String(value);
  const at = draw(text.length + 1);
  return known(
    [
      `${text.slice(0, at)}${text.slice(at + 1)}`,
      `${text.slice(0, at)}7${text.slice(at + 1)}`,
      `${text} `,
      '',
      '[]',
      '{}',
      'null',
      '[null]',
      null,
    ],
    'a list',
  )[draw(9)];
}

function swapCells(path: string, draw: Draw): string {
  return inSql(path, (db) => {
    const { table, column, where, rows, valuesOf } = cellIn(db, draw);
    const [one, other] = [rows[draw(Math.max(1, rows.length))], rows[draw(Math.max(1, rows.length))]];
    if (one === undefined || other === undefined) return 'nothing';
    const update = db.prepare(`UPDATE OR REPLACE ${table} SET ${column} = ? WHERE ${where}`);
    update.run(other['cell'], ...valuesOf(one));
    update.run(one['cell'], ...valuesOf(other));
    return `${table}.${column} of ${valuesOf(one).join('/')} and ${valuesOf(other).join('/')} are swapped`;
  });
}

function removeRow(path: string, draw: Draw): string {
  return inSql(path, (db) => {
    const { table, where, rows, valuesOf } = cellIn(db, draw);
    const row = rows[draw(Math.max(1, rows.length))];
    if (row === undefined) return 'nothing';
    db.prepare(`DELETE FROM ${table} WHERE ${where}`).run(...valuesOf(row));
    return `${table} has no ${valuesOf(row).join('/')}`;
  });
}

/** What one changed log brings to light; none where the promise held. */
async function faultsOf(
  path: string,
  i: number,
  draw: Draw,
  totals: Totals,
): Promise<readonly (string | null)[]> {
  const verified = await timed('verify', () => verify(path));
  const found = [verified.fault];
  if (verified.code === 0) {
    totals.equal += 1;
    const other = changedContent(path, content);
    if (other !== null) found.push(`verified, and not what it was: ${other}`);
  } else {
    totals.refused += 1;
    if (/step \d+/.test(verified.out + verified.err)) totals.named += 1;
  }
  if (i % COMMAND_EACH === 0) {
    const words = draw(2) === 0 ? [path] : [path, '--step', String(1 + draw(9))];
    found.push((await timed('show', () => orchestrate(['show', ...words]))).fault);
    const told = await timed('verify, as a command', () => orchestrate(['verify', path]));
    found.push(told.fault);
    if (told.code !== verified.code)
      found.push(`verify gives ${verified.code} alone and ${told.code} as a command`);
  }
  if (i % PROGRAM_EACH === 0) {
    const { code, out, err } = await startProgram(['verify', path]).ended;
    found.push(faultIn('verify, as a program', { code: code ?? -1, out, err }));
    if (code !== verified.code) found.push(`verify gives ${verified.code} here and ${code} as a program`);
  }
  return found;
}

interface Totals {
  refused: number;
  named: number;
  equal: number;
}

describe('a log that was changed', () => {
  it('is refused in words, or is what it was', SIZED, async () => {
    const count = sizeOf('corruptions');
    const draw = draws('corruption');
    const faults: string[] = [];
    const totals = { refused: 0, named: 0, equal: 0 };
    for (let i = 0; i < count && faults.length < 5; i++) {
      const path = join(folder, `${i % 4}.sqlite`);
      const what = known(MUTATIONS[i % MUTATIONS.length], 'a mutation')(path, draw);
      const found = await faultsOf(path, i, draw, totals);
      faults.push(...found.flatMap((fault) => (fault === null ? [] : [`${fault} (${i}: ${what})`])));
    }
    expect(faults).toEqual([]);
    expect(totals.refused).toBeGreaterThan(count / 4);
    expect(totals.named).toBeGreaterThan(count / 20);
    reached(
      '5 corruption',
      `${grouped(count)} changed logs: ${grouped(totals.refused)} refused (${grouped(totals.named)} naming the step), ${grouped(totals.equal)} the same in all that counts, 0 crashes`,
    );
  });
});

/**
 * Logs with one thing changed behind SQLite: a cell of any column of any table (gone, another bit, another word, another type, JSON of another
 * shape, a number out of range, huge), a row removed or doubled. In: a log and a number; out: a changed copy, and what was changed. With
 * `forged` all hashes are made anew, as a stranger would. Every combination is listed, so that a soak tries all.
 */
import { copyFileSync } from 'node:fs';
import { deflateSync } from 'node:zlib';
import Database from 'better-sqlite3';
import { at, known } from '../../src/base/assert.js';
import { sha256 } from '../../src/base/canonical.js';
import { reseal } from '../replay/changes.js';

export type Draw = (below: number) => number;

export const TABLES = [
  'blobs',
  'calls',
  'ends',
  'frames',
  'outside',
  'probes',
  'replies',
  'runs',
  'seals',
  'sittings',
  'snapshots',
  'steps',
  'tileset_images',
  'writer',
] as const;

const WAYS = ['null', 'bit', 'word', 'type', 'shape', 'number', 'huge', 'remove', 'double'] as const;

/** One kind of change at one place. */
export interface CellChange {
  table: (typeof TABLES)[number];
  /** Null: the row as a whole. */
  column: string | null;
  way: (typeof WAYS)[number];
  isForged: boolean;
}

interface Column {
  name: string;
  type: string;
  pk: number;
}

type Row = Readonly<Record<string, unknown>>;

/** Every change that the tables of a log take. */
export function changesOf(path: string): readonly CellChange[] {
  const db = new Database(path, { readonly: true });
  try {
    return TABLES.flatMap((table) => {
      // A log of version 1 has no seals.
      const isThere = db.prepare('SELECT 1 FROM sqlite_schema WHERE name = ?').get(table) !== undefined;
      if (!isThere || db.prepare(`SELECT count(*) FROM ${table}`).pluck().get() === 0) return [];
      const cells = columnsOf(db, table).flatMap(({ name }) =>
        WAYS.filter((way) => way !== 'remove' && way !== 'double').map((way) => ({
          table,
          column: name,
          way,
        })),
      );
      const rows = (['remove', 'double'] as const).map((way) => ({ table, column: null, way }));
      return [...cells, ...rows].flatMap((one) => [false, true].map((isForged) => ({ ...one, isForged })));
    });
  } finally {
    db.close();
  }
}

function columnsOf(db: Database.Database, table: string): readonly Column[] {
  return db.pragma(`table_info(${table})`) as readonly Column[];
}

/** Makes a copy with the change in a row that is drawn; gives what was changed, null where nothing could be. */
export function changeCell(
  from: string,
  to: string,
  { change, draw }: { change: CellChange; draw: Draw },
): string | null {
  copyFileSync(from, to);
  const db = new Database(to);
  try {
    db.pragma('foreign_keys = OFF');
    db.pragma('ignore_check_constraints = ON');
    const done = changed(db, change, draw);
    if (done !== null && change.isForged) forge(db);
    return done === null ? null : `${change.isForged ? 'forged ' : ''}${done}`;
  } catch (error) {
    // What a table can't hold at all can't be met in a log.
    if (error instanceof Database.SqliteError) return null;
    throw error;
  } finally {
    db.close();
  }
}

function changed(db: Database.Database, { table, column, way }: CellChange, draw: Draw): string | null {
  const columns = columnsOf(db, table);
  const rows = db.prepare(`SELECT * FROM ${table}`).all() as readonly Row[];
  const row = rows[draw(Math.max(1, rows.length))];
  if (row === undefined) return null;
  const keys = columns.filter(({ pk }) => pk > 0).map(({ name }) => name);
  const place = keys.map((key) => String(row[key])).join('/');
  const where = keys.map((key) => `${key} = ?`).join(' AND ');
  const values = keys.map((key) => row[key]);
  if (way === 'remove') {
    db.prepare(`DELETE FROM ${table} WHERE ${where}`).run(...values);
    return `${table} has no ${place}`;
  }
  if (way === 'double') return doubled(db, { table, row, rows, keys });
  const name = known(column, 'a column');
  const others = rows.map((one) => one[name]);
  const value = changedValue(row[name], { way, draw, others, words: wordsOf(db, table, name) });
  if (value === undefined || isSame(value, row[name])) return null;
  db.prepare(`UPDATE ${table} SET ${name} = ? WHERE ${where}`).run(value, ...values);
  return `${table}.${name} of ${place} = ${shown(value)} (${way})`;
}

/** One more row, with the next number as the last of its key. */
function doubled(
  db: Database.Database,
  { table, row, rows, keys }: { table: string; row: Row; rows: readonly Row[]; keys: readonly string[] },
): string {
  const key = at(keys, keys.length - 1);
  const next = Math.max(...rows.map((one) => Number(one[key]) || 0)) + 1;
  const copy: Record<string, unknown> = {
    ...row,
    [key]: typeof row[key] === 'number' ? next : `${String(row[key])}2`,
  };
  for (const unique of ['run_id', 'hash'])
    if (unique in copy) copy[unique] = changedText(String(copy[unique]));
  const names = Object.keys(copy);
  const places = names.map(() => '?').join(', ');
  db.prepare(`INSERT INTO ${table} (${names.join(', ')}) VALUES (${places})`).run(...Object.values(copy));
  return `${table} has ${String(copy[key])} too`;
}

/** What a column's own check lists. */
function wordsOf(db: Database.Database, table: string, column: string): readonly string[] {
  const sql = String(db.prepare('SELECT sql FROM sqlite_schema WHERE name = ?').pluck().get(table));
  const list = new RegExp(`${column} IN \\(([^)]*)\\)`).exec(sql)?.[1] ?? '';
  return [...list.matchAll(/'([^']*)'/g)].map(([, word]) => word ?? '');
}

interface Choice {
  way: CellChange['way'];
  draw: Draw;
  others: readonly unknown[];
  words: readonly string[];
}

const SHAPES = [
  '[[]]',
  '{}',
  '[null]',
  'null',
  '[]',
  '7',
  '"x"',
  '[{}]',
  '{"constructor":[]}',
  `${'['.repeat(5000)}${']'.repeat(5000)}`,
];
const NUMBERS = [1e308, -1, 0, 0.5, 2 ** 53, 2 ** 40, -(2 ** 53)];
const HUGE = 3_000_000;

function changedValue(value: unknown, { way, draw, others, words }: Choice): unknown {
  const pick = <T>(list: readonly T[]): T | undefined => list[draw(Math.max(1, list.length))];
  if (way === 'null') return value === null ? undefined : null;
  if (way === 'bit') return withBit(value, draw);
  if (way === 'word') return pick(words.length > 0 ? [...words, 'unknown'] : others);
  if (way === 'type')
    return typeof value === 'number' ? pick(['x', Buffer.from('x')]) : pick([7, 1.5, Buffer.from('x')]);
  if (way === 'shape') return typeof value === 'string' ? pick(SHAPES) : undefined;
  if (way === 'number') return typeof value === 'number' ? pick(NUMBERS) : undefined;
  if (Buffer.isBuffer(value))
    return pick([Buffer.alloc(HUGE), hugePng(draw), deflateSync(Buffer.alloc(HUGE))]);
  return typeof value === 'number' ? Number.MAX_SAFE_INTEGER : 'x'.repeat(HUGE);
}

function withBit(value: unknown, draw: Draw): unknown {
  if (typeof value === 'number') return Number.isInteger(value) ? value ^ (1 << draw(8)) : value + 1;
  const bytes = Buffer.isBuffer(value)
    ? Buffer.from(value)
    : Buffer.from(typeof value === 'string' ? value : '');
  if (bytes.length === 0 || value === null) return undefined;
  const place = draw(bytes.length);
  // Text stays text: bits that make none of it are what changed bytes do.
  bytes.writeUInt8(bytes.readUInt8(place) ^ (Buffer.isBuffer(value) ? 1 << draw(8) : 1), place);
  return Buffer.isBuffer(value) ? bytes : bytes.toString('utf8');
}

/** A picture that says it is larger than it is, or than any. */
function hugePng(draw: Draw): Buffer {
  const side = at([4096, 60_000, 0xffff_ffff], draw(3));
  const header = Buffer.alloc(33);
  Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex').copy(header);
  header.writeUInt32BE(side, 16);
  header.writeUInt32BE(side, 20);
  header.writeUInt8(8, 24);
  return Buffer.concat([header, deflateSync(Buffer.alloc(HUGE))]);
}

function changedText(text: string): string {
  return /^[0-9a-f]{64}$/.test(text) ? sha256(text) : `${text}2`;
}

function isSame(one: unknown, other: unknown): boolean {
  return Buffer.isBuffer(one) && Buffer.isBuffer(other) ? one.equals(other) : one === other;
}

function shown(value: unknown): string {
  return Buffer.isBuffer(value) ? `${value.length} bytes` : String(value).slice(0, 40);
}

/** All hashes of what lies there now; what can't be hashed keeps its own. */
function forge(db: Database.Database): void {
  for (const { blob, content } of db
    .prepare('SELECT blob, content FROM blobs WHERE encoding = ?')
    .all('plain') as readonly {
    blob: number;
    content: string | Buffer;
  }[])
    db.prepare('UPDATE blobs SET sha256 = ?, bytes = ? WHERE blob = ?').run(
      sha256(content ?? ''),
      Buffer.byteLength(content ?? ''),
      blob,
    );
  for (const { frame, png } of db.prepare('SELECT frame, png FROM frames').all() as readonly {
    frame: number;
    png: unknown;
  }[]) {
    if (!Buffer.isBuffer(png)) continue;
    const [width, height] = png.length < 24 ? [1, 1] : [png.readUInt32BE(16), png.readUInt32BE(20)];
    db.prepare('UPDATE frames SET sha256 = ?, width = ?, height = ? WHERE frame = ?').run(
      sha256(png),
      width,
      height,
      frame,
    );
  }
  try {
    reseal(db);
  } catch {
    // What was changed can't be hashed at all.
  }
}

/**
 * Logs from a stranger: any text cell, and any text, number or key within the JSON of one, becomes another text, its hashes made right again so
 * that readers come as far as they can. In: a log and what stands where; out: the places of a log, and the log changed at one of them.
 */
import Database from 'better-sqlite3';
import { messageHash } from '../../src/trajectory/content.js';
import { messageListHash } from '../../src/trajectory/chain.js';
import type { MessageReference } from '../../src/log/request-walk.js';
import { callHash } from '../../src/log/row-hashes.js';
import type { CallHead } from '../../src/log/row-hashes.js';
import { blobText, changeBlob, reseal } from '../replay/changes.js';

type Row = Readonly<Record<string, unknown>>;
type Step = string | number;

/** Where a text stands: a cell, and for JSON the way in it; `isKey` for the name of its last step. */
export interface LogPlace {
  table: string;
  column: string;
  /** The row's key columns. */
  key: Row;
  /** Null: the cell as a whole. */
  way: readonly Step[] | null;
  isKey: boolean;
}

/** `steps.acts[*].result.message`. */
export function placeName({ table, column, way, isKey }: LogPlace): string {
  const steps = (way ?? []).map((step) => (typeof step === 'number' ? '[*]' : `.${step}`));
  return `${table}.${column}${steps.join('')}${isKey ? ' (key)' : ''}`;
}

/** Every place of a log, one for each name and at most two rows of a table's. */
export function placesIn(path: string): readonly LogPlace[] {
  const db = new Database(path, { readonly: true });
  const found = new Map<string, LogPlace>();
  try {
    for (const table of tablesOf(db)) {
      const columns = columnsOf(db, table);
      const keys = columns.filter(({ pk }) => pk > 0).map(({ name }) => name);
      for (const row of db.prepare<[], Row>(`SELECT * FROM ${table}`).all()) {
        const key = Object.fromEntries(keys.map((name) => [name, row[name]]));
        for (const { name: column } of columns) {
          const text =
            table === 'blobs' && column === 'content' ? blobText(db, Number(row['blob'])) : row[column];
          if (typeof text !== 'string') continue;
          for (const place of placesOf(text, { table, column, key })) {
            const name = placeName(place);
            // The last of a name is kept as well as the first, under the same name in other rows.
            const isNew = !found.has(name);
            found.set(isNew ? name : `${name} again`, place);
          }
        }
      }
    }
  } finally {
    db.close();
  }
  return [...found.values()];
}

function tablesOf(db: Database.Database): readonly string[] {
  const sql = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'";
  return db.prepare<[], string>(sql).pluck().all();
}

function columnsOf(db: Database.Database, table: string) {
  return db
    .prepare<[], { name: string; pk: number }>(`SELECT name, pk FROM pragma_table_info('${table}')`)
    .all();
}

function placesOf(text: string, cell: Pick<LogPlace, 'table' | 'column' | 'key'>): readonly LogPlace[] {
  const value = jsonIn(text);
  const whole: LogPlace = { ...cell, way: null, isKey: false };
  if (value === undefined) return [whole];
  return [whole, ...waysIn(value, []).map((one) => ({ ...cell, ...one }))];
}

function jsonIn(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function waysIn(value: unknown, way: readonly Step[]): readonly Pick<LogPlace, 'way' | 'isKey'>[] {
  if (Array.isArray(value)) return value.flatMap((item, i) => waysIn(item, [...way, i]));
  if (typeof value !== 'object' || value === null) return [{ way, isKey: false }];
  return Object.entries(value).flatMap(([name, item]) => [
    { way: [...way, name], isKey: true },
    ...waysIn(item, [...way, name]),
  ]);
}

/** Puts a text there; hashes that cover it follow. */
export function changeLog(path: string, place: LogPlace, change: (before: string) => string): void {
  const db = new Database(path);
  try {
    db.pragma('foreign_keys = OFF');
    db.pragma('ignore_check_constraints = ON');
    const put = (text: string): string => changed(text, place, change);
    if (place.table === 'blobs' && place.column === 'content') changeBlob(db, Number(place.key['blob']), put);
    else changeCell(db, place, put);
    rehash(db);
  } finally {
    db.close();
  }
}

function changeCell(
  db: Database.Database,
  { table, column, key }: LogPlace,
  put: (text: string) => string,
): void {
  const where = Object.keys(key)
    .map((name) => `${name} IS ?`)
    .join(' AND ');
  const values = Object.values(key);
  const before = db
    .prepare(`SELECT ${column} FROM ${table} WHERE ${where}`)
    .pluck()
    .get(...values);
  // SQLite keeps UTF-8, so halves of pairs only survive in JSON.
  const after = put(String(before)).toWellFormed();
  db.prepare(`UPDATE ${table} SET ${column} = ? WHERE ${where}`).run(after, ...values);
}

function changed(text: string, { way, isKey }: LogPlace, change: (before: string) => string): string {
  if (way === null) return change(text);
  const root = JSON.parse(text) as unknown;
  const last = way.at(-1);
  let holder = root as Record<Step, unknown>;
  for (const step of way.slice(0, -1)) holder = holder[step] as Record<Step, unknown>;
  if (last === undefined) return JSON.stringify(change(String(root)));
  const value = holder[last];
  if (isKey) {
    delete holder[last];
    holder[change(String(last))] = value;
  } else holder[last] = change(typeof value === 'string' ? value : JSON.stringify(value));
  return JSON.stringify(root);
}

/** Of all rows, as far as they can still be made. */
function rehash(db: Database.Database): void {
  const lists = new Map<string, readonly string[]>();
  const tries = [...db.prepare<[], CallHead & Row>('SELECT * FROM calls ORDER BY run, call').all()].map(
    (row) => () => rehashCall(db, row, lists),
  );
  for (const work of [...tries, () => reseal(db)]) {
    try {
      work();
    } catch {
      // What was changed is how the request, or the seal, is put together.
    }
  }
}

function rehashCall(db: Database.Database, row: CallHead & Row, lists: Map<string, readonly string[]>): void {
  const blob = (number: unknown): string =>
    String(db.prepare('SELECT sha256 FROM blobs WHERE blob = ?').pluck().get(number));
  const frame = (number: unknown): string =>
    String(db.prepare('SELECT hash FROM frames WHERE frame = ?').pluck().get(number));
  const appended = JSON.parse(String(row['appended'])) as MessageReference[];
  const own = appended.map(({ role, parts }) =>
    messageHash(
      role,
      parts.map((part) => ('text' in part ? { text: blob(part.text) } : { frame: frame(part.frame) })),
    ),
  );
  const before = lists.get(`${String(row['run'])}/${String(row['previous'])}`) ?? [];
  const list = [...before.slice(0, Number(row['kept'])), ...own];
  lists.set(`${String(row['run'])}/${String(row['call'])}`, list);
  const settings = row['settings'] === null ? null : blob(row['settings']);
  const hash = callHash(row, {
    observation: blob(row['observation']),
    messages: messageListHash(list),
    settings,
    frame: row['frame'] === null ? null : frame(row['frame']),
  });
  db.prepare('UPDATE calls SET sha256 = ? WHERE run = ? AND call = ?').run(hash, row['run'], row['call']);
}

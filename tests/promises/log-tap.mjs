// @ts-check
/**
 * Loaded before the program (`node --import`), in tests only: what the log writes passes through here, so that a process dies at a named
 * point, or syncs less than it promises. In: environment variables; out: nothing but the deed. The program itself has no such switch.
 *
 * LOG_TAP_DIE=`before|COMMIT|3`: killed right before the third COMMIT of the process (or `after`). Points: BEGIN, COMMIT, `INSERT steps` …,
 * `PRAGMA wal_checkpoint`, CREATE. LOG_TAP_SYNC=NORMAL: another `synchronous`. LOG_TAP_CHECKPOINT=40: pages of the WAL between checkpoints.
 */
import Database from 'better-sqlite3';

const [when, point, occurrence] = (process.env['LOG_TAP_DIE'] ?? '').split('|');
const synchronous = process.env['LOG_TAP_SYNC'];
const checkpoint = process.env['LOG_TAP_CHECKPOINT'];
let left = Number(occurrence);

/** @param {string} name @param {() => unknown} work */
function tapped(name, work) {
  if (name !== point) return work();
  left -= 1;
  if (left === 0 && when === 'before') process.kill(process.pid, 'SIGKILL');
  const result = work();
  if (left === 0) process.kill(process.pid, 'SIGKILL');
  return result;
}

/** @param {string} sql */
function nameOf(sql) {
  const [, verb, table] = /^(BEGIN|COMMIT|CREATE|INSERT INTO|DELETE FROM)(?: (\w+))?/.exec(sql) ?? [];
  if (verb === undefined) return null;
  return verb.includes(' ') ? `${verb.split(' ')[0]} ${table}` : verb;
}

/** @param {string} text */
function changed(text) {
  if (synchronous !== undefined) text = text.replace(/^synchronous = \w+/, `synchronous = ${synchronous}`);
  if (checkpoint !== undefined)
    text = text.replace(/^wal_autocheckpoint = \d+/, `wal_autocheckpoint = ${checkpoint}`);
  return text;
}

/** @type {any} */
const prototype = Database.prototype;
const { prepare, exec, pragma } = prototype;

/** @this {unknown} @param {string} sql @param {unknown[]} rest */
prototype.prepare = function (sql, ...rest) {
  const statement = prepare.call(this, sql, ...rest);
  const name = nameOf(sql);
  if (name !== null) {
    const { run } = statement;
    /** @param {unknown[]} args */
    statement.run = (...args) => tapped(name, () => run.apply(statement, args));
  }
  return statement;
};

/** @this {unknown} @param {string} sql */
prototype.exec = function (sql) {
  return tapped(nameOf(sql) ?? 'exec', () => exec.call(this, sql));
};

/** @this {unknown} @param {string} text @param {unknown[]} rest */
prototype.pragma = function (text, ...rest) {
  const name = `PRAGMA ${/^\w+/.exec(text)?.[0]}`;
  return tapped(name, () => pragma.call(this, changed(text), ...rest));
};

// @ts-check
/**
 * Loaded before the program (`node --import`) or by a test: what the log writes passes through here, so that a process dies at a named point,
 * syncs less than it promises, or has a disk that fails. In: environment variables, or `tap.on`. The program itself has no such switch.
 *
 * LOG_TAP_DIE=`before|COMMIT|3`: killed right before the third COMMIT of the process (or `after`). Points: BEGIN, COMMIT, `INSERT steps` …,
 * `PRAGMA wal_checkpoint`, CREATE. LOG_TAP_SYNC=NORMAL: another `synchronous`. LOG_TAP_CHECKPOINT=40: pages of the WAL between checkpoints.
 */
import Database from 'better-sqlite3';

const [moment, point, occurrence] = (process.env['LOG_TAP_DIE'] ?? '').split('|');
const synchronous = process.env['LOG_TAP_SYNC'];
const checkpoint = process.env['LOG_TAP_CHECKPOINT'];
let left = Number(occurrence);

/** Told of each write before it is done and after; what it throws is what SQLite would have thrown. @type {{ on: (when: 'before' | 'after', name: string) => void }} */
export const tap = {
  on: (when, name) => {
    if (name !== point) return;
    if (when === 'before') left -= 1;
    if (left === 0 && when === moment) process.kill(process.pid, 'SIGKILL');
  },
};

/** @param {string} name @param {() => unknown} work */
function tapped(name, work) {
  tap.on('before', name);
  const result = work();
  tap.on('after', name);
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

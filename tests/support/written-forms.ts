/** A file's text in every form in which it may lie: as it is, and of a log what can be inflated of its values. */
import { readFileSync } from 'node:fs';
import { inflateRawSync, inflateSync } from 'node:zlib';
import Database from 'better-sqlite3';

export function formsOf(path: string): readonly string[] {
  const bytes = readFileSync(path);
  const plain = [bytes.toString('latin1')];
  if (!path.endsWith('.sqlite')) return plain;
  const log = new Database(path, { readonly: true });
  const tables = log.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").pluck().all() as string[];
  const values = tables
    .flatMap((table) => log.prepare(`SELECT * FROM "${table}"`).raw().all() as unknown[][])
    .flat();
  log.close();
  return [
    ...plain,
    ...values.flatMap((value) => (Buffer.isBuffer(value) ? inflated(value) : [String(value)])),
  ];
}

function inflated(bytes: Buffer): readonly string[] {
  return [(all: Buffer) => all, inflateRawSync, inflateSync].flatMap((read) => {
    try {
      return [read(bytes).toString('latin1')];
    } catch {
      return [];
    }
  });
}

/** Changes to a log's database that keep its own hashes right, as whoever forges a log would: only making the run again finds them. */
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type Database from 'better-sqlite3';
import { sha256 } from '../../src/base/canonical.js';
import { messagesHash } from '../../src/log/chain.js';
import { callHash, replyHash } from '../../src/log/content.js';
import type { CallRequest } from '../../src/log/records.js';

interface BlobRow {
  readonly encoding: string;
  readonly content: string | Buffer;
}

export function blobText(db: Database.Database, blob: number): string {
  const row = db.prepare<[number], BlobRow>('SELECT encoding, content FROM blobs WHERE blob = ?').get(blob);
  if (row === undefined) throw new Error(`no blob ${blob}`);
  if (typeof row.content === 'string') return row.content;
  return (row.encoding === 'deflate' ? inflateRawSync(row.content) : row.content).toString('utf8');
}

/** Another text under the same number; gives its hash. */
export function changeBlob(db: Database.Database, blob: number, change: (text: string) => string): string {
  const text = change(blobText(db, blob));
  const bytes = Buffer.from(text);
  const sql = `UPDATE blobs SET sha256 = ?, encoding = 'deflate', bytes = ?, content = ? WHERE blob = ?`;
  db.prepare(sql).run(sha256(text), bytes.length, deflateRawSync(bytes), blob);
  return sha256(text);
}

export function changeBytes(db: Database.Database, blob: number, bytes: Uint8Array): void {
  const sql = `UPDATE blobs SET sha256 = ?, encoding = 'plain', bytes = ?, content = ? WHERE blob = ?`;
  db.prepare(sql).run(sha256(bytes), bytes.length, bytes, blob);
}

export function numberIn(db: Database.Database, sql: string): number {
  return Number(db.prepare(sql).pluck().get());
}

/** Another answer to one call. */
export function changeReply(db: Database.Database, call: number, content: string): void {
  const row = db
    .prepare<[number], { reasoning: string | null; raw: string | null; memory: string | null }>(
      'SELECT reasoning, raw, memory FROM replies WHERE call = ?',
    )
    .get(call);
  const hash = replyHash([content, row?.reasoning ?? null, row?.raw ?? null, row?.memory ?? null]);
  db.prepare('UPDATE replies SET content = ?, sha256 = ? WHERE call = ?').run(content, hash, call);
}

/** Another last text in one request; no later request may share it. */
export function changeText(
  db: Database.Database,
  request: CallRequest,
  change: (text: string) => string,
): void {
  const last = request.messages.at(-1);
  const part = last?.parts[0];
  if (last === undefined || part?.kind !== 'text') throw new Error('the request ends with no text');
  const blob = Number(db.prepare('SELECT blob FROM blobs WHERE sha256 = ?').pluck().get(sha256(part.text)));
  changeBlob(db, blob, change);
  const parts = [{ ...part, text: change(part.text) }, ...last.parts.slice(1)];
  const messages = [...request.messages.slice(0, -1), { ...last, parts }];
  const observation = String(
    db
      .prepare('SELECT blobs.sha256 FROM blobs JOIN calls ON blob = observation WHERE call = ?')
      .pluck()
      .get(request.call),
  );
  const hash = callHash(observation, messagesHash(messages), null);
  db.prepare('UPDATE calls SET sha256 = ? WHERE call = ?').run(hash, request.call);
}

/** Something else that one call's agent is told. */
export function changeObservation(
  db: Database.Database,
  request: CallRequest,
  change: (text: string) => string,
): void {
  const blob = numberIn(db, `SELECT observation FROM calls WHERE call = ${request.call}`);
  const hash = callHash(changeBlob(db, blob, change), messagesHash(request.messages), null);
  db.prepare('UPDATE calls SET sha256 = ? WHERE call = ?').run(hash, request.call);
}

/** Another picture under the same frame hash. */
export function changeFrame(db: Database.Database, hash: string, png: Uint8Array): void {
  db.prepare('UPDATE frames SET png = ?, sha256 = ? WHERE hash = ?').run(png, sha256(png), hash);
}

/** Changes to a log's database that keep its own hashes right, as whoever forges a log would: only making the run again finds them. */
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type Database from 'better-sqlite3';
import { sha256 } from '../../src/base/canonical.js';
import { messagesHash } from '../../src/trajectory/chain.js';
import { known } from '../../src/base/assert.js';
import type { OutsideRow, ProbeRow, ReplyRow, StepRow } from '../../src/log/read-columns.js';
import type { CallRequest } from '../../src/trajectory/records.js';
import { callHash } from '../../src/log/row-hashes.js';
import type { CallHead } from '../../src/log/row-hashes.js';
import { SealWriter, RunSeals } from '../../src/log/seals.js';
import type { SealKind } from '../../src/log/seals.js';
import { OUTSIDE, PROBES, REPLIES, STEPS } from '../../src/log/tables.js';

interface BlobRow {
  encoding: string;
  content: string | Buffer;
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
  db.prepare('UPDATE replies SET content = ? WHERE call = ?').run(content, call);
  const row = db.prepare<[number], ReplyRow>(`SELECT * FROM replies WHERE call = ?`).get(call);
  db.prepare('UPDATE replies SET sha256 = ? WHERE call = ?').run(REPLIES.hash(known(row, 'a reply')), call);
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
  rehash(db, { ...request, messages: [...request.messages.slice(0, -1), { ...last, parts }] });
}

/** Something else that one call's agent is told. */
export function changeObservation(
  db: Database.Database,
  request: CallRequest,
  change: (text: string) => string,
): void {
  changeBlob(db, numberIn(db, `SELECT observation FROM calls WHERE call = ${request.call}`), change);
  rehash(db, request);
}

/** The hash of a call's row, of what lies there now and these messages. */
function rehash(db: Database.Database, { call, messages }: Pick<CallRequest, 'call' | 'messages'>): void {
  const sql = `SELECT calls.*, observed.sha256 AS observed_hash, settled.sha256 AS settled_hash, frames.hash AS frame_hash
    FROM calls JOIN blobs AS observed ON observed.blob = observation LEFT JOIN blobs AS settled ON settled.blob = settings
    LEFT JOIN frames ON frames.frame = calls.frame WHERE call = ?`;
  type Row = CallHead & { observed_hash: string; settled_hash: string | null; frame_hash: string | null };
  const row = known(db.prepare<[number], Row>(sql).get(call), 'a call');
  const hash = callHash(row, {
    observation: row.observed_hash,
    messages: messagesHash(messages),
    settings: row.settled_hash,
    frame: row.frame_hash,
  });
  db.prepare('UPDATE calls SET sha256 = ? WHERE call = ?').run(hash, call);
}

/** Another picture under the same frame hash. */
export function changeFrame(db: Database.Database, hash: string, png: Uint8Array): void {
  db.prepare('UPDATE frames SET png = ?, sha256 = ? WHERE hash = ?').run(png, sha256(png), hash);
}

/** The hashes that rows carry of themselves, and the seals, made anew of what lies there now. */
export function reseal(db: Database.Database): void {
  const each = <Row>(sql: string, work: (row: Row) => void) => {
    for (const row of db.prepare(sql).all() as Row[]) work(row);
  };
  each<StepRow>('SELECT * FROM steps', (row) => {
    db.prepare('UPDATE steps SET sha256 = ? WHERE run = ? AND step = ?').run(
      STEPS.hash(row),
      row.run,
      row.step,
    );
  });
  each<ReplyRow>('SELECT * FROM replies', (row) => {
    db.prepare('UPDATE replies SET sha256 = ? WHERE run = ? AND call = ?').run(
      REPLIES.hash(row),
      row.run,
      row.call,
    );
  });
  each<OutsideRow & { hash: string }>(
    'SELECT outside.*, blobs.sha256 AS hash FROM outside JOIN blobs ON blob = output',
    (row) => {
      db.prepare('UPDATE outside SET sha256 = ? WHERE run = ? AND step = ? AND position = ?').run(
        OUTSIDE.hash({ ...row, output: row.hash }),
        row.run,
        row.step,
        row.position,
      );
    },
  );
  each<ProbeRow>('SELECT * FROM probes', (row) => {
    db.prepare('UPDATE probes SET sha256 = ? WHERE run = ? AND call = ?').run(
      PROBES.hash(row),
      row.run,
      row.call,
    );
  });
  const seals = new RunSeals(db);
  each<{ run: number; sitting: number; kind: SealKind }>('SELECT * FROM seals', ({ run, sitting, kind }) => {
    const hash = seals.of(kind, run, sitting);
    if (hash === null)
      db.prepare('DELETE FROM seals WHERE run = ? AND sitting = ? AND kind = ?').run(run, sitting, kind);
    else
      db.prepare('UPDATE seals SET sha256 = ? WHERE run = ? AND sitting = ? AND kind = ?').run(
        hash,
        run,
        sitting,
        kind,
      );
  });
  new SealWriter(db).sealLeft('all');
}

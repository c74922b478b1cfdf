/** The reader's statements, each prepared on first use. Their rows are as stored, unchecked. */
import type Database from 'better-sqlite3';
import type { CallRow, ReplyRow } from './read-columns.js';

export type BoundValue = string | number;

/** A row of `SELECT_CALL`: columns by their tables; `$`: those of none. */
interface CallTables {
  calls: Omit<CallRow, 'acted_as' | 'observed' | 'reply'>;
  replies: ReplyRow | { call: null };
  blobs: { sha256: string | null };
  $: CallRow;
}

export class Statements {
  readonly #db: Database.Database;
  readonly #prepared = new Map<string, Database.Statement>();

  constructor(db: Database.Database) {
    this.#db = db;
  }

  all<Row>(sql: string, ...values: BoundValue[]): Row[] {
    return this.#prepare(sql).all(...values) as Row[];
  }

  get<Row>(sql: string, ...values: BoundValue[]): Row | undefined {
    return this.#prepare(sql).get(...values) as Row | undefined;
  }

  /** Rows of `SELECT_CALL`. */
  calls(sql: string, ...values: BoundValue[]): readonly CallRow[] {
    const rows = this.#prepare(sql)
      .expand()
      .all(...values) as CallTables[];
    return rows.map(({ calls, replies, blobs, $ }) => ({
      ...calls,
      ...$,
      observed: blobs.sha256,
      reply: replies.call === null ? null : replies,
    }));
  }

  #prepare(sql: string): Database.Statement {
    let statement = this.#prepared.get(sql);
    if (statement === undefined) {
      statement = this.#db.prepare(sql);
      this.#prepared.set(sql, statement);
    }
    return statement;
  }
}

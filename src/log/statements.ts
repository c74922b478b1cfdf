/**
 * The reader's statements, each prepared on first use. In: SQL of `queries.ts` and its parameters; out: rows
 * as stored, unchecked.
 */
import type Database from 'better-sqlite3';
import { callRow, stepOutlineRow } from './read-columns.js';
import type { CallRow, CallValues, StepOutlineRow, StepOutlineValues } from './read-columns.js';

export type BoundValue = string | number;

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
      .raw()
      .all(...values);
    return (rows as CallValues[]).map(callRow);
  }

  /** Rows of `SELECT_STEP_OUTLINE`. */
  outlines(sql: string, ...values: BoundValue[]): readonly StepOutlineRow[] {
    const rows = this.#prepare(sql)
      .raw()
      .all(...values);
    return (rows as StepOutlineValues[]).map(stepOutlineRow);
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

/**
 * Reads many small things within one read transaction, because for a few bytes, SQLite's locks cost more than
 * reading. A transaction holds back a live writer's WAL, so it lasts only for a page of steps.
 */
import type Database from 'better-sqlite3';

export class ReadTransactions {
  readonly #db: Database.Database;
  #open = 0;

  constructor(db: Database.Database) {
    this.#db = db;
  }

  /** Ends with the first call of the returned function. Overlapping transactions are merged. */
  begin(): () => void {
    if (this.#open === 0) this.#db.exec('BEGIN');
    this.#open += 1;
    return () => {
      this.#open -= 1;
      // Closing the log meanwhile ends it.
      if (this.#open === 0 && this.#db.open) this.#db.exec('COMMIT');
    };
  }
}

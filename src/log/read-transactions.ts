/**
 * Reading many small things at one look: one read transaction around them, since for a few bytes taking SQLite's locks costs more than reading.
 * A look holds a live writer's WAL back while it lasts, so it is for a page of steps and no longer.
 */
import type Database from 'better-sqlite3';

export class ReadTransactions {
  readonly #db: Database.Database;
  #open = 0;

  constructor(db: Database.Database) {
    this.#db = db;
  }

  /** Ends with a call of what it gives. Looks that overlap are one. */
  begin(): () => void {
    if (this.#open === 0) this.#db.exec('BEGIN');
    this.#open += 1;
    return () => {
      this.#open -= 1;
      // Closing the log in the middle ends it.
      if (this.#open === 0 && this.#db.open) this.#db.exec('COMMIT');
    };
  }
}

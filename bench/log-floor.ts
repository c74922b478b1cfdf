/**
 * The floor of the log: what a run has SQLite do, done again with nothing of ours. In: the statements of a real log, listened to while it is
 * written. Out: the same ones in a log with the same tables and settings, where rows lie ready: nothing is hashed, compressed or put together.
 */
import Database from 'better-sqlite3';
import { openForWriting, useWal } from '../src/log/file.js';

/** A statement as it was run. */
interface Done {
  readonly sql: string;
  readonly values: readonly unknown[];
}

type Prepare = (this: Database.Database, sql: string) => Database.Statement;

const prepare = Reflect.get(Database.prototype, 'prepare') as Prepare;

export class BareLog {
  readonly #db: Database.Database;
  readonly #statements = new Map<string, Database.Statement>();
  #heard: Done[] = [];

  /** Listens to every log of this process that is opened from now on, until `close`. */
  constructor(path: string) {
    this.#db = openForWriting(path);
    useWal(this.#db, path);
    const hear = (done: Done) => this.#heard.push(done);
    Reflect.set(Database.prototype, 'prepare', function prepareHeard(this: Database.Database, sql: string) {
      const statement = prepare.call(this, sql);
      if (!/^(?:BEGIN|COMMIT|INSERT)/.test(sql)) return statement;
      const run = statement.run.bind(statement);
      const runHeard = (...values: unknown[]) => {
        hear({ sql, values });
        return run(...values);
      };
      return Object.defineProperty(statement, 'run', { value: runHeard });
    });
  }

  /** Gives the work that does what was heard since it was asked last. */
  again(): () => void {
    const ready = this.#heard.map(({ sql, values }) => ({ statement: this.#statement(sql), values }));
    this.#heard = [];
    return () => {
      for (const { statement, values } of ready) statement.run(...values);
    };
  }

  #statement(sql: string): Database.Statement {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const made = prepare.call(this.#db, sql);
    this.#statements.set(sql, made);
    return made;
  }

  close(): void {
    Reflect.set(Database.prototype, 'prepare', prepare);
    this.#db.close();
  }
}

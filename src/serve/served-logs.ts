/**
 * The logs of a server: a run and its forks are in one file, which has one writer. Run ids from clients are
 * looked up here, so none of them becomes a path.
 */
import { LogWriter } from '../log/writer.js';

export interface HeldLog {
  writer: LogWriter;
  /** The last user closes the log. */
  close(): void;
}

interface OpenLog {
  writer: LogWriter;
  users: number;
}

export class ServedLogs {
  readonly #open = new Map<string, OpenLog>();
  readonly #paths = new Map<string, string>();

  /** For any run that was begun here, however long ago; null for any other. */
  pathOf(runId: string): string | null {
    return this.#paths.get(runId) ?? null;
  }

  /** Throws StorageError if the log can't be used. */
  hold(path: string, runId: string): HeldLog {
    const log = this.#open.get(path) ?? { writer: new LogWriter(path), users: 0 };
    log.users += 1;
    this.#open.set(path, log);
    this.#paths.set(runId, path);
    let isHeld = true;
    return {
      writer: log.writer,
      close: () => {
        if (!isHeld) return;
        isHeld = false;
        log.users -= 1;
        if (log.users > 0) return;
        this.#open.delete(path);
        log.writer.close();
      },
    };
  }
}

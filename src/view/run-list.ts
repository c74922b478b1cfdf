/**
 * The list of the runs of many logs, as the page of a folder shows it, and its growth while the logs are
 * read. Shared with the browser: no Node.
 */

/** One run of the list. Texts are as logged. */
export interface ListedRun {
  /** From 0, in reading order; the run's page is at `runs/N/`. */
  number: number;
  /** The log's path as given on the command line, or below a folder that was given. */
  log: string;
  id: string;
  scenario: string;
  seed: string;
  players: string;
  status: string;
  /** Why it ended; '' while it is in progress. */
  reason: string;
  turns: number;
  steps: number;
  /** The mean reward of its agents; null if the scenario has no rewards. */
  return: number | null;
  isFork: boolean;
  /** The time in milliseconds since 1970. */
  startedAt: number;
}

export interface RunListPart {
  runs: readonly ListedRun[];
  /** Null while more logs are being read. */
  end: RunListEnd | null;
}

export interface RunListEnd {
  /** Whether a log could not be read; the terminal shows why. */
  isIncomplete: boolean;
}

/**
 * How long runs are collected for one part, so that the list grows visibly, but is not redrawn for each run.
 */
const COLLECT_MS = 300;

/** Runs are added as they are read; parts are taken by the server of the page. */
export class RunListFeed {
  #unsent: ListedRun[] = [];
  #end: RunListEnd | null = null;
  #isComplete = false;
  #wake: () => void = () => undefined;

  add(run: ListedRun): void {
    this.#unsent.push(run);
  }

  end(end: RunListEnd): void {
    this.#end = end;
    this.#wake();
  }

  /** The runs since the last part; null after the last part, which contains the end. */
  async next(): Promise<RunListPart | null> {
    if (this.#isComplete) return null;
    if (this.#end === null) await this.#collect();
    const part = { runs: this.#unsent, end: this.#end };
    this.#unsent = [];
    this.#isComplete = part.end !== null;
    return part;
  }

  async #collect(): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, COLLECT_MS);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

/** The runs of one server, by id; a request that names none means the newest. */
import type { Lease } from './leases.js';
import { ServeError, shuttingDown } from './serve-error.js';
import type { ServedRun } from './served-run.js';

/** What a client may request in addition to the default run. */
export interface RunRequest {
  /** Empty: the scenario with which the server was started. */
  scenario: string;
  /** Empty: the scenario's own. */
  seed: string;
  set: readonly string[];
  /** Null: a new run. */
  from: ForkPlace | null;
}

/** The beginning of a run that forks another. */
export interface ForkPlace {
  run: string;
  /** The first tick that the fork plays itself. */
  tick: number;
}

export type OpenRun = (request: RunRequest) => Promise<ServedRun>;

export class ServedWorld {
  /** A new value at every start of the server. */
  readonly instance: string;
  readonly #runs = new Map<string, ServedRun>();
  readonly #open: OpenRun;
  readonly #limit: number;
  #isClosing = false;

  constructor({ instance, open, limit }: { instance: string; open: OpenRun; limit: number }) {
    this.instance = instance;
    this.#open = open;
    this.#limit = limit;
  }

  get runs(): readonly ServedRun[] {
    return [...this.#runs.values()];
  }

  /** Begins a run and serves it. */
  async create(request: RunRequest): Promise<ServedRun> {
    const run = await this.prepare(request);
    await run.begin().catch((error: unknown) => {
      this.#runs.delete(run.record.runId);
      throw error;
    });
    return run;
  }

  /** Serves a run that begins later. */
  async prepare(request: RunRequest): Promise<ServedRun> {
    if (this.#isClosing) throw shuttingDown();
    const runningCount = this.runs.filter(({ end }) => end === null).length;
    if (runningCount >= this.#limit)
      throw new ServeError(
        'RATE_LIMITED',
        `the server plays at most ${this.#limit} runs at once (--runs)`,
        1000,
      );
    const run = await this.#open(request);
    const { runId } = await run.prepare();
    this.#runs.set(runId, run);
    this.#forgetEnded();
    return run;
  }

  run(id: string): ServedRun {
    const run = id === '' ? this.runs.at(-1) : this.#runs.get(id);
    if (run !== undefined) return run;
    throw new ServeError('RUN_NOT_FOUND', noRun(id, [...this.#runs.keys()]));
  }

  /** The run that a lease belongs to. */
  holder(secret: string): { run: ServedRun; lease: Lease } {
    if (secret === '') throw new ServeError('FIELD_INVALID', 'lease is missing: AcquireLease returns it');
    let lastError: unknown = null;
    for (const run of this.runs) {
      if (!run.leases.knows(secret)) continue;
      try {
        return { run, lease: run.requireLease(secret) };
      } catch (error) {
        lastError = error;
      }
    }
    throw lastError ?? new ServeError('LEASE_EXPIRED', 'the lease has ended: acquire another one');
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    await Promise.all(this.runs.map((run) => run.shutDown()));
  }

  /** Finished runs are kept for clients that still ask about them, but only a limited number. */
  #forgetEnded(): void {
    const ended = [...this.#runs].filter(([, { end }]) => end !== null);
    for (const [id] of ended.slice(0, Math.max(0, ended.length - ENDED_KEPT))) this.#runs.delete(id);
  }
}

const ENDED_KEPT = 64;
/** The newest existing runs, for an error about an unknown one. */
const RUNS_LISTED = 3;

function noRun(id: string, runs: readonly string[]): string {
  if (runs.length === 0) return 'no run has begun';
  const newest = runs.slice(-RUNS_LISTED).toReversed().join(', ');
  return `there is no run "${id}"; ${runs.length === 1 ? 'the only run is' : 'the newest are'} ${newest}`;
}

/**
 * Plays the runs of a batch: an interface, and its implementation in this process (others:
 * `workers/process-executor.ts`, `remote/queue-executor.ts`). Only one run at a time writes to a log; a log
 * stays open between two runs, because opening and closing it is slow. Long work is done
 * in pieces, each in its own round of the event loop (`eventLoop`), so that it doesn't hold up the runs that
 * are playing.
 */
import type { OpenedScenario } from '../assembly/opened-scenario.js';
import { openLogged } from '../assembly/open-logged.js';
import { resumeContinuation } from '../assembly/resume.js';
import { loggedEnvironment } from '../assembly/logged-environment.js';
import type { EnvironmentModule } from '../worlds/environment-module.js';
import { prepare } from '../assembly/play.js';
import type { PlayOptions } from '../assembly/play.js';
import { LogReader } from '../log/reader.js';
import type { RunEnd } from '../trajectory/records.js';
import type { RunSink } from '../trajectory/sink.js';
import { withUnreadNotice } from '../trajectory/unread-replies.js';
import { LogWriter } from '../log/writer.js';
import { eventLoop } from '../model/fair-queue.js';
import type { StopSignals } from '../orchestrator/run-context.js';
import { requireVersions } from '../replay/restored-history.js';
import type { Scenario } from '../scenario/scenario.js';
import { onServers, seatNames } from './players.js';
import type { AskedServers } from './players.js';
import { holdsRun } from './ledger.js';
import type { PlannedRun } from './plan.js';
import { withSpendingReports } from '../trajectory/spending.js';
import type { Spending } from '../trajectory/spending.js';

/** Where and how a run is played. */
export interface RunLocation {
  /** Path of the log: no other process writes it. */
  log: string;
  /** Whether the log contains the run, which is then continued. */
  isBegun: boolean;
  servers: AskedServers;
  stop: StopSignals;
  /** Called after each answer of a model; the answer counts once the returned promise is settled. */
  onSpent: (spent: Spending) => void | Promise<void>;
  /**
   * Whether a step must wait until the previous spending has been counted. Used by `ProcessExecutor`, because
   * another process counts it; `QueueExecutor` sends it with the job to the worker's own executor.
   */
  hasBudget?: boolean;
  /**
   * Awaited before each step. Used by `LocalExecutor`: in a worker process with a budget, it waits until the
   * batch has counted what was spent (`workers/serve-batch.ts`).
   */
  beforeStep?: () => Promise<void>;
}

export interface Executor {
  /**
   * Plays to the end, or as far as possible. Throws what ended the run from outside (ModelError, StorageError
   * …), with the log intact.
   */
  play(run: PlannedRun, location: RunLocation): Promise<RunEnd>;
  /** Whether a log contains the beginning of the run. */
  hasRun(run: PlannedRun, log: string): boolean;
  /** Closes a log between two runs, so that another process may write it. */
  release(log: string): Promise<void>;
  /** Closes every log. */
  close(): Promise<void>;
}

export interface LocalOptions {
  open: (run: PlannedRun) => Promise<OpenedScenario>;
  modules: readonly EnvironmentModule[];
  /** Receives warnings for the user about a run; many runs have the same warnings. */
  onRemark: (text: string) => void;
  /** Controllers of this run only, by agent: the user's programs. */
  controllersFor?: (run: PlannedRun, log: string) => NonNullable<PlayOptions['controllers']>;
  /** For every run: clock, network, keys, admission, and custom controllers and memories. */
  play: PlayOptions;
}

/** Plays in this process. */
export class LocalExecutor implements Executor {
  readonly #options: LocalOptions;
  readonly #writers = new Map<string, LogWriter>();
  /** Agents, by cell, about whose unreadable replies the user was warned. */
  readonly #warnedPlayers = new Set<string>();

  constructor(options: LocalOptions) {
    this.#options = options;
  }

  play(run: PlannedRun, location: RunLocation): Promise<RunEnd> {
    return location.isBegun ? this.#resume(run, location) : this.#begin(run, location);
  }

  hasRun(run: PlannedRun, log: string): boolean {
    return holdsRun(run.id, log);
  }

  async release(log: string): Promise<void> {
    const writer = this.#writers.get(log);
    if (writer === undefined) return;
    await eventLoop.quietRound();
    this.#writers.delete(log);
    // Writes everything that the log has buffered to its file, and waits for the disk.
    writer.close();
  }

  async close(): Promise<void> {
    for (const log of this.#writers.keys()) await this.release(log);
  }

  async #begin(run: PlannedRun, location: RunLocation): Promise<RunEnd> {
    const { writer, opened } = await eventLoop.oneAtATime(async () => {
      const log = this.#writerOf(location.log);
      await eventLoop.quietRound();
      return { writer: log, opened: await this.#options.open(run) };
    });
    const scenario = onServers(opened.scenario, run.players, location.servers);
    const options = { ...this.#playOptions(run, location), runId: run.id };
    const prepared = await prepare({ ...opened, scenario }, options);
    for (const remark of prepared.remarks) this.#options.onRemark(remark);
    await eventLoop.nextRound();
    return prepared.play(
      this.#withUnreadWarning(
        withSpendingReports(writer, scenario, (spent) => void location.onSpent(spent)),
        run,
      ),
    );
  }

  async #resume(run: PlannedRun, location: RunLocation): Promise<RunEnd> {
    const { modules } = this.#options;
    const writer = await eventLoop.oneAtATime(async () => this.#writerOf(location.log));
    const reader = new LogReader(location.log);
    try {
      const { opened, goesOn } = await eventLoop.oneAtATime(async () => {
        const record = reader.run(run.id);
        requireVersions(record);
        const open = (logged: typeof record) => loggedEnvironment(logged, modules);
        const change = (scenario: Scenario): Scenario => onServers(scenario, run.players, location.servers);
        await eventLoop.quietRound();
        const reopened = await openLogged(record, { modules, change });
        await eventLoop.quietRound();
        return { opened: reopened, goesOn: resumeContinuation({ reader, run: record, open }) };
      });
      await eventLoop.quietRound();
      const options = { ...this.#playOptions(run, location), goesOn };
      const prepared = await prepare(opened, options);
      await eventLoop.nextRound();
      return await prepared.play(
        this.#withUnreadWarning(
          withSpendingReports(writer, opened.scenario, (spent) => void location.onSpent(spent)),
          run,
        ),
      );
    } finally {
      reader.close();
    }
  }

  #playOptions(
    run: PlannedRun,
    { log, stop, beforeStep }: RunLocation,
  ): LocalOptions['play'] & Pick<PlayOptions, 'player' | 'seatPlayers' | 'stop' | 'beforeStep'> {
    const { play, controllersFor } = this.#options;
    return {
      ...play,
      ...(run.players.kind === 'own' ? {} : { player: run.cell.players }),
      seatPlayers: seatNames(run.players),
      stop,
      ...(beforeStep === undefined ? {} : { beforeStep }),
      controllers: { ...play.controllers, ...controllersFor?.(run, log) },
    };
  }

  /** Reports unreadable replies, once for each agent of the same players. */
  #withUnreadWarning(sink: RunSink, { id, cell }: PlannedRun): RunSink {
    return withUnreadNotice(sink, (text, agent) => {
      const player = JSON.stringify([cell, agent]);
      if (this.#warnedPlayers.has(player)) return;
      this.#warnedPlayers.add(player);
      this.#options.onRemark(`${id}: ${text}`);
    });
  }

  #writerOf(log: string): LogWriter {
    const writer = this.#writers.get(log) ?? new LogWriter(log);
    this.#writers.set(log, writer);
    return writer;
  }
}

/**
 * The runner: keeps a program running for each entity of a served world that has one. Its caller reports each
 * entity (`update`). It starts programs, starts them again if they end, and gives up a program that ends too
 * often; while the world can't be reached, it starts none and counts no restarts. It never sees an
 * observation or an intent, because programs play over the network themselves.
 */
import { join, resolve } from 'node:path';
import type { RunnerProgram, RunnerSpec } from '../scenario/runner.js';
import { AgentProgram, END_MS } from './agent-program.js';
import type { ProgramEnd } from './agent-program.js';
import { Guard } from '../assembly/guarded.js';
import { OutputFile } from './output-file.js';
import { programFor } from './policy.js';
import { programPath } from './program-file.js';
import { Restarts } from './restarts.js';
import type { WorldGate } from './world-gate.js';

/** An entity as the world lists it. */
export interface RunnableEntity {
  id: string;
  tags: readonly string[];
  /** Whether it still acts, and the server does not play it itself. */
  isControllable: boolean;
}

export type RunnerEvent = {
  entity: string;
  /** The name under which its programs take the lease. */
  controller: string;
  program: string;
  restarts: number;
} & ({ kind: 'started'; pid: number } | ProgramHasEnded | { kind: 'given-up' });

interface ProgramHasEnded {
  kind: 'ended';
  how: string;
  restartMs: number | null;
  /** The path of its output if it crashed; otherwise null. */
  log: string | null;
}

export interface RunnerOptions {
  spec: RunnerSpec;
  /** The folder of the runner's file, to which relative paths refer. */
  folder: string;
  env: Readonly<Record<string, string | undefined>>;
  now: () => number;
  /** Asked whether the world can be reached, once a program has ended and before it is started again. */
  world: Pick<WorldGate, 'answers' | 'back'>;
  onEvent: (event: RunnerEvent) => void;
}

export class Runner {
  readonly #options: RunnerOptions;
  readonly #guard = new Guard();
  readonly #seats = new Map<string, RunnerSeat>();
  #isClosing = false;

  constructor(options: RunnerOptions) {
    this.#options = options;
  }

  /**
   * The current state of an entity: a program is started if the entity has none, and ended if the entity no
   * longer acts.
   */
  update(entity: RunnableEntity): void {
    if (this.#isClosing) return;
    const seat = this.#seats.get(entity.id);
    if (!entity.isControllable) {
      this.#seats.delete(entity.id);
      void seat?.close();
      return;
    }
    if (seat !== undefined) return;
    const program = programFor(entity.tags, this.#options.spec.programs);
    if (program === null) return;
    const newSeat = new RunnerSeat(entity.id, program, this.#options, this.#guard);
    this.#seats.set(entity.id, newSeat);
    newSeat.start();
  }

  /** The run is over: programs learn this themselves, and get a moment to end. */
  async runEnded(): Promise<void> {
    this.#isClosing = true;
    await Promise.all([...this.#seats.values()].map((seat) => seat.untilEnded()));
  }

  /** Ends every program; resolves once all are gone. */
  async close(): Promise<void> {
    this.#isClosing = true;
    await Promise.all([...this.#seats.values()].map((seat) => seat.close()));
    this.#guard.close();
  }
}

/** One entity's program, across its restarts. */
class RunnerSeat {
  readonly #entity: string;
  /** The same for every start, also of the fallback: leases and the log name the session by it. */
  readonly #controller: string;
  readonly #options: RunnerOptions;
  readonly #guard: Guard;
  readonly #output: OutputFile;
  #program: RunnerProgram;
  #restarts: Restarts;
  #isFallback = false;
  #running: AgentProgram | null = null;
  #timer: NodeJS.Timeout | null = null;
  #isClosed = false;

  constructor(entity: string, program: RunnerProgram, options: RunnerOptions, guard: Guard) {
    this.#entity = entity;
    this.#controller = `runner:${entity}`;
    this.#program = program;
    this.#options = options;
    this.#restarts = new Restarts(options.spec.restarts);
    this.#guard = guard;
    this.#output = new OutputFile(join(options.folder, options.spec.logs, `${entity}.log`));
  }

  start(): void {
    if (this.#isClosed) return;
    const { spec, folder, env } = this.#options;
    const program = this.#program;
    this.#running = new AgentProgram(
      {
        program,
        path: programPath(folder, program.program),
        configFile: program.configFile === null ? null : resolve(folder, program.configFile),
        cwd: folder,
        world: spec.world,
        entity: this.#entity,
        controller: this.#controller,
        env,
        output: this.#output,
        guard: this.#guard,
      },
      (end) => void this.#ended(end),
    );
    const { pid } = this.#running;
    if (pid !== null) this.#report({ kind: 'started', pid });
  }

  async untilEnded(): Promise<void> {
    this.#isClosed = true;
    await this.#running?.ended(END_MS);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    await this.#running?.end();
  }

  async #ended({ how, hasCrashed }: ProgramEnd): Promise<void> {
    this.#running = null;
    // A program may end because the world is gone, which is not the program's fault.
    const isWorldThere = this.#isClosed || (await this.#options.world.answers());
    if (this.#isClosed) return this.#report({ kind: 'ended', how, restartMs: null, log: null });
    const log = hasCrashed ? this.#output.path : null;
    if (!isWorldThere) {
      this.#report({ kind: 'ended', how, restartMs: null, log });
      return this.#startOnceBack();
    }
    const next = this.#restarts.ended(this.#options.now());
    this.#report({ kind: 'ended', how, restartMs: next.kind === 'start' ? next.afterMs : null, log });
    if (next.kind === 'start') {
      this.#timer = setTimeout(() => void this.#startAgain(), next.afterMs);
      return;
    }
    this.#report({ kind: 'given-up' });
    const { fallback } = this.#options.spec;
    if (fallback === null || this.#isFallback) return;
    this.#isFallback = true;
    this.#program = fallback;
    this.#restarts = new Restarts(this.#options.spec.restarts);
    this.start();
  }

  async #startAgain(): Promise<void> {
    if (await this.#options.world.answers()) this.start();
    else if (!this.#isClosed) await this.#startOnceBack();
  }

  async #startOnceBack(): Promise<void> {
    try {
      await this.#options.world.back();
    } catch {
      // The watcher of the world gets the same error and ends the runner.
      return;
    }
    this.start();
  }

  #report(event: { kind: 'started'; pid: number } | ProgramHasEnded | { kind: 'given-up' }): void {
    const shared = {
      entity: this.#entity,
      controller: this.#controller,
      program: this.#program.name,
      restarts: this.#restarts.count,
    };
    this.#options.onEvent({ ...shared, ...event });
  }
}

/**
 * One start of an agent's program: without a shell and without arguments, in its own process group, with an
 * environment that contains no secret except those that `env` and `pass_env` name. It gets the world, the
 * entity and its configuration in variables; it plays over the network, and none of that passes through here.
 */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { join } from 'node:path';
import { passedOn } from '../assembly/local-program.js';
import { PROGRAM_MARK, killStrays } from '../assembly/strays.js';
import type { RunnerProgram } from '../scenario/runner.js';
import type { Guard } from '../assembly/guarded.js';
import type { OutputFile } from './output-file.js';
import { startFault } from './program-file.js';

export interface ProgramStart {
  program: RunnerProgram;
  /** The program's absolute path. */
  path: string;
  cwd: string;
  world: string;
  entity: string;
  /** The absolute path of its own configuration file; null: one is written for it. */
  configFile: string | null;
  /** The name under which it takes the lease. */
  controller: string;
  env: Readonly<Record<string, string | undefined>>;
  output: OutputFile;
  guard: Guard;
}

export interface ProgramEnd {
  /** Completes "the program …". */
  how: string;
  /** Whether its output says more: it ran, and did not end normally. */
  hasCrashed: boolean;
}

export type ProgramEnded = (end: ProgramEnd) => void;

/** The time that a program has to end after SIGTERM. */
export const END_MS = 2000;

export class AgentProgram {
  readonly #child: ChildProcess;
  readonly #folder: string;
  readonly #guard: Guard;
  readonly #ended: Promise<void>;

  constructor(start: ProgramStart, ended: ProgramEnded) {
    const { program, path, cwd, configFile, world, entity, controller, env, output, guard } = start;
    this.#guard = guard;
    this.#folder = guard.makeFolder();
    const config = configFile ?? join(this.#folder, 'config.json');
    // Its content may be secret from other programs.
    if (configFile === null) writeFileSync(config, program.config, { mode: 0o600 });
    this.#child = spawn(path, program.args, {
      cwd,
      env: {
        ...passedOn(env),
        PYTHONUNBUFFERED: '1',
        ...Object.fromEntries(program.passEnv.map((name) => [name, env[name]])),
        ...program.env,
        WORLD_ADDR: world,
        ENTITY_ID: entity,
        CONTROLLER_ID: controller,
        AGENT_CONFIG_PATH: config,
        [PROGRAM_MARK]: this.#folder,
      },
      stdio: 'pipe',
      detached: true,
    });
    this.#child.stdin?.destroy();
    if (this.pid !== null) guard.add(this.pid);
    for (const stream of [this.#child.stdout, this.#child.stderr])
      stream?.on('data', (chunk: Buffer) => output.write(chunk));
    this.#ended = this.#watch(start, ended);
  }

  /** Null if it could not be started. */
  get pid(): number | null {
    return this.#child.pid ?? null;
  }

  /** Resolves once it has ended by itself, or after this many milliseconds. */
  async ended(withinMs: number): Promise<void> {
    const timeout = new AbortController();
    await Promise.race([
      this.#ended,
      wait(withinMs, undefined, { signal: timeout.signal }).catch(() => undefined),
    ]);
    timeout.abort();
  }

  /** Asks it to end; if it doesn't, kills it with everything that it started. */
  async end(): Promise<void> {
    this.#signal('SIGTERM');
    const timer = setTimeout(() => this.#signal('SIGKILL'), END_MS);
    await this.#ended;
    clearTimeout(timer);
  }

  #watch(start: ProgramStart, ended: ProgramEnded): Promise<void> {
    const child = this.#child;
    return new Promise((resolve) => {
      const end = (how: string, hasCrashed: boolean): void => {
        // Processes that it started must not outlive it.
        this.#signal('SIGKILL');
        killStrays(this.#folder);
        if (this.pid !== null) this.#guard.remove(this.pid);
        rmSync(this.#folder, { recursive: true, force: true });
        this.#guard.removeFolder(this.#folder);
        resolve();
        ended({ how, hasCrashed });
      };
      child.once('error', (error) =>
        end(`can't be started: ${startFault(start.program.program, start.path, error)}`, false),
      );
      child.once('exit', (code, signal) =>
        end(code === null ? `was killed by ${signal ?? 'a signal'}` : `exited with code ${code}`, code !== 0),
      );
    });
  }

  #signal(signal: 'SIGTERM' | 'SIGKILL'): void {
    const { pid } = this;
    if (pid === null) return;
    try {
      process.kill(-pid, signal);
    } catch {
      // The group is gone.
    }
  }
}

/**
 * `--process agent="program args…"`: from the words of the command line to controllers. The words are split
 * as a shell would split them, but no shell ever runs them. The programs' standard error is stored next to
 * the log.
 */
import { appendFileSync } from 'node:fs';
import type { Controller } from '../../agent/controller.js';
import { processController } from '../../agent/controllers/process.js';
import { localProgram } from '../../assembly/local-program.js';
import { UsageError } from '../../base/errors.js';
import { LIMITS } from '../../base/limits.js';
import type { Io } from '../terminal/io.js';
import { splitWords } from '../../base/shell-words.js';

export interface AgentProgram {
  agent: string;
  command: readonly [program: string, ...args: string[]];
  /** Its name in the log; the program's own name by default. */
  name?: string;
}

/** One value of `--process`. Throws UsageError. */
export function programOption(value: string): AgentProgram {
  const equalsSign = value.indexOf('=');
  const agent = value.slice(0, Math.max(0, equalsSign)).trim();
  const words = splitWords(value.slice(equalsSign + 1));
  const [program, ...args] = words ?? [];
  if (agent === '' || words === null || program === undefined || program === '') {
    const reason = words === null ? 'a quotation mark is not closed' : 'it takes agent="program args…"';
    throw new UsageError(`--process ${value}: ${reason}`, ['--process knight="python3 agent.py"']);
  }
  return { agent, command: [program, ...args] };
}

export interface ProgramControllers {
  controllers: Readonly<Record<string, Controller>>;
  /** From now on, standard error goes into files whose names begin with this; earlier output comes first. */
  storeErrorsAt: (path: (agent: string) => string) => void;
}

export function programControllers(
  programs: readonly AgentProgram[],
  io: Io,
  seconds: number | undefined,
): ProgramControllers {
  const errorFiles = programs.map(({ agent }) => new ErrorFile(agent));
  const entries = programs.map(({ agent, command, name }, i) => {
    const errors = (chunk: Uint8Array): void => errorFiles[i]?.write(chunk);
    const local = localProgram({ command, cwd: io.cwd, env: io.env, errors });
    const program = name === undefined ? local : { ...local, name };
    const options = seconds === undefined ? {} : { replyMs: seconds * 1000 };
    return [agent, processController(program, options)] as const;
  });
  return {
    controllers: Object.fromEntries(entries),
    storeErrorsAt: (path) => errorFiles.forEach((file) => file.open(path(file.agent))),
  };
}

/** The file is created only if something is written; it contains the first LIMITS.programErrorBytes. */
class ErrorFile {
  readonly agent: string;
  #path: string | null = null;
  #buffered: Uint8Array[] = [];
  #remainingBytes: number = LIMITS.programErrorBytes;

  constructor(agent: string) {
    this.agent = agent;
  }

  open(path: string): void {
    this.#path = path;
    const buffered = Buffer.concat(this.#buffered);
    this.#buffered = [];
    if (buffered.length > 0) this.#append(path, buffered);
  }

  write(chunk: Uint8Array): void {
    const stored = chunk.subarray(0, this.#remainingBytes);
    this.#remainingBytes -= stored.length;
    if (stored.length === 0) return;
    if (this.#path === null) this.#buffered.push(stored);
    else this.#append(this.#path, stored);
  }

  /** A full disk is reported by the log, which is written first. */
  #append(path: string, bytes: Uint8Array): void {
    try {
      appendFileSync(path, bytes);
    } catch {
      this.#remainingBytes = 0;
    }
  }
}

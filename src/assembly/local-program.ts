/**
 * A program on this machine, as a child process: started without a shell, in its own process group and with
 * an environment without secrets. Its output is read as lines of limited length; when it ends, its child
 * processes are ended too.
 */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { basename } from 'node:path';
import type { Readable } from 'node:stream';
import type { Program, ProgramListener, RunningProgram } from '../agent/controllers/process/program.js';
import { LIMITS } from '../base/limits.js';
import { isOutOfFiles, systemWords } from '../base/system-words.js';
import { oneLine } from '../base/text.js';
import { PROGRAM_MARK, killStrays } from './strays.js';

/** The program, with its environment, folder and output. */
export interface LocalProgramOptions {
  /** Program and arguments, which no shell interprets. */
  command: readonly [program: string, ...args: string[]];
  /** The folder that it runs in; that of this process by default. */
  cwd?: string;
  /** The environment from which its variables are selected; `process.env` by default. */
  env?: Readonly<Record<string, string | undefined>>;
  /** Receives its output on standard error. */
  errors?: (chunk: Uint8Array) => void;
}

/** Enough to find programs, a home and a language; keys and tokens stay out. */
const PASSED_VARIABLES =
  /^(?:PATH|HOME|USER|LOGNAME|LANG|LANGUAGE|LC_\w+|TZ|TMPDIR|TMP|TEMP|SystemRoot|ComSpec|PATHEXT|USERPROFILE|APPDATA|LOCALAPPDATA)$/i;

/** The part of an environment that a program may know. */
export function passedOn(
  env: Readonly<Record<string, string | undefined>>,
): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(env).filter(([name]) => PASSED_VARIABLES.test(name)));
}

/**
 * A program on this machine for `processController`: started without a shell and with an environment without
 * secrets, and killed together with everything that it started.
 */
export function localProgram(options: LocalProgramOptions): Program {
  return {
    name: basename(options.command[0]),
    start: (listener) => new LocalProcess(options, listener),
  };
}

/** Programs that are still running: none of them outlives this process, however it ends by itself. */
const runningPrograms = new Set<RunningProgram>();
process.on('exit', () => runningPrograms.forEach((program) => program.kill()));

class LocalProcess implements RunningProgram {
  /** Without streams if the limit on open files is reached; its error reports that. */
  readonly #child: ChildProcess;
  readonly #ended: Promise<void>;
  readonly #mark = randomUUID();
  #lastErrors = Buffer.alloc(0);
  #hasEnded = false;

  constructor({ command, cwd, env = process.env, errors }: LocalProgramOptions, listener: ProgramListener) {
    const [program, ...args] = command;
    this.#child = spawn(program, args, {
      cwd,
      env: { ...passedOn(env), [PROGRAM_MARK]: this.#mark },
      stdio: 'pipe',
      detached: process.platform !== 'win32',
      windowsHide: true,
    });
    // If a program no longer reads, its end or its silence is noticed instead.
    this.#child.stdin?.on('error', () => undefined);
    if (this.#child.stdout != null) readLines(this.#child.stdout, listener);
    this.#child.stderr?.on('data', (chunk: Buffer) => {
      this.#lastErrors = Buffer.concat([this.#lastErrors, chunk]).subarray(
        -LIMITS.programLastWordsCharacters * 4,
      );
      errors?.(chunk);
    });
    this.#ended = this.#watch(listener);
    runningPrograms.add(this);
  }

  send(line: string): void {
    const { stdin } = this.#child;
    if (stdin?.writable === true) stdin.write(line);
  }

  kill(): void {
    this.#killGroup();
    const { stdin, stdout, stderr } = this.#child;
    for (const stream of [stdin, stdout, stderr]) stream?.destroy();
    // A process of another user can't be killed, and must not keep this process alive.
    this.#child.unref();
  }

  async end(): Promise<void> {
    this.#child.stdin?.end();
    const timer = setTimeout(() => this.kill(), LIMITS.programEndMs);
    await this.#ended;
    clearTimeout(timer);
  }

  lastWords(): string {
    const text = oneLine(this.#lastErrors.toString());
    return Array.from(text).slice(-LIMITS.programLastWordsCharacters).join('');
  }

  #watch(listener: ProgramListener): Promise<void> {
    const child = this.#child;
    return new Promise((resolve) => {
      const end = (how: string): void => {
        if (this.#hasEnded) return;
        this.#hasEnded = true;
        runningPrograms.delete(this);
        listener.ended(how);
        resolve();
      };
      child.once('error', (error: NodeJS.ErrnoException) => end(startFailure(error)));
      // A process that it left behind would keep its output open, so its whole group is killed.
      child.once('exit', () => this.#killGroup());
      child.once('close', (code, signal) =>
        end(code === null ? `was killed by ${signal ?? 'a signal'}` : `exited with code ${code}`),
      );
    });
  }

  #killGroup(): void {
    const { pid } = this.#child;
    if (pid === undefined || this.#hasEnded) return;
    try {
      if (process.platform === 'win32') this.#child.kill('SIGKILL');
      else process.kill(-pid, 'SIGKILL');
    } catch {
      // No process is left.
    }
    killStrays(this.#mark);
  }
}

function startFailure(error: NodeJS.ErrnoException): string {
  const { code, message } = error;
  if (code === 'ENOENT') return "can't be started: there is no such program (or no such folder to run it in)";
  if (code === 'EACCES') return "can't be started: it is not executable";
  return `can't be started: ${isOutOfFiles(error) ? systemWords(error) : oneLine(message)}`;
}

/** Removes the byte order mark that .NET and PowerShell write. */
const DECODER = new TextDecoder();

/** Complete lines as they arrive; text after the last line end is not a line. */
function readLines(stdout: Readable, listener: ProgramListener): void {
  let parts: Buffer[] = [];
  let size = 0;
  stdout.on('data', (chunk: Buffer) => {
    let start = 0;
    for (;;) {
      const end = chunk.indexOf(0x0a, start);
      const part = chunk.subarray(start, end === -1 ? undefined : end);
      parts.push(part);
      size += part.length;
      if (size > LIMITS.programLineBytes) {
        parts = [];
        stdout.removeAllListeners('data').resume();
        listener.tooLong();
        return;
      }
      if (end === -1) return;
      listener.line(DECODER.decode(Buffer.concat(parts)));
      parts = [];
      size = 0;
      start = end + 1;
    }
  });
}

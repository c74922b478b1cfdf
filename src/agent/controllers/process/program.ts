/**
 * A program as the controller sees it: something that can be started, that lines go to and come from, and that ends. How it is really
 * started is `assembly/local-program.ts`; tests may bring one that is no process at all.
 */

export interface ProgramListener {
  /** A line of its standard output, without its end. */
  line(text: string): void;
  /** A line longer than LIMITS.programLineBytes began; nothing more is read. */
  tooLong(): void;
  /** It is gone. `how` completes "the program …": "ended with exit code 1". Called once, also where it can't be started. */
  ended(how: string): void;
}

/** One start of a program. Lines are without their line break. */
export interface RunningProgram {
  send(line: string): void;
  /** At once, with all that it started. */
  kill(): void;
  /** Closes its input, gives it LIMITS.programEndMs, then kills it. Never rejects. */
  end(): Promise<void>;
  /** The end of what it wrote on standard error, one line; '' for nothing. */
  lastWords(): string;
}

/** A program that can be started, wherever it runs. */
export interface Program {
  /** For the log and messages; no arguments, which may hold secrets. */
  readonly name: string;
  /** The listener is called later, never before this returns. */
  start(listener: ProgramListener): RunningProgram;
}

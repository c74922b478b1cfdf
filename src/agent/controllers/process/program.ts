/**
 * A program as the controller sees it: something that can be started, exchanges lines, and ends.
 * `assembly/local-program.ts` starts real ones; tests may pass something that is not a process.
 */

export interface ProgramListener {
  /** Called with each line of its standard output, without the line break. */
  line(text: string): void;
  /** It wrote a line longer than LIMITS.programLineBytes; nothing more is read. */
  tooLong(): void;
  /**
   * It has ended. `how` completes "the program …": "exited with code 1". Called once, even if it can't be
   * started.
   */
  ended(how: string): void;
}

/** A running program. Lines have no line break. */
export interface RunningProgram {
  send(line: string): void;
  /** Kills it and everything that it started, at once. */
  kill(): void;
  /** Closes its input, waits LIMITS.programEndMs, then kills it. Never rejects. */
  end(): Promise<void>;
  /** The end of its output on standard error, as one line; '' for none. */
  lastWords(): string;
}

/** A program that can be started, wherever it runs. */
export interface Program {
  /** Its name in the log and in messages; without arguments, which may contain secrets. */
  name: string;
  /** The listener is called only after this has returned. */
  start(listener: ProgramListener): RunningProgram;
}

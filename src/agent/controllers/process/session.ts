/**
 * One process of an agent's program, from start to end: it is greeted, then sent one request at a time. Every
 * wait has a time limit. Two failures are distinguished: it died or hung (`ProgramLost`, a restart may help),
 * or it wrote something invalid (ControllerError, a bug in the program).
 */
import { ControllerError } from '../../../base/errors.js';
import { LIMITS } from '../../../base/limits.js';
import { beforeDeadline } from '../../../model/deadline.js';
import { systemClock } from '../../../model/dependencies.js';
import type { Introduction } from '../../controller.js';
import type { Program, RunningProgram } from './program.js';
import { endLine, helloLine, readAnswer } from './wire.js';
import type { ProcessMessage } from './wire.js';

/** The program is gone or does not answer. The message completes "the program …". */
export class ProgramLost extends Error {
  override readonly name = 'ProgramLost';
  readonly lastWords: string;

  constructor(how: string, lastWords: string) {
    super(how);
    this.lastWords = lastWords;
  }
}

const NEVER_ABORTED = new AbortController().signal;

type ProgramReply = Extract<ProcessMessage, { kind: 'reply' }>;

interface AwaitedMessage {
  /** What is waited for: the greeting, or the reply with this id. */
  id: number | null;
  resolve: (answer: ProcessMessage) => void;
  reject: (error: Error) => void;
}

export class ProgramSession {
  readonly #running: RunningProgram;
  readonly #agent: string;
  #awaited: AwaitedMessage | null = null;
  /** Why it can't be asked any more; null while it can. */
  #fault: Error | null = null;
  #newestId = 0;

  constructor(program: Program, agent: string) {
    this.#agent = agent;
    this.#running = program.start({
      line: (text) => this.#receive(text),
      tooLong: () => this.#failProtocol(`wrote a line of more than ${LIMITS.programLineBytes} bytes`),
      ended: (how) => this.#fail(new ProgramLost(how, this.#running.lastWords())),
    });
  }

  /** Throws ProgramLost, ControllerError, or the signal's reason. */
  async greet(introduction: Introduction, timeoutMs: number, signal: AbortSignal): Promise<void> {
    const timeoutMessage = `did not report that it was ready within ${timeoutMs / 1000} s`;
    await this.#exchange(helloLine(introduction), { id: null, timeoutMs, timeoutMessage, signal });
  }

  /** The reply to the line, which carries the id. Throws as `greet` does. */
  async ask(line: string, id: number, timeoutMs: number, signal: AbortSignal): Promise<ProgramReply> {
    this.#newestId = id;
    const timeoutMessage = `did not answer within ${timeoutMs / 1000} s`;
    return (await this.#exchange(line, { id, timeoutMs, timeoutMessage, signal })) as ProgramReply;
  }

  /**
   * Gives it a moment to end by itself. A program that can't be killed either (it runs as another user) is
   * not waited for.
   */
  async end(): Promise<void> {
    this.#running.send(endLine());
    const deadline = { limitMs: 2 * LIMITS.programEndMs, clock: systemClock, signal: NEVER_ABORTED };
    await beforeDeadline(deadline, () => this.#running.end());
  }

  kill(): void {
    this.#running.kill();
  }

  async #exchange(
    line: string,
    {
      id,
      timeoutMs,
      timeoutMessage,
      signal,
    }: { id: number | null; timeoutMs: number; timeoutMessage: string; signal: AbortSignal },
  ): Promise<ProcessMessage> {
    signal.throwIfAborted();
    if (this.#fault !== null) throw this.#fault;
    const timer = setTimeout(() => {
      this.#fail(new ProgramLost(timeoutMessage, this.#running.lastWords()));
      this.#running.kill();
    }, timeoutMs);
    const stop = (): void => this.#fail(signal.reason as Error);
    signal.addEventListener('abort', stop, { once: true });
    try {
      return await new Promise<ProcessMessage>((resolve, reject) => {
        this.#awaited = { id, resolve, reject };
        this.#running.send(line);
      });
    } finally {
      this.#awaited = null;
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
    }
  }

  #receive(text: string): void {
    if (text.trim() === '' || this.#fault !== null) return;
    const answer = readAnswer(text);
    if (answer.kind === 'invalid') return this.#failProtocol(answer.reason);
    if (answer.kind === 'reply' && answer.id > this.#newestId)
      return this.#failProtocol(`answered request ${answer.id}, which was never made`);
    // Ignored: the answer to an earlier request came too late to count.
    const isAwaited = answer.kind === 'ready' ? this.#awaited?.id === null : this.#awaited?.id === answer.id;
    if (isAwaited) this.#awaited?.resolve(answer);
  }

  /** Reports a violation of the protocol: the program has a bug, so a restart would not help. */
  #failProtocol(violation: string): void {
    const lastWords = this.#running.lastWords();
    const error = new ControllerError(`the program of ${this.#agent} ${violation}`, [
      'its standard output must contain only JSON Lines: print everything else to standard error',
      'docs/reference/controllers.md describes the lines that a program receives and sends',
      ...(lastWords === '' ? [] : [`its last output on standard error: ${lastWords}`]),
    ]);
    this.#fail(error);
    this.#running.kill();
  }

  #fail(error: Error): void {
    this.#fault ??= error;
    this.#awaited?.reject(this.#fault);
  }
}

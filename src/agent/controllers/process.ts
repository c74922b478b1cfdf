/**
 * A controller that asks a user's program. One process per agent: started and greeted before the run, sent
 * one request at a time, restarted if it dies or hangs (counted, limited, with the request sent again), and
 * ended with the run.
 */
import { counted } from '../../base/counted.js';
import { ControllerError } from '../../base/errors.js';
import { LIMITS } from '../../base/limits.js';
import type { Controller, ControllerInput, Decision, Introduction } from '../controller.js';
import type { Reply } from '../../model/chat.js';
import { embeddedReply } from './embedded-reply.js';
import type { Program } from './process/program.js';
import { ProgramLost, ProgramSession } from './process/session.js';
import { observeLine } from './process/wire.js';

/** Time limits in milliseconds, and how often the program may be started again. */
export interface ProcessOptions {
  /** The time limit for the first message; at most LIMITS.programStartMs, which is the default. */
  startMs?: number;
  /** The time limit for one reply; two minutes by default. */
  replyMs?: number;
  /** The number of restarts in a run, at most LIMITS.programRestarts; 3 by default. */
  restarts?: number;
}

const REPLY_MS = 120_000;
const RESTARTS = 3;

/**
 * A controller that asks a program, in JSON Lines (docs/reference/controllers.md); one process for each
 * agent. Preparing and deciding throw ControllerError if the program does not start, violates the protocol,
 * or dies or hangs more often than `restarts` allows.
 */
export function processController(program: Program, options: ProcessOptions = {}): Controller {
  const keeper = new ProgramKeeper(program, options);
  return {
    name: `process:${program.name}`,
    isRemote: true,
    decide: (input, signal) => keeper.decide(input, signal),
    prepare: (introduction, signal) => keeper.open(introduction, signal),
    close: () => keeper.close(),
  };
}

/** Keeps the agent's program alive. */
class ProgramKeeper {
  readonly #program: Program;
  readonly #startMs: number;
  readonly #replyMs: number;
  #restartsLeft: number;
  #restarts = 0;
  #introduction: Introduction | null = null;
  #session: ProgramSession | null = null;
  #nextId = 1;

  constructor(program: Program, { startMs, replyMs, restarts }: ProcessOptions) {
    this.#program = program;
    this.#startMs = Math.min(startMs ?? LIMITS.programStartMs, LIMITS.programStartMs);
    this.#replyMs = Math.min(replyMs ?? REPLY_MS, LIMITS.programReplyMs);
    this.#restartsLeft = Math.min(restarts ?? RESTARTS, LIMITS.programRestarts);
  }

  /** The first start. A program that can't even start once is not tried again. */
  async open(introduction: Introduction, signal: AbortSignal): Promise<void> {
    this.#introduction = introduction;
    try {
      await this.#start(introduction, signal);
    } catch (error) {
      throw error instanceof ProgramLost ? this.#controllerError(error, introduction.agent) : error;
    }
  }

  async decide(input: ControllerInput, signal: AbortSignal): Promise<Decision> {
    const startedAt = performance.now();
    const tries: { problem: string; afterMs: number }[] = [];
    const id = this.#nextId;
    this.#nextId += 1;
    for (;;) {
      try {
        const session = await this.#liveSession(input, signal);
        const { content, memory } = await session.ask(observeLine(id, input), id, this.#replyMs, signal);
        const latencyMs = Math.round(performance.now() - startedAt);
        const reply: Reply = { ...embeddedReply(content), latencyMs, tries };
        return { reply, memory: memory ?? input.memory };
      } catch (error) {
        if (!(error instanceof ProgramLost)) throw error;
        this.#drop();
        if (this.#restartsLeft === 0) throw this.#controllerError(error, input.agent);
        this.#restartsLeft -= 1;
        this.#restarts += 1;
        const afterMs = Math.round(performance.now() - startedAt);
        tries.push({ problem: `the program ${error.message}`, afterMs });
      }
    }
  }

  async close(): Promise<void> {
    const session = this.#session;
    this.#session = null;
    await session?.end();
  }

  async #liveSession(input: ControllerInput, signal: AbortSignal): Promise<ProgramSession> {
    if (this.#session !== null) return this.#session;
    return this.#start(this.#introduction ?? introductionFrom(input), signal);
  }

  async #start(introduction: Introduction, signal: AbortSignal): Promise<ProgramSession> {
    const session = new ProgramSession(this.#program, introduction.agent);
    this.#session = session;
    try {
      await session.greet(introduction, this.#startMs, signal);
      return session;
    } catch (error) {
      this.#drop();
      throw error;
    }
  }

  #drop(): void {
    this.#session?.kill();
    this.#session = null;
  }

  /** The message to the user when there is nothing left to try. */
  #controllerError({ message, lastWords }: ProgramLost, agent: string): ControllerError {
    const restartNote = this.#restarts === 0 ? '' : `, after ${counted(this.#restarts, 'restart')}`;
    return new ControllerError(`the program of ${agent} (${this.#program.name}) ${message}${restartNote}`, [
      ...(lastWords === '' ? [] : [`its last output on standard error: ${lastWords}`]),
      'start it by hand and send it an example line from docs/reference/controllers.md: it must answer on standard output and flush each line',
    ]);
  }
}

/** For a controller that was not prepared: the requests contain enough. */
function introductionFrom({ agent, messages }: ControllerInput): Introduction {
  const system = messages.find(({ role }) => role === 'system');
  const instructions = system?.parts.map((part) => (part.kind === 'text' ? part.text : '')).join('') ?? '';
  return { agent, name: agent, instructions, briefing: instructions };
}

/**
 * A run that plays so many steps when it is told to and then waits, so that several runs can be measured by turns in one process: whatever else the
 * machine does meets all of them alike. In: what was set up, with the controllers that `pace` makes; out: what each stretch took.
 */
import { statSync } from 'node:fs';
import type { Controller } from '../src/agent/controller.js';
import type { Played } from './play.js';
import { playRun } from './play.js';
import type { ControllerOf, SetUp } from './set-up.js';

export interface Stretch {
  /** The run's own, from its first. */
  readonly to: number;
  readonly steps: number;
  /** Processor time. */
  readonly us: number;
  /** By how much the log's file grew, without what waits in its WAL. */
  readonly logBytes: number;
}

/** Holds a run's controllers back until they may go on. */
export class Pace {
  #left = 0;
  #arrived: () => void = () => undefined;
  #open: () => void = () => undefined;

  /** The same controllers; before they decide they wait for their run's turn. */
  of(controllerOf: ControllerOf): ControllerOf {
    return (agent, vocabulary) => {
      const controller: Controller = controllerOf(agent, vocabulary);
      return {
        ...controller,
        decide: async (input, signal) => {
          if (this.#left <= 0) await this.#wait();
          return controller.decide(input, signal);
        },
      };
    };
  }

  stepDone(): void {
    this.#left -= 1;
  }

  /** Lets at least so many steps be played; resolves when the next decision waits, or the run is over. */
  async go(steps: number, over: Promise<unknown>): Promise<void> {
    this.#left = steps;
    const arrived = new Promise<void>((resolve) => (this.#arrived = resolve));
    this.#open();
    await Promise.race([arrived, over]);
  }

  /** Lets it go on to its end. */
  release(): void {
    this.#left = Number.POSITIVE_INFINITY;
    this.#open();
  }

  #wait(): Promise<void> {
    const opened = new Promise<void>((resolve) => (this.#open = resolve));
    this.#arrived();
    return opened;
  }
}

export class PacedRun {
  readonly #log: string;
  readonly #pace: Pace;
  readonly #stop = new AbortController();
  readonly #over: Promise<Played>;
  #steps = 0;

  /** `from` was set up with controllers of `pace`. It waits before its first decision. */
  constructor(from: SetUp, pace: Pace, { log, runId }: { readonly log: string; readonly runId: string }) {
    this.#log = log;
    this.#pace = pace;
    const watcher = {
      stepDone: () => {
        this.#steps += 1;
        pace.stepDone();
      },
    };
    this.#over = playRun(from, { log, runId, watcher, soft: this.#stop.signal });
  }

  /** Plays about so many steps more. */
  async play(steps: number): Promise<Stretch> {
    const begun = { us: processorUs(), bytes: sizeOf(this.#log), steps: this.#steps };
    await this.#pace.go(steps, this.#over);
    return {
      to: this.#steps,
      steps: this.#steps - begun.steps,
      us: processorUs() - begun.us,
      logBytes: sizeOf(this.#log) - begun.bytes,
    };
  }

  /** Ends it after the step at hand. */
  async end(): Promise<void> {
    this.#stop.abort();
    this.#pace.release();
    await this.#over;
  }
}

function sizeOf(log: string): number {
  return statSync(log, { throwIfNoEntry: false })?.size ?? 0;
}

function processorUs(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}

/**
 * Tells apart where the time of a step goes. The loop calls its parts; each part is wrapped so that its time is added to its stage of the
 * step that is being played. What belongs to no stage (the loop itself, the chain) is `rest`.
 */
import { performance } from 'node:perf_hooks';
import { median } from './figures.js';

/** In the order of the flow line. `decide` is the scripted controller, where a model would be. */
export const STAGES = [
  'observe',
  'prompt',
  'draw',
  'encode',
  'decide',
  'parse',
  'advance',
  'hash',
  'log',
] as const;
export type Stage = (typeof STAGES)[number];

/** About two runs of the crypt. */
const SIZES_MAX = 256;

export type Row = Stage | 'rest' | 'step';
/** Microseconds. */
type StepTimes = Record<Row, number>;

interface OpenStep {
  readonly wall: number;
  readonly times: StepTimes;
}

export class StageClock {
  readonly #steps: StepTimes[] = [];
  readonly #sizes = new Map<Stage, (() => number)[]>();
  #open: OpenStep | null = null;

  beginStep(): void {
    const times = Object.fromEntries(STAGES.map((stage) => [stage, 0])) as StepTimes;
    this.#open = { times, wall: wallTime() };
  }

  endStep(): void {
    if (this.#open === null) return;
    const { times, wall } = this.#open;
    const whole = wallTime() - wall;
    const rest = STAGES.reduce((left, stage) => left - times[stage], whole);
    // Where `decide` stands a model would think: it is no work of ours.
    const step = whole - times.decide;
    this.#steps.push({ ...times, step, rest });
    this.#open = null;
  }

  /** Forgets the step that is open. */
  dropStep(): void {
    this.#open = null;
  }

  /** Does the work on a stage's account; outside of a step on nobody's. */
  time<T>(stage: Stage, work: () => T): T {
    const from = wallTime();
    const result = work();
    this.#add(stage, wallTime() - from);
    return result;
  }

  async timeAsync<T>(stage: Stage, work: () => Promise<T>): Promise<T> {
    const from = wallTime();
    const result = await work();
    this.#add(stage, wallTime() - from);
    return result;
  }

  #add(stage: Stage, took: number): void {
    if (this.#open !== null) this.#open.times[stage] += took;
  }

  /** A size in bytes, worked out when it is asked for, so that it costs the step nothing. Of the first ones only: they hold memory. */
  size(stage: Stage, bytes: () => number): void {
    const sizes = this.#sizes.get(stage) ?? [];
    if (sizes.length < SIZES_MAX) sizes.push(bytes);
    this.#sizes.set(stage, sizes);
  }

  get steps(): number {
    return this.#steps.length;
  }

  /** Microseconds at a share of all steps, 0.5 for the median. */
  timeOf(row: Row, share = 0.5): number {
    return median(
      this.#steps.map((times) => times[row]),
      share,
    );
  }

  /** Null where no size was told. */
  sizeOf(stage: Stage): number | null {
    const sizes = this.#sizes.get(stage);
    return sizes === undefined ? null : median(sizes.map((bytes) => bytes()));
  }
}

function wallTime(): number {
  return performance.now() * 1000;
}

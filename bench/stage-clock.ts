/**
 * Tells apart where the time of a step goes. The loop calls its parts; each part is wrapped so that its time is added to its stage of the
 * step that is being played. What belongs to no stage (the loop itself, the chain) is `rest`. Two times are kept: the wall's, and
 * the processor time of this process, which a busy machine does not stretch but which leaves out the wait for the disk.
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

/** Microseconds. */
interface Times {
  readonly wall: number;
  readonly cpu: number;
}

const NONE: Times = { wall: 0, cpu: 0 };

export type Row = Stage | 'rest' | 'step';
type StepTimes = Readonly<Record<Row, Times>>;

export class StageClock {
  readonly #steps: StepTimes[] = [];
  readonly #sizes = new Map<Stage, (() => number)[]>();
  #stages = new Map<Stage, Times>();
  /** When the step began; null between steps. */
  #began: Times | null = null;

  /** Ends the step before it, where one is open. */
  beginStep(): void {
    this.endStep();
    this.#stages = new Map();
    this.#began = now();
  }

  endStep(): void {
    if (this.#began === null) return;
    const step = since(this.#began);
    const stages = STAGES.map((stage) => [stage, this.#stages.get(stage) ?? NONE] as const);
    const rest = stages.reduce((left, [, took]) => minus(left, took), step);
    this.#steps.push({ ...Object.fromEntries(stages), rest, step } as StepTimes);
    this.#began = null;
  }

  /** Does the work on a stage's account; outside of a step on nobody's. */
  time<T>(stage: Stage, work: () => T): T {
    const from = now();
    const result = work();
    this.#add(stage, since(from));
    return result;
  }

  async timeAsync<T>(stage: Stage, work: () => Promise<T>): Promise<T> {
    const from = now();
    const result = await work();
    this.#add(stage, since(from));
    return result;
  }

  #add(stage: Stage, took: Times): void {
    const before = this.#stages.get(stage) ?? NONE;
    this.#stages.set(stage, { wall: before.wall + took.wall, cpu: before.cpu + took.cpu });
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
  timeOf(row: Row, kind: keyof Times, share = 0.5): number {
    return median(
      this.#steps.map((times) => times[row][kind]),
      share,
    );
  }

  /** Null where no size was told. */
  sizeOf(stage: Stage): number | null {
    const sizes = this.#sizes.get(stage);
    return sizes === undefined ? null : median(sizes.map((bytes) => bytes()));
  }
}

function now(): Times {
  const { user, system } = process.cpuUsage();
  return { wall: performance.now() * 1000, cpu: user + system };
}

function since(from: Times): Times {
  return minus(now(), from);
}

function minus(a: Times, b: Times): Times {
  return { wall: a.wall - b.wall, cpu: a.cpu - b.cpu };
}

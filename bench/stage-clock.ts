/**
 * Tells apart where the time of a step goes. The loop calls its parts; each part is wrapped so that its time is added to its stage of the
 * step that is being played. What belongs to no stage (the loop itself, the chain) is `rest`. Where it is asked for, each step is followed by its
 * floors: what its stages could have cost at the least, on the same data, with caches that the rest of a step has just been through.
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

/** The bare work of a stage; what it needs is made ready first, on nobody's account. */
interface Bare {
  readonly stage: Stage;
  readonly prepare: () => () => unknown;
}

export class StageClock {
  readonly #steps: StepTimes[] = [];
  readonly #floors: StepTimes[] = [];
  readonly #sizes = new Map<Stage, (() => number)[]>();
  readonly #withFloors: boolean;
  #open: OpenStep | null = null;
  #bare: Bare[] = [];

  constructor({ withFloors }: { readonly withFloors: boolean }) {
    this.#withFloors = withFloors;
  }

  beginStep(): void {
    this.#open = { times: noTimes(), wall: wallTime() };
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
    const floors = this.#doBare();
    if (this.#withFloors) this.#floors.push(floors);
  }

  /** Forgets the step that is open; its bare work is done all the same, since what follows may build on it. */
  dropStep(): void {
    this.#open = null;
    this.#doBare();
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

  /** Bare work of a stage, done and timed when the step has ended. */
  floor(stage: Stage, prepare: () => () => unknown): void {
    if (this.#withFloors) this.#bare.push({ stage, prepare });
  }

  #doBare(): StepTimes {
    const times = noTimes();
    for (const { stage, prepare } of this.#bare) {
      const work = prepare();
      const from = wallTime();
      work();
      const took = wallTime() - from;
      times[stage] += took;
      times.step += took;
    }
    this.#bare = [];
    return times;
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

  /** As `timeOf`, of the floors; 0 where a stage has none. `step` is that of all floors together. */
  floorOf(row: Row): number {
    return median(this.#floors.map((times) => times[row]));
  }

  /** Null where no size was told. */
  sizeOf(stage: Stage): number | null {
    const sizes = this.#sizes.get(stage);
    return sizes === undefined ? null : median(sizes.map((bytes) => bytes()));
  }
}

function noTimes(): StepTimes {
  return Object.fromEntries([...STAGES, 'rest', 'step'].map((row) => [row, 0])) as StepTimes;
}

function wallTime(): number {
  return performance.now() * 1000;
}

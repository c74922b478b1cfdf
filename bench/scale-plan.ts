/**
 * A simulation of a very large batch on a queue, with a virtual clock: machines that die and stand still, servers that go away, a batch and a Redis
 * that are started again. In: a plan; out: how long it takes, what is played twice, and what Redis, the store and the batch see. Runs are simulated,
 * not their single calls: a run needs a number of calls, and all runs share the calls that the servers answer.
 */
import { nextUint32, stream } from '../src/base/rng.js';
import type { RngState } from '../src/base/rng.js';
import { EventHeap } from './event-heap.js';

export interface ScalePlan {
  readonly seed: string;
  readonly runs: number;
  readonly machines: number;
  /** Runs at once on each. */
  readonly parallel: number;
  readonly servers: number;
  /** Calls that a server answers at once, and seconds for each. */
  readonly serverSlots: number;
  readonly callSeconds: number;
  readonly callsARun: number;
  /** Of `worker`: see docs/how-to/use-a-queue.md. */
  readonly lockSeconds: number;
  readonly checkpointSeconds: number;
  /** Mean hours between two failures of one machine or server, and how long each is away. */
  readonly machineHours: number;
  readonly machineAwaySeconds: number;
  readonly serverHours: number;
  readonly serverAwaySeconds: number;
  /** At these hours the batch is killed, or Redis is lost with all that it holds; until it is back nothing is admitted. */
  readonly batchLostAt: readonly number[];
  readonly redisLostAt: readonly number[];
  readonly coordinatorAwaySeconds: number;
}

export interface ScaleOutcome {
  readonly hours: number;
  readonly published: number;
  readonly starts: number;
  readonly machineFailures: number;
  readonly serverFailures: number;
  /** Calls that were answered, and those of them that were answered before. */
  readonly calls: number;
  readonly repeatedCalls: number;
  readonly checkpoints: number;
  /** Most runs that were published in any minute. */
  readonly publishedAMinuteMax: number;
}

/** A run that is being played, or waits to be. */
interface SimulatedRun {
  /** Calls of the whole run. */
  readonly needs: number;
  /** Calls that its last checkpoint holds, and those answered when its present worker began. */
  saved: number;
  /** Where the shared progress stood when it was begun, and when. */
  beganAtProgress: number;
  beganAt: number;
  /** Rises with every start, so that events of an earlier one are known to be stale. */
  attempt: number;
}

type TimedEvent =
  | {
      readonly kind: 'machine-fails' | 'machine-back' | 'server-fails' | 'server-back';
      readonly index: number;
    }
  | { readonly kind: 'returned'; readonly run: number; readonly attempt: number }
  | { readonly kind: 'lost' | 'found' };

interface Completion {
  readonly run: number;
  readonly machine: number;
  readonly attempt: number;
}

const HOUR = 3600;

export function simulateScale(plan: ScalePlan): ScaleOutcome {
  return new ScaleSimulation(plan).play();
}

class ScaleSimulation {
  readonly #plan: ScalePlan;
  /** By time, in seconds. */
  readonly #timed = new EventHeap<TimedEvent>();
  /** By progress: calls that each active run has had answered. */
  readonly #completions = new EventHeap<Completion>();
  readonly #runs: SimulatedRun[];
  readonly #waiting: number[];
  /** The runs that each machine plays; null while it is away. */
  readonly #machines: (Set<number> | null)[];
  #random: RngState;
  #now = 0;
  #progress = 0;
  #active = 0;
  #serversUp: number;
  #coordinators = 0;
  #minute = 0;
  #thisMinute = 0;
  readonly #outcome = {
    published: 0,
    starts: 0,
    machineFailures: 0,
    serverFailures: 0,
    repeatedCalls: 0,
    checkpoints: 0,
    publishedAMinuteMax: 0,
  };

  constructor(plan: ScalePlan) {
    this.#plan = plan;
    this.#random = stream(plan.seed, 'scale');
    // Runs differ in length by a tenth or so.
    this.#runs = Array.from({ length: plan.runs }, () => ({
      needs: Math.round(plan.callsARun * (0.9 + 0.2 * this.#chance())),
      saved: 0,
      beganAtProgress: 0,
      beganAt: 0,
      attempt: 0,
    }));
    // Taken from the end.
    this.#waiting = this.#runs.map((_, i) => plan.runs - 1 - i);
    this.#machines = Array.from({ length: plan.machines }, () => new Set<number>());
    this.#serversUp = plan.servers;
  }

  play(): ScaleOutcome {
    const { machines, servers, machineHours, serverHours, batchLostAt, redisLostAt } = this.#plan;
    for (let i = 0; i < machines; i++) this.#later('machine-fails', i, machineHours * HOUR);
    for (let i = 0; i < servers; i++) this.#later('server-fails', i, serverHours * HOUR);
    for (const hours of [...batchLostAt, ...redisLostAt]) this.#timed.push(hours * HOUR, { kind: 'lost' });
    for (let machine = 0; machine < machines; machine++) this.#fill(machine);
    while (this.#outcome.published < this.#plan.runs) this.#step();
    const needed = this.#runs.reduce((sum, { needs }) => sum + needs, 0);
    const calls = needed + this.#outcome.repeatedCalls;
    return { ...this.#outcome, hours: this.#now / HOUR, calls };
  }

  /** Calls a second that each active run gets answered. */
  get #rate(): number {
    if (this.#coordinators > 0 || this.#active === 0) return 0;
    const { callSeconds, serverSlots } = this.#plan;
    const slots = Math.min(this.#active, this.#serversUp * serverSlots);
    return slots / this.#active / callSeconds;
  }

  #step(): void {
    const rate = this.#rate;
    const completion = this.#completions.first;
    const timed = this.#timed.first;
    const completesAt =
      completion === undefined || rate === 0 ? Infinity : this.#now + (completion.at - this.#progress) / rate;
    const at = Math.min(completesAt, timed?.at ?? Infinity);
    if (at === Infinity) throw new Error('the simulation stands still');
    this.#progress += (at - this.#now) * rate;
    this.#now = at;
    if (completion !== undefined && completesAt <= at) {
      this.#completions.pop();
      this.#complete(completion.value);
    } else if (timed !== undefined) {
      this.#timed.pop();
      this.#handle(timed.value);
    }
  }

  #complete({ run, machine, attempt }: Completion): void {
    const state = this.#runs[run];
    if (state === undefined || state.attempt !== attempt) return;
    this.#machines[machine]?.delete(run);
    this.#active -= 1;
    this.#checkpointsOf(state);
    this.#outcome.published += 1;
    const minute = Math.floor(this.#now / 60);
    this.#thisMinute = minute === this.#minute ? this.#thisMinute + 1 : 1;
    this.#minute = minute;
    this.#outcome.publishedAMinuteMax = Math.max(this.#outcome.publishedAMinuteMax, this.#thisMinute);
    this.#fill(machine);
  }

  #handle(event: TimedEvent): void {
    const { machineAwaySeconds, machineHours, serverAwaySeconds, serverHours } = this.#plan;
    switch (event.kind) {
      case 'machine-fails':
        this.#loseMachine(event.index);
        this.#timed.push(this.#now + machineAwaySeconds, { kind: 'machine-back', index: event.index });
        break;
      case 'machine-back':
        this.#machines[event.index] = new Set();
        this.#fill(event.index);
        this.#later('machine-fails', event.index, machineHours * HOUR);
        break;
      case 'server-fails':
        this.#serversUp -= 1;
        this.#outcome.serverFailures += 1;
        this.#timed.push(this.#now + serverAwaySeconds, { kind: 'server-back', index: event.index });
        break;
      case 'server-back':
        this.#serversUp += 1;
        this.#later('server-fails', event.index, serverHours * HOUR);
        break;
      case 'returned':
        this.#waiting.push(event.run);
        this.#fillAll();
        break;
      case 'lost':
        this.#coordinators += 1;
        this.#timed.push(this.#now + this.#plan.coordinatorAwaySeconds, { kind: 'found' });
        break;
      case 'found':
        this.#coordinators -= 1;
        break;
    }
  }

  /** Its runs come back when their locks have run out, and go on from their checkpoints. */
  #loseMachine(machine: number): void {
    const { lockSeconds } = this.#plan;
    const runs = this.#machines[machine] ?? new Set<number>();
    this.#machines[machine] = null;
    this.#outcome.machineFailures += 1;
    for (const run of runs) {
      const state = this.#runs[run];
      if (state === undefined) continue;
      const done = Math.min(state.needs, state.saved + this.#progress - state.beganAtProgress);
      const saved = this.#checkpointsOf(state);
      this.#outcome.repeatedCalls += Math.floor(done) - Math.floor(saved);
      state.saved = saved;
      state.attempt += 1;
      this.#active -= 1;
      // Between one and one and a half locks: the queue looks for stalled jobs every half lock.
      const away = lockSeconds * (1 + this.#chance() / 2);
      this.#timed.push(this.#now + away, { kind: 'returned', run, attempt: state.attempt });
    }
  }

  /** Counts the checkpoints of the present attempt, and gives the calls that the last one holds. */
  #checkpointsOf(state: SimulatedRun): number {
    const { checkpointSeconds } = this.#plan;
    const seconds = this.#now - state.beganAt;
    const count = Math.floor(seconds / checkpointSeconds);
    this.#outcome.checkpoints += count;
    const share = seconds === 0 ? 0 : (count * checkpointSeconds) / seconds;
    return state.saved + share * (this.#progress - state.beganAtProgress);
  }

  #fillAll(): void {
    for (let machine = 0; machine < this.#machines.length && this.#waiting.length > 0; machine++)
      this.#fill(machine);
  }

  #fill(machine: number): void {
    const runs = this.#machines[machine];
    if (runs == null) return;
    while (runs.size < this.#plan.parallel) {
      const run = this.#waiting.pop();
      const state = run === undefined ? undefined : this.#runs[run];
      if (run === undefined || state === undefined) return;
      state.attempt += 1;
      state.beganAt = this.#now;
      state.beganAtProgress = this.#progress;
      runs.add(run);
      this.#active += 1;
      this.#outcome.starts += 1;
      const endsAt = this.#progress + state.needs - state.saved;
      this.#completions.push(endsAt, { run, machine, attempt: state.attempt });
    }
  }

  /** After a time that is drawn for a constant rate of failures. */
  #later(kind: 'machine-fails' | 'server-fails', index: number, meanSeconds: number): void {
    this.#timed.push(this.#now - Math.log(1 - this.#chance()) * meanSeconds, { kind, index });
  }

  #chance(): number {
    const { value, state } = nextUint32(this.#random);
    this.#random = state;
    return value / 2 ** 32;
  }
}

/**
 * One run that is served: the loop plays it, the holders of the leases decide for its served entities, and a
 * schedule lets time pass. All requests of clients go through here; nothing here knows a transport.
 */
import type { Controller } from '../agent/controller.js';
import type { OpenedScenario } from '../assembly/opened-scenario.js';
import { prepare } from '../assembly/play.js';
import type { PlayOptions, PreparedRun } from '../assembly/play.js';
import type { RunEnd, RunRecord, StepRecord } from '../trajectory/records.js';
import type { TickTiming } from '../trajectory/record-values.js';
import { WORLD_ID } from '../base/ids.js';
import { withEither } from '../model/abort.js';
import { Alarm, OVER } from './clock.js';
import type { ServeClock } from './clock.js';
import { agentOutcome } from '../environment/outcome.js';
import { Earnings } from './earnings.js';
import type { EntityEnding } from './earnings.js';
import { Gate } from './gate.js';
import type { GateWorld, SubmittedIntent, IntentOutcome } from './gate.js';
import { Leases } from './leases.js';
import type { Lease, LeaseRequest } from './leases.js';
import type { RunStore, ServedBefore, RunStoreParts } from './run-store.js';
import { Schedule } from './schedule.js';
import type { SchedulePace, TickTimes } from './schedule.js';
import { requiredHolders, RECHECK_MS, servingOf } from './serving.js';
import type { ServedState, ServedRunRules } from './serving.js';
import { ServeError, shuttingDown } from './serve-error.js';
import { RunNews } from './run-news.js';
import type { TickNews } from './run-news.js';
import type { BoundedReader } from './streams.js';
import { UntimelyCounts } from './untimely-counts.js';

export interface ServedRunOptions extends ServedRunRules {
  opened: OpenedScenario;
  clock: ServeClock;
  secret: () => string;
  /** Opens the run's log, once the run has a name. */
  openStore: (run: RunRecord, parts: RunStoreParts) => RunStore;
  /** The earlier part of a continued run. */
  before?: ServedBefore;
  play?: Omit<PlayOptions, 'controllers' | 'beforeStep' | 'beforeSettle' | 'stop'>;
}

export class ServedRun {
  readonly leases: Leases;
  readonly earnings: Earnings;
  readonly pace: SchedulePace;
  readonly #options: ServedRunOptions;
  readonly #clock: ServeClock;
  readonly #schedule: Schedule;
  readonly #gates: ReadonlyMap<string, Gate>;
  readonly news = new RunNews();
  readonly #soft = new AbortController();
  readonly #hard = new AbortController();
  #prepared: PreparedRun | null = null;
  #store: RunStore | null = null;
  #begun: Promise<void> | null = null;
  #ended: Promise<RunEnd> | null = null;
  #end: RunEnd | null = null;
  /** How streams end if the run did not end by itself. */
  #closeReason: ServeError | null = null;
  #state: ServedState = 'waiting';
  #tick = 0;
  #times: TickTimes | null = null;
  #asked: readonly string[] = [];
  /** The served entities that still act, since the newest tick began. */
  #active: readonly string[];
  /** How punctual the newest settled tick was; null before the first. */
  #timing: TickTiming | null = null;
  readonly #untimely = new UntimelyCounts();
  #control = new AbortController();
  /** Set to the next end of a lease or of the open tick. */
  readonly #alarm: Alarm;

  constructor(options: ServedRunOptions) {
    const { opened, own, pace, clock } = options;
    this.#options = options;
    this.#clock = clock;
    this.#alarm = new Alarm(clock, () => this.#checkDeadlines());
    this.pace = pace;
    this.#schedule = new Schedule(pace);
    this.earnings = options.before?.earnings ?? new Earnings();
    const served = opened.scenario.agents.filter(({ id }) => !own.includes(id)).map(({ id }) => id);
    this.#active = served;
    const world = this.#gateWorld();
    this.#gates = new Map(served.map((id) => [id, new Gate(id, world)]));
    this.leases = new Leases({
      epochs: new Map(served.map((id) => [id, options.before?.epochs.get(id) ?? 0])),
      tick: options.before?.tick ?? 0,
      secret: options.secret,
      storeEvent: (event) => this.#store?.lease(event),
      onChange: (entity) => this.#controlChanged(entity),
    });
  }

  get staleness(): number {
    return this.#options.staleness;
  }

  get opened(): OpenedScenario {
    return this.#options.opened;
  }

  /** Throws before `prepare`. */
  get record(): RunRecord {
    if (this.#prepared === null) throw new ServeError('RUN_NOT_FOUND', 'the run has not been prepared yet');
    return this.#prepared.run;
  }

  get hasBegun(): boolean {
    return this.#begun !== null;
  }

  /** How it ended; null while it is in progress. */
  get end(): RunEnd | null {
    return this.#end;
  }

  get state(): ServedState {
    return this.#end?.status ?? this.#state;
  }

  /** The open tick, or the newest; 0 before the first. */
  get tick(): number {
    return this.#tick;
  }

  /** The first tick that this server plays. */
  get begunAt(): number {
    return (this.#options.before?.tick ?? 0) + 1;
  }

  acts(entity: string): boolean {
    return this.#active.includes(entity);
  }

  get served(): readonly string[] {
    return [...this.#gates.keys()];
  }

  /** Makes its record and the instructions of its entities; nothing is logged yet. */
  async prepare(): Promise<RunRecord> {
    const { opened, play } = this.#options;
    const controllers: Record<string, Controller> = Object.fromEntries(this.#gates);
    const prepared = await prepare(opened, {
      ...play,
      controllers,
      stop: { soft: this.#soft.signal, hard: this.#hard.signal },
      beforeStep: (agents, turn, active) => this.#beforeStep(agents, turn, active),
      beforeSettle: () => this.#beforeSettle(),
    });
    this.#prepared = prepared;
    return prepared.run;
  }

  /** Begins the prepared run, if it has not begun; resolves once it is in the log and leases can be taken. */
  begin(): Promise<void> {
    const prepared = this.#prepared;
    if (prepared === null) throw new ServeError('RUN_NOT_FOUND', 'the run has not been prepared yet');
    this.#begun ??= new Promise((begun, failed) => {
      this.#ended = this.#play(prepared, begun);
      this.#ended.then(() => begun(), failed);
    });
    return this.#begun;
  }

  /** How the run ended; throws the error that ended it from outside. */
  get ended(): Promise<RunEnd> {
    return this.#ended ?? Promise.reject(new ServeError('RUN_NOT_FOUND', 'the run has not begun yet'));
  }

  /** Ends the run because the server stops: its clients may come back. */
  async shutDown(): Promise<void> {
    this.#closeReason = shuttingDown();
    await this.stop();
  }

  /** Ends the run: after the open tick if that is soon, otherwise at once. */
  async stop(): Promise<void> {
    this.#soft.abort();
    if (this.pace.kind === 'lockstep') this.#hard.abort();
    await (this.#ended ?? this.#prepared?.close())?.catch(() => undefined);
  }

  async #play(prepared: PreparedRun, begun: () => void): Promise<RunEnd> {
    const timing = (): TickTiming => (this.#timing = this.#schedule.timing(this.#clock.monotonicMs()));
    const untimely = () => this.#untimely.take();
    try {
      const parts = { serving: servingOf(this.#options), timing, untimely };
      const store = (this.#store = this.#options.openStore(prepared.run, parts));
      return await prepared.play(store.sink, {
        runStarted: begun,
        stepDone: (step) => this.#stepDone(step),
        runEnded: (end) => {
          this.#end = end;
        },
      });
    } finally {
      this.#close();
      this.#store?.close();
      await prepared.close();
    }
  }

  /** Its log. Throws before it has begun. */
  get store(): RunStore {
    if (this.#store === null) throw new ServeError('RUN_NOT_FOUND', 'the run has not begun yet');
    return this.#store;
  }

  #close(): void {
    const closeReason = this.#closeReason;
    this.#alarm.stop();
    if (this.#end === null) this.#state = 'error';
    this.#publish('run-ended');
    this.news.end(closeReason);
    for (const gate of this.#gates.values()) gate.end(closeReason);
  }

  // Leases.

  acquire(request: LeaseRequest): Lease {
    this.#requireRunning();
    this.gate(request.entity);
    return this.leases.acquire(request, this.#clock.monotonicMs());
  }

  renew(secret: string): Lease {
    return this.leases.renew(secret, this.#clock.monotonicMs());
  }

  release(secret: string): void {
    this.leases.release(secret, this.#clock.monotonicMs());
  }

  requireLease(secret: string): Lease {
    return this.leases.require(secret, this.#clock.monotonicMs());
  }

  /** Milliseconds for which the open tick still takes intents; 0 if none is open. */
  get timeLeft(): number {
    return this.#times === null ? 0 : Math.max(0, this.#times.closesAt - this.#clock.monotonicMs());
  }

  // Playing.

  gate(entity: string): Gate {
    const gate = this.#gates.get(entity);
    if (gate !== undefined) return gate;
    if (!this.#options.own.includes(entity)) throw this.leases.unknownEntity(entity);
    throw new ServeError('NOT_CONTROLLABLE', `the server plays "${entity}" itself`);
  }

  /** How the run ended for an entity whose stream is over, and its last reward. */
  ending(entity: string): EntityEnding {
    const [state, { environment }] = [this.#end?.finalState ?? null, this.opened];
    return this.earnings.ending(
      entity,
      state !== null && agentOutcome(environment, state, entity) !== 'running',
    );
  }

  async submit(secret: string, intent: Omit<SubmittedIntent, 'lease'>): Promise<IntentOutcome> {
    const now = this.#clock.monotonicMs();
    const lease = this.leases.require(secret, now);
    const isSeated = this.leases.decidingLease(lease.entity)?.epoch === lease.epoch;
    const gate = this.gate(lease.entity);
    if (!isSeated) return gate.refuse(intent.tick < lease.firstTick ? 'early' : 'late', intent.tick);
    // An answer renews the lease.
    this.leases.renew(secret, now);
    return gate.submit({ ...intent, lease });
  }

  // Streams.

  ticks(signal: AbortSignal): BoundedReader<TickNews> {
    return this.news.ticks(this.#tick > 0 ? this.#tickNews('open') : null, signal);
  }

  // The loop's side.

  #gateWorld(): GateWorld {
    const { turns } = this.opened.scenario;
    const { actions } = this.opened.environment;
    return {
      tick: () => this.#tick,
      turns,
      freeActs: turns.freeActs,
      isFree: (action) => actions.get(action)?.cost === 'free',
      staleness: this.#options.staleness,
      earnings: this.earnings,
      untimely: (intent) => this.#untimely.add(intent),
      decidingLease: (entity) => this.leases.decidingLease(entity),
      isTimeUp: (entity) => this.timeLeft <= 0 || !this.#isSeatLive(entity),
    };
  }

  /** Waits until enough entities are held, and at least one. Nothing is logged meanwhile. */
  async #beforeStep(agents: readonly string[], turn: number, active: readonly string[]): Promise<void> {
    const isNewTurn = turn !== this.#tick;
    if (isNewTurn) {
      const previouslyActive = this.#active;
      this.#active = previouslyActive.filter((entity) => active.includes(entity));
      for (const entity of previouslyActive) if (!this.acts(entity)) this.news.entity(entity);
      await this.#waitForHolders();
      if (this.#soft.signal.aborted) return;
      this.#tick = turn;
      // The run continues without those that have an outcome of their own.
      for (const entity of this.earnings.decided) this.#gates.get(entity)?.end();
      this.leases.openTick(turn, this.#clock.monotonicMs());
    }
    // If agents act in turn, each one that is controlled has its own time, and the others need none.
    const isAsked = agents.some((agent) => this.leases.decidingLease(agent) !== null);
    this.#times = isAsked ? this.#schedule.open(this.#clock.monotonicMs()) : null;
    this.#checkDeadlines();
    this.#asked = agents;
    if (isNewTurn || isAsked) this.#publish('open');
  }

  async #waitForHolders(): Promise<void> {
    const waitStartMs = this.#clock.monotonicMs();
    // A holder whose entities have all finished decides nothing.
    const world = { served: this.#active.length, tick: this.#tick };
    for (;;) {
      const now = this.#clock.monotonicMs();
      this.leases.expire(now);
      const required = requiredHolders(this.#options, { ...world, waitedMs: now - waitStartMs });
      if (this.leases.countHeld(this.#active) >= required || this.#soft.signal.aborted) break;
      this.#state = this.#tick === 0 ? 'waiting' : 'paused';
      this.#schedule.pause();
      await withEither([this.#soft.signal, this.#control.signal], (signal) =>
        this.#clock.sleep(RECHECK_MS, signal),
      );
    }
    this.#state = 'running';
  }

  async #beforeSettle(): Promise<void> {
    if (this.pace.kind === 'clock') await this.#untilClosed(this.#hard.signal);
    this.#schedule.closed(this.#clock.monotonicMs());
  }

  async #untilClosed(signal: AbortSignal): Promise<void> {
    const closesAt = this.#times?.closesAt ?? 0;
    for (let remainingMs = this.timeLeft; remainingMs > 0 && !signal.aborted; remainingMs = this.timeLeft)
      await this.#clock.sleep(Math.min(remainingMs, closesAt), signal);
  }

  /** Ends expired leases; when the open tick closes, entities that have not decided are late. */
  #checkDeadlines(): void {
    if (this.#times === null) return;
    const { closesAt } = this.#times;
    const now = this.#clock.monotonicMs();
    this.leases.expire(now);
    if (now >= closesAt) for (const gate of this.#gates.values()) gate.markLate();
    else this.#alarm.set(Math.min(closesAt, this.leases.nextExpiry));
  }

  /** Whether the holder that decides for the entity in the open tick still holds it. */
  #isSeatLive(entity: string): boolean {
    const lease = this.leases.decidingLease(entity);
    return lease !== null && this.leases.expiresAt(lease) !== null;
  }

  #controlChanged(entity: string): void {
    if (this.leases.currentLease(entity) === null) {
      const leaseEnded = new ServeError('LEASE_EXPIRED', 'the lease has ended: acquire another one');
      this.gate(entity).dismiss(leaseEnded);
    }
    if (!this.#isSeatLive(entity)) this.gate(entity).markLate();
    const previousControl = this.#control;
    this.#control = new AbortController();
    previousControl.abort(OVER);
    this.news.entity(entity);
  }

  #stepDone(step: StepRecord): void {
    this.earnings.add(step);
    this.news.step(step);
    if (step.agent !== WORLD_ID) return this.#gates.get(step.agent)?.onDurable();
    this.leases.closeTick();
    this.#publish('settled');
  }

  #publish(phase: TickNews['phase']): void {
    this.news.tick(this.#tickNews(phase));
  }

  #tickNews(phase: TickNews['phase']): TickNews {
    const asked = phase === 'open' ? this.#asked : [];
    const timing = phase === 'settled' ? this.#timing : null;
    return { tick: this.#tick, phase, times: this.#times, asked, timing };
  }

  #requireRunning(): void {
    if (this.#end !== null) throw new ServeError('RUN_ENDED', `the run has ended: ${this.#end.reason}`);
    if (this.#closeReason !== null) throw this.#closeReason;
    if (this.#soft.signal.aborted) throw new ServeError('RUN_ENDED', 'the run is being stopped');
  }
}

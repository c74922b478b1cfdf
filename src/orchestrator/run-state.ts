/**
 * The progress of a run: the world's state, the chain, the counters, and the memories of agents and
 * controllers. It is the loop's only mutable object; everything in it can be rebuilt from the log.
 */
import { assert, known } from '../base/assert.js';
import { WORLD_ID } from '../base/ids.js';
import type { Json } from '../base/json.js';
import { openMemory } from '../agent/memories/open-memory.js';
import type { Memory, MemoryTurn, SeenPicture } from '../agent/memory.js';
import { lookUp } from '../base/look-up.js';
import { stateHash } from '../environment/state-hash.js';
import { endChain, forkChain, stepChain, stepContent } from '../trajectory/chain.js';
import type { CallWithEnd } from '../trajectory/chain.js';
import { SNAPSHOT_EVERY } from '../trajectory/records.js';
import type { LoggedCall, RunEnd, StepRecord } from '../trajectory/records.js';
import { priceOf, withCall } from '../trajectory/cost.js';
import { NOTHING_SPENT } from './budget.js';
import type { BudgetSpent } from './budget.js';
import { PendingSteps } from './pending-steps.js';
import type { LostTurn } from './lost-turn.js';
import type { RunContext, RunVerdict } from './run-context.js';
import type { RepeatedStep } from './repeats.js';
import { NO_REWARDS, RewardCount } from './rewards.js';
import type { SettledStep } from './rewards.js';
import type { ModelSpec } from '../scenario/scenario.js';

export interface StepDraft<S> extends Pick<
  StepRecord,
  'step' | 'turn' | 'agent' | 'calls' | 'acts' | 'events'
> {
  /** The state before the step or its tick; null if other steps of the tick follow. */
  before: S | null;
  /** Whether a controller decided. */
  isDecided: boolean;
}

export class RunState<S> {
  state: S;
  turn = 1;
  /** The agent whose last attempt failed, so that a wait replaced its action; null if there was none. */
  gaveUp: string | null = null;
  /** The stored parts of steps that were begun earlier and not finished. */
  readonly pending: PendingSteps;
  readonly #parts: RunContext<S>;
  /** By agent, what its prompt repeats of earlier turns. */
  readonly #memories: Map<string, Memory>;
  /** By agent and turn, for agents that can use RECALL. */
  readonly #seenPictures = new Map<string, Map<number, MemoryTurn['picture']>>();
  readonly #controllerMemories = new Map<string, Json>();
  #chain: string;
  /** The genesis of the chain: that of the run whose steps are being restored, finally the run's own. */
  #genesis: string;
  /** Null if the scenario has no rewards and no agent has its own outcome. */
  readonly #rewards: RewardCount<S> | null;
  /** False while past steps are restored: they are already in the log. */
  #isWriting = false;
  /** Whether no stored reply of an unfinished step is left to be used. */
  #isPendingDone: boolean;
  /** Agents that may still act in the turn, in order; null before the turn begins. */
  #waiting: readonly string[] | null = null;
  #stateHash: string;
  #step = 0;
  readonly #repeats = new Map<string, RepeatedStep>();
  readonly #lostTurns = new Map<string, LostTurn | null>();
  readonly #lastSteps = new Map<string, number>();
  #spent = NOTHING_SPENT;
  /** Discarded speculative calls for a future step that have been answered. */
  #discardedCalls: readonly LoggedCall[] = [];
  /** Turns in which an agent acted. */
  #turnsPlayed = 0;
  #calls: number;

  constructor(parts: RunContext<S>) {
    this.#parts = parts;
    this.#genesis = parts.past?.genesisHash ?? parts.run.genesisHash;
    this.#chain = this.#genesis;
    this.#calls = parts.past?.calls ?? 0;
    const pending = parts.past?.pending ?? { calls: [], outside: [], probed: [] };
    this.pending = new PendingSteps(pending);
    this.#isPendingDone = !pending.calls.some(({ end }) => end?.kind === 'replied');
    this.#memories = new Map(
      parts.seats.map(({ spec, memory }) => [
        spec.id,
        memory ?? openMemory(spec.memory, lookUp(parts.run.kept, spec.id) ?? null),
      ]),
    );
    const { environment, scenario, run } = parts;
    const { rewards, turns } = scenario;
    const initialState = (): S => environment.create(run.seed);
    const hasRewards = rewards !== undefined || environment.outcomeOf !== undefined;
    this.#rewards = hasRewards
      ? new RewardCount(environment, { rewards: rewards ?? NO_REWARDS, turns, initialState })
      : null;
    this.state = environment.create(run.seed);
    this.#stateHash = stateHash(parts.environment.parts(this.state));
  }

  get chain(): string {
    return this.#chain;
  }

  get stateHash(): string {
    return this.#stateHash;
  }

  get nextStep(): number {
    return this.#step + 1;
  }

  nextCall(): number {
    this.#calls += 1;
    return this.#calls;
  }

  memory(agent: string): Memory {
    return known(this.#memories.get(agent), `the memory of ${agent}`);
  }

  setMemory(agent: string, memory: Memory): void {
    this.#memories.set(agent, memory);
  }

  /** The picture that the agent saw in a past turn; null if there is none. */
  seenPicture(agent: string, turn: number): SeenPicture | null {
    return this.#seenPictures.get(agent)?.get(turn)?.() ?? null;
  }

  setSeenPicture(agent: string, turn: number, picture: MemoryTurn['picture']): void {
    const pictures = this.#seenPictures.get(agent) ?? new Map<number, MemoryTurn['picture']>();
    this.#seenPictures.set(agent, pictures.set(turn, picture));
  }

  /** What agents pass on to later runs, by agent. */
  memoriesToKeep(): Readonly<Record<string, Json>> {
    const memories = [...this.#memories].map(([agent, memory]) => [agent, memory.kept()] as const);
    return Object.fromEntries(memories.filter(([, kept]) => kept !== null));
  }

  /** The newest step of an agent; undefined before its first. */
  lastStep(agent: string): number | undefined {
    return this.#lastSteps.get(agent);
  }

  controllerMemory(agent: string): Json {
    return this.#controllerMemories.get(agent) ?? null;
  }

  setControllerMemory(agent: string, memory: Json): void {
    this.#controllerMemories.set(agent, memory);
  }

  /** The time for which the run was played, by the clock: the time between sessions does not count. */
  get elapsedMs(): number {
    const { clock, run, past } = this.#parts;
    const before = (past?.elapsedMs ?? 0) + (this.#isPendingDone ? (past?.pendingMs ?? 0) : 0);
    return before + clock.now() - run.startedAt;
  }

  get spent(): BudgetSpent {
    return this.#spent;
  }

  /** Counts an agent's step and the cost of its calls. */
  spend(calls: readonly CallWithEnd[], price: ModelSpec['price'] | null): void {
    this.#spent = { ...this.#spent, steps: this.#spent.steps + 1 };
    this.charge(calls, price);
  }

  /** Counts the cost of calls that belong to no step: probes, reflections. */
  charge(calls: readonly CallWithEnd[], price: ModelSpec['price'] | null): void {
    for (const { request, end } of calls)
      if (end?.kind === 'replied') this.#spent = withCall(this.#spent, request, end.reply, price);
  }

  /**
   * A speculative call was answered and discarded. Its cost belongs to the step that it was made for, so that
   * a replay of the log counts the same.
   */
  addDiscardedCall(call: LoggedCall): void {
    this.#discardedCalls = [...this.#discardedCalls, call];
  }

  #chargeDiscardedCalls(step: number): void {
    const { scenario, discardedCalls } = this.#parts;
    const isOf = ({ request }: LoggedCall): boolean => request.step === step;
    const calls = [
      ...this.pending.discardedCalls(step),
      ...this.#discardedCalls.filter(isOf),
      ...(discardedCalls?.(step) ?? []),
    ];
    this.#discardedCalls = this.#discardedCalls.filter((call) => !isOf(call));
    for (const call of calls) {
      const spec = scenario.agents.find(({ id }) => id === call.request.agent);
      if (spec !== undefined) this.charge([call], priceOf(scenario, spec));
    }
  }

  repeats(agent: string): RepeatedStep | undefined {
    return this.#repeats.get(agent);
  }

  setRepeats(agent: string, repeats: RepeatedStep): void {
    this.#repeats.set(agent, repeats);
  }

  /** The agent's last turn, if none of its replies could act; otherwise, and before its first turn, null. */
  lostTurn(agent: string): LostTurn | null {
    return this.#lostTurns.get(agent) ?? null;
  }

  setLostTurn(agent: string, lost: LostTurn | null): void {
    this.#lostTurns.set(agent, lost);
  }

  begin(): void {
    const { sink, run, watcher, past } = this.#parts;
    this.enterGenesis(run.genesisHash);
    sink.onDurable((step) => watcher.stepDone?.(step));
    if (past?.isOwn !== true) sink.begin(run, this.state);
    // After its end, a run has no further session.
    else if (past.end === null) sink.resume(run, this.nextStep);
    this.#isWriting = true;
    watcher.runStarted?.(run);
  }

  /** From here on, steps belong to a run with this genesis. */
  enterGenesis(genesis: string): void {
    this.#chain = forkChain({ chain: this.#chain, genesis: this.#genesis }, genesis);
    this.#genesis = genesis;
  }

  /**
   * Agents that may still act in this turn: all that were active at its beginning, except those that have
   * acted.
   */
  openTurn(active: readonly string[]): readonly string[] {
    this.#waiting ??= active;
    return this.#waiting;
  }

  closeTurn(): void {
    this.turn += 1;
    this.#waiting = null;
  }

  /** The rewards of a past step were already paid. */
  recallRewards(record: StepRecord): void {
    this.#rewards?.recall(record);
  }

  /** A past step whose state is not recomputed. */
  adoptRecord(record: StepRecord): void {
    this.#moveTo(record);
    this.turn = record.agent === WORLD_ID ? record.turn + 1 : record.turn;
    this.#stateHash = record.stateHash;
    this.#chain = record.chain;
  }

  #moveTo({ step, turn, agent }: Pick<StepRecord, 'step' | 'turn' | 'agent'>): void {
    this.#step = step;
    this.#lastSteps.set(agent, step);
    this.#turnsPlayed = turn;
    // Earlier agents in the turn were skipped.
    const index = this.#waiting?.indexOf(agent) ?? -1;
    if (this.#waiting !== null && index >= 0) this.#waiting = this.#waiting.slice(index + 1);
  }

  /**
   * Hashes one step and, unless it is a past one, stages it; steps of one tick share the state. `calls` are
   * those that the step lists.
   */
  record(draft: StepDraft<S>, calls: readonly CallWithEnd[]): void {
    assert(draft.step === this.#step + 1, `step ${draft.step} after step ${this.#step}`);
    const parts = this.#parts.environment.parts(this.state);
    this.#stateHash = stateHash(parts);
    this.#moveTo(draft);
    const { step, turn, agent, acts, events } = draft;
    this.#chain = stepChain(this.#chain, stepContent({ step, turn, agent, acts, events, parts }, calls));
    if (!this.#isWriting) return;
    this.#chargeDiscardedCalls(step);
    this.#isPendingDone = true;
    const record: StepRecord = {
      runId: this.#parts.run.runId,
      step,
      turn,
      agent,
      calls: draft.calls,
      acts,
      events,
      stateHash: this.#stateHash,
      parts,
      chain: this.#chain,
      ...this.#rewardsFor(draft),
      finishedAt: this.#parts.clock.now(),
    };
    this.#parts.sink.step(step % SNAPSHOT_EVERY === 0 ? { ...record, snapshot: this.state as Json } : record);
  }

  #rewardsFor({ turn, agent, acts, before, isDecided }: StepDraft<S>): Pick<StepRecord, 'rewards'> {
    if (this.#rewards === null) return {};
    const change: SettledStep<S>['change'] = before === null ? null : { before, after: this.state };
    return { rewards: this.#rewards.rewardsFor({ turn, agent, acts, isDecided, change }) };
  }

  /**
   * Writes the end in one commit with the last step, so no log has a run that is over by its rules without an
   * end.
   */
  end({ status, reason: reasonText }: RunVerdict): RunEnd {
    const { run, clock, sink } = this.#parts;
    const [turns, steps, reason] = [this.#turnsPlayed, this.#step, reasonText.toWellFormed()];
    const content = { status, reason, turns, steps, stateHash: this.#stateHash };
    const end: RunEnd = {
      ...content,
      chain: endChain(run.versions.log, this.#chain, content),
      finalState: this.state as Json,
      endedAt: clock.now(),
    };
    sink.end(run.runId, end);
    return end;
  }
}

/**
 * The seat of a served entity: a controller whose decisions come from the holder of its lease. The loop calls
 * it like any controller; the observation goes to the holder's streams, and the first valid intent is the
 * reply. If none arrives before the tick closes, or the lease ends, the reply reports this and the agent
 * waits. An intent is acknowledged with its result once that is durable.
 */
import { DEADLINE } from '../agent/controller.js';
import type {
  Controller,
  ControllerInput,
  Decision,
  Introduction,
  ReplyOutcome,
} from '../agent/controller.js';
import { embeddedReply } from '../agent/controllers/embedded-reply.js';
import type { Reply } from '../model/chat.js';
import { attemptsLeft, NOTHING_FAILED, withFailed } from '../trajectory/attempts.js';
import type { StepLimits } from '../trajectory/attempts.js';
import { MISSED_TICKS } from '../trajectory/records.js';
import type { UntimelyCount, UntimelyReason } from '../trajectory/record-values.js';
import { basedOnTurn } from '../trajectory/answered-turn.js';
import { leaseController } from '../trajectory/player-names.js';
import type { EntityRewards, Earnings } from './earnings.js';
import type { Lease } from './leases.js';
import { ServeError } from './serve-error.js';
import { LatestItemReader, StreamReaders } from './streams.js';

/** The data for the holder of a lease. */
export interface AskedObservation {
  input: ControllerInput;
  epoch: number;
  /** Why the previous reply was not accepted, or the result of a free action; '' for neither. */
  problem: string;
  earned: EntityRewards;
}

export interface SubmittedIntent {
  lease: Lease;
  tick: number;
  attempt: number;
  reply: Reply;
  /** For two ticks, the same id with the same content gets the same answer; '' for no id. */
  requestId: string;
  /** The content, to be compared with a later request with the same id. */
  content: string;
  /** The tick whose observation it answers. */
  basedOn: number;
}

/** The outcome of an intent. */
export type IntentOutcome =
  | { kind: 'judged'; judgement: ReplyOutcome; attemptsLeft: number }
  /** Ignored: it was for a different tick or attempt than the open one. */
  | { kind: 'untimely'; reason: UntimelyReason; tick: number };

/** The parts of its world that a gate needs. */
export interface GateWorld {
  /** The holder that decides for the entity in the open tick; null for none. */
  decidingLease(entity: string): Lease | null;
  /** The open tick, or the next one. */
  tick(): number;
  /**
   * Whether the entity's time to decide is over: the tick has closed, or its lease has ended. If that happens
   * later, `late` is called.
   */
  isTimeUp(entity: string): boolean;
  /** When a step is given up. */
  turns: StepLimits;
  /** The entity's maximum number of free actions per turn. */
  freeActs: number;
  isFree: (action: string) => boolean;
  /** The maximum age in ticks of the observation that an intent answers. */
  staleness: number;
  earnings: Earnings;
  /** Counts an intent that came at the wrong time. */
  untimely(intent: Omit<UntimelyCount, 'count'>): void;
}

interface AnsweredIntent {
  requestId: string;
  content: string;
  tick: number;
  outcome: Promise<IntentOutcome>;
}

/** Intents of two ticks that are remembered, in case their answers were lost. */
const REMEMBERED = 64;

interface OpenQuestion {
  input: ControllerInput;
  answer: (reply: Reply) => void;
}

/** An intent that the loop has accepted, and whose sender is waiting. */
interface PendingAck {
  tick: number;
  resolve: (outcome: IntentOutcome) => void;
  reject: (error: unknown) => void;
  /** Known once the loop has parsed it. */
  outcome: IntentOutcome | null;
}

export class Gate implements Controller {
  readonly isRemote = false;
  readonly entity: string;
  readonly #world: GateWorld;
  readonly #readers = new StreamReaders<LatestItemReader<AskedObservation>>();
  #question: OpenQuestion | null = null;
  #ack: PendingAck | null = null;
  #newest: AskedObservation | null = null;
  /** In this turn. */
  #failed = NOTHING_FAILED;
  /** The number of free actions in this turn. */
  #freeActsDone = 0;
  #problem = '';
  /** The newest turns whose time was over before the entity had decided, oldest first. */
  readonly #missed = new Set<number>();
  #answered: readonly AnsweredIntent[] = [];
  #isFinal = false;
  #introduction: Introduction | null = null;

  constructor(entity: string, world: GateWorld) {
    this.entity = entity;
    this.#world = world;
  }

  get name(): string {
    return leaseController(this.#world.decidingLease(this.entity));
  }

  readonly prepare = (introduction: Introduction): Promise<void> => {
    this.#introduction = introduction;
    return Promise.resolve();
  };

  /** Who the entity is, its goals and the rules, for a person. */
  get briefing(): string {
    return this.#introduction?.briefing ?? '';
  }

  /** The same with how to answer. */
  get instructions(): string {
    return this.#introduction?.instructions ?? '';
  }

  readonly isVacant = (): boolean => this.#world.decidingLease(this.entity) === null;

  readonly decide = async (input: ControllerInput, signal: AbortSignal): Promise<Decision> => {
    const isFirstAttempt = input.attempt === 1;
    if (isFirstAttempt) [this.#failed, this.#freeActsDone] = [NOTHING_FAILED, 0];
    const epoch = this.#world.decidingLease(this.entity)?.epoch ?? 0;
    const { earnings } = this.#world;
    const earned = isFirstAttempt ? earnings.takeUnreported(this.entity) : earnings.nothingNew(this.entity);
    const request = {
      input: this.#withoutUsedFreeActs(input),
      epoch,
      problem: isFirstAttempt ? '' : this.#problem,
      earned,
    };
    this.#newest = request;
    signal.addEventListener('abort', this.markLate);
    try {
      const reply = await new Promise<Reply>((resolve) => {
        this.#question = { input, answer: resolve };
        this.#send(request);
        if (signal.aborted || this.#world.isTimeUp(this.entity)) this.markLate();
      });
      signal.throwIfAborted();
      return { reply, memory: null };
    } finally {
      this.#question = null;
      signal.removeEventListener('abort', this.markLate);
    }
  };

  /**
   * The offers without free actions, once those of the turn are used up, because each would be refused. The
   * prompt is a text of the scenario and stays the same.
   */
  #withoutUsedFreeActs(input: ControllerInput): ControllerInput {
    const { freeActs, isFree } = this.#world;
    if (this.#freeActsDone < freeActs) return input;
    const offered = input.observation.offered.filter(({ action }) => !isFree(action));
    return { ...input, observation: { ...input.observation, offered } };
  }

  /** The entity's time to decide is over. */
  readonly markLate = (): void => {
    const question = this.#question;
    if (question === null) return;
    this.#missed.add(question.input.turn);
    if (this.#missed.size > MISSED_TICKS) this.#missed.delete(Math.min(...this.#missed));
    this.#question = null;
    question.answer(LATE);
  };

  readonly judged = (judgement: ReplyOutcome): void => {
    this.#problem = judgement.problem?.message ?? '';
    if (judgement.kind === 'refused') this.#failed = withFailed(this.#failed, judgement.isRead);
    if (judgement.kind === 'free') this.#freeActsDone += 1;
    const left = attemptsLeft(this.#world.turns, this.#failed);
    const outcome: IntentOutcome = { kind: 'judged', judgement, attemptsLeft: left };
    const ack = this.#ack;
    if (ack === null) return;
    if (judgement.kind === 'settled') ack.outcome = outcome;
    else {
      this.#ack = null;
      ack.resolve(outcome);
    }
  };

  /** Acknowledges the intent: the entity's step is in the log. */
  onDurable(): void {
    const ack = this.#ack;
    this.#ack = null;
    if (ack?.outcome != null) ack.resolve(ack.outcome);
    else ack?.resolve(this.refuse('late', ack.tick));
  }

  /** Resolves with the result of the intent, once that is final. */
  submit(intent: SubmittedIntent): Promise<IntentOutcome> {
    const { requestId, tick, lease } = intent;
    if (requestId === '') return this.#accept(intent);
    const content = JSON.stringify([lease.epoch, intent.content]);
    this.#answered = this.#answered
      .filter((answered) => answered.tick >= this.#world.tick() - 1)
      .slice(-REMEMBERED);
    const earlier = this.#answered.find((answered) => answered.requestId === requestId);
    if (earlier !== undefined && earlier.content !== content)
      throw new ServeError('REQUEST_ID_REUSED', 'the request id was already used with different content');
    if (earlier !== undefined) return earlier.outcome;
    const outcome = this.#accept(intent);
    this.#answered = [...this.#answered, { requestId, content, tick, outcome }];
    return outcome;
  }

  #accept({ tick, attempt, reply, basedOn }: SubmittedIntent): Promise<IntentOutcome> {
    const refusal = this.#untimelyReason(tick, attempt, basedOn);
    if (refusal !== null) return Promise.resolve(this.refuse(refusal, tick));
    return new Promise((resolve, reject) => {
      this.#ack = { tick, resolve, reject, outcome: null };
      const question = this.#question;
      this.#question = null;
      question?.answer(
        basedOn === tick ? reply : { ...reply, adaptations: [...reply.adaptations, basedOnTurn(basedOn)] },
      );
    });
  }

  #untimelyReason(tick: number, attempt: number, basedOn: number): UntimelyReason | null {
    if (this.#isFinal) return 'out-of-play';
    // The tick may go on for those who act afterwards.
    if (tick < this.#world.tick() || this.#missed.has(tick)) return 'late';
    const question = this.#question;
    if (question === null || question.input.turn !== tick)
      return this.#newest?.input.turn === tick ? 'decided' : 'early';
    if (question.input.attempt !== attempt) return 'other-attempt';
    return basedOn > tick || basedOn < tick - this.#world.staleness ? 'stale' : null;
  }

  /** Refuses and counts an intent that came at the wrong time; `tick` is the one that it answers. */
  refuse(reason: UntimelyReason, tick: number): IntentOutcome {
    const missed = reason === 'late' && this.#missed.has(tick) ? { missed: tick } : {};
    this.#world.untimely({ entity: this.entity, reason, ...missed });
    return { kind: 'untimely', reason, tick: this.#world.tick() };
  }

  /** The newest observation of the lease's holder; null before the first. */
  latestObservation({ epoch }: Lease): ControllerInput['observation'] | null {
    return this.#newest?.epoch === epoch ? this.#newest.input.observation : null;
  }

  /** The observations for the current holder of the lease. The open request is sent at once. */
  observe(signal: AbortSignal): LatestItemReader<AskedObservation> {
    const reader = this.#readers.add(new LatestItemReader<AskedObservation>(), signal);
    if (this.#question !== null && this.#newest !== null) reader.push(this.#newest);
    return reader;
  }

  #send(request: AskedObservation): void {
    this.#readers.each((reader) => reader.push(request));
  }

  /** The lease has ended, and its streams end with it. */
  dismiss(error: unknown): void {
    this.#readers.each((reader) => reader.end(error));
  }

  /** The run is over, at least for the entity, or the server is stopping. */
  end(error: unknown = null): void {
    this.#isFinal = true;
    this.#readers.end(error);
    this.#ack?.reject(error ?? new ServeError('RUN_ENDED', 'the run has ended'));
    this.#ack = null;
  }
}

const LATE: Reply = { ...embeddedReply(''), finishReason: DEADLINE };

/**
 * The seat of one MCP client: it holds the entity's lease for as long as the client calls now and then, so the
 * client may reconnect, or start a process per call. It gives out each observation of the loop unchanged and
 * takes one answer to it. Nothing here knows MCP.
 */
import type { ControllerInput } from '../agent/controller.js';
import { UNTIMELY } from '../serve/acks.js';
import { withEither } from '../model/abort.js';
import type { Reply } from '../model/chat.js';
import { OVER } from '../serve/clock.js';
import type { ServeClock } from '../serve/clock.js';
import type { AskedObservation, IntentOutcome } from '../serve/gate.js';
import type { Lease } from '../serve/leases.js';
import { ServeError } from '../serve/serve-error.js';
import type { ServedRun } from '../serve/served-run.js';

export interface SeatHolder {
  run: ServedRun;
  entity: string;
  /** The name of the lease's holder: `mcp:CLIENT/VERSION`, and the model that its client declares. */
  controller: string;
  /** The identity whose calls reach the seat. */
  principal: string;
  ttlMs: number;
  clock: ServeClock;
}

/** What the client gets. */
export type Told =
  | { kind: 'observation'; input: ControllerInput; isFirst: boolean }
  /** The others have not decided, or the run has not begun. */
  | { kind: 'not-yet'; hasBegun: boolean }
  /** The client's action was not carried out; `mayAct` if it has been told all that it needs for another one. */
  | { kind: 'refused'; reason: string; mayAct: boolean }
  | { kind: 'over'; reason: string };

interface Refusal {
  reason: string;
  /** Whether the same turn goes on, with another attempt. */
  isRepeatable: boolean;
}

export interface SeatAction {
  reply: Reply;
  /** The turn that it answers, if the client says so. */
  turn: number | null;
}

/** A waiting call. */
export interface SeatCall {
  signal: AbortSignal;
  /** Called now and then while the call waits. */
  onWait: () => void;
}

/** MCP clients give a tool 60 s unless they are told otherwise. */
const ANSWER_WITHIN_MS = 45_000;
const ON_WAIT_MS = 5000;
/** A client that has not called for so long has left; if it calls again, and nobody has taken the entity, it goes on. */
const IDLE_MS = 600_000;
/** An answer waits so long for calls that were sent before it. */
export const TURN_AROUND_MS = 50;
const PICTURES_KEPT = 64;

export class McpSeat {
  readonly holder: SeatHolder;
  readonly #lease: Lease;
  readonly #left = new AbortController();
  /** The newest observation that the loop asked about. */
  #open: AskedObservation | null = null;
  /** The observation that the client was told, or what it was told of a further attempt at the same turn; and when. */
  #toldOpen: AskedObservation | null = null;
  #toldAt = 0;
  /** The observation that it has answered. */
  #answered: AskedObservation | null = null;
  /** By turn, the newest last. */
  readonly #pictures = new Map<number, Uint8Array>();
  #ending: string | null = null;
  #hasToldEnd = false;
  #calledAt: number;
  /** Ends the pause of waiting calls. */
  #change = new AbortController();

  /** Takes the entity's lease; throws ServeError if it can't be had. */
  constructor(holder: SeatHolder) {
    const { run, entity, controller, principal, ttlMs, clock } = holder;
    this.holder = holder;
    this.#calledAt = clock.monotonicMs();
    this.#lease = run.acquire({ entity, controller, principal, ttlMs, supersedeEpoch: 0, requestId: '' });
    void this.#listen();
    void this.#keep();
  }

  /** Whether its lease has ended, so that a further call needs a new seat. */
  get hasLeft(): boolean {
    return this.#left.signal.aborted;
  }

  /** Whether the run goes on for it, or its client doesn't know yet that it doesn't. */
  get isPlaying(): boolean {
    return !this.hasLeft && !this.#hasToldEnd;
  }

  /** Whether the run is over for its entity. */
  get hasEnded(): boolean {
    return this.#ending !== null;
  }

  /** The newest observation that the client was told; null before the first. */
  get told(): ControllerInput | null {
    return this.#toldOpen?.input ?? null;
  }

  /** The picture of a turn that the client was told; null if there was none, or if it is too long ago. */
  pictureOf(turn: number): Uint8Array | null {
    return this.#pictures.get(turn) ?? null;
  }

  /** Waits for the entity's turn. */
  observe(call: SeatCall): Promise<Told> {
    return this.#next(call, () => null);
  }

  /** Waits for the entity's turn, or until its action is refused for good. */
  async #next({ signal, onWait }: SeatCall, refusalOf: () => Refusal | null): Promise<Told> {
    const { clock, run } = this.holder;
    this.#calledAt = clock.monotonicMs();
    const until = this.#calledAt + ANSWER_WITHIN_MS;
    let isSure = false;
    while (!isSure && refusalOf()?.isRepeatable !== false) {
      const isWaiting = this.#ending === null && (this.#open === null || this.#open === this.#answered);
      const left = isWaiting ? until - clock.monotonicMs() : 0;
      if (left <= 0 || this.hasLeft) {
        // Calls that came before this answer, and the end of this one, are noticed before it is told.
        const [open, answered] = [this.#open, this.#answered];
        await clock.sleep(TURN_AROUND_MS, signal);
        signal.throwIfAborted();
        isSure = this.#open === open && this.#answered === answered;
        continue;
      }
      await withEither([signal, this.#change.signal], (either) =>
        clock.sleep(Math.min(left, ON_WAIT_MS), either),
      );
      signal.throwIfAborted();
      onWait();
    }
    this.#calledAt = clock.monotonicMs();
    const refusal = refusalOf();
    const answered = this.#answered;
    if (refusal !== null) {
      // What the agent is asked again is what it has been told, and this refusal.
      const mayAct =
        refusal.isRepeatable && this.#open !== answered && this.#open?.input.turn === answered?.input.turn;
      if (mayAct) [this.#toldOpen, this.#toldAt] = [this.#open, this.#calledAt];
      return { kind: 'refused', reason: refusal.reason, mayAct };
    }
    if (this.#ending !== null) {
      this.#hasToldEnd = true;
      return { kind: 'over', reason: this.#ending };
    }
    if (this.#open === null || this.#open === answered)
      return { kind: 'not-yet', hasBegun: run.state !== 'waiting' };
    const isFirst = this.#toldOpen === null;
    this.#toldOpen = this.#open;
    this.#toldAt = this.#calledAt;
    const { input } = this.#open;
    const images = (input.messages.at(-1)?.parts ?? []).filter((part) => part.kind === 'image');
    const [newest] = images.slice(-1);
    if (newest !== undefined) this.#pictures.set(input.turn, newest.png);
    for (const turn of this.#pictures.keys())
      if (this.#pictures.size > PICTURES_KEPT) this.#pictures.delete(turn);
    return { kind: 'observation', input, isFirst };
  }

  /**
   * Answers the observation that the client was told last, and waits for the next one. Nothing is done if it has been answered, if
   * the client has not been told the newest one, or if it names another turn: it may repeat a call whose result was lost.
   */
  act({ reply, turn: meantTurn }: SeatAction, call: SeatCall): Promise<Told> {
    const { clock, run } = this.holder;
    if (this.#ending !== null) return this.observe(call);
    const asked = this.#open;
    const isSeen = asked !== null && asked === this.#toldOpen;
    const isDecided = asked !== null && asked === this.#answered;
    if (!isSeen || isDecided || (meantTurn !== null && meantTurn !== asked.input.turn)) {
      const why = isDecided
        ? 'you have already decided in this turn'
        : isSeen
          ? `it is turn ${asked.input.turn}, and your call answers another one`
          : 'you have not seen this turn yet';
      return Promise.resolve({ kind: 'refused', reason: `Nothing was done: ${why}.`, mayAct: false });
    }
    const { turn, attempt } = asked.input;
    const latencyMs = Math.round(clock.monotonicMs() - this.#toldAt);
    this.#answered = asked;
    const sent = {
      tick: turn,
      attempt,
      reply: { ...reply, latencyMs },
      requestId: '',
      content: '',
      basedOn: turn,
    };
    let refusal: Refusal | null = null;
    void run
      .submit(this.#lease.secret, sent)
      .then(refusalIn, failureIn)
      .then((refused) => {
        refusal = refused;
        this.#changed();
      });
    return this.#next(call, () => refusal);
  }

  /** Gives the entity back. */
  leave(): void {
    if (this.hasLeft) return;
    this.#left.abort(OVER);
    try {
      this.holder.run.release(this.#lease.secret);
    } catch {
      // It has ended.
    }
    this.#changed();
  }

  async #listen(): Promise<void> {
    const { run, entity } = this.holder;
    try {
      for await (const { item } of run.gate(entity).observe(this.#left.signal)) {
        // A question to the one before is over.
        if (item.epoch !== this.#lease.epoch) continue;
        this.#open = item;
        this.#changed();
      }
      if (this.#left.signal.aborted) return;
      const { end } = run;
      this.#ending =
        end === null ? 'The run goes on without you.' : `The run is over: ${end.status}. ${end.reason}`;
    } catch (error) {
      if (error instanceof ServeError && error.reason === 'SHUTTING_DOWN')
        this.#ending = 'The server is stopping.';
      else this.#left.abort(error);
    }
    this.#changed();
  }

  /** Renews the lease while the client calls. */
  async #keep(): Promise<void> {
    const { clock, ttlMs, run } = this.holder;
    const { signal } = this.#left;
    // Who may take an hour for a turn has not left after ten minutes.
    const idleMs = Math.max(IDLE_MS, run.pace.windowMs);
    while (!signal.aborted && this.#ending === null) {
      await clock.sleep(ttlMs / 3, signal);
      if (signal.aborted) return;
      if (clock.monotonicMs() - this.#calledAt > idleMs) return this.leave();
      try {
        run.renew(this.#lease.secret);
      } catch (error) {
        return this.#left.abort(error);
      }
    }
  }

  #changed(): void {
    const previous = this.#change;
    this.#change = new AbortController();
    previous.abort(OVER);
  }
}

/** Null for an action that was carried out: what became of it is in the next observation. */
function refusalIn(outcome: IntentOutcome): Refusal | null {
  if (outcome.kind === 'untimely')
    return { reason: `Nothing was done: ${UNTIMELY[outcome.reason].message}.`, isRepeatable: false };
  const { judgement, attemptsLeft } = outcome;
  const { kind, turn, problem } = judgement;
  if (kind !== 'refused') return null;
  const isRepeatable = attemptsLeft > 0;
  const left = isRepeatable
    ? `It is still turn ${turn}; ${attemptsLeft === 1 ? 'one attempt is' : `${attemptsLeft} attempts are`} left.`
    : `That was the last attempt: turn ${turn} is played, and you waited.`;
  return { reason: `Refused: ${problem?.message ?? 'no reason is given.'}\n${left}`, isRepeatable };
}

/** The end of the run reaches the client as such. */
function failureIn(error: unknown): Refusal | null {
  return error instanceof ServeError && error.reason !== 'RUN_ENDED'
    ? { reason: `Nothing was done: ${error.message}.`, isRepeatable: false }
    : null;
}

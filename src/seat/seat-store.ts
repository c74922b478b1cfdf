/**
 * The store of a person's seat: it takes and renews the lease, reads its observations, sends commands, and
 * redraws the page. In: requests of the person, and messages of the world; out: a state for each
 * change. It only knows the API, so the page contains nothing that the entity does not perceive.
 */
import { durationMs } from '@bufbuild/protobuf/wkt';
import type { IntentAck, Lease, Observation } from '../serve/gen/orchestrate/world/v1/world_pb.js';
import { Part, Reason } from '../serve/gen/orchestrate/world/v1/world_pb.js';
import type { SeatCommand } from './command.js';
import { callOf } from './command.js';
import { freshLines, newLines, withLines } from './journal.js';
import type { CommandOutcome, SeatState } from './state.js';
import { EMPTY, isOver, withoutSeat } from './state.js';
import { keepToken } from './token.js';
import { isAboutToken, linkTo, reasonOf, errorText } from './world-link.js';
import type { WorldLink } from './world-link.js';

/** How often the list of entities is requested. */
const REFRESH_MS = 1000;
const UNREACHABLE_REFRESH_MS = 4000;
/** The delay before a broken stream is opened again. */
const REOPEN_MS = 500;
const NAME_KEY = 'orchestrate-name';
const PARTS = [Part.FACTS, Part.EVENTS, Part.TEXT, Part.FRAME, Part.FORMS];

/** The input of a part of the page. */
export interface SeatProps {
  readonly store: SeatStore;
  readonly state: SeatState;
}

export class SeatStore {
  readonly #draw: (state: SeatState) => void;
  readonly #link: WorldLink;
  #token: string;
  #state: SeatState = EMPTY;
  /** A command that came after the end of its turn. */
  #lateCommand: SeatCommand | null = null;
  /** Ends everything that belongs to the lease. */
  #leaseEnd = new AbortController();

  constructor(token: string, draw: (state: SeatState) => void) {
    this.#token = token;
    this.#draw = draw;
    this.#link = linkTo(location.origin, () => this.#token);
    this.#state = { ...EMPTY, name: sessionStorage.getItem(NAME_KEY) ?? '' };
    // Leaving the page gives the entity back; otherwise the browser's cached page would have a seat that has
    // ended.
    addEventListener('pagehide', () => this.leave());
  }

  open(): void {
    this.#set({});
    void this.#keepRefreshing();
  }

  enter(token: string): void {
    this.#token = token;
    keepToken(token);
    this.#set({ isLocked: false, notice: '' });
    void this.#refresh();
  }

  /** Takes a free entity. */
  async take(entity: string, name: string): Promise<void> {
    const { world } = this.#state;
    if (world === null || this.#state.lease !== null) return;
    sessionStorage.setItem(NAME_KEY, name);
    try {
      const lease = await this.#link.leases.acquireLease({
        run: world.run,
        entity,
        controller: name === '' ? 'person' : name,
        requestId: crypto.randomUUID(),
      });
      this.#leaseEnd = new AbortController();
      this.#lateCommand = null;
      this.#set({ ...withoutSeat(this.#state, ''), name, lease });
      void this.#renew(lease, this.#leaseEnd.signal);
      void this.#watch(lease, this.#leaseEnd.signal);
    } catch (error) {
      this.#set({ notice: errorText(error) });
    }
  }

  /** Back to the list; the entity is free again. */
  leave(): void {
    const { lease } = this.#state;
    if (lease === null) return;
    this.#leaseEnd.abort();
    if (this.#state.end === null)
      this.#link.leases.releaseLease({ lease: lease.lease }).catch(() => undefined);
    this.#set(withoutSeat(this.#state, ''));
    void this.#refresh();
  }

  /** The reason why a typed line could not be parsed, or the command that it means. Costs no attempt. */
  async read(line: string): Promise<{ readonly command: SeatCommand } | { readonly fault: string }> {
    const { lease } = this.#state;
    if (lease === null) return { fault: '' };
    try {
      const { ok, call, message, words } = await this.#link.play.readCommand({ lease: lease.lease, line });
      if (!ok || call === undefined) return { fault: message };
      const args = Object.entries(call.args).map(([slot, { value }]) => [slot, value.value ?? ''] as const);
      return { command: { action: call.action, args: Object.fromEntries(args), words } };
    } catch (error) {
      return { fault: errorText(error) };
    }
  }

  /** Shown in place of a command's outcome: nothing was sent. */
  show(outcome: CommandOutcome): void {
    this.#set({ outcome });
  }

  /** Submits a command for the open attempt. */
  async act(command: SeatCommand): Promise<void> {
    const { lease, observation, isAsked } = this.#state;
    const { words } = command;
    if (lease === null || observation === null) return;
    if (!isAsked)
      return this.#set({ outcome: { tone: 'bad', text: `It is not your turn: ${words} was not sent.` } });
    const { tick, attempt } = observation;
    this.#set({ isAsked: false, sending: words, outcome: null });
    try {
      const ack = await this.#link.play.submitIntent(
        {
          lease: lease.lease,
          tick,
          attempt,
          requestId: `${tick}-${attempt}`,
          intent: { case: 'call', value: callOf(command) },
        },
        { signal: this.#leaseEnd.signal },
      );
      this.#acknowledged(ack, command);
    } catch (error) {
      if (this.#leaseEnd.signal.aborted) return;
      // It may be sent again, because the world answers repeated requests only once.
      const isAskedStill = this.#state.isAsked || this.#state.observation === observation;
      this.#set({ isAsked: isAskedStill, sending: '', outcome: { tone: 'bad', text: errorText(error) } });
    }
  }

  #acknowledged({ accepted, reason, message, attemptsLeft, tick }: IntentAck, command: SeatCommand): void {
    const { words } = command;
    if (reason === Reason.LATE_TICK) return this.#sendAgain(command);
    const isDone = accepted && reason !== Reason.FREE_ACT;
    const outcome = accepted
      ? { tone: 'good' as const, text: message === '' ? `${words}: done.` : message }
      : { tone: 'bad' as const, text: `${message}${attemptsText(reason, attemptsLeft)}` };
    const line = { tick: Number(tick), kind: 'own', speaker: '', text: words } as const;
    const { sending } = this.#state;
    this.#set({
      outcome: isDone ? null : outcome,
      journal: withLines(this.#state.journal, accepted ? [line] : []),
      sending: sending === words ? '' : sending,
    });
  }

  /** A person may be slower than a short turn: a command after its end counts for the next one. */
  #sendAgain(command: SeatCommand): void {
    this.#lateCommand = command;
    const text = `${command.words} came too late for this turn and will be sent in the next one.`;
    this.#set({ sending: '', outcome: { tone: 'bad', text } });
    if (this.#state.isAsked) this.#sendLateCommand();
  }

  #sendLateCommand(): void {
    const lateCommand = this.#lateCommand;
    this.#lateCommand = null;
    if (lateCommand !== null) void this.act(lateCommand);
  }

  /** A short network failure ends the stream but not the lease; then the stream is opened again. */
  async #watch({ lease }: Lease, signal: AbortSignal): Promise<void> {
    while (!signal.aborted && this.#state.end === null) {
      try {
        const stream = this.#link.play.streamObservations({ lease, parts: PARTS }, { signal });
        for await (const observation of stream) this.#receive(observation, lease, signal);
      } catch (error) {
        if (signal.aborted || !(await this.#hasLease(lease, error))) return;
      }
      await new Promise((resolve) => setTimeout(resolve, REOPEN_MS));
    }
  }

  /** If the world can be reached and still knows the lease, the lease has the reason why its stream ended. */
  async #hasLease(lease: string, cause: unknown): Promise<boolean> {
    if (reasonOf(cause) === 'SHUTTING_DOWN') return this.#lose(errorText(cause));
    try {
      await this.#link.leases.renewLease({ lease });
    } catch (refusal) {
      if (reasonOf(refusal) !== '') return this.#lose(errorText(refusal));
      this.#set({ outcome: { tone: 'bad', text: `${errorText(refusal)} This page keeps trying.` } });
    }
    return true;
  }

  #receive(received: Observation, lease: string, signal: AbortSignal): void {
    const { tick, timeLeft, isFinal, state, reason } = received;
    if (isFinal) return this.#set({ end: { state, reason }, isAsked: false, sending: '' });
    // The first message only confirms that the stream is open.
    if (tick === 0n) return;
    const { observation, journal, briefing } = this.#state;
    const isNew = observation?.tick !== tick;
    const openMs = timeLeft === undefined ? 0 : durationMs(timeLeft);
    this.#set({
      observation: received,
      closesAt: performance.now() + openMs,
      openMs: isNew ? openMs : this.#state.openMs,
      isAsked: true,
      sending: '',
      journal: withLines(journal, isNew ? newLines(received) : freshLines(received, observation)),
      outcome: isNew ? null : (this.#state.outcome ?? outcomeOf(received)),
    });
    if (briefing === '' && isNew) void this.#requestBriefing(lease, signal);
    if (isNew) this.#sendLateCommand();
  }

  /** Shown once: who the entity is, and its goals. */
  async #requestBriefing(lease: string, signal: AbortSignal): Promise<void> {
    const streamEnd = new AbortController();
    const both = AbortSignal.any([signal, streamEnd.signal]);
    try {
      const stream = this.#link.play.streamObservations({ lease, parts: [Part.PROMPT] }, { signal: both });
      for await (const { prompt } of stream) {
        const systemMessages = (prompt?.messages ?? []).filter(({ role }) => role === 'system');
        const texts = systemMessages.flatMap(({ parts }) =>
          parts.flatMap(({ part }) => (part.case === 'text' ? [part.value] : [])),
        );
        if (prompt === undefined) continue;
        this.#set({ briefing: texts.join('\n') });
        streamEnd.abort();
        return;
      }
    } catch {
      // The next tick asks again.
    }
  }

  async #renew({ lease, ttl }: Lease, signal: AbortSignal): Promise<void> {
    const period = Math.max(100, (ttl === undefined ? 0 : durationMs(ttl)) / 3);
    while (!signal.aborted) {
      await new Promise((resolve) => setTimeout(resolve, period));
      if (signal.aborted || this.#state.end !== null) return;
      try {
        await this.#link.leases.renewLease({ lease }, { signal });
      } catch (error) {
        // After a short network failure, the request is repeated; a lease that has ended is not renewed.
        if (signal.aborted || reasonOf(error) === '') continue;
        this.#lose(errorText(error));
        return;
      }
    }
  }

  /** Returns the reason why the seat is lost. */
  #lose(notice: string): false {
    if (this.#state.lease === null || this.#state.end !== null) return false;
    this.#leaseEnd.abort();
    this.#set(withoutSeat(this.#state, notice));
    void this.#refresh();
    return false;
  }

  /** The list is refreshed as long as it is shown, or while the world waits for others. */
  async #keepRefreshing(): Promise<void> {
    for (;;) {
      if (this.#state.observation === null) await this.#refresh();
      await new Promise((resolve) =>
        setTimeout(resolve, this.#isUnreachable ? UNREACHABLE_REFRESH_MS : REFRESH_MS),
      );
    }
  }

  async #refresh(): Promise<void> {
    try {
      const run = this.#state.lease?.run ?? '';
      const world = await this.#link.worlds.getWorld({ run });
      const { entities } = await this.#link.worlds.listEntities({ run: world.run, pageSize: 1000 });
      this.#set({ world, entities, isLocked: false, ...(this.#isUnreachable ? { notice: '' } : {}) });
      this.#isUnreachable = false;
      if (isOver(world.state) && this.#state.lease === null)
        this.#set({ end: { state: world.state, reason: world.reason } });
    } catch (error) {
      this.#isUnreachable = true;
      // The server of a single run ends with it.
      if (this.#state.world !== null && isOver(this.#state.world.state)) return;
      this.#set({ notice: errorText(error), isLocked: isAboutToken(error) });
    }
  }

  #isUnreachable = false;

  #set(change: Partial<SeatState>): void {
    this.#state = { ...this.#state, ...change };
    this.#draw(this.#state);
  }
}

function attemptsText(reason: Reason, attemptsLeft: number): string {
  if (reason !== Reason.UNREADABLE && reason !== Reason.ILLEGAL_ACTION) return '';
  if (attemptsLeft === 0) return ' No attempts are left: you wait this turn.';
  return ` ${attemptsLeft === 1 ? 'One attempt is' : `${attemptsLeft} attempts are`} left.`;
}

/**
 * A further attempt gives the reason why the previous one was not accepted, unless the acknowledgement came
 * first.
 */
function outcomeOf({ problem }: Observation): SeatState['outcome'] {
  return problem === '' ? null : { tone: 'bad', text: problem };
}

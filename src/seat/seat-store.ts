/**
 * The store of a person's seat: it takes and renews the lease, reads its observations, sends commands, and
 * redraws the page. It only knows the API, so the page contains nothing that the entity does not perceive.
 */
import { durationFromMs, durationMs } from '@bufbuild/protobuf/wkt';
import type { IntentAck, Lease, Observation } from '../serve/gen/orchestrate/world/v1/world_pb.js';
import { Part, Reason } from '../serve/gen/orchestrate/world/v1/world_pb.js';
import type { SeatCommand } from './command.js';
import { callOf } from './command.js';
import { freshLines, newLines, withLines } from './journal.js';
import type { CommandOutcome, SeatState } from './state.js';
import { EMPTY, isOver, withoutSeat } from './state.js';
import { keepToken } from './token.js';
import { ANSWER_MS, isAboutToken, linkTo, reasonOf, errorText } from './world-link.js';
import type { WorldLink } from './world-link.js';

/** How often the list of entities is requested. */
const REFRESH_MS = 1000;
const UNREACHABLE_REFRESH_MS = 4000;
/** The delay before a broken stream is opened again, or a failed renewal is repeated. */
const REOPEN_MS = 500;
const NAME_KEY = 'orchestrate-name';
/** What a page leaves for the page that follows it in its tab. */
const SEAT_KEY = 'orchestrate-seat';
/**
 * How long a seat lasts without its page, unless the world's leases last longer. It is renewed after a third
 * of this, so ten seconds without a network never cost it; a closed page keeps an entity no longer.
 */
const SEAT_MS = 20_000;
const PARTS = [Part.FACTS, Part.EVENTS, Part.TEXT, Part.FRAME, Part.FORMS];

interface KeptSeat {
  lease: string;
  journal: SeatState['journal'];
  journalTick: number;
}

/** The input of a part of the page. */
export interface SeatProps {
  store: SeatStore;
  state: SeatState;
}

export class SeatStore {
  readonly #draw: (state: SeatState) => void;
  readonly #link: WorldLink;
  #token: string;
  #state: SeatState = EMPTY;
  /** A command that came after the end of its turn. */
  #lateCommand: SeatCommand | null = null;
  /** The newest turn whose news is in the journal; 0 before the first. */
  #journalTick = 0;
  /** Ends everything that belongs to the lease. */
  #leaseEnd = new AbortController();

  constructor(token: string, draw: (state: SeatState) => void) {
    this.#token = token;
    this.#draw = draw;
    this.#link = linkTo(location.origin, () => this.#token);
    this.#state = { ...EMPTY, name: sessionStorage.getItem(NAME_KEY) ?? '' };
    addEventListener('pagehide', () => this.#keepForNextPage());
    addEventListener('pageshow', ({ persisted }) => {
      if (persisted) void this.#takeBack();
    });
  }

  open(): void {
    this.#set({});
    void this.#takeBack();
    void this.#keepRefreshing();
  }

  /**
   * A page is also left when it is loaded again, which nothing tells from closing it. Only the page that
   * follows in this tab finds the seat: a tab that was duplicated has none.
   */
  #keepForNextPage(): void {
    const { lease, end, journal } = this.#state;
    if (lease === null || end !== null) return;
    const kept: KeptSeat = { lease: lease.lease, journal, journalTick: this.#journalTick };
    sessionStorage.setItem(SEAT_KEY, JSON.stringify(kept));
    this.#leaseEnd.abort();
    this.#set(withoutSeat(this.#state, ''));
  }

  async #takeBack(): Promise<void> {
    const kept = sessionStorage.getItem(SEAT_KEY);
    sessionStorage.removeItem(SEAT_KEY);
    if (kept === null) return;
    const { lease, journal, journalTick } = JSON.parse(kept) as KeptSeat;
    try {
      // Without a time limit: a server that is silent now may know the seat when it is back.
      this.#sit(await this.#link.leases.renewLease({ lease }, { timeoutMs: 0 }), journal);
      this.#journalTick = journalTick;
    } catch (error) {
      this.#set({ notice: errorText(error) });
    }
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
        ttl: this.#leaseTtl(),
        requestId: crypto.randomUUID(),
      });
      this.#set({ name });
      this.#sit(lease, []);
    } catch (error) {
      this.#set({ notice: errorText(error) });
    }
  }

  /** Undefined: the world's own leases last longer. */
  #leaseTtl() {
    const ofWorld = this.#state.world?.leaseTtl;
    return ofWorld !== undefined && durationMs(ofWorld) >= SEAT_MS ? undefined : durationFromMs(SEAT_MS);
  }

  #sit(lease: Lease, journal: SeatState['journal']): void {
    this.#leaseEnd = new AbortController();
    this.#lateCommand = null;
    this.#journalTick = 0;
    this.#set({ ...withoutSeat(this.#state, ''), lease, journal });
    void this.#renew(lease, this.#leaseEnd.signal);
    void this.#watch(lease, this.#leaseEnd.signal);
  }

  /** A seat that was not renewed in time, because the network or the page was away, is taken again if it is free. */
  async #takeAgain({ run, entity, controller, lease }: Lease, notice: string): Promise<void> {
    const isWanted = (): boolean => this.#state.lease?.lease === lease;
    try {
      const next = await this.#link.leases.acquireLease({
        run,
        entity,
        controller,
        ttl: this.#leaseTtl(),
        requestId: crypto.randomUUID(),
      });
      if (isWanted()) this.#sit(next, this.#state.journal);
      else await this.#link.leases.releaseLease({ lease: next.lease });
    } catch {
      if (isWanted()) this.#set(withoutSeat(this.#state, notice));
      void this.#refresh();
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
  async read(line: string): Promise<{ command: SeatCommand } | { fault: string }> {
    const { lease } = this.#state;
    if (lease === null) return { fault: '' };
    try {
      const { ok, call, message, words } = await this.#link.play.readCommand(
        { lease: lease.lease, line },
        { timeoutMs: ANSWER_MS },
      );
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
    if (reasonOf(cause) === 'SHUTTING_DOWN') return this.#lose(cause);
    try {
      await this.#link.leases.renewLease({ lease });
    } catch (refusal) {
      if (reasonOf(refusal) !== '') return this.#lose(refusal);
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
    const lines = this.#journalTick === Number(tick) ? freshLines(received, observation) : newLines(received);
    this.#journalTick = Number(tick);
    const openMs = timeLeft === undefined ? 0 : durationMs(timeLeft);
    this.#set({
      observation: received,
      closesAt: performance.now() + openMs,
      openMs: isNew ? openMs : this.#state.openMs,
      isAsked: true,
      sending: '',
      notice: '',
      journal: withLines(journal, lines),
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
        if (prompt === undefined) continue;
        this.#set({ briefing: prompt.briefing });
        streamEnd.abort();
        return;
      }
    } catch {
      // The next tick asks again.
    }
  }

  async #renew({ lease, ttl }: Lease, signal: AbortSignal): Promise<void> {
    // Also often enough for a long lease to notice a server that is silent.
    const period = Math.max(100, Math.min(SEAT_MS, ttl === undefined ? 0 : durationMs(ttl)) / 3);
    let waitMs = period;
    while (!signal.aborted) {
      await new Promise((resolve) => setTimeout(resolve, waitMs));
      if (signal.aborted || this.#state.end !== null) return;
      try {
        await this.#link.leases.renewLease({ lease }, { signal });
        waitMs = period;
        if (this.#state.notice !== '') this.#set({ notice: '' });
      } catch (error) {
        // After a network failure, the request is soon repeated; a lease that has ended is not renewed.
        waitMs = REOPEN_MS;
        if (signal.aborted) return;
        if (reasonOf(error) !== '') return void this.#lose(error);
        this.#set({ notice: `${errorText(error)} This page keeps trying.` });
      }
    }
  }

  #lose(refusal: unknown): false {
    const { lease, end } = this.#state;
    if (lease === null || end !== null || this.#leaseEnd.signal.aborted) return false;
    this.#leaseEnd.abort();
    if (reasonOf(refusal) === 'LEASE_EXPIRED') {
      void this.#takeAgain(lease, errorText(refusal));
      return false;
    }
    this.#set(withoutSeat(this.#state, errorText(refusal)));
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

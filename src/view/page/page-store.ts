/**
 * The page's store: holds the state, carries out the actions of keys and buttons, and triggers drawing.
 * Pictures and slider follow every change; texts, the address and screen readers only after a short pause, so
 * that scrubbing through a long run stays smooth.
 */
import { createRef } from 'preact';
import type { PageData, PageRun } from '../page-data.js';
import { changeBy, LINK_LEFT, toPanel, toStep, type PageChange } from './actions.js';
import { Annotator, unconfirmed, type PageVerdict } from './annotator.js';
import { countHits, hitText } from './hits.js';
import { actionOf, ANNOTATION_KEYS, KEYS, type KeyLine, type PageAction } from './keys.js';
import { hashOf, readLink } from './link.js';
import type { SaveAnnotation } from './load.js';
import {
  afterWalks,
  followedMs,
  followSpeed,
  advancePlayback,
  playedMs,
  tickOf,
  tilesDone,
} from './player.js';
import { snapshotOf, type PageSnapshot } from './snapshot.js';
import { runOf, stepKey, INITIAL_STATE } from './state.js';
import type { PageState, PanelState } from './state.js';
import { summaryOf } from './step-summary.js';
import { nextTheme } from './theme.js';
import { TileCache } from './tiles.js';

/** How long after the last change texts are updated. */
const SETTLE_MS = 70;
/** A late frame advances playback by no more than this, because nobody saw what was skipped. */
const LONGEST_FRAME_MS = 250;

/** What a frame shows. */
export interface PageFrame {
  snapshot: PageSnapshot;
  /** The snapshot at the last pause, for texts. */
  settled: PageSnapshot;
  /** The progress in tiles of the walks that led to the step, while it plays; null if they are complete. */
  tilesDone: number | null;
  /** Whether the newest step of a run in progress is shown. */
  isFollowing: boolean;
}

export class PageStore {
  readonly tiles: TileCache;
  readonly keys: readonly KeyLine[];
  /** Null if verdicts can't be stored. */
  readonly annotator: Annotator | null;
  /** The elements that keys focus or open. */
  readonly fields = {
    search: createRef<HTMLInputElement>(),
    number: createRef<HTMLInputElement>(),
    help: createRef<HTMLDialogElement>(),
  };
  readonly #draw: (frame: PageFrame) => void;
  #snapshot: PageSnapshot;
  #settled: PageSnapshot;
  #settleTimer: ReturnType<typeof setTimeout> | undefined;
  #isFrameRequested = false;
  /** The time of the step being played, at speed 1. */
  #elapsedMs = 0;
  #lastFrame = 0;
  /** The speed at which a page that follows a run plays new steps; 0 if there are none to play. */
  #catchUpSpeed = 0;
  /** Whether the address names no step, so that the page shows the newest step of a run in progress. */
  readonly #startsAtNewest: boolean;
  #announcedStep = '';

  /** `save` stores a verdict on a step; null if nothing can. */
  constructor(data: PageData, save: SaveAnnotation | null, draw: (frame: PageFrame) => void) {
    this.#draw = draw;
    this.keys = save === null ? KEYS : [...KEYS.slice(0, -1), ...ANNOTATION_KEYS, ...KEYS.slice(-1)];
    this.annotator = save === null ? null : new Annotator(save, this);
    this.tiles = new TileCache(data);
    this.#startsAtNewest = !new URLSearchParams(location.hash.slice(1)).has('step');
    const state = { ...INITIAL_STATE, ...readLink(data, location.hash).view, isSettled: save === null };
    this.#snapshot = snapshotOf(data, state, null);
    this.#settled = this.#snapshot;
    document.addEventListener('keydown', (event) => this.#handleKey(event));
    // The event's URL is used, because the current address may already be that of another step.
    addEventListener('hashchange', ({ newURL }) => this.#openLink(new URL(newURL).hash));
    addEventListener('resize', () => this.#requestFrame());
    this.#openLink(location.hash);
  }

  get snapshot(): PageSnapshot {
    return this.#snapshot;
  }

  set(change: PageChange, data = this.#snapshot.data): void {
    this.#snapshot = snapshotOf(data, { ...this.#snapshot.state, ...change }, this.#snapshot);
    if (change.step !== undefined) this.#elapsedMs = 0;
    clearTimeout(this.#settleTimer);
    this.#settleTimer = setTimeout(() => this.#settle(), SETTLE_MS);
    this.#requestFrame();
  }

  flush(): void {
    const isMoving = this.#isMoving;
    const isReducedMotion = isMoving && matchMedia('(prefers-reduced-motion: reduce)').matches;
    const done = isMoving && !isReducedMotion ? tilesDone(this.#elapsedMs) : null;
    const { state, last } = this.#snapshot;
    const isFollowing = this.#catchUpSpeed > 0 || (state.live === 'live' && state.step === last);
    this.#draw({ snapshot: this.#snapshot, settled: this.#settled, tilesDone: done, isFollowing });
  }

  /** Takes more data; a reader at the last step moves on to the new last step. */
  extend(data: PageData): void {
    const { state, last } = this.#snapshot;
    const { step, isPlaying, pendingLink } = state;
    this.tiles.extend(data);
    this.set({ sent: unconfirmed(state, data) }, data);
    if (pendingLink !== null) this.#retryLink(pendingLink);
    else if (step === last && (step > 1 || this.#startsAtNewest) && !isPlaying) this.#catchUp(step);
  }

  /** Plays new steps, walks included, fast enough to finish before more arrive. */
  #catchUp(step: number): void {
    if (this.#catchUpSpeed === 0)
      this.#elapsedMs = Math.max(0, ...this.#runs().map((run) => followedMs(tickOf(run, step))));
    this.#catchUpSpeed = followSpeed(this.#snapshot.run, step);
    this.#lastFrame = performance.now();
    this.#requestFrame();
  }

  /** Whether the run continues while it is viewed. */
  setLive(live: PageState['live'], liveNote: string): void {
    const { isSettled, pendingLink, ...state } = this.#snapshot.state;
    if (isSettled && state.live === live && state.liveNote === liveNote) return;
    const lack =
      !isSettled && pendingLink !== null
        ? readLink(this.#snapshot.data, pendingLink).missingText
        : state.missingText;
    this.set({ live, liveNote, isSettled: true, missingText: lack });
    const { run, last } = this.#snapshot;
    if (!isSettled && live === 'live' && run.end === null && this.#startsAtNewest) this.set({ step: last });
  }

  goTo(step: number): void {
    this.#catchUpSpeed = 0;
    this.set(toStep(this.#snapshot, step));
  }

  setPanel(place: number, panel: PanelState): void {
    this.set(toPanel(this.#snapshot, place, panel));
  }

  perform(action: PageAction): void {
    this.#catchUpSpeed = 0;
    if (action === 'go') this.fields.number.current?.select();
    else if (action === 'find') this.fields.search.current?.select();
    else if (action === 'help') this.fields.help.current?.showModal();
    else if (action === 'theme') this.#changeTheme();
    else if (action === 'accept') this.#annotate('accepted');
    else if (action === 'reject') this.#annotate('rejected');
    else if (action === 'correct') this.#annotate('corrected');
    else if (action === 'play') this.#togglePlayback();
    else this.set(changeBy(action, this.#snapshot));
  }

  #handleKey(event: KeyboardEvent): void {
    const action = actionOf(event, this.keys);
    if (action === null) return;
    event.preventDefault();
    this.perform(action);
  }

  #togglePlayback(): void {
    const change = changeBy('play', this.#snapshot);
    this.set(change);
    this.#lastFrame = performance.now();
    // The walks that led to the shown step count as played.
    if (change.step === undefined)
      this.#elapsedMs = afterWalks(this.#runs(), this.#snapshot.state.step).elapsedMs;
  }

  #changeTheme(): void {
    const theme = nextTheme();
    this.set({ theme, announcement: `Colours: ${theme}` });
  }

  /** Pauses playback first, so that the verdict is about the shown step. */
  #annotate(verdict: PageVerdict): void {
    if (this.#snapshot.state.isPlaying && this.annotator !== null) this.#togglePlayback();
    this.annotator?.annotate(verdict);
  }

  /** Shows what an address requests, as far as the data has it. */
  #openLink(hash: string): void {
    const { view, missingText } = readLink(this.#snapshot.data, hash);
    const { query, isSettled } = this.#snapshot.state;
    this.set({
      ...view,
      query,
      pendingLink: missingText === '' ? null : hash,
      missingText: isSettled ? missingText : '',
    });
  }

  /**
   * Tries a link again whose target was missing, because more data has arrived. Once the page has reported
   * what it shows instead, that stays until the whole target is there.
   */
  #retryLink(hash: string): void {
    const { view, missingText } = readLink(this.#snapshot.data, hash);
    if (missingText !== '' && this.#snapshot.state.isSettled) return;
    const { panels, active, step } = view;
    this.set({ ...(missingText === '' ? LINK_LEFT : {}), panels, active, step });
  }

  get #isMoving(): boolean {
    return this.#snapshot.state.isPlaying || this.#catchUpSpeed > 0;
  }

  #requestFrame(): void {
    if (this.#isFrameRequested) return;
    this.#isFrameRequested = true;
    requestAnimationFrame((now) => {
      this.#isFrameRequested = false;
      if (this.#isMoving) this.#advance(now);
      this.flush();
      if (this.#isMoving) this.#requestFrame();
    });
  }

  #advance(now: number): void {
    const { step, speed, isPlaying } = this.#snapshot.state;
    const ms = Math.min(LONGEST_FRAME_MS, now - this.#lastFrame) * (isPlaying ? speed : this.#catchUpSpeed);
    const durationOf = isPlaying ? playedMs : followedMs;
    const next = advancePlayback(this.#runs(), { step, elapsedMs: this.#elapsedMs }, ms, durationOf);
    this.#lastFrame = now;
    if (next === null) this.#catchUpSpeed = 0;
    if (next === null) this.set({ step: this.#snapshot.last, isPlaying: false });
    else if (next.step !== step) this.set({ step: next.step });
    this.#elapsedMs = next?.elapsedMs ?? 0;
  }

  #runs(): readonly PageRun[] {
    const runs = this.#snapshot.state.panels.map(({ run }) => runOf(this.#snapshot.data, run));
    return runs.filter((run) => run !== undefined);
  }

  /** Updates texts, address and screen readers after a pause. */
  #settle(): void {
    const { state, run, step } = this.#snapshot;
    this.#settled = this.#snapshot;
    this.#requestFrame();
    if (state.isPlaying) return;
    const hash = hashOf(state);
    if (hash !== location.hash) history.replaceState(null, '', hash);
    // The same step is not announced again only because its run has grown.
    const key = stepKey(run, step?.step ?? 0);
    if (key !== this.#announcedStep)
      this.set({ announcement: `${summaryOf(run, step)}${hitText(countHits(this.#snapshot))}` });
    this.#announcedStep = key;
  }
}

/**
 * The page at work: holds the state, does what keys and buttons ask, and shows what follows. Pictures and slider are drawn with every
 * change, once a frame of the screen; the words only when it comes to rest, so that scrubbing through a long run stays smooth.
 */
import type { PageData, PageRun } from '../page-data.js';
import { summaryOf } from './step-words.js';
import { face, say } from './icons.js';
import { AnnotationPanel } from './annotation-panel.js';
import { deedOf, JUDGING_KEYS, KEYS, type PageAction } from './keys.js';
import { layout } from './page.js';
import { hashOf, linked } from './link.js';
import type { SaveAnnotation } from './load.js';
import { arrived, later, tilesDone, type PlaybackPosition } from './player.js';
import { FreshMarks, type PageHighlights } from './fresh-highlights.js';
import { areLargerStacked, FrameStage } from './stage.js';
import {
  activeRun,
  besideOf,
  lastStep,
  nameOf,
  runOf,
  SPEEDS,
  stepsAlong,
  stepAt,
  viewsOf,
} from './state.js';
import type { PageState, PanelState } from './state.js';
import { markWords } from './step-highlights.js';
import { nextTheme } from './theme.js';
import { Timeline } from './timeline.js';
import { TileCache } from './tiles.js';
import { StepTextPanel } from './words.js';

/** The words wait for so long after the last change. */
const REST_MS = 70;

type StepPredicate = (marks: PageHighlights, step: number) => boolean;

export class App {
  #data: PageData;
  #state: PageState;
  #version = 0;
  readonly #tiles: TileCache;
  readonly #parts;
  readonly #keys;
  readonly #judging;
  readonly #timeline = new Timeline({
    onStep: (step) => this.#goTo(step),
    describe: (step) => this.#describe(step),
  });
  readonly #words: StepTextPanel;
  #stages: readonly FrameStage[] = [];
  /** Null while nothing plays. */
  #moment: PlaybackPosition | null = null;
  #lastFrame = 0;
  #isWaiting = false;
  #rest: ReturnType<typeof setTimeout> | undefined;
  /** The address that was followed, for as long as something of it is not there and nobody went elsewhere; else null. */
  #unmet: string | null = null;
  /** Whether all is here that there was when the page was opened. */
  #isSettled: boolean;
  readonly #marks = new FreshMarks();

  /** `keep`: how a word on a step is kept; null where nobody keeps it. */
  constructor(data: PageData, keep: SaveAnnotation | null) {
    this.#data = data;
    this.#keys = keep === null ? KEYS : [...KEYS.slice(0, -1), ...JUDGING_KEYS, ...KEYS.slice(-1)];
    this.#judging = new AnnotationPanel(keep, { do: (deed) => this.#do(deed) });
    this.#tiles = new TileCache(data);
    this.#isSettled = keep === null;
    this.#state = linked(data, location.hash).state;
    this.#parts = layout(
      {
        do: (deed) => this.#do(deed),
        setSpeed: (speed) => this.#set({ speed }),
        setAgent: (agent) => this.#set({ agent: agent === '' ? null : agent }),
        find: (query) => this.#set({ query }),
        go: (step) => this.#goTo(step),
      },
      this.#keys,
    );
    this.#parts.heading.after(this.#judging.element);
    document.body.append(this.#judging.dialog);
    this.#parts.transport.element.prepend(this.#timeline.element);
    this.#words = new StepTextPanel(this.#parts, this.#tiles, (step) => this.#goTo(step));
    this.#parts.tabs.onChoose(() => this.#tell());
    document.addEventListener('keydown', (event) => this.#key(event));
    // Where it was to lead, since the address of a step that came to rest meanwhile may stand there by now.
    addEventListener('hashchange', ({ newURL }) => this.#follow(new URL(newURL).hash));
    addEventListener('resize', () => this.#set({}));
    this.#follow(location.hash);
  }

  /** Where an address leads, as far as that is there. */
  #follow(hash: string): void {
    const { state, lack } = linked(this.#data, hash);
    this.#unmet = lack === '' ? null : hash;
    say(this.#parts.lack, this.#isSettled ? lack : '');
    this.#set({ ...state, query: this.#state.query });
  }

  /** What it asked for may have come by now; once somebody was told what is shown instead, that stays until all is there. */
  #followAgain(hash: string): void {
    const { state, lack } = linked(this.#data, hash);
    if (lack === '') this.#depart();
    const { panels, active, step } = lack === '' || !this.#isSettled ? state : this.#state;
    this.#set({ panels, active, step });
  }

  /** Somebody chose what to see: no address is waited for. */
  #depart(): void {
    this.#unmet = null;
    say(this.#parts.lack, '');
  }

  /** With more steps than before; who looks at the last one goes on to the new last one. */
  extend(data: PageData): void {
    const wasAtEnd = this.#state.step === lastStep(this.#data, this.#state) && this.#state.step > 1;
    this.#data = data;
    this.#version += 1;
    this.#tiles.extend(data);
    const follows = wasAtEnd && this.#moment === null;
    if (this.#unmet !== null) this.#followAgain(this.#unmet);
    else this.#set(follows ? { step: lastStep(data, this.#state) } : {});
  }

  /** Whether the run goes on while it is looked at. */
  setLive(state: 'file' | 'live' | 'lost', words: string): void {
    if (!this.#isSettled && this.#unmet !== null) say(this.#parts.lack, linked(this.#data, this.#unmet).lack);
    this.#isSettled = true;
    const { dataset } = document.documentElement;
    if (dataset['live'] === state && this.#parts.status.dataset['note'] === words) return;
    dataset['live'] = state;
    this.#parts.status.dataset['note'] = words;
    this.#set({});
  }

  #set(change: Partial<PageState>): void {
    this.#state = { ...this.#state, ...change };
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    requestAnimationFrame((now) => this.#frame(now));
  }

  #frame(now: number): void {
    this.#isWaiting = false;
    if (this.#moment !== null) this.#advance(now);
    this.#show();
    if (this.#moment !== null) this.#set({});
  }

  #advance(now: number): void {
    const { moment, runs } = { moment: this.#moment, runs: this.#runs() };
    if (moment === null) return;
    const next = later(runs, moment, Math.min(250, now - this.#lastFrame) * this.#state.speed);
    this.#lastFrame = now;
    this.#moment = next;
    this.#state = {
      ...this.#state,
      step: next?.step ?? lastStep(this.#data, this.#state),
      isPlaying: next !== null,
    };
  }

  #runs(): readonly PageRun[] {
    const runs = this.#state.panels.map(({ run }) => runOf(this.#data, run));
    return runs.filter((run) => run !== undefined);
  }

  /** Pictures, slider and numbers; the words follow when it rests. */
  #show(): void {
    const state = this.#state;
    const run = activeRun(this.#data, state);
    if (run === undefined) return;
    this.#arrange();
    document.body.classList.toggle('several', this.#data.runs.length > 1);
    document.body.classList.toggle(
      'textual',
      this.#runs().every((one) => viewsOf(one).length === 0),
    );
    const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches;
    const done = this.#moment === null || isCalm ? null : tilesDone(this.#moment);
    this.#stages.forEach((stage, place) => stage.show(this.#data, this.#tiles, { state, place, done }));
    const [stage] = this.#stages;
    const room = { width: this.#parts.stages.clientWidth, height: this.#parts.stages.clientHeight };
    const isStacked = this.#stages.length > 1 && stage !== undefined && areLargerStacked(stage.size, room);
    this.#parts.stages.classList.toggle('stacked', isStacked);
    const last = lastStep(this.#data, state);
    const step = stepAt(run, state.step);
    this.#timeline.show(state.step, last, this.#describe(step?.step ?? 0));
    const { transport, hits } = this.#parts;
    if (document.activeElement !== transport.number) transport.number.value = String(state.step);
    transport.number.max = String(last);
    say(transport.total, ` of ${last}`);
    face(transport.play, state.isPlaying ? 'pause' : 'play', state.isPlaying ? 'Pause' : 'Play');
    transport.speed.element.value = String(state.speed);
    const marks = this.#freshMarks(run);
    this.#timeline.mark(marks.list, last, marks.key);
    say(hits, state.query === '' ? '' : `${marks.found.size} found`);
    clearTimeout(this.#rest);
    this.#rest = setTimeout(() => this.#tell(), REST_MS);
  }

  /** As many pictures as are asked for. */
  #arrange(): void {
    if (this.#stages.length === this.#state.panels.length) return;
    this.#stages = this.#state.panels.map(
      (_, place) =>
        new FrameStage(this.#state.panels.length === 1 ? 'Picture' : `Picture ${place + 1}`, {
          onChange: (panel) => this.#setPanel(place, panel),
          onActivate: () => this.#set({ active: place }),
        }),
    );
    this.#parts.stages.replaceChildren(...this.#stages.map((stage) => stage.element));
    this.#parts.beside.setAttribute('aria-pressed', String(this.#stages.length > 1));
  }

  #freshMarks(run: PageRun): PageHighlights {
    return this.#marks.of(this.#data, run, { query: this.#state.query, version: this.#version });
  }

  /** All that is to be read. */
  #tell(): void {
    const state = this.#state;
    const run = activeRun(this.#data, state);
    if (run === undefined) return;
    this.#judging.show({ data: this.#data, run, step: stepAt(run, state.step) });
    this.#words.tell({ data: this.#data, run, state, marks: this.#freshMarks(run).list });
    const hash = hashOf(state);
    if (hash !== location.hash && !state.isPlaying) history.replaceState(null, '', hash);
  }

  #goTo(step: number): void {
    this.#depart();
    const last = lastStep(this.#data, this.#state);
    const wanted = Number.isFinite(step) ? Math.max(0, Math.min(last, Math.round(step))) : this.#state.step;
    if (this.#moment !== null) this.#moment = { step: wanted, elapsedMs: 0 };
    this.#set({ step: wanted });
  }

  #setPanel(place: number, panel: PanelState): void {
    const run = runOf(this.#data, panel.run);
    if (run === undefined) return;
    const views = viewsOf(run).map(([view]) => view);
    const view = views.includes(panel.view) ? panel.view : (views[0] ?? 'map');
    this.#depart();
    this.#set({
      panels: this.#state.panels.map((one, i) => (i === place ? { run: run.id, view } : one)),
      active: place,
    });
  }

  #key(event: KeyboardEvent): void {
    const deed = deedOf(event, this.#keys);
    if (deed === null) return;
    event.preventDefault();
    this.#do(deed);
  }

  #do(deed: PageAction): void {
    const state = this.#state;
    const deeds: Readonly<Record<PageAction, () => void>> = {
      play: () => this.#play(),
      next: () => this.#goTo(this.#along(1, () => true)),
      back: () => this.#goTo(this.#along(-1, () => true)),
      first: () => this.#goTo(0),
      last: () => this.#goTo(lastStep(this.#data, state)),
      go: () => this.#parts.transport.number.select(),
      agent: () => this.#nextAgent(),
      view: () => this.#nextView(),
      beside: () => this.#toggleBeside(),
      find: () => this.#parts.search.select(),
      found: () => this.#leap(1, ({ found }, step) => found.has(step)),
      foundBack: () => this.#leap(-1, ({ found }, step) => found.has(step)),
      problem: () => this.#goToMarked('isProblem'),
      fork: () => this.#goToMarked('isFork'),
      judged: () => this.#goToMarked('isJudged'),
      open: () => this.#goToMarked('isOpen'),
      accept: () => this.#judge('accepted'),
      reject: () => this.#judge('rejected'),
      correct: () => this.#judge('corrected'),
      faster: () => this.#setSpeed(1),
      slower: () => this.#setSpeed(-1),
      theme: () => this.#changeTheme(),
      help: () => this.#parts.dialog.showModal(),
    };
    deeds[deed]();
  }

  #goToMarked(name: 'isProblem' | 'isFork' | 'isJudged' | 'isOpen'): void {
    this.#leap(1, ({ list }, step) => list[step - 1]?.[name] === true);
  }

  /** Round the end, where there is such a step; else it says so. */
  #leap(way: 1 | -1, holds: StepPredicate): void {
    const step = this.#along(way, holds, true);
    const run = activeRun(this.#data, this.#state);
    if (run !== undefined && !holds(this.#freshMarks(run), step)) this.#announce('There is no such step.');
    this.#goTo(step);
  }

  /** For readers aloud: what a key changed that no step tells. */
  #announce(words: string): void {
    say(this.#parts.live, words);
  }

  /** Of the step that is shown now, be it told in words yet or not; nobody judges one that runs past. */
  #judge(verdict: 'accepted' | 'rejected' | 'corrected'): void {
    if (this.#state.isPlaying) this.#play();
    const run = activeRun(this.#data, this.#state);
    if (run === undefined) return;
    this.#judging.judge({ data: this.#data, run, step: stepAt(run, this.#state.step) }, verdict);
  }

  /** With what it is marked with. */
  #describe(step: number): string {
    const run = activeRun(this.#data, this.#state);
    if (run === undefined) return '';
    const marks = this.#freshMarks(run).list[step - 1];
    const words = marks === undefined ? '' : markWords({ ...marks, said: null });
    return `${summaryOf(run, stepAt(run, step))}${words === '' ? '' : ` (${words})`}`;
  }

  /** Where it is now if there is none such; `isRound`: past the end it begins again. */
  #along(way: 1 | -1, holds: StepPredicate, isRound = false): number {
    const run = activeRun(this.#data, this.#state);
    if (run === undefined) return this.#state.step;
    const [marks, last] = [this.#freshMarks(run), lastStep(this.#data, this.#state)];
    const steps = stepsAlong(run, this.#state, { way, last, isRound });
    return steps.find((step) => holds(marks, step)) ?? this.#state.step;
  }

  #play(): void {
    this.#depart();
    const isPlaying = !this.#state.isPlaying;
    const isAtEnd = this.#state.step >= lastStep(this.#data, this.#state);
    this.#lastFrame = performance.now();
    const from = isAtEnd ? { step: 0, elapsedMs: 0 } : arrived(this.#runs(), this.#state.step);
    this.#moment = isPlaying ? from : null;
    this.#set({ isPlaying, ...(isPlaying && isAtEnd ? { step: 0 } : {}) });
  }

  #setSpeed(way: 1 | -1): void {
    const place = SPEEDS.findIndex((one) => one === this.#state.speed) + way;
    const speed = SPEEDS[Math.max(0, Math.min(SPEEDS.length - 1, place))] ?? 1;
    this.#announce(`Speed ${speed}×`);
    this.#set({ speed });
  }

  #nextAgent(): void {
    const run = activeRun(this.#data, this.#state);
    const agents = [null, ...(run?.agents.map(({ id }) => id) ?? [])];
    const place = (agents.indexOf(this.#state.agent) + 1) % agents.length;
    const agent = agents[place] ?? null;
    this.#announce(
      agent === null || run === undefined ? 'Everybody’s steps' : `Steps of ${nameOf(run, agent)}`,
    );
    this.#set({ agent });
  }

  #nextView(): void {
    const { panels, active } = this.#state;
    const panel = panels[active];
    const run = panel === undefined ? undefined : runOf(this.#data, panel.run);
    if (panel === undefined || run === undefined) return;
    const views = viewsOf(run);
    const now = views.findIndex(([view]) => view === panel.view);
    const [view, words] = views[(now + 1) % views.length] ?? [panel.view, ''];
    this.#announce(words);
    this.#setPanel(active, { ...panel, view });
  }

  #toggleBeside(): void {
    const { panels } = this.#state;
    const [first] = panels;
    if (first === undefined) return;
    this.#depart();
    this.#announce(panels.length > 1 ? 'One picture' : 'Two pictures');
    if (panels.length > 1) this.#set({ panels: [first], active: 0 });
    else this.#set({ panels: [first, besideOf(this.#data, first)] });
  }

  #changeTheme(): void {
    this.#announce(`Colours: ${nextTheme()}`);
    this.#version += 1;
    this.#set({});
  }
}

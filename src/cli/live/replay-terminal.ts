/**
 * `replay` in the terminal: shows a run step by step, controlled by the keys of `replay-keys.ts`. It stores
 * only the current step and view; everything shown is read from the log on demand, so a long run costs no
 * more than a short one.
 */
import { lookUp } from '../../base/look-up.js';
import { at } from '../../base/assert.js';
import { UsageError } from '../../base/errors.js';
import type { ExitCode } from '../../base/errors.js';
import { WORLD_ID } from '../../base/ids.js';
import type { Io } from '../terminal/io.js';
import { pictureMethod } from '../terminal/pictures.js';
import type { PictureMethod } from '../terminal/pictures.js';
import { actionOf } from './replay-keys.js';
import type { KeyAction } from './replay-keys.js';
import { clampScroll, helpLines, pageLines, pictureBox, textLines, textRows } from './replay-page.js';
import type { PageParts } from './replay-page.js';
import { stepPicture } from './replay-picture.js';
import type { StepPicture, ReplayView } from './replay-picture.js';
import { mismatchWarning } from '../logs/replay-source.js';
import type { ReplaySource } from '../logs/replay-source.js';
import type { ReplayOptions } from '../options/replay-options.js';
import { StepWalker } from './replay-steps.js';
import { stepText } from '../text/replay-text.js';
import { Screen } from '../terminal/screen.js';
import type { PressedKey } from '../terminal/screen.js';
import { displayNames, painter } from '../terminal/style.js';
import { lineText } from '../terminal/styled-lines.js';

const SPEEDS_MS = [100, 200, 400, 700, 1200, 2500] as const;
const USUAL_SPEED = 3;

/** Runs until the user quits. Throws UsageError if there is no terminal, or nothing to show. */
export async function replayInTerminal(
  source: ReplaySource,
  options: ReplayOptions,
  io: Io,
): Promise<ExitCode> {
  if (!io.out.isTerminal || io.stdin.isTTY !== true || io.stdin.setRawMode === undefined)
    throw new UsageError('replay needs a terminal for its pictures and keys', [
      `orchestrate show ${options.log} prints the steps`,
      `orchestrate replay ${options.log} --out run.gif makes a film`,
    ]);
  if (source.summary.steps === 0) throw new UsageError('the run has no steps yet');
  const method = await pictureMethod(io, io.out);
  return new Viewer(source, options, { io, way: method }).run();
}

interface TerminalPrompt {
  kind: 'go' | 'find';
  text: string;
}

class Viewer {
  readonly #source: ReplaySource;
  readonly #io: Io;
  readonly #pictureMethod: PictureMethod | null;
  readonly #steps: StepWalker;
  readonly #screen: Screen;
  readonly #views: readonly ReplayView[];
  readonly #names: Readonly<Record<string, string>>;
  #step: number;
  #agent: string | null;
  #view: ReplayView;
  #scroll = 0;
  #speed = USUAL_SPEED;
  #timer: NodeJS.Timeout | null = null;
  #isPlaying = false;
  #isHelp = false;
  #prompt: TerminalPrompt | null = null;
  #message = '';
  #searchText = '';
  #search: AbortController | null = null;
  /** Counts drawings: if another drawing began while a picture was being made, the older one is not shown. */
  #drawing = 0;
  #finish: (code: ExitCode) => void = () => undefined;
  #fail: (error: unknown) => void = () => undefined;

  constructor(
    source: ReplaySource,
    options: ReplayOptions,
    { io, way }: { io: Io; way: PictureMethod | null },
  ) {
    this.#source = source;
    this.#io = io;
    this.#pictureMethod = way;
    const { reader, run, summary } = source;
    this.#names = displayNames(run.scenario.agents);
    this.#steps = new StepWalker({ reader, runId: run.runId, names: this.#names }, summary.steps);
    this.#agent = options.agent ?? null;
    const first = Math.max(1, options.step ?? 1);
    this.#step = this.#steps.next(first - 1, this.#agent) ?? first;
    const firstView = options.view === undefined ? 'sent' : (options.view as ReplayView);
    this.#view = firstView;
    this.#views = [...new Set<ReplayView>([firstView, 'sent', 'map', 'all'])];
    this.#screen = new Screen(io, {
      onKey: (key) => this.#guarded(() => splitAltKey(key).forEach((one) => this.#handleKey(one))),
      onResize: () => this.#draw(),
      onEnd: () => this.#finish(0),
    });
  }

  async run(): Promise<ExitCode> {
    const ended = new Promise<ExitCode>((resolve, reject) => {
      this.#finish = resolve;
      this.#fail = reject;
    });
    const close = this.#io.onInterrupt(() => this.#finish(130));
    try {
      this.#screen.open();
      this.#draw();
      return await ended;
    } finally {
      this.#drawing += 1;
      this.#search?.abort();
      this.#pause();
      this.#screen.close();
      close();
    }
  }

  #guarded(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#fail(error);
    }
  }

  #handleKey(key: PressedKey): void {
    if (key.ctrl === true && key.name === 'c') return this.#finish(130);
    if (this.#search !== null) return this.#search.abort();
    this.#message = '';
    if (this.#prompt !== null) this.#editPrompt(key, this.#prompt);
    else if (this.#isHelp) this.#isHelp = false;
    else {
      const action = actionOf(key);
      if (action !== null) this.#perform(action);
    }
    this.#draw();
  }

  #perform(action: KeyAction): void {
    if (action !== 'play' && action !== 'faster' && action !== 'slower') this.#pause();
    const actions: Readonly<Record<KeyAction, () => void>> = {
      play: () => (this.#isPlaying ? this.#pause() : this.#play()),
      next: () => this.#goTo(this.#steps.next(this.#step, this.#agent), 'this is the last step'),
      previous: () => this.#goTo(this.#steps.previous(this.#step, this.#agent), 'this is the first step'),
      first: () => this.#goTo(this.#steps.next(0, this.#agent), ''),
      last: () => this.#goToLast(),
      go: () => (this.#prompt = { kind: 'go', text: '' }),
      agent: () => this.#nextAgent(),
      view: () => (this.#view = nextInCycle(this.#views, this.#view)),
      find: () => (this.#prompt = { kind: 'find', text: '' }),
      again: () => this.#searchNext(true),
      back: () => this.#searchNext(false),
      up: () => this.#scrollBy(-1),
      down: () => this.#scrollBy(1),
      'page-up': () => this.#scrollBy(1 - textRows(this.#screen)),
      'page-down': () => this.#scrollBy(textRows(this.#screen) - 1),
      faster: () => (this.#speed = Math.max(0, this.#speed - 1)),
      slower: () => (this.#speed = Math.min(SPEEDS_MS.length - 1, this.#speed + 1)),
      help: () => (this.#isHelp = true),
      quit: () => this.#finish(0),
    };
    actions[action]();
  }

  #goTo(step: number | null, message: string): void {
    if (step === null) this.#message = message;
    else {
      this.#step = step;
      this.#scroll = 0;
    }
  }

  #goToLast(): void {
    this.#steps.refresh();
    this.#goTo(this.#steps.previous(this.#steps.last + 1, this.#agent), '');
  }

  /**
   * Cycles through all agents together, each agent, and the world; then shows the nearest step from here on.
   */
  #nextAgent(): void {
    const ids = this.#source.run.scenario.agents.map(({ id }) => id);
    this.#agent = nextInCycle<string | null>([null, ...ids, WORLD_ID], this.#agent);
    const nextStep = this.#steps.next(this.#step - 1, this.#agent);
    const step = nextStep ?? this.#steps.previous(this.#step, this.#agent);
    this.#goTo(step, `${this.#agentName(this.#agent)} has no steps`);
  }

  #scrollBy(lines: number): void {
    this.#scroll = Math.max(0, this.#scroll + lines);
  }

  #play(): void {
    this.#isPlaying = true;
  }

  #pause(): void {
    this.#isPlaying = false;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }

  /** After the current frame has been shown for its time. */
  #scheduleNext(): void {
    if (!this.#isPlaying) return;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#guarded(() => this.#tick()), SPEEDS_MS[this.#speed]);
  }

  #tick(): void {
    const next = this.#steps.next(this.#step, this.#agent);
    if (next === null) this.#pause();
    this.#goTo(next, 'this is the last step');
    this.#draw();
  }

  #editPrompt(key: PressedKey, { kind, text }: TerminalPrompt): void {
    if (key.name === 'escape') this.#prompt = null;
    else if (key.name === 'return' || key.name === 'enter') this.#submitPrompt(kind, text);
    else if (key.name === 'backspace') this.#prompt = { kind, text: Array.from(text).slice(0, -1).join('') };
    else if (key.ctrl === true && key.name === 'u') this.#prompt = { kind, text: '' };
    else if (key.ctrl !== true && key.meta !== true && isText(key.sequence ?? ''))
      this.#prompt = { kind, text: `${text}${key.sequence ?? ''}`.slice(0, 200) };
  }

  #submitPrompt(kind: TerminalPrompt['kind'], text: string): void {
    this.#prompt = null;
    if (text === '') return;
    if (kind === 'find') {
      this.#searchText = text;
      this.#searchNext(true);
      return;
    }
    const step = Number(text);
    this.#steps.refresh();
    if (!/^\d+$/.test(text) || step < 1 || step > this.#steps.last)
      this.#message = `there is no step ${text}: the run has steps 1 to ${this.#steps.last}`;
    else {
      this.#agent = null;
      this.#goTo(step, '');
    }
  }

  #searchNext(isForwards: boolean): void {
    if (this.#searchText === '') {
      this.#message = 'search first: press /';
      return;
    }
    const search = new AbortController();
    this.#search = search;
    const options = { from: this.#step, agent: this.#agent, isForwards, signal: search.signal };
    const onStep = (step: number): void => {
      this.#message = `searching for “${this.#searchText}” … step ${step}; any key stops`;
      this.#draw();
    };
    this.#steps
      .find(this.#searchText, { ...options, onStep })
      .then((step) => {
        this.#message = '';
        this.#goTo(step, `“${this.#searchText}” was not found in other steps`);
        this.#scroll = this.#lineOfMatch();
      })
      .catch((error: unknown) => {
        this.#message = 'search stopped';
        if (!search.signal.aborted) this.#fail(error);
      })
      .finally(() => {
        this.#search = null;
        this.#draw();
      });
  }

  /** Scrolls to the page with the first occurrence. */
  #lineOfMatch(): number {
    const text = this.#steps.textOf(this.#step);
    if (text === null) return 0;
    const parts = this.#pageParts(stepText(text), null);
    const first = textLines(parts).findIndex((line) =>
      lineText(line).toLowerCase().includes(this.#searchText.toLowerCase()),
    );
    return Math.max(0, first - Math.floor(textRows(this.#screen) / 2));
  }

  #draw(): void {
    this.#drawing += 1;
    const drawing = this.#drawing;
    this.#preparePage()
      .then((draw) => {
        if (drawing !== this.#drawing) return;
        draw();
        this.#scheduleNext();
      })
      .catch((error: unknown) => this.#fail(error));
  }

  /** Returns a function that draws the page, after its picture has been made. */
  async #preparePage(): Promise<() => void> {
    const size = { columns: this.#screen.columns, rows: this.#screen.rows };
    const paint = painter(this.#io, this.#io.out);
    if (this.#isHelp) return () => this.#screen.draw(helpLines(size, paint), null);
    const text = this.#steps.textOf(this.#step);
    const method = this.#pictureMethod;
    const picture =
      text === null || method === null
        ? null
        : await stepPicture(this.#source, {
            step: text.step,
            view: this.#view,
            method,
            box: pictureBox(size),
          });
    if (picture?.isAsLogged === false) this.#message ||= mismatchWarning(this.#step);
    const parts = this.#pageParts(text === null ? [] : stepText(text), picture);
    this.#scroll = clampScroll(this.#scroll, textLines(parts).length, textRows(size));
    const lines = pageLines({ ...parts, scroll: this.#scroll });
    const image =
      picture === null || method?.kind === 'blocks'
        ? null
        : { text: picture.lines[0] ?? '', column: 1, row: 2 };
    return () => this.#screen.draw(lines, image);
  }

  #pageParts(text: PageParts['text'], picture: StepPicture | null): PageParts {
    const lines = this.#pictureMethod?.kind === 'blocks' ? (picture?.lines ?? []) : [];
    return {
      size: { columns: this.#screen.columns, rows: this.#screen.rows },
      title: this.#title(),
      status: this.#status(),
      picture: picture === null ? null : { lines, columns: picture.columns },
      text,
      scroll: this.#scroll,
      searchText: this.#searchText,
      paint: painter(this.#io, this.#io.out),
    };
  }

  #title(): string {
    const { run, reader } = this.#source;
    const record = reader.step(run.runId, this.#step);
    const turn = record === null ? '' : ` · turn ${record.turn} · ${this.#agentName(record.agent)}`;
    return ` ${run.scenario.title} · step ${this.#step} of ${this.#steps.last}${turn}${this.#isPlaying ? ' · ▶' : ''}`;
  }

  #status(): string {
    if (this.#prompt !== null)
      return this.#prompt.kind === 'go' ? `go to step: ${this.#prompt.text}▏` : `find: ${this.#prompt.text}▏`;
    if (this.#message !== '') return this.#message;
    const view = this.#source.hasPicture ? ` · v ${this.#view}` : '';
    return `space play · ←→ step · g go to · a ${this.#agentName(this.#agent)}${view} · / find · ? keys · q quit`;
  }

  #agentName(agent: string | null): string {
    return agent === null ? 'all' : (lookUp(this.#names, agent) ?? agent);
  }
}

function nextInCycle<T>(list: readonly T[], current: T): T {
  return at(list, (list.indexOf(current) + 1) % list.length);
}

/** Escape and a key right after it arrive as one key with alt, which has no meaning here. */
function splitAltKey(key: PressedKey): readonly PressedKey[] {
  const { sequence = '', meta } = key;
  if (meta !== true || sequence.length !== 2) return [key];
  return [{ name: 'escape' }, { ...key, meta: false, sequence: sequence.slice(1) }];
}

function isText(typed: string): boolean {
  return typed !== '' && !/\p{Cc}/u.test(typed);
}

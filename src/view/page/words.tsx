/**
 * All that is to be read beside the pictures: title, status, heading, the tabs with a step's words, and what is told to readers aloud. In: what is
 * shown; out: the page's parts, filled. It is called when the page comes to rest, not with every frame.
 */
import type { PageData, PageRun, PageStep } from '../page-data.js';
import { bearingsOf } from './bearings.js';
import { fill, promptWords, statusOf, stepWords, summaryOf } from './step-words.js';
import { say } from './icons.js';
import { hitsOf, hitWords } from './hits.js';
import type { PageElements } from './page.js';
import { nameOf, stepAt, type PageState } from './state.js';
import { StepList } from './step-list.js';
import type { StepMarks } from './step-highlights.js';
import type { TileCache } from './tiles.js';

/** What is shown of which run. */
export interface StepTextInput {
  readonly data: PageData;
  readonly run: PageRun;
  readonly state: PageState;
  readonly marks: readonly StepMarks[];
}

export class StepTextPanel {
  readonly #parts: PageElements;
  readonly #tiles: TileCache;
  readonly #list: StepList;
  /** The step that was told aloud last. */
  #spoken = '';

  constructor(parts: PageElements, tiles: TileCache, onStep: (step: number) => void) {
    this.#parts = parts;
    this.#tiles = tiles;
    this.#list = new StepList(onStep);
    parts.words.list.append(this.#list.element);
  }

  tell({ data, run, state, marks }: StepTextInput): void {
    const { title, heading, words, transport, tabs } = this.#parts;
    const step = stepAt(run, state.step);
    const told = { data, run, step, tiles: this.#tiles, query: state.query };
    const isOneOfTwo = new Set(state.panels.map((panel) => panel.run)).size > 1;
    const which = isOneOfTwo ? `Run ${data.runs.indexOf(run) + 1} · ` : '';
    say(title, run.title);
    document.title = `${run.title} · step ${state.step}`;
    this.#tellStatus(run);
    say(
      heading,
      step === null
        ? 'Before the first step'
        : `${which}Step ${step.step} · turn ${step.turn} · ${nameOf(run, step.agent)}`,
    );
    transport.agent.offer(
      [['', 'everybody’s steps'], ...run.agents.map(({ id, name }) => [id, `steps of ${name}`] as const)],
      state.agent ?? '',
    );
    this.#orient(run, step);
    fill(words.step, told, stepWords);
    fill(words.prompt, told, promptWords);
    const hits = hitsOf(told);
    tabs.count('step', hits.step);
    tabs.count('prompt', hits.prompt);
    if (!words.list.hidden) this.#list.show(run, marks, step?.step ?? 0);
    if (!state.isPlaying)
      this.#speak(`${run.id} ${step?.step ?? 0}`, `${summaryOf(run, step)}${hitWords(hits)}`);
  }

  /** Made anew only for another step: somebody may have scrolled in it. */
  #orient(run: PageRun, step: PageStep | null): void {
    const { bearings } = this.#parts;
    const key = `${run.id} ${step?.step ?? 0}`;
    if (bearings.dataset['key'] === key) return;
    bearings.dataset['key'] = key;
    bearings.replaceChildren(...bearingsOf(run, step));
  }

  #tellStatus(run: PageRun): void {
    const { status } = this.#parts;
    const note = status.dataset['note'] ?? '';
    say(status, note === '' ? statusOf(run) : note);
    status.classList.toggle('over', run.end !== null);
  }

  /** A run that grows meanwhile is no reason to say the same step again. */
  #speak(which: string, words: string): void {
    if (which !== this.#spoken) say(this.#parts.live, words);
    this.#spoken = which;
  }
}

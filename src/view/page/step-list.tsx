/** All steps as a list to choose from, of which only those in view are elements: a run may have thousands. Filters leave some out. */
import { counted } from '../../base/counted.js';
import type { PageRun, PageStep } from '../page-data.js';
import { element, signOf } from './icons.js';
import { nameOf } from './state.js';
import { saidWords, type StepMarks } from './step-highlights.js';
import { standInOf } from './tries.js';

const ROW_PIXELS = 28;
/** Rows made above and below what is seen. */
const SPARE = 8;

export type Filter = 'all' | 'isProblem' | 'isSpeech' | 'isFork' | 'isFound' | 'isJudged' | 'isOpen';

const FILTERS: readonly (readonly [Filter, string])[] = [
  ['all', 'All'],
  ['isProblem', 'Problems'],
  ['isSpeech', 'Speech'],
  ['isFork', 'Forks'],
  ['isFound', 'Found'],
  ['isJudged', 'Judged'],
  ['isOpen', 'Not judged'],
];

export class StepList {
  readonly element: HTMLElement;
  readonly #rows = element('ol', { class: 'rows' });
  readonly #scroll: HTMLElement;
  readonly #buttons = new Map<Filter, HTMLButtonElement>();
  readonly #onStep: (step: number) => void;
  #filter: Filter = 'all';
  #listed: readonly PageStep[] = [];
  #run: PageRun | null = null;
  #marks: readonly StepMarks[] = [];
  #current = 0;

  constructor(onStep: (step: number) => void) {
    this.#onStep = onStep;
    const filters = element('div', { class: 'filters', role: 'group', 'aria-label': 'Which steps' });
    for (const [filter, text] of FILTERS) {
      const made = element('button', { type: 'button', 'aria-pressed': String(filter === 'all') }, text);
      made.addEventListener('click', () => this.#choose(filter));
      this.#buttons.set(filter, made);
      filters.append(made);
    }
    this.#scroll = element(
      'div',
      { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': 'Steps' },
      this.#rows,
    );
    this.#scroll.addEventListener('scroll', () => this.#draw(), { passive: true });
    this.element = element('div', { class: 'step-list' }, filters, this.#scroll);
  }

  show(run: PageRun, marks: readonly StepMarks[], step: number): void {
    const isOther = run !== this.#run || marks !== this.#marks;
    const hasMoved = isOther || step !== this.#current;
    this.#run = run;
    this.#marks = marks;
    this.#current = step;
    if (isOther) this.#list();
    if (hasMoved) this.#reveal();
    this.#draw();
  }

  #choose(filter: Filter): void {
    this.#filter = filter;
    for (const [of, made] of this.#buttons) made.setAttribute('aria-pressed', String(of === filter));
    this.#list();
    this.#reveal();
    this.#draw();
  }

  #list(): void {
    const { steps } = this.#run ?? { steps: [] };
    const filter = this.#filter;
    this.#listed = filter === 'all' ? steps : steps.filter((_, i) => this.#marks[i]?.[filter] === true);
    this.#rows.style.height = `${this.#listed.length * ROW_PIXELS}px`;
  }

  /** Scrolls as little as needed. */
  #reveal(): void {
    const place = this.#listed.findIndex(({ step }) => step >= this.#current);
    if (place < 0) return;
    const [top, room] = [place * ROW_PIXELS, this.#scroll.clientHeight];
    if (top < this.#scroll.scrollTop) this.#scroll.scrollTop = Math.max(0, top - room / 3);
    else if (top + ROW_PIXELS > this.#scroll.scrollTop + room) this.#scroll.scrollTop = top - (room * 2) / 3;
  }

  #draw(): void {
    const run = this.#run;
    if (run === null) return;
    const first = Math.max(0, Math.floor(this.#scroll.scrollTop / ROW_PIXELS) - SPARE);
    const count = Math.ceil(this.#scroll.clientHeight / ROW_PIXELS) + 2 * SPARE;
    const shown = this.#listed.slice(first, first + count);
    // Whoever tabs along the list keeps the place.
    const focused = document.activeElement?.getAttribute('data-step') ?? null;
    this.#rows.replaceChildren(...shown.map((step, i) => this.#row(run, step, first + i)));
    if (focused !== null)
      this.#rows.querySelector<HTMLElement>(`[data-step="${CSS.escape(focused)}"]`)?.focus();
    if (this.#listed.length === 0) this.#rows.append(element('li', { class: 'quiet' }, 'None.'));
  }

  /** Forks and a person's word, at the row's end. */
  #badges({ step }: PageStep): readonly HTMLElement[] {
    const marks = this.#marks[step - 1];
    if (marks === undefined) return [];
    const { forks, said } = marks;
    const fork = forks === 0 ? [] : [element('span', { class: 'badge fork' }, counted(forks, 'fork'))];
    if (said === null || said.verdict === 'none') return fork;
    const sign = ({ accepted: 'accept', rejected: 'reject', corrected: 'correct' } as const)[said.verdict];
    const made = element(
      'span',
      { class: `badge ${said.verdict}`, role: 'img', 'aria-label': said.verdict, title: saidWords(said) },
      signOf(sign),
    );
    return [...fork, made];
  }

  #row(run: PageRun, step: PageStep, place: number): HTMLElement {
    const act = step.acts.at(-1);
    const words =
      standInOf(step) ?? (act === undefined ? 'the turn ends' : act.words || '(nothing understood)');
    const isRefused = step.acts.some(({ ok }) => !ok);
    const isCurrent = step.step === this.#current;
    const row = element(
      'button',
      {
        type: 'button',
        class: `row ${isRefused ? 'refused' : ''}`,
        'aria-current': isCurrent ? 'step' : null,
        'data-step': String(step.step),
      },
      element('span', { class: 'number' }, String(step.step)),
      element('span', { class: 'who' }, nameOf(run, step.agent)),
      element('span', { class: 'what' }, isRefused ? '✗ ' : '', step.said.length > 0 ? '“ ' : '', words),
      ...this.#badges(step),
    );
    row.addEventListener('click', () => this.#onStep(step.step));
    const item = element(
      'li',
      { 'aria-setsize': String(this.#listed.length), 'aria-posinset': String(place + 1) },
      row,
    );
    item.style.top = `${place * ROW_PIXELS}px`;
    return item;
  }
}

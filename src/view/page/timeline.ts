/** The time line: a slider over all steps, and above it a mark for each problem, each thing said, each fork and each place that was found. */
import type { PageData, PageRun } from '../page-data.js';
import { element } from './element.js';

/** What a step is marked with. */
export interface StepMarks {
  readonly isProblem: boolean;
  readonly isSpeech: boolean;
  readonly isFork: boolean;
  readonly isFound: boolean;
}

export class Timeline {
  readonly element: HTMLElement;
  readonly slider = element('input', {
    type: 'range',
    min: '0',
    max: '0',
    value: '0',
    step: '1',
    'aria-label': 'Step',
    class: 'slider',
  });
  readonly #marks = element('canvas', { class: 'marks', 'aria-hidden': 'true' });
  #drawn = '';

  constructor(onStep: (step: number) => void) {
    this.element = element('div', { class: 'timeline' }, this.#marks, this.slider);
    this.slider.addEventListener('input', () => onStep(Number(this.slider.value)));
    // The marks are a part of the slider: pressed, they lead there.
    this.#marks.addEventListener('pointerdown', (event) => {
      onStep(Math.round((event.offsetX / this.#marks.clientWidth) * Number(this.slider.max)));
    });
  }

  /** `words` tell the step to a reader aloud. */
  show(step: number, last: number, words: string): void {
    this.slider.max = String(last);
    this.slider.value = String(step);
    this.slider.setAttribute('aria-valuetext', words);
  }

  /** `key`: all that the marks depend on; they are drawn anew only where it changes. */
  mark(marks: readonly StepMarks[], last: number, key: string): void {
    const width = Math.round(this.#marks.clientWidth * devicePixelRatio);
    const height = Math.round(this.#marks.clientHeight * devicePixelRatio);
    const drawn = `${width} ${height} ${last} ${key}`;
    if (drawn === this.#drawn || width === 0) return;
    this.#drawn = drawn;
    this.#marks.width = width;
    this.#marks.height = height;
    const context = this.#marks.getContext('2d');
    if (context === null) return;
    const thick = Math.max(2 * devicePixelRatio, Math.min(6 * devicePixelRatio, width / (last + 1) / 2));
    const rows = [
      ['isSpeech', '--speech'],
      ['isProblem', '--problem'],
      ['isFork', '--fork'],
      ['isFound', '--found'],
    ] as const;
    for (const [row, [name, colour]] of rows.entries()) {
      // A canvas takes no variables: the colour is read where the sheet has worked it out.
      this.#marks.style.color = `var(${colour})`;
      context.fillStyle = getComputedStyle(this.#marks).color;
      marks.forEach((mark, i) => {
        if (mark[name])
          context.fillRect(((i + 1) / last) * width - thick / 2, (row * height) / 4, thick, height / 4 - 1);
      });
    }
  }
}

/** Of every step of a run. */
export function marksOf(run: PageRun, { runs }: PageData, found: ReadonlySet<number>): readonly StepMarks[] {
  const forks = new Set(
    runs.filter(({ parent }) => parent?.run === run.id).map(({ parent }) => parent?.step),
  );
  if (run.parent !== null) forks.add(run.parent.step);
  return run.steps.map(({ step, acts, said, calls }) => ({
    isProblem: acts.some(({ ok }) => !ok) || calls.some(({ reply }) => reply.kind === 'failed'),
    isSpeech: said.length > 0,
    isFork: forks.has(step),
    isFound: found.has(step),
  }));
}

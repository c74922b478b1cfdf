/**
 * The time line: a slider over all steps, and above it a mark for each problem, each thing said, each fork, each place that was found and each word of a
 * person's. In: the marks of each step; out: the step that was chosen. What lies under the pointer is told beside it.
 */
import type { PageMark } from '../page-data.js';
import { element, say } from './icons.js';
import type { StepMarks } from './step-highlights.js';

/** So near to a mark the pointer means it, in pixels of the page. */
const NEAR_PIXELS = 5;
/** Rows of marks from the top, and the taller one of people's words below them, in parts of the height. */
const ROW = 0.18;
const WORDS = { top: 4 * ROW, height: 1 - 4 * ROW } as const;

const KINDS = [
  ['isSpeech', '--speech'],
  ['isProblem', '--problem'],
  ['isFork', '--fork'],
  ['isFound', '--found'],
] as const;

export interface TimelineEvents {
  onStep(step: number): void;
  /** A step in words. */
  describe(step: number): string;
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
  readonly #canvas = element('canvas', { class: 'marks', 'aria-hidden': 'true' });
  readonly #tip = element('div', { class: 'time-tip', 'aria-hidden': 'true', hidden: '' });
  readonly #events: TimelineEvents;
  #marks: readonly StepMarks[] = [];
  #drawn = '';

  constructor(events: TimelineEvents) {
    this.#events = events;
    this.element = element('div', { class: 'timeline' }, this.#tip, this.#canvas, this.slider);
    this.slider.addEventListener('input', () => events.onStep(Number(this.slider.value)));
    // The marks are a part of the slider: pressed, they lead there.
    this.#canvas.addEventListener('pointerdown', (event) => events.onStep(this.#under(event)));
    this.#canvas.addEventListener('pointermove', (event) => this.#point(event));
    this.#canvas.addEventListener('pointerleave', () => (this.#tip.hidden = true));
  }

  /** `words` tell the step to a reader aloud. */
  show(step: number, last: number, words: string): void {
    this.slider.max = String(last);
    this.slider.value = String(step);
    this.slider.setAttribute('aria-valuetext', words);
  }

  /** `key`: all that the marks depend on; they are drawn anew only where it changes. */
  mark(marks: readonly StepMarks[], last: number, key: string): void {
    this.#marks = marks;
    const width = Math.round(this.#canvas.clientWidth * devicePixelRatio);
    const height = Math.round(this.#canvas.clientHeight * devicePixelRatio);
    const drawn = `${width} ${height} ${last} ${key}`;
    if (drawn === this.#drawn || width === 0) return;
    this.#drawn = drawn;
    this.#canvas.width = width;
    this.#canvas.height = height;
    const context = this.#canvas.getContext('2d');
    if (context === null) return;
    const thick = Math.max(2 * devicePixelRatio, Math.min(6 * devicePixelRatio, width / (last + 1) / 2));
    const left = (i: number) => ((i + 1) / last) * width - thick / 2;
    for (const [row, [name, colour]] of KINDS.entries()) {
      context.fillStyle = this.#colour(colour);
      const [top, tall] = [row * ROW * height, ROW * height - 1];
      marks.forEach((mark, i) => mark[name] && context.fillRect(left(i), top, thick, tall));
    }
    for (const verdict of ['accepted', 'rejected', 'corrected'] as const) {
      context.fillStyle = this.#colour(`--${verdict}`);
      const [top, tall] = PARTS[verdict];
      marks.forEach(({ said }, i) => {
        if (said?.verdict === verdict)
          context.fillRect(
            left(i),
            (WORDS.top + top * WORDS.height) * height,
            thick,
            tall * WORDS.height * height,
          );
      });
    }
  }

  /** A canvas takes no variables: the colour is read where the sheet has worked it out. */
  #colour(name: string): string {
    this.#canvas.style.color = `var(${name})`;
    return getComputedStyle(this.#canvas).color;
  }

  /** The step at a place; a marked one that is near comes first, since marks of a long run are narrow. */
  #under({ offsetX }: PointerEvent): number {
    const last = Number(this.slider.max);
    const width = this.#canvas.clientWidth;
    const exact = Math.max(0, Math.min(last, Math.round((offsetX / width) * last)));
    const reach = Math.floor((NEAR_PIXELS / width) * last);
    for (let off = 0; off <= reach; off++)
      for (const step of [exact - off, exact + off]) if (stands(this.#marks[step - 1])) return step;
    return exact;
  }

  #point(event: PointerEvent): void {
    const step = this.#under(event);
    this.#tip.hidden = false;
    say(this.#tip, this.#events.describe(step));
    const room = this.element.clientWidth - this.#tip.offsetWidth;
    this.#tip.style.left = `${Math.max(0, Math.min(room, event.offsetX - this.#tip.offsetWidth / 2))}px`;
  }
}

/** Told apart without colours too: as tall as the row, in its lower half, in its upper half. */
const PARTS: Readonly<Record<Exclude<PageMark['verdict'], 'none'>, readonly [top: number, height: number]>> =
  {
    accepted: [0, 1],
    rejected: [0.55, 0.45],
    corrected: [0, 0.45],
  };

function stands(marks: StepMarks | undefined): boolean {
  return marks !== undefined && (marks.isJudged || KINDS.some(([name]) => marks[name]));
}

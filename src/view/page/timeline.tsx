/**
 * The timeline: a slider over all steps, and above it a mark for each problem, utterance, fork, found place
 * and verdict. Text next to it says what is under the pointer.
 */
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { PageMark } from '../page-data.js';
import { describeStep, type PageSnapshot } from './snapshot.js';
import type { StepHighlights } from './step-highlights.js';

/** Within this distance in CSS pixels, the pointer selects a mark. */
const NEAR_PIXELS = 5;
/** The height of a row of marks, and the taller row of verdicts below them, as shares of the height. */
const ROW = 0.18;
const WORDS = { top: 4 * ROW, height: 1 - 4 * ROW } as const;

const KINDS = [
  ['isSpeech', '--speech'],
  ['isProblem', '--problem'],
  ['isFork', '--fork'],
  ['isFound', '--found'],
] as const;

/** Verdicts differ in shape as well as in colour: full height, lower half, upper half. */
const PARTS: Readonly<Record<Exclude<PageMark['verdict'], 'none'>, readonly [top: number, height: number]>> =
  {
    accepted: [0, 1],
    rejected: [0.55, 0.45],
    corrected: [0, 0.45],
  };

export function Timeline({ now, onStep }: { now: PageSnapshot; onStep: (step: number) => void }) {
  const { last, state, step } = now;
  const marks = now.highlights.list;
  const canvas = useRef<HTMLCanvasElement>(null);
  const drawnKey = useRef<readonly unknown[]>([]);
  /** `x`: pixels from the left. */
  const [pointed, setPointed] = useState<{ step: number; x: number } | null>(null);
  useLayoutEffect(() => {
    const { current } = canvas;
    if (current === null) return;
    const width = Math.round(current.clientWidth * devicePixelRatio);
    const height = Math.round(current.clientHeight * devicePixelRatio);
    const key = [width, height, last, state.theme, marks];
    if (width === 0 || key.every((one, i) => one === drawnKey.current[i])) return;
    drawnKey.current = key;
    Object.assign(current, { width, height });
    drawMarks(current, marks, last);
  });
  const stepAtPointer = (event: PointerEvent) =>
    stepUnder(event.offsetX, canvas.current?.clientWidth ?? 1, now);
  return (
    <div class="timeline">
      {pointed !== null && <TimeTip at={pointed.x} words={describeStep(now, pointed.step)} />}
      {/* Pressing a mark goes to its step. */}
      <canvas
        class="marks"
        aria-hidden="true"
        ref={canvas}
        onPointerDown={(event) => onStep(stepAtPointer(event))}
        onPointerMove={(event) => setPointed({ step: stepAtPointer(event), x: event.offsetX })}
        onPointerLeave={() => setPointed(null)}
      />
      <input
        type="range"
        class="slider"
        aria-label="Step"
        aria-valuetext={describeStep(now, step?.step ?? 0)}
        min={0}
        max={last}
        step={1}
        value={state.step}
        onInput={(event) => onStep(Number(event.currentTarget.value))}
      />
    </div>
  );
}

function TimeTip({ at, words }: { at: number; words: string }) {
  const tip = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const { current } = tip;
    if (current === null) return;
    const room = (current.parentElement?.clientWidth ?? 0) - current.offsetWidth;
    current.style.left = `${Math.max(0, Math.min(room, at - current.offsetWidth / 2))}px`;
  });
  return (
    <div class="time-tip" aria-hidden="true" ref={tip}>
      {words}
    </div>
  );
}

/** The step at a position; a marked step nearby is preferred, because marks of a long run are narrow. */
function stepUnder(x: number, width: number, { last, highlights }: PageSnapshot): number {
  const exact = Math.max(0, Math.min(last, Math.round((x / width) * last)));
  const reach = Math.floor((NEAR_PIXELS / width) * last);
  for (let off = 0; off <= reach; off++)
    for (const step of [exact - off, exact + off]) if (isMarked(highlights.list[step - 1])) return step;
  return exact;
}

function isMarked(marks: StepHighlights | undefined): boolean {
  return marks !== undefined && (marks.isJudged || KINDS.some(([name]) => marks[name]));
}

function drawMarks(canvas: HTMLCanvasElement, marks: readonly StepHighlights[], last: number): void {
  const context = canvas.getContext('2d');
  if (context === null) return;
  const { width, height } = canvas;
  const markWidth = Math.max(2 * devicePixelRatio, Math.min(6 * devicePixelRatio, width / (last + 1) / 2));
  const fill = (
    colour: string,
    has: (mark: StepHighlights) => boolean,
    [top, markHeight]: readonly [number, number],
  ) => {
    context.fillStyle = colourOf(canvas, colour);
    marks.forEach((mark, i) => {
      if (has(mark)) context.fillRect(((i + 1) / last) * width - markWidth / 2, top, markWidth, markHeight);
    });
  };
  for (const [row, [name, colour]] of KINDS.entries())
    fill(colour, (mark) => mark[name], [row * ROW * height, ROW * height - 1]);
  for (const verdict of ['accepted', 'rejected', 'corrected'] as const) {
    const [top, tall] = PARTS[verdict];
    const place = [(WORDS.top + top * WORDS.height) * height, tall * WORDS.height * height] as const;
    fill(`--${verdict}`, ({ annotation }) => annotation?.verdict === verdict, place);
  }
}

/** A canvas does not resolve CSS variables, so the computed colour is used. */
function colourOf(canvas: HTMLCanvasElement, name: string): string {
  canvas.style.color = `var(${name})`;
  return getComputedStyle(canvas).color;
}

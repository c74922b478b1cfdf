/**
 * All steps as a list to choose from. Only those in view are elements, because a run may have thousands.
 * Filters leave some out.
 */
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { counted } from '../../base/counted.js';
import type { PageRun, PageStep } from '../page-data.js';
import { wordsOf } from './act-words.js';
import { isFiltered, passesFilter } from './filter.js';
import { classes, Icon } from './icons.js';
import type { PageSnapshot } from './snapshot.js';
import { nameOf } from './state.js';
import { annotationText, standInText, type StepHighlights } from './step-highlights.js';

const ROW_PIXELS = 28;
const SPARE_ROWS = 8;

const FILTERS = [
  ['all', 'All'],
  ['isProblem', 'Problems'],
  ['isSpeech', 'Speech'],
  ['isFork', 'Forks'],
  ['isFound', 'Found'],
  ['isJudged', 'Judged'],
  ['isOpen', 'Not judged'],
] as const;

type Filter = (typeof FILTERS)[number][0];

interface StepListProps extends PageSnapshot {
  onStep: (step: number) => void;
}

export function StepList({ run, highlights: { list: marks }, state, step: shown, onStep }: StepListProps) {
  const current = shown?.step ?? 0;
  const [filter, setFilter] = useState<Filter>('all');
  const scroll = useRef<HTMLDivElement>(null);
  const isListed = (step: PageStep, i: number) =>
    (filter === 'all' || marks[i]?.[filter] === true) && passesFilter(step, state);
  const listed = filter === 'all' && !isFiltered(state) ? run.steps : run.steps.filter(isListed);
  const place = listed.findIndex(({ step }) => step >= current);
  const { first, count } = useRowsInView(scroll, [run.id, filter, current, place]);
  return (
    <div class="step-list">
      <div class="filters" role="group" aria-label="Step filter">
        {FILTERS.map(([id, text]) => (
          <button key={id} type="button" aria-pressed={id === filter} onClick={() => setFilter(id)}>
            {text}
          </button>
        ))}
      </div>
      <div class="scroll" tabIndex={0} role="region" aria-label="Steps" ref={scroll}>
        <ol class="rows" style={{ height: `${listed.length * ROW_PIXELS}px` }}>
          {listed.slice(first, first + count).map((step, i) => (
            <li
              key={step.step}
              aria-setsize={listed.length}
              aria-posinset={first + i + 1}
              style={{ top: `${(first + i) * ROW_PIXELS}px` }}
            >
              {rowOf(run, step, marks[step.step - 1], { isCurrent: step.step === current, onStep })}
            </li>
          ))}
          {listed.length === 0 && <li class="quiet">No steps.</li>}
        </ol>
      </div>
    </div>
  );
}

/**
 * The rows to render. Whenever one of `deps` changes, scrolls as little as needed to show the current row,
 * whose index is the last of `deps`, −1 for none.
 */
function useRowsInView(
  scroll: { current: HTMLElement | null },
  deps: readonly [run: string, filter: Filter, step: number, place: number],
): { first: number; count: number } {
  const [visible, setSeen] = useState({ top: 0, room: 0 });
  const measure = () => {
    const { scrollTop: top, clientHeight: room } = scroll.current ?? { scrollTop: 0, clientHeight: 0 };
    setSeen((old) => (old.top === top && old.room === room ? old : { top, room }));
  };
  useLayoutEffect(() => {
    if (scroll.current !== null) reveal(scroll.current, deps[3]);
    measure();
  }, deps);
  useLayoutEffect(() => {
    const { current } = scroll;
    if (current === null) return undefined;
    const observer = new ResizeObserver(measure);
    observer.observe(current);
    current.addEventListener('scroll', measure, { passive: true });
    return () => {
      observer.disconnect();
      current.removeEventListener('scroll', measure);
    };
  }, []);
  const first = Math.max(0, Math.floor(visible.top / ROW_PIXELS) - SPARE_ROWS);
  return { first, count: Math.ceil(visible.room / ROW_PIXELS) + 2 * SPARE_ROWS };
}

function reveal(scroll: HTMLElement, place: number): void {
  if (place < 0) return;
  const [top, room] = [place * ROW_PIXELS, scroll.clientHeight];
  if (top < scroll.scrollTop) scroll.scrollTop = Math.max(0, top - room / 3);
  else if (top + ROW_PIXELS > scroll.scrollTop + room) scroll.scrollTop = top - (room * 2) / 3;
}

function rowOf(
  run: PageRun,
  step: PageStep,
  marks: StepHighlights | undefined,
  { isCurrent, onStep }: { isCurrent: boolean; onStep: (step: number) => void },
) {
  const act = step.acts.at(-1);
  const description =
    standInText(step) ?? (act === undefined ? 'the turn ends' : wordsOf(act) || '(not understood)');
  const isRefused = step.acts.some(({ problem }) => problem !== null);
  return (
    <button
      type="button"
      class={classes('row', isRefused && 'refused')}
      aria-current={isCurrent ? 'step' : undefined}
      data-step={step.step}
      onClick={() => onStep(step.step)}
    >
      <span class="number">{step.step}</span>
      <span class="who">{nameOf(run, step.agent)}</span>
      <span class="what">
        {isRefused ? '✗ ' : ''}
        {step.said.length > 0 ? '“ ' : ''}
        {description}
      </span>
      {marks !== undefined && badgesOf(marks)}
    </button>
  );
}

const ICONS = { accepted: 'accept', rejected: 'reject', corrected: 'correct' } as const;

function badgesOf({ forks, annotation }: StepHighlights) {
  const { verdict } = annotation ?? { verdict: 'none' };
  return [
    forks > 0 && <span class="badge fork">{counted(forks, 'fork')}</span>,
    annotation !== null && verdict !== 'none' && (
      <span class={`badge ${verdict}`} role="img" aria-label={verdict} title={annotationText(annotation)}>
        <Icon name={ICONS[verdict]} />
      </span>
    ),
  ];
}

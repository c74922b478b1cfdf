/**
 * The highlights of each step of a run: problems, speech, forks, found words, and verdicts. In: a run and the
 * search words; out: one entry per step, for the timeline, the list and the keys that jump to the next one.
 */
import { counted } from '../../base/counted.js';
import { WORLD_ID } from '../../base/ids.js';
import type { PageAct, PageData, PageMark, PageRun, PageStep } from '../page-data.js';
import { stepsWith } from './search.js';

export interface StepMarks {
  readonly isProblem: boolean;
  readonly isSpeech: boolean;
  readonly isFork: boolean;
  readonly isFound: boolean;
  readonly isJudged: boolean;
  /** Whether a person could say something of it, and nobody has. */
  readonly isOpen: boolean;
  /** Runs of the page that begin here by leaving this one, this run itself where it is a fork. */
  readonly forks: number;
  readonly annotation: PageMark | null;
}

/** What the timeline marks and the keys leap between, and the steps that were found. */
export interface PageHighlights {
  readonly list: readonly StepMarks[];
  readonly found: ReadonlySet<number>;
}

/** `query`: what is looked for; '' for nothing. */
export function highlightsOf(data: PageData, run: PageRun, query: string): PageHighlights {
  const found = stepsWith(data, run, query);
  return { list: marksOf(run, data, found), found };
}

/** Of every step of a run. */
function marksOf(run: PageRun, { runs }: PageData, found: ReadonlySet<number>): readonly StepMarks[] {
  const forks = new Map<number, number>();
  const begins = [run.parent, ...runs.map(({ parent }) => (parent?.run === run.id ? parent : null))];
  for (const parent of begins) if (parent !== null) forks.set(parent.step, (forks.get(parent.step) ?? 0) + 1);
  return run.steps.map((one) => {
    const { step, acts, said: speech, calls } = one;
    const annotation = run.marks.get(step) ?? null;
    return {
      isProblem: acts.some(({ ok }) => !ok) || calls.some(({ reply }) => reply.kind === 'failed'),
      isSpeech: speech.length > 0,
      isFork: forks.has(step),
      isFound: found.has(step),
      isJudged: annotation !== null,
      isOpen: annotation === null && canBeAnnotated(one),
      forks: forks.get(step) ?? 0,
      annotation,
    };
  });
}

/** Whether somebody answered in it, so that the answer can be accepted or not. */
export function canBeAnnotated({ agent, calls }: PageStep): boolean {
  return agent !== WORLD_ID && calls.length > 0;
}

/** The same for people; '' for a step without highlights. */
export function highlightsText({ isProblem, isSpeech, isFound, forks, annotation }: StepMarks): string {
  const words = [
    ...(forks === 0 ? [] : [counted(forks, 'fork')]),
    ...(isProblem ? ['problem'] : []),
    ...(isSpeech ? ['speech'] : []),
    ...(isFound ? ['found'] : []),
    ...(annotation === null ? [] : [annotationText(annotation)]),
  ];
  return words.join(', ');
}

/** A person's word in one line. */
export function annotationText({ verdict, text }: PageMark): string {
  const line = text.replace(/\s+/gu, ' ').trim();
  return line === '' ? verdict : `${verdict}: ${line.length > 80 ? `${line.slice(0, 80)}…` : line}`;
}

/** In words for the lists; null if no act of the step replaces another. */
export function standInText({ acts }: PageStep): string | null {
  const act = acts.at(-1);
  if (act === undefined || !isStandIn(act)) return null;
  const reason =
    { late: 'no answer in time', uncontrolled: 'nobody controls it' }[codeOf(act)] ?? 'no usable answer';
  return `${reason}, ${act.words} instead`;
}

/** The code of the reason why an act replaces another; '' if it does not. */
export function codeOf({ insteadOf }: PageAct): string {
  return insteadOf?.split(':', 1)[0] ?? '';
}

/** Whether the program put it in the place of answers that could not act. */
export function isStandIn({ call, insteadOf }: PageAct): boolean {
  return call === null && insteadOf !== null;
}

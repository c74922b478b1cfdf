/** The highlights of each step of a run: problems, speech, forks, found words, and verdicts. */
import { counted } from '../../base/counted.js';
import { WORLD_ID } from '../../base/ids.js';
import { lookUp } from '../../base/look-up.js';
import type { ActView } from '../../replay/step-view.js';
import type { PageData, PageMark, PageRun, PageStep } from '../page-data.js';
import { wordsOf } from './act-words.js';
import { stepsWith } from './search.js';

export interface StepHighlights {
  isProblem: boolean;
  isSpeech: boolean;
  isFork: boolean;
  isFound: boolean;
  isJudged: boolean;
  /** Whether it can be annotated and has no verdict yet. */
  isOpen: boolean;
  /** The number of forks that begin at this step, including this run if it is a fork. */
  forks: number;
  annotation: PageMark | null;
}

/** The highlights of each step, and the steps that match the search. */
export interface PageHighlights {
  list: readonly StepHighlights[];
  found: ReadonlySet<number>;
}

/** `query`: the search text; '' for none. */
export function highlightsOf(data: PageData, run: PageRun, query: string): PageHighlights {
  const found = stepsWith(data, run, query);
  const forks = new Map<number, number>();
  const begins = [run.parent, ...data.runs.map(({ parent }) => (parent?.run === run.id ? parent : null))];
  for (const parent of begins) if (parent !== null) forks.set(parent.step, (forks.get(parent.step) ?? 0) + 1);
  return {
    list: run.steps.map((one) => {
      const { step, acts, said: speech, calls } = one;
      const annotation = run.marks.get(step) ?? null;
      return {
        isProblem:
          acts.some(({ problem }) => problem !== null) || calls.some(({ reply }) => reply.kind === 'failed'),
        isSpeech: speech.length > 0,
        isFork: forks.has(step),
        isFound: found.has(step),
        isJudged: annotation !== null,
        isOpen: annotation === null && canBeAnnotated(one),
        forks: forks.get(step) ?? 0,
        annotation,
      };
    }),
    found,
  };
}

/** Whether an agent was called in the step, so that there is a reply to judge. */
export function canBeAnnotated({ agent, calls }: PageStep): boolean {
  return agent !== WORLD_ID && calls.length > 0;
}

/** The highlights as text, without a verdict, which the step's summary contains; '' for none. */
export function highlightsText({ isProblem, isSpeech, isFound, forks }: StepHighlights): string {
  const words = [
    ...(forks === 0 ? [] : [counted(forks, 'fork')]),
    ...(isProblem ? ['problem'] : []),
    ...(isSpeech ? ['speech'] : []),
    ...(isFound ? ['found'] : []),
  ];
  return words.join(', ');
}

/** A verdict and its text on one line. */
export function annotationText({ verdict, text }: PageMark): string {
  const line = text.replace(/\s+/gu, ' ').trim();
  return line === '' ? verdict : `${verdict}: ${line.length > 80 ? `${line.slice(0, 80)}…` : line}`;
}

const STAND_IN_REASONS: Readonly<Record<string, string>> = {
  late: 'no answer in time',
  uncontrolled: 'nobody controls it',
};

/** Why the program chose the step's action, as text; null if the agent chose it. */
export function standInText({ acts }: PageStep): string | null {
  const act = acts.at(-1);
  if (act === undefined || !isStandIn(act)) return null;
  const reason = lookUp(STAND_IN_REASONS, act.insteadOf?.code ?? '') ?? 'no usable answer';
  return `${reason}, ${wordsOf(act)} instead`;
}

/** Whether the program chose this act, because no reply gave a usable one. */
export function isStandIn({ call, insteadOf }: ActView): boolean {
  return call === null && insteadOf !== null;
}

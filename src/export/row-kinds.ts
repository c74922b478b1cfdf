/** What distinguishes the kinds of rows. A format says which kind it writes (`unit`), and nothing else asks for one by name. */
import { isServerFault } from '../base/problem.js';
import type { CostsOf } from './costs.js';
import { problemOf } from './filter.js';
import { momentFingerprint, pictureFingerprint, sampleFingerprint } from './fingerprints.js';
import type { Fingerprint } from './fingerprints.js';
import { momentOf, newsOf, pictureOf, withHistory } from './history.js';
import type { History } from './history.js';
import { pairsOf } from './pairs.js';
import { questionPools } from './questions.js';
import type { QuestionPools, Words } from './questions.js';
import type { ExportRow } from './row.js';
import { samplesOf } from './sample.js';
import type { ExportSample, SampleRange, SampleSource } from './sample.js';

interface RowKind {
  /** What a row is, for the data card. */
  about: string;
  /** The hub's name of the task that the rows suit. */
  task: string;
  /** Whether a step makes one row however many attempts there were, even if none was carried out. */
  isPerStep: boolean;
  /** Whether a row is all that an agent did in a run: several samples, of which none may be missing. */
  isTrace: boolean;
  /** Why a sample is left out unless all are kept: the code of its problem; null if it is not. */
  leftOut: (sample: ExportSample) => string | null;
  /** Whether its rows contain messages. */
  hasMessages: boolean;
  /** Calls `onStep` for each step of the run. */
  read: (
    source: SampleSource,
    wanted: { range: SampleRange; costsOf: CostsOf; rolloutsMin: number },
    onStep: () => void,
  ) => Iterable<Pick<ExportRow, 'sample' | 'rejected'>>;
  /** Whether the sample of a row may be from another run than the one that is read. */
  isAcrossRuns: boolean;
  /** What a row contains of its sample. */
  shownOf: (sample: ExportSample, history: History) => ExportSample;
  fingerprint: (row: Pick<ExportRow, 'sample' | 'rejected'>) => Fingerprint;
  /** What may be asked about a moment, if a row is a question about it. */
  poolsFor: ((words: Words) => (moment: ExportSample) => QuestionPools) | null;
}

const REPLY: RowKind = {
  about:
    'Each row is a reply of an agent with the exact messages and pictures that led to it; separate columns contain what was known only afterwards.',
  task: 'image-text-to-text',
  isPerStep: false,
  isTrace: false,
  leftOut: problemOf,
  hasMessages: true,
  *read(source, { range }, onStep) {
    for (const sample of samplesOf(source, range, onStep)) yield { sample, rejected: null };
  },
  isAcrossRuns: false,
  shownOf: withHistory,
  fingerprint: ({ sample, rejected }) => sampleFingerprint(sample, rejected?.sample ?? null),
  poolsFor: null,
};

/** What an agent was shown at a step, once, however many attempts there were. */
const MOMENT: RowKind = {
  ...REPLY,
  about:
    "Each row is the view of an agent at a step, with labels taken from the world's state; the labels contain nothing that the agent could not know.",
  task: 'object-detection',
  isPerStep: true,
  leftOut: () => null,
  hasMessages: false,
  shownOf: pictureOf,
  fingerprint: ({ sample }) => momentFingerprint(sample),
};

export const ROW_KINDS = {
  /** A reply with everything that led to it. */
  reply: REPLY,
  /** Two replies to one request; filters apply to the better one. */
  pair: {
    ...REPLY,
    about:
      'Each row pairs a better and a worse reply to one request; both requests are identical in every character and pixel.',
    *read(source, { costsOf, rolloutsMin }, onStep) {
      yield* pairsOf(source, { costsOf, rolloutsMin });
      const { firstStep, lastStep } = source.picked;
      for (let step = firstStep; step <= lastStep; step++) onStep();
    },
    isAcrossRuns: true,
  },
  /**
   * All that an agent was told and answered in a run, as it was played. A fork's begins with the steps that it
   * shares with its parent, even if the parent is exported too.
   */
  trace: {
    ...REPLY,
    about:
      'Each row is the trace of one agent in one run: what it was told and shown, each of its replies, and what came of it. Nothing else is in it: not what other agents were told, and no questions outside the game.',
    isTrace: true,
    // Nobody answered.
    leftOut: ({ result }) => (isServerFault(result?.code ?? '') ? (result?.code ?? null) : null),
    *read(source, { range }, onStep) {
      const { firstStep } = source.picked;
      const asPlayed = { ...source, isAsPlayed: true, picked: { ...source.picked, firstStep: 1 } };
      const countStep = (step: number): void => (step < firstStep ? undefined : onStep());
      for (const sample of samplesOf(asPlayed, range, countStep)) yield { sample, rejected: null };
    },
    shownOf: newsOf,
  },
  moment: MOMENT,
  /** Only the picture of a moment. */
  picture: {
    ...MOMENT,
    about: 'Each row is a picture shown to agents; each picture appears once.',
    task: 'image-feature-extraction',
    fingerprint: ({ sample }) => pictureFingerprint(sample),
  },
  /** A question about a moment; filters apply to the first reply that passes them. */
  question: {
    ...MOMENT,
    about:
      "Each row is a question about an agent's view at a step, with an answer that follows from it; the answer is `unknown` if the agent could not know.",
    task: 'visual-question-answering',
    hasMessages: true,
    shownOf: momentOf,
    fingerprint: ({ sample }) => sampleFingerprint(sample),
    poolsFor: questionPools,
  },
} as const satisfies Readonly<Record<string, RowKind>>;

export type RowUnit = keyof typeof ROW_KINDS;

export function rowKind(unit: RowUnit): RowKind {
  return ROW_KINDS[unit];
}

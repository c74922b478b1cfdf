/**
 * What probes show: for each player and kind of question, how many were answered right, how many one answer
 * to all of them would get right, and whether the player knows what it can't know. Pure.
 */
import { whole } from '../base/counted.js';
import { sumByName } from '../trajectory/named-counts.js';
import type { ProbeRecord } from '../trajectory/records.js';
import type { BatchRecord } from '../scenario/batch-record.js';
import { distinctByPlayers } from './distinct-runs.js';
import { grouped } from '../base/grouped.js';
import type { FigureColumn, FigureTable } from './figure-table.js';
import { playersOf } from './run-labels.js';
import type { RunMetrics } from './run-metrics.js';
import { ratioText, wilsonText } from './figure-text.js';

/** `options` are null if the answer is a whole number. */
export type AskedQuestion = Pick<ProbeRecord, 'kind' | 'options' | 'expected' | 'answer' | 'verdict'>;

/** Without those that were asked again with a grey picture. */
export function askedQuestions(probes: readonly ProbeRecord[]): readonly AskedQuestion[] {
  return probes.flatMap(({ kind, options, expected, answer, verdict, picture }) =>
    picture === 'grey' ? [] : [{ kind, options, expected, answer, verdict }],
  );
}

export interface QuestionedRun {
  run: RunMetrics;
  questions: readonly AskedQuestion[];
}

/** Of one scenario and player. */
export interface QuestionTotals {
  scenario: string;
  /** With the settings in which its runs differ from others. */
  players: string;
  /** In the order of the kinds' first questions. */
  kinds: readonly KindTotal[];
  /** Questions of any kind that have `unknown` among their options. */
  unknown: UnknownTotal;
}

export interface KindTotal {
  kind: ProbeRecord['kind'];
  asked: number;
  right: number;
  unreadable: number;
  /**
   * How many are right if all get the answer that is right most often: what a player gets that looks at
   * nothing.
   */
  oneAnswer: number;
}

/** Whether `unknown` is said where the agent can't know the answer, and only there. */
export interface UnknownTotal {
  /** Questions whose answer the agent can't know, and how many of them were answered so. */
  unknowable: number;
  admitted: number;
  /** Questions whose answer it can know, and how many of them were answered `unknown`. */
  knowable: number;
  denied: number;
}

/** The answer of an agent that can't know. */
const UNKNOWN = 'unknown';

/**
 * A run that repeats another one, questions and answers included, counts once. Runs of other seeds may be
 * alike step by step and still differ in what they were asked.
 */
export function questionTotals(
  all: readonly QuestionedRun[],
  batches?: readonly BatchRecord[],
): readonly QuestionTotals[] {
  // A run without an end is only itself.
  return distinctByPlayers(
    all,
    ({ run, questions }) => [run.trajectory ?? [run.log, run.run], questions],
    batches,
  )
    .map((group): QuestionTotals => {
      const [{ run }] = group;
      const questions = group.flatMap((one) => one.questions);
      const kinds = grouped(questions, ({ kind }) => kind).map(kindTotal);
      return { scenario: run.scenario, players: playersOf(run), kinds, unknown: unknownTotal(questions) };
    })
    .filter(({ kinds }) => kinds.length > 0);
}

function kindTotal(questions: readonly [AskedQuestion, ...AskedQuestion[]]): KindTotal {
  const count = (matches: (one: AskedQuestion) => boolean): number => questions.filter(matches).length;
  const byAnswer = grouped(questions, ({ expected }) => expected).map(({ length }) => length);
  return {
    kind: questions[0].kind,
    asked: questions.length,
    right: count(({ verdict }) => verdict === 'right'),
    unreadable: count(({ verdict }) => verdict === 'unreadable'),
    oneAnswer: Math.max(...byAnswer),
  };
}

function unknownTotal(questions: readonly AskedQuestion[]): UnknownTotal {
  const withUnknownOption = questions.filter(({ options }) => options?.includes(UNKNOWN) ?? false);
  const unknowable = withUnknownOption.filter(({ expected }) => expected === UNKNOWN);
  const knowable = withUnknownOption.filter(({ expected }) => expected !== UNKNOWN);
  return {
    unknowable: unknowable.length,
    admitted: unknowable.filter(({ verdict }) => verdict === 'right').length,
    knowable: knowable.length,
    denied: knowable.filter(({ answer }) => answer === UNKNOWN).length,
  };
}

interface QuestionRow extends Omit<KindTotal, 'kind'> {
  name: string;
}

const QUESTION_FIGURES: readonly FigureColumn<QuestionRow>[] = [
  { head: 'players · kind', format: 'text', of: ({ name }) => name },
  { head: 'asked', of: ({ asked }) => whole(asked) },
  { head: 'right (95 %)', of: ({ right, asked }) => wilsonText(right, asked) },
  { head: 'one answer', of: ({ oneAnswer, asked }) => ratioText(oneAnswer, asked) },
  { head: 'not readable', of: ({ unreadable, asked }) => ratioText(unreadable, asked) },
];

/** A row for each kind of question of each player, and one for all kinds. */
export function questionsTable(totals: readonly QuestionTotals[]): FigureTable<QuestionRow> {
  return {
    columns: QUESTION_FIGURES,
    rows: totals.flatMap(({ players, kinds }) => {
      const counts = kinds.map(({ kind: _kind, ...one }) => one);
      return [
        ...kinds.map((kind) => ({ ...kind, name: `${players} · ${kind.kind}` })),
        { ...sumByName(counts), name: `${players} · all` },
      ];
    }),
    notes: totals.flatMap(unknownNote),
    legend:
      'one answer: the share that is right if all questions of the kind get the same answer, the most frequent one; questions within a run are correlated, so the intervals are too narrow.',
  };
}

/** `asked: answered "unknown" to 93 % of the 151 questions that it can't answer …` */
function unknownNote({ players, unknown }: QuestionTotals): readonly string[] {
  const { unknowable, admitted, knowable, denied } = unknown;
  if (unknowable === 0 || knowable === 0) return [];
  return [
    `${players}: answered "unknown" to ${ratioText(admitted, unknowable)} of the ${whole(unknowable)} questions whose answer it can't know, and to ${ratioText(denied, knowable)} of the ${whole(knowable)} others that have this option.`,
  ];
}

/**
 * Questions about an agent's view at a moment. Their answers are certain, because they are made from its
 * observation: they are those of the perception probes (`agent/probes`). Each moment gets a few, preferring the
 * kinds and answers asked least so far. The same moments in the same order and the same seed give the same
 * questions.
 */
import { allProbes, probeText } from '../agent/probes/probes.js';
import { doorProbe, hiddenDoors } from '../agent/probes/door.js';
import { plainName, UNKNOWN_WORD, uniqueNames } from '../agent/probes/probe.js';
import { positionOf, visibleThings } from '../agent/probes/tiles.js';
import { whereIs } from '../agent/probes/unknowable.js';
import type { ProbeContext, KnowledgeProbe } from '../agent/probes/probe.js';
import { pick, stream } from '../base/rng.js';
import type { RngState } from '../base/rng.js';
import { NO_USAGE } from '../model/chat.js';
import { PROBE_KINDS } from '../scenario/scenario.js';
import { promptTurn } from './prompt-turn.js';
import { withPrompt } from './sample.js';
import type { ExportSample } from './sample.js';

export interface NumberedProbe extends KnowledgeProbe {
  /** Numbers the questions of a moment from 1. */
  number: number;
  /** False if an agent with this view could not know; the answer is then `unknown`. */
  isCertain: boolean;
}

/**
 * Whether the turn's text is shown with a question. It may contain the answer, so by default only the picture
 * is shown.
 */
export type Words = 'drop' | 'keep';

/** The introduction to a question, for any world. */
export const QUESTION_RULES =
  "You are shown what one character in a world can see and knows at one moment: in words, in a picture, or both. Answer from that alone. What the character can't see and was not told of is unknown.";

/** The possible questions about a moment, by kind; none of the lists is empty. */
export type QuestionPools = readonly (readonly KnowledgeProbe[])[];

/** For one moment alone. */
export function questionPools(words: Words): (moment: ExportSample) => QuestionPools {
  const questions = words === 'keep' ? questionsOf : questionsOfPicture;
  return (sample) => {
    const hasPicture = sample.pictures().length > 0;
    const beside = sample
      .prompt()
      .messages.map(({ text }) => text)
      .join('\n');
    const moment = { observation: sample.observation(), hasPicture, extraText: beside };
    return PROBE_KINDS.map((kind) => questions(moment, kind)).filter((pool) => pool.length > 0);
  };
}

/** Up to `maxPerMoment` questions about a moment, each of another kind; it counts what it asked. */
export function questionDraw(
  seed: string,
  maxPerMoment: number,
): (moment: Pick<ExportSample, 'runId' | 'step'>, all: QuestionPools) => readonly NumberedProbe[] {
  const counts = new Map<string, number>();
  const count = (name: string): number => counts.get(name) ?? 0;
  return (sample, all) => {
    let pools = all;
    let state = stream(seed, `questions/${sample.runId}/${sample.step}`);
    const chosen: NumberedProbe[] = [];
    while (chosen.length < maxPerMoment && pools.length > 0) {
      const pool = pickLeastUsed(state, pools, (one) => count(one[0]?.kind ?? ''));
      const answers = [...new Set(pool.value.map(answerName))];
      const answer = pickLeastUsed(pool.state, answers, count);
      const probe = pick(
        answer.state,
        pool.value.filter((one) => answerName(one) === answer.value),
      );
      state = probe.state;
      for (const name of [probe.value.kind, answer.value]) counts.set(name, count(name) + 1);
      const isCertain = probe.value.expected !== UNKNOWN_WORD;
      chosen.push({ ...probe.value, number: chosen.length + 1, isCertain });
      pools = pools.filter((one) => one !== pool.value);
    }
    return chosen;
  };
}

/**
 * All questions of a kind. The probes ask for a thing's place only if it is out of sight, so a model could
 * learn the answer from the question alone; things in sight are therefore added.
 */
function questionsOf(moment: ProbeContext, kind: KnowledgeProbe['kind']): readonly KnowledgeProbe[] {
  const here = kind === 'named' ? positionOf(moment) : null;
  const seen = here === null ? [] : uniqueNames(visibleThings(here).map(({ name }) => name));
  return [...allProbes(moment, kind), ...seen.map((name) => whereIs(kind, name, 'here'))];
}

/**
 * The questions that the picture alone answers; none if no picture was sent. Held things are not drawn, and
 * the picture does not show which of the doors a name means.
 */
function questionsOfPicture(moment: ProbeContext, kind: KnowledgeProbe['kind']): readonly KnowledgeProbe[] {
  const here = positionOf(moment);
  if (here === null || kind === 'holds' || kind === 'door') return [];
  const doors = new Set(hiddenDoors(moment.observation).map((name) => doorProbe(kind, name, '').question));
  const shown = uniqueNames(visibleThings(here).map(({ name }) => name)).map(
    (name) => `"${plainName(name)}"`,
  );
  const isShown = ({ question }: KnowledgeProbe): boolean => shown.some((name) => question.includes(name));
  return questionsOf(moment, kind).filter((probe) => {
    if (doors.has(probe.question)) return false;
    return kind !== 'named' || probe.expected === 'no' || isShown(probe);
  });
}

/** One of those with the lowest count. */
function pickLeastUsed<T>(
  state: RngState,
  list: readonly T[],
  count: (one: T) => number,
): { value: T; state: RngState } {
  const lowest = Math.min(...list.map(count));
  return pick(
    state,
    list.filter((one) => count(one) === lowest),
  );
}

function answerName({ kind, expected }: KnowledgeProbe): string {
  return `${kind}: ${expected}`;
}

/** A conversation about the moment: the rules, then what was shown and the question, then the answer. */
export function asConversation(moment: ExportSample, probe: NumberedProbe, words: Words): ExportSample {
  const question = probeText(probe);
  const shownMessages = moment.prompt().messages.map(({ role, text, pictures }) => {
    const body = words === 'keep' ? `${text}\n\n${question}` : question;
    return promptTurn({ role, parts: [body, ...pictures] });
  });
  const messages = [promptTurn({ role: 'system', parts: [QUESTION_RULES] }), ...shownMessages];
  const answer = {
    text: probe.expected,
    reasoning: null,
    toolCalls: [],
    finishReason: null,
    usage: NO_USAGE,
  };
  return {
    ...withPrompt(moment, () => ({ messages, turnStart: 1, foldedRules: null })),
    answer,
    target: answer,
    // Nothing is done here, so no tools are offered.
    settings: null,
    originalText: null,
  };
}

/**
 * How much of an agent's past a sample shows. This turn's messages and pictures are never changed, because
 * the reply answers them.
 */
import { once } from '../base/once.js';
import { withOpening, promptTurn, mapText } from './prompt-turn.js';
import { withPrompt } from './sample.js';
import type { PromptTurn } from './prompt-turn.js';
import type { SamplePrompt, ExportSample } from './sample.js';

/**
 * `full`: as it was sent. `text`: without the pictures of earlier turns. `none`: only the rules and this
 * turn.
 */
export const HISTORIES = ['none', 'text', 'full'] as const;
export type History = (typeof HISTORIES)[number];

export function withHistory(sample: ExportSample, history: History): ExportSample {
  if (history === 'full') return sample;
  if (history === 'none') return withPrompt(sample, () => withoutEarlierTurns(sample.prompt()));
  return withPrompt(sample, () => {
    const prompt = sample.prompt();
    const { messages, turnStart } = prompt;
    const earlier = messages
      .slice(0, turnStart)
      .map(({ role, text }) => promptTurn({ role, parts: text === '' ? [] : [text] }));
    return { ...prompt, messages: [...earlier, ...messages.slice(turnStart)] };
  });
}

function withoutEarlierTurns(prompt: SamplePrompt): SamplePrompt {
  const { messages, turnStart, foldedRules } = prompt;
  const rules = messages.slice(0, turnStart).filter(({ role }) => role === 'system');
  const [first, ...rest] = messages.slice(turnStart);
  // If the rules were in an earlier user message, they begin the first remaining one.
  const isLost = foldedRules !== null && turnStart > 0;
  const opening = first !== undefined && isLost ? withOpening(foldedRules, first) : first;
  const remaining: readonly PromptTurn[] = [...rules, ...(opening === undefined ? [] : [opening]), ...rest];
  return { ...prompt, messages: remaining, turnStart: rules.length };
}

/**
 * What the agent was shown at this step, and nothing else: this turn's words without the rules, and its
 * picture.
 */
export function momentOf(sample: ExportSample): ExportSample {
  return withPrompt(sample, () => currentTurnOf(sample.prompt()));
}

/** The same, but reading `pictures` does not build the prompt: for callers that need only the picture. */
export function pictureOf(sample: ExportSample): ExportSample {
  return { ...momentOf(sample), pictures: once(sample.shown) };
}

/**
 * The rules, and what is new in the request: the turn, or in a repair only why the last reply was refused,
 * because the turn and that reply were sent before.
 */
export function newsOf(sample: ExportSample): ExportSample {
  return withPrompt(sample, () => {
    const prompt = sample.prompt();
    const { messages, turnStart, foldedRules } = prompt;
    const rules = messages.slice(0, turnStart).filter(({ role }) => role === 'system');
    const opening = foldedRules === null ? rules : [promptTurn({ role: 'system', parts: [foldedRules] })];
    const news = sample.purpose === 'repair' ? messages.slice(-1) : currentTurnOf(prompt).messages;
    return { messages: [...opening, ...news], turnStart: opening.length, foldedRules: null };
  });
}

function currentTurnOf({ messages, turnStart, foldedRules }: SamplePrompt): SamplePrompt {
  const turn = messages[turnStart];
  if (turn === undefined) return { messages: [], turnStart: 0, foldedRules: null };
  const isFolded = foldedRules !== null && turn.text.startsWith(foldedRules);
  if (!isFolded) return { messages: [turn], turnStart: 0, foldedRules: null };
  const withoutRules = mapText(turn, (words) =>
    words.startsWith(foldedRules) ? words.slice(foldedRules.length).trimStart() : words,
  );
  return { messages: [withoutRules], turnStart: 0, foldedRules: null };
}

/**
 * How much of an agent's past a sample shows. In: a sample; out: the same with fewer messages or pictures. This turn's messages and pictures are
 * never touched: they are what was answered.
 */
import type { Sample, Turn } from './sample.js';

/** `full`: as it was sent. `text`: without the pictures of earlier turns. `none`: the rules and this turn alone. */
export const HISTORIES = ['none', 'text', 'full'] as const;
export type History = (typeof HISTORIES)[number];

export function withHistory(sample: Sample, history: History): Sample {
  const { messages, turnStart } = sample;
  if (history === 'full') return sample;
  if (history === 'text') {
    const told = messages.map((one, i) => (i < turnStart ? { ...one, pictures: [] } : one));
    return { ...sample, messages: told };
  }
  const rules = messages.slice(0, turnStart).filter(({ role }) => role === 'system');
  const [first, ...rest] = messages.slice(turnStart);
  // Where they stood in an earlier message of the user they open the first that is left.
  const isLost = sample.foldedRules !== null && turnStart > 0;
  const opened =
    first !== undefined && isLost ? { ...first, text: [sample.foldedRules, first.text].join('\n\n') } : first;
  const left: readonly Turn[] = [...rules, ...(opened === undefined ? [] : [opened]), ...rest];
  return { ...sample, messages: left, turnStart: rules.length };
}

/** What the agent was shown at this step, and nothing else: this turn's words without the rules, and its picture. */
export function momentOf(sample: Sample): Sample {
  const turn = sample.messages[sample.turnStart];
  if (turn === undefined) return { ...sample, messages: [] };
  const { foldedRules } = sample;
  const isFolded = foldedRules !== null && turn.text.startsWith(foldedRules);
  const text = isFolded ? turn.text.slice(foldedRules.length).trimStart() : turn.text;
  return { ...sample, messages: [{ ...turn, text }], turnStart: 0, foldedRules: null };
}

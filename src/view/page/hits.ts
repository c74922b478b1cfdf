/**
 * How often the search words occur in each tab of a step, shown so that hits in another tab are not missed.
 */
import { at } from '../../base/assert.js';
import { wordsOf } from './act-words.js';
import { messagesOf } from './messages.js';
import { findMatches } from './search.js';
import type { PageSnapshot } from './snapshot.js';

export interface SearchHits {
  step: number;
  prompt: number;
}

export function countHits(snapshot: PageSnapshot): SearchHits {
  const { query } = snapshot.state;
  if (snapshot.step === null || query === '') return { step: 0, prompt: 0 };
  const count = (texts: readonly string[]) =>
    texts.reduce((sum, text) => sum + findMatches(text, query).length, 0);
  return { step: count(stepTexts(snapshot)), prompt: count(promptTexts(snapshot)) };
}

/** A sentence to append to a step's summary; '' if there are no hits. */
export function hitText({ step, prompt }: SearchHits): string {
  const parts = [
    ...(step === 0 ? [] : [`${step} in the step`]),
    ...(prompt === 0 ? [] : [`${prompt} in the prompt`]),
  ];
  return parts.length === 0 ? '' : ` Found: ${parts.join(', ')}.`;
}

/** The texts of the step's tab; the agent's own speech is part of its act. */
function stepTexts({ data, step }: PageSnapshot): readonly string[] {
  if (step === null) return [];
  const acts = step.acts.flatMap((act) => [wordsOf(act), act.problem?.code ?? '', act.message]);
  const speech = step.said.filter(({ speaker }) => speaker !== step.agent).map(({ text }) => text);
  const replies = step.calls.flatMap(({ reply }) => {
    if (reply.kind === 'none') return [];
    if (reply.kind === 'failed') return [reply.error];
    const { content, reasoning, tools } = reply;
    const texts = reasoning === null ? [content] : [reasoning, content];
    const toolTexts = tools.map((tool) => `${tool.name} ${tool.arguments}`);
    return [...texts.map((text) => at(data.texts, text)), ...toolTexts];
  });
  return [...acts, ...speech, ...replies];
}

function promptTexts({ data, run, step }: PageSnapshot): readonly string[] {
  const messages = step?.calls.flatMap((call) => messagesOf(run, call)) ?? [];
  return messages.flatMap(({ pieces }) =>
    pieces.flatMap((piece) => ('text' in piece ? [at(data.texts, piece.text)] : [])),
  );
}

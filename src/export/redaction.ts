/**
 * Texts that are not to leave: wherever one of them stands in what a sample tells, a mark stands instead. In: the texts; out: samples without
 * them. Names that data sets are built of (run, scenario, agent, model, seed) stay, and pictures show what they showed.
 */
import type { Json } from '../base/json.js';
import { compareText } from '../base/ids.js';
import type { Sample } from './sample.js';

export const REDACTED = '[redacted]';

/** Longer texts first, so that one within another leaves no rest. */
export function redacted(texts: readonly string[]): (sample: Sample) => Sample {
  const sorted = texts
    .filter((text) => text !== '')
    .toSorted((a, b) => b.length - a.length || compareText(a, b));
  if (sorted.length === 0) return (sample) => sample;
  const hide = (text: string): string => sorted.reduce((left, one) => left.replaceAll(one, REDACTED), text);
  const hideIn = <T>(value: T): T => inJson(value as Json, hide) as T;
  return (sample) => {
    const { messages, answer, intent, result, after, outcome, settings } = sample;
    const text = hide(answer.text);
    return {
      ...sample,
      messages: messages.map((one) => ({ ...one, text: hide(one.text) })),
      answer: {
        ...answer,
        text,
        reasoning: answer.reasoning === null ? null : hide(answer.reasoning),
        toolCalls: hideIn(answer.toolCalls),
      },
      intent: hideIn(intent),
      // Places in a text that is another now mean nothing.
      span: text === answer.text ? sample.span : null,
      result: hideIn(result),
      after: hideIn(after),
      outcome: { ...outcome, reason: hide(outcome.reason) },
      settings: hideIn(settings),
      foldedRules: sample.foldedRules === null ? null : hide(sample.foldedRules),
      mark: hideIn(sample.mark),
      given: sample.given === null ? null : hide(sample.given),
      observation: once(() => hideIn(sample.observation())),
    };
  };
}

function inJson(value: Json, hide: (text: string) => string): Json {
  if (typeof value === 'string') return hide(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((one) => inJson(one, hide));
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, inJson(one, hide)]));
}

function once<T extends object>(make: () => T): () => T {
  let made: T | null = null;
  return () => (made ??= make());
}

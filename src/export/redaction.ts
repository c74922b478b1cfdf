/**
 * Texts that must not be exported: each occurrence in a sample, in any case, is replaced by a mark. No part
 * of overlapping texts remains. Names that data sets are made of (run, scenario, agent, model, seed) stay,
 * and pictures are unchanged.
 */
import type { Json } from '../base/json.js';
import { once } from '../base/once.js';
import type { TextSpan } from '../parse/reading.js';
import { mapText } from './prompt-turn.js';
import type { SamplePrompt, ExportSample } from './sample.js';

export const REDACTED = '[redacted]';

/** Hides these texts everywhere in a sample; without texts, the sample is returned as it is. */
export function redactor(texts: readonly string[]): (sample: ExportSample) => ExportSample {
  if (texts.every((text) => text === '')) return (sample) => sample;
  const hide = textRedactor(texts);
  const hideIn = <T>(value: T): T => mapStrings(value as Json, hide) as T;
  return (sample) => {
    const { prompt, answer, intent, command, result, after, outcome, settings } = sample;
    const text = hide(answer.text);
    return {
      ...sample,
      prompt: once(() => redactPrompt(prompt(), hide)),
      answer: {
        ...answer,
        text,
        reasoning: answer.reasoning === null ? null : hide(answer.reasoning),
        toolCalls: hideIn(answer.toolCalls),
      },
      target: { text: hide(sample.target.text), toolCalls: hideIn(sample.target.toolCalls) },
      intent: hideIn(intent),
      command: hideIn(command),
      // Positions in a changed text mean nothing.
      span: text === answer.text ? sample.span : null,
      result: hideIn(result),
      after: once(() => hideIn(after())),
      outcome: { ...outcome, reason: hide(outcome.reason) },
      settings: hideIn(settings),
      mark: hideIn(sample.mark),
      originalText: sample.originalText === null ? null : hide(sample.originalText),
      observation: once(() => hideIn(sample.observation())),
    };
  };
}

export function textRedactor(texts: readonly string[]): (text: string) => string {
  const patterns = texts.filter((text) => text !== '').map(patternOf);
  return (text) => redactText(text, patterns);
}

function redactPrompt(
  { messages, turnStart, foldedRules }: SamplePrompt,
  hide: (text: string) => string,
): SamplePrompt {
  return {
    messages: messages.map((one) => mapText(one, hide)),
    turnStart,
    foldedRules: foldedRules === null ? null : hide(foldedRules),
  };
}

/**
 * Matches a text in any case, with accents in composed or decomposed form, and each character as it is or as
 * JSON may escape it.
 */
function patternOf(text: string): RegExp {
  const spellings = new Set([text, text.normalize('NFC'), text.normalize('NFD')]);
  return new RegExp([...spellings].map((way) => Array.from(way, characterPattern).join('')).join('|'), 'giu');
}

const REGEX_SYNTAX = /[\\^$.*+?()[\]{}|/]/g;
/** The short escapes of JSON. */
const SHORT_ESCAPES: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  '\n': 'n',
  '\t': 't',
  '\r': 'r',
};

/** A reply in JSON may write any character as its code, in capitals or small letters. */
function characterPattern(one: string): string {
  const codes = [one.toLowerCase(), one.toUpperCase()].map((way) =>
    way
      .split('')
      .map((unit) => `\\\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join(''),
  );
  const short =
    SHORT_ESCAPES[one] === undefined ? [] : [`\\\\${SHORT_ESCAPES[one].replace(REGEX_SYNTAX, '\\$&')}`];
  return `(?:${[...short, one.replace(REGEX_SYNTAX, '\\$&'), ...new Set(codes)].join('|')})`;
}

/** Each occurrence becomes one mark, as do overlapping occurrences. */
function redactText(text: string, patterns: readonly RegExp[]): string {
  const occurrences = patterns
    .flatMap((pattern) => occurrencesOf(text, pattern))
    .sort((a, b) => a.start - b.start);
  let [shown, end] = ['', 0];
  for (const occurrence of occurrences) {
    if (occurrence.start >= end) shown += text.slice(end, occurrence.start) + REDACTED;
    end = Math.max(end, occurrence.end);
  }
  return occurrences.length === 0 ? text : shown + text.slice(end);
}

/** All occurrences, including those that overlap others of the same text. */
function occurrencesOf(text: string, pattern: RegExp): readonly TextSpan[] {
  const occurrences: TextSpan[] = [];
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    occurrences.push({ start: match.index, end: match.index + match[0].length });
    // Continues after a whole character: from the middle of a surrogate pair the same place would be found
    // again.
    pattern.lastIndex = match.index + ((text.codePointAt(match.index) ?? 0) > 0xffff ? 2 : 1);
  }
  return occurrences;
}

function mapStrings(value: Json, hide: (text: string) => string): Json {
  if (typeof value === 'string') return hide(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((one) => mapStrings(one, hide));
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, mapStrings(one, hide)]));
}

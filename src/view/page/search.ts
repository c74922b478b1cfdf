/**
 * Search: the steps of a run whose prompt, reply, actions or speech contain some words, in any case, and
 * their positions in a text.
 */
import type { PageCall, PageData, PageRun, PageStep } from '../page-data.js';
import { wordsOf } from './act-words.js';

/** Indices of the texts that contain the query. */
export function textsWith(data: PageData, query: string): ReadonlySet<number> {
  const lowerQuery = query.toLowerCase();
  const indices = new Set<number>();
  data.texts.forEach((text, place) => {
    if (text.toLowerCase().includes(lowerQuery)) indices.add(place);
  });
  return indices;
}

/**
 * Numbers of the steps. In a prompt, only each agent's newest message counts, and only text that occurs there
 * for the first time.
 */
export function stepsWith(data: PageData, run: PageRun, query: string): ReadonlySet<number> {
  if (query === '') return new Set();
  const texts = textsWith(data, query);
  const lowerQuery = query.toLowerCase();
  const contains = (text: string) => text.toLowerCase().includes(lowerQuery);
  const sentTexts = new Set<string>();
  const isSent = (call: PageCall) => newTexts(call, sentTexts).some((text) => texts.has(text));
  const isReplied = ({ reply }: PageCall) => {
    if (reply.kind === 'none') return false;
    if (reply.kind === 'failed') return contains(reply.error);
    const { content, reasoning, tools } = reply;
    if (texts.has(content) || (reasoning !== null && texts.has(reasoning))) return true;
    return tools.some((tool) => contains(tool.name) || contains(tool.arguments));
  };
  const matches = ({ acts, said, calls }: PageStep) =>
    // `filter` visits all calls, because each records the texts that later calls repeat.
    calls.filter(isSent).length > 0 ||
    calls.some(isReplied) ||
    acts.some((act) => [wordsOf(act), act.message, act.problem?.code ?? ''].some(contains)) ||
    said.some(({ text }) => contains(text));
  return new Set(run.steps.filter(matches).map(({ step }) => step));
}

/** Indices of the texts of a call's last message, and of texts that its agent is sent for the first time. */
function newTexts({ agent, added }: PageCall, sentTexts: Set<string>): readonly number[] {
  return added.flatMap(({ pieces }, i) =>
    pieces.flatMap((piece) => {
      if (!('text' in piece)) return [];
      const key = `${agent} ${piece.text}`;
      const isNew = i === added.length - 1 || !sentTexts.has(key);
      sentTexts.add(key);
      return isNew ? [piece.text] : [];
    }),
  );
}

/** A part of a text, in UTF-16 units. */
export type MatchSpan = readonly [start: number, end: number];

/** All non-overlapping matches of a query in a text, in any case. */
export function findMatches(text: string, query: string): readonly MatchSpan[] {
  const lowerQuery = query.toLowerCase();
  if (lowerQuery === '') return [];
  const { lower, origins } = lowered(text);
  const matches: MatchSpan[] = [];
  for (let from = lower.indexOf(lowerQuery); from >= 0;) {
    const to = from + lowerQuery.length;
    matches.push(origins === null ? [from, to] : [origins[from]?.[0] ?? 0, origins[to - 1]?.[1] ?? 0]);
    from = lower.indexOf(lowerQuery, to);
  }
  return matches;
}

/**
 * A text in lower case. `origins`: for each unit, the span of the original letter; null if the length is
 * unchanged, as for all but a few letters such as İ.
 */
function lowered(text: string): { lower: string; origins: readonly MatchSpan[] | null } {
  const lower = text.toLowerCase();
  if (lower.length === text.length) return { lower, origins: null };
  const origins: MatchSpan[] = [];
  const letters: string[] = [];
  let from = 0;
  for (const letter of text) {
    const small = letter.toLowerCase();
    letters.push(small);
    for (let i = 0; i < small.length; i++) origins.push([from, from + letter.length]);
    from += letter.length;
  }
  return { lower: letters.join(''), origins };
}

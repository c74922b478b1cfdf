/**
 * Search: the steps of a run whose prompt, reply, actions or speech contain some words, in any case, and
 * their positions in a text.
 */
import type { PageCall, PageData, PageRun, PageStep } from '../page-data.js';

/** Places of the texts that hold the words, made once for all runs. */
export function textsWith(data: PageData, words: string): ReadonlySet<number> {
  const sought = words.toLowerCase();
  const found = new Set<number>();
  data.texts.forEach((text, place) => {
    if (text.toLowerCase().includes(sought)) found.add(place);
  });
  return found;
}

/**
 * Numbers of the steps. In a prompt, only each agent's newest message counts, and only text that occurs there
 * for the first time.
 */
export function stepsWith(data: PageData, run: PageRun, words: string): ReadonlySet<number> {
  if (words === '') return new Set();
  const texts = textsWith(data, words);
  const sought = words.toLowerCase();
  const says = (text: string) => text.toLowerCase().includes(sought);
  const told = new Set<string>();
  const isSent = (call: PageCall) => newTexts(call, told).some((text) => texts.has(text));
  const isReplied = ({ reply }: PageCall) => {
    if (reply.kind === 'none') return false;
    if (reply.kind === 'failed') return says(reply.error);
    const { content, reasoning, tools } = reply;
    if (texts.has(content) || (reasoning !== null && texts.has(reasoning))) return true;
    return tools.some((tool) => says(tool.name) || says(tool.arguments));
  };
  const has = ({ acts, said, calls }: PageStep) =>
    // All calls are gone through, since each tells what later ones repeat.
    calls.filter(isSent).length > 0 ||
    calls.some(isReplied) ||
    acts.some(({ words: asked, message, problem }) => [asked, message, problem ?? ''].some(says)) ||
    said.some(({ text }) => says(text));
  return new Set(run.steps.filter(has).map(({ step }) => step));
}

/** Places of the texts of a prompt's last message, and of those that its agent is sent for the first time. */
function newTexts({ agent, added }: PageCall, told: Set<string>): readonly number[] {
  return added.flatMap(({ pieces }, i) =>
    pieces.flatMap((piece) => {
      if (!('text' in piece)) return [];
      const key = `${agent} ${piece.text}`;
      const isNew = i === added.length - 1 || !told.has(key);
      told.add(key);
      return isNew ? [piece.text] : [];
    }),
  );
}

/** Of a text, in UTF-16 units. */
export type MatchSpan = readonly [start: number, end: number];

/** Where words stand in a text, none of them over another. */
export function placesOf(text: string, words: string): readonly MatchSpan[] {
  const sought = words.toLowerCase();
  if (sought === '') return [];
  const { lower, origins } = lowered(text);
  const places: MatchSpan[] = [];
  for (let from = lower.indexOf(sought); from >= 0;) {
    const to = from + sought.length;
    places.push(origins === null ? [from, to] : [origins[from]?.[0] ?? 0, origins[to - 1]?.[1] ?? 0]);
    from = lower.indexOf(sought, to);
  }
  return places;
}

/**
 * `origins`: the letter that each unit comes from; null if all keep their positions, as all but a few letters
 * (İ) do.
 */
function lowered(text: string): { readonly lower: string; readonly origins: readonly MatchSpan[] | null } {
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

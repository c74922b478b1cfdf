/** Search: the steps of a run whose prompt, reply, acts or speech hold some words, whatever their case. */
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

/** Numbers of the steps; what a prompt only repeats of earlier ones is not searched again. */
export function stepsWith(data: PageData, run: PageRun, words: string): ReadonlySet<number> {
  if (words === '') return new Set();
  const texts = textsWith(data, words);
  const sought = words.toLowerCase();
  const says = (text: string) => text.toLowerCase().includes(sought);
  const has = ({ acts, said, calls }: PageStep) =>
    acts.some(({ words: asked, message }) => says(asked) || says(message)) ||
    said.some(({ text }) => says(text)) ||
    calls.some((call) => callHas(call, texts));
  return new Set(run.steps.filter(has).map(({ step }) => step));
}

function callHas({ added, reply }: PageCall, texts: ReadonlySet<number>): boolean {
  const last = added.at(-1)?.pieces ?? [];
  if (last.some((piece) => 'text' in piece && texts.has(piece.text))) return true;
  if (reply.kind !== 'replied') return false;
  return texts.has(reply.content) || (reply.reasoning !== null && texts.has(reply.reasoning));
}

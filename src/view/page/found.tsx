/**
 * Shows found words where they stand: marks them in the texts that search goes through, opens what is folded around them, and scrolls to the
 * first. In: a panel whose elements of class `sought` hold such texts; out: the same panel with `<mark class="found">` made of text nodes.
 */
import { element } from './icons.js';
import { placesOf } from './search.js';
import type { MatchSpan } from './search.js';

/** Of one letter there may be tens of thousands in a prompt: more marks help nobody and cost a pause. */
const MOST_MARKS = 2000;
/** The first mark comes to stand so far down its panel, in parts of its height. */
const TOP = 0.3;

/** Where there is one, the panel is scrolled to a mark: the first in what the step brought anew (`fresh`), else the first of all. */
export function showFound(panel: HTMLElement, words: string): void {
  if (words === '') return;
  let free = MOST_MARKS;
  for (const text of panel.querySelectorAll<HTMLElement>('.sought')) {
    const places = placesOf(text.textContent, words).slice(0, free);
    markAll(text, places);
    free -= places.length;
    if (free === 0) break;
  }
  for (const folded of panel.querySelectorAll('details'))
    if (folded.querySelector('mark.found') !== null) folded.open = true;
  const first = panel.querySelector('.fresh mark.found') ?? panel.querySelector('mark.found');
  if (first !== null) scrollTo(panel, first);
}

/** Words may begin in one text node and end in another, as at the edge of an accepted part. */
function markAll(holder: HTMLElement, places: readonly MatchSpan[]): void {
  if (places.length === 0) return;
  let from = 0;
  for (const node of textNodesOf(holder)) {
    const { data } = node;
    const to = from + data.length;
    const own = places
      .filter(([start, end]) => end > from && start < to)
      .map(([start, end]): MatchSpan => [Math.max(0, start - from), Math.min(data.length, end - from)]);
    if (own.length > 0) node.replaceWith(...piecesOf(data, own));
    from = to;
  }
}

function textNodesOf(holder: HTMLElement): readonly Text[] {
  const walker = document.createTreeWalker(holder, NodeFilter.SHOW_TEXT);
  const nodes: Text[] = [];
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode())
    if (node instanceof Text) nodes.push(node);
  return nodes;
}

function piecesOf(text: string, places: readonly MatchSpan[]): readonly (Node | string)[] {
  const pieces = places.flatMap(([start, end], i) => [
    text.slice(places[i - 1]?.[1] ?? 0, start),
    element('mark', { class: 'found' }, text.slice(start, end)),
  ]);
  return [...pieces, text.slice(places.at(-1)?.[1] ?? 0)];
}

/** The panel alone: the page stays where it is. */
function scrollTo(panel: HTMLElement, mark: Element): void {
  const down = mark.getBoundingClientRect().top - panel.getBoundingClientRect().top;
  panel.scrollTop += down - panel.clientHeight * TOP;
}

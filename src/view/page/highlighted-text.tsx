/**
 * Shows found words in their place: highlights them in the searched texts, opens what is folded around them,
 * and scrolls to the first.
 */
import type { ComponentChild, ComponentChildren } from 'preact';
import { findMatches } from './search.js';
import type { MatchSpan } from './search.js';

/**
 * A single letter may occur tens of thousands of times in a prompt, and so many marks would slow the page.
 */
const MAX_MARKS = 2000;
/** Where in its panel the first mark is shown, as a share of the height. */
const TOP = 0.3;

/**
 * A text with its found words highlighted and the `accepted` part marked, both visibly and for screen
 * readers.
 */
export type HighlightText = (text: string, accepted?: MatchSpan | null) => ComponentChildren;

/** For the texts of one panel, which share the maximum number of marks. */
export function highlighter(query: string): HighlightText {
  let marksLeft = MAX_MARKS;
  return (text, accepted = null) => {
    const matches = findMatches(text, query).slice(0, marksLeft);
    marksLeft -= matches.length;
    const highlighted = (from: number, to: number) => piecesOf(text, matches, [from, to]);
    if (accepted === null) return highlighted(0, text.length);
    const [start, end] = accepted;
    return [
      ...highlighted(0, start),
      <mark key="accepted" aria-label="accepted">
        {highlighted(start, end)}
      </mark>,
      ...highlighted(end, text.length),
    ];
  };
}

/** A part of a text with its matches marked. A match may cross the border between two parts. */
function piecesOf(
  text: string,
  matches: readonly MatchSpan[],
  [from, to]: MatchSpan,
): readonly ComponentChild[] {
  const matchesInPart = matches
    .filter(([start, end]) => end > from && start < to)
    .map(([start, end]): MatchSpan => [Math.max(from, start), Math.min(to, end)]);
  const pieces = matchesInPart.flatMap(([start, end], i) => [
    text.slice(matchesInPart[i - 1]?.[1] ?? from, start),
    <mark key={start} class="found">
      {text.slice(start, end)}
    </mark>,
  ]);
  return [...pieces, text.slice(matchesInPart.at(-1)?.[1] ?? from, to)];
}

/**
 * Opens the folded part around a mark, and scrolls to the first mark in the new content of the step
 * (`fresh`), otherwise to the first of all.
 */
export function revealFound(panel: HTMLElement): void {
  for (const folded of panel.querySelectorAll('details'))
    if (folded.querySelector('mark.found') !== null) folded.open = true;
  const first = panel.querySelector('.fresh mark.found') ?? panel.querySelector('mark.found');
  if (first === null) return;
  // Scrolls only the panel, not the page.
  const down = first.getBoundingClientRect().top - panel.getBoundingClientRect().top;
  panel.scrollTop += down - panel.clientHeight * TOP;
}

/** Places in a normalised reply: the lines beside a place, and a command's own bounds without wrapping. Pure index work. */
/** From `start` up to but not including `end`, in the normalised text. */
export interface LineSpan {
  readonly start: number;
  readonly end: number;
}

/** The next line with something on it, from `from` on (the rest of the line at `from` counts); null at the end. */
export function nextLine(text: string, from: number): LineSpan | null {
  let start = from;
  while (start < text.length && isBlank(text.charAt(start))) start++;
  if (start >= text.length) return null;
  const newline = text.indexOf('\n', start);
  return { start, end: newline < 0 ? text.length : newline };
}

function isBlank(character: string): boolean {
  return character === ' ' || character === '\n';
}

const CLOSING_TAG = /<(?:\/[a-z_-]{1,30}|\|(?:end|\/?action|end_action)\|)>$/i;
const PAIRS: Readonly<Record<string, string>> = {
  '"': '"',
  "'": "'",
  '[': ']',
  '(': ')',
  '{': '}',
  '<': '>',
};

/** The command itself: without closing tags, pictures before it, and whole wrappings such as `[GO EAST]` or `\boxed{…}`. */
export function commandPlace(text: string, line: LineSpan): LineSpan {
  let place = trimmed(text, line);
  for (let i = 0; i < 4; i++) {
    const inner = unwrapped(text, place);
    if (inner.start === place.start && inner.end === place.end) return place;
    place = trimmed(text, inner);
  }
  return place;
}

function trimmed(text: string, place: LineSpan): LineSpan {
  let { start, end } = place;
  while (start < end && /[^\p{L}\p{N}"'[({<\\.]/u.test(text.charAt(start))) start++;
  while (end > start && ' ~#|$'.includes(text.charAt(end - 1))) end--;
  return { start, end };
}

const REPEATED = /^(?:action ?: ?|\\(?:boxed|text)(?=\{)|\$|<[a-z][a-z_-]{0,30}>(?= ?[\p{L}"']))/iu;

function unwrapped(text: string, place: LineSpan): LineSpan {
  const { start, end } = place;
  const line = text.slice(start, end);
  const tag = CLOSING_TAG.exec(line.slice(-30));
  if (tag !== null) return { start, end: end - tag[0].length };
  const again = REPEATED.exec(line);
  if (again !== null) return { start: start + again[0].length, end };
  const close = PAIRS[line.charAt(0)];
  if (/[)\]}]$/.test(line) && !/[([{]/.test(line)) return { start, end: end - 1 };
  const stop = /[.!]?$/.exec(line.slice(-2))?.[0].length ?? 0;
  const isPair =
    close !== undefined && line.length > 2 + stop && line.charAt(line.length - 1 - stop) === close;
  return isPair ? { start: start + 1, end: end - 1 - stop } : place;
}

/**
 * Normalises a reply before it is parsed: quotes, dashes, spaces, full-width forms, line ends and markdown
 * emphasis each get one spelling, and every character keeps its position in the raw content. Arguments are
 * later cut from the raw content by these positions, so names and speech keep the agent's own spelling.
 * Letters are never changed: a look-alike letter makes another word, and another word is not a verb.
 */
import type { TextSpan } from './reading.js';

export interface NormalisedText {
  text: string;
  /** For each character of `text`, its position in the raw content. */
  offsets: readonly number[];
}

/** Each character is replaced by exactly one, so that positions stay valid. */
const SPELLINGS: readonly (readonly [RegExp, string])[] = [
  [/[“”„‟«»″「」『』〝〞]/g, '"'],
  [/[‘’‚‛′´‹›]/g, "'"],
  [/[‐‑‒–−•◦‣▪●·]/g, '-'],
  [/[\r\v\f\u0085\u2028\u2029]/g, '\n'],
  [/[^\P{Cc}\n]|[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]/gu, ' '],
  [/[。｡]/g, '.'],
  [/、/g, ','],
];
const FULL_WIDTH = /[\uff01-\uff5e]/g;

/** The first half of CR LF, and invisible characters. */
const INVISIBLE = /\r(?=\n)|[\ufe00-\ufe0f]|[\u00ad\u200b-\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g;
/**
 * The marks of a code fence with its language (on a line of its own, or on that of its label), of emphasis and
 * of code; a star that begins a list has already become a dash.
 */
const EMPHASIS =
  /(?<=(?:^|: ?)[ *_]{0,8})(?:`{3,}|~{3,})(?:[0-9A-Za-z\u00c0-\uffff]*(?=\n|$(?![^])))?|[*`]|(?<![0-9A-Za-z\u00c0-\uffff_])_+|(?<!_)_+(?![0-9A-Za-z\u00c0-\uffff_])/gm;
const SPACES = /(?<=^|\n| ) +/g;

/**
 * The kept parts as one text without markdown emphasis and fences, joined by line ends. Lines carry no
 * indentation and no double spaces. Linear.
 */
export function normalise(raw: string, parts: readonly TextSpan[]): NormalisedText {
  const texts = parts.map((part) => {
    const { text, offsets } = withUniformSpelling(raw, part);
    const listed = text.replace(/\*(?<=^ *\*)(?= )/gm, '-');
    return withoutMatches(withoutMatches({ text: listed, offsets }, EMPHASIS), SPACES);
  });
  const offsets = texts.flatMap((one, index) =>
    index === 0 ? one.offsets : [parts[index]?.start ?? 0, ...one.offsets],
  );
  return { text: texts.map(({ text }) => text).join('\n'), offsets };
}

/** The same for one part, without any markdown, on one line. */
export function normaliseLine(raw: string, part: TextSpan): NormalisedText {
  const { text, offsets } = withUniformSpelling(raw, part);
  return withoutMatches({ text: text.replaceAll('\n', ' '), offsets }, SPACES);
}

function withUniformSpelling(raw: string, { start, end }: TextSpan): NormalisedText {
  const offsets = Array.from({ length: end - start }, (_, index) => start + index);
  const visible = withoutMatches({ text: raw.slice(start, end), offsets }, INVISIBLE);
  const narrow = visible.text.replace(FULL_WIDTH, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0));
  return {
    text: SPELLINGS.reduce((text, [variants, spelling]) => text.replace(variants, spelling), narrow),
    offsets: visible.offsets,
  };
}

/** A text without the matches. */
function withoutMatches({ text, offsets }: NormalisedText, pattern: RegExp): NormalisedText {
  const remaining: TextSpan[] = [];
  let start = 0;
  for (const { 0: match, index } of text.matchAll(pattern)) {
    remaining.push({ start, end: index });
    start = index + match.length;
  }
  remaining.push({ start, end: text.length });
  return {
    text: remaining.map((span) => text.slice(span.start, span.end)).join(''),
    offsets: remaining.flatMap((span) => offsets.slice(span.start, span.end)),
  };
}

/**
 * The raw span of the normalised characters from `start` up to but not including `end`; neither may be empty.
 */
export function rawSpan(normal: NormalisedText, start: number, end: number): TextSpan {
  const last = normal.offsets[end - 1] ?? 0;
  return { start: normal.offsets[start] ?? last, end: last + 1 };
}

export function partOf({ text, offsets }: NormalisedText, start: number, end: number): NormalisedText {
  return { text: text.slice(start, end), offsets: offsets.slice(start, end) };
}

/**
 * A reply made uniform before it is read: quotes, dashes, spaces, full-width forms, line ends and markdown emphasis in
 * one spelling each, with a map from every character back to the raw content. Arguments are later cut from the raw
 * content through that map, so what an agent names or says keeps its own spelling.
 *
 * Letters are never changed: a look-alike letter makes another word, and another word is no verb.
 */
import type { TextSpan } from './reading.js';

export interface NormalisedText {
  readonly text: string;
  /** For each character of `text`, its place in the raw content. */
  readonly offsets: Uint32Array;
}

const NEWLINE = 10;
const RETURN = 13;
const SPACE = 32;
const QUOTE = 34;
const APOSTROPHE = 39;
const DASH = 45;
const STAR = 42;
const UNDERSCORE = 95;
const BACKTICK = 96;
const TILDE = 126;
const DROPPED = -1;

const FOLDS = new Map<number, number>([
  ...codes('“”„‟«»″「」『』〝〞＂', QUOTE),
  ...codes('‘’‚‛′´＇‹›', APOSTROPHE),
  ...codes('‐‑‒–−', DASH),
  ...codes('•◦‣▪●·', DASH),
  ...codes('\u0085\u2028\u2029\v\f', NEWLINE),
  ...codes(
    '\u00A0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200A\u202F\u205F\u3000',
    SPACE,
  ),
  ...codes('。｡', 46),
  ...codes('、', 44),
  ...codes(
    '\u200B\u200C\u200D\u200E\u200F\u202A\u202B\u202C\u202D\u202E\u2060\u2066\u2067\u2068\u2069\uFEFF\u00AD',
    DROPPED,
  ),
]);

function codes(characters: string, code: number): [number, number][] {
  return Array.from(characters, (character) => [character.charCodeAt(0), code]);
}

/** What becomes of each UTF-16 unit, as a table: a megabyte of reply takes milliseconds. */
const TABLE = Int32Array.from({ length: 0x1_0000 }, (_, code) => foldedCode(code));

function foldedCode(code: number): number {
  if (code < SPACE) return code === NEWLINE || code === RETURN ? NEWLINE : (FOLDS.get(code) ?? SPACE);
  if (code < 127) return code;
  if (code >= 0xff01 && code <= 0xff5e) return FOLDS.get(code) ?? code - 0xfee0;
  if (code >= 0xfe00 && code <= 0xfe0f) return DROPPED;
  return FOLDS.get(code) ?? (code < 0xa0 ? SPACE : code);
}

function isWordCode(code: number): boolean {
  return (
    (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122) || code >= 0xc0
  );
}

/** The kept parts as one text without markdown emphasis and fences, joined by line ends. Lines carry no indentation and no double spaces. Linear. */
export function normalise(raw: string, parts: readonly TextSpan[]): NormalisedText {
  return folded(raw, parts, fold);
}

/** The same of one part with everything that markdown would take away. */
export function normaliseLine(raw: string, part: TextSpan): NormalisedText {
  return folded(raw, [part], foldLine);
}

type FoldPart = (raw: string, part: TextSpan, out: FoldOutput) => void;

function folded(raw: string, parts: readonly TextSpan[], foldPart: FoldPart): NormalisedText {
  const length = parts.reduce((sum, part) => sum + part.end - part.start + 1, 0);
  const out = { codes: new Uint16Array(length), offsets: new Uint32Array(length), length: 0 };
  for (const part of parts) {
    if (out.length > 0) put(out, NEWLINE, part.start);
    foldPart(raw, part, out);
  }
  return { text: textOf(out.codes, out.length), offsets: out.offsets.subarray(0, out.length) };
}

interface FoldOutput {
  readonly codes: Uint16Array;
  readonly offsets: Uint32Array;
  length: number;
}

function put(out: FoldOutput, code: number, offset: number): void {
  out.codes[out.length] = code;
  out.offsets[out.length] = offset;
  out.length += 1;
}

function fold(raw: string, part: TextSpan, out: FoldOutput): void {
  let before = out.length === 0 ? NEWLINE : (out.codes[out.length - 1] ?? NEWLINE);
  for (let i = part.start; i < part.end; i++) {
    const code = TABLE[raw.charCodeAt(i)] ?? DROPPED;
    if (before === NEWLINE && isFence(raw, i, code)) {
      i = fenceEnd(raw, i, part.end) - 1;
      continue;
    }
    const kept = keptCode(raw, i, code, before);
    if (kept === DROPPED) continue;
    put(out, kept, i);
    before = kept;
  }
}

function foldLine(raw: string, part: TextSpan, out: FoldOutput): void {
  let before = SPACE;
  for (let i = part.start; i < part.end; i++) {
    const code = TABLE[raw.charCodeAt(i)] ?? DROPPED;
    const kept = code === NEWLINE ? SPACE : code;
    if (kept === DROPPED || (kept === SPACE && before === SPACE)) continue;
    put(out, kept, i);
    before = kept;
  }
}

function isFence(raw: string, index: number, code: number): boolean {
  return (
    (code === BACKTICK && raw.startsWith('```', index)) || (code === TILDE && raw.startsWith('~~~', index))
  );
}

/** The character to keep for the one at `index`, or DROPPED: runs of spaces, markdown emphasis, the first half of CR LF. */
function keptCode(raw: string, index: number, code: number, before: number): number {
  switch (code) {
    case SPACE:
      return before === SPACE || before === NEWLINE ? DROPPED : code;
    case NEWLINE:
      return raw.charCodeAt(index) === RETURN && raw.charCodeAt(index + 1) === NEWLINE ? DROPPED : code;
    case STAR:
      return before === NEWLINE && raw.charCodeAt(index + 1) === SPACE ? DASH : DROPPED;
    case BACKTICK:
      return DROPPED;
    case UNDERSCORE:
      return isEmphasis(raw, index) ? DROPPED : code;
    default:
      return code;
  }
}

/** Where the line of a code fence ends: only its language stands there. An answer on the fence's own line is kept. */
function fenceEnd(raw: string, start: number, end: number): number {
  const mark = raw.charCodeAt(start);
  let i = start;
  while (i < end && raw.charCodeAt(i) === mark) i++;
  const ticks = i;
  while (i < end && isWordCode(raw.charCodeAt(i))) i++;
  const next = i < end ? raw.charCodeAt(i) : NEWLINE;
  return next === NEWLINE || next === RETURN ? i : ticks;
}

function isEmphasis(raw: string, index: number): boolean {
  let end = index + 1;
  if (raw.charCodeAt(end) === UNDERSCORE) end += 1;
  const start = raw.charCodeAt(index - 1) === UNDERSCORE ? index - 2 : index - 1;
  return !(isWordCode(raw.charCodeAt(start)) && isWordCode(raw.charCodeAt(end)));
}

function textOf(units: Uint16Array, length: number): string {
  let text = '';
  for (let i = 0; i < length; i += CHUNK) {
    const chunk: ArrayLike<number> = units.subarray(i, Math.min(i + CHUNK, length));
    text += Reflect.apply(String.fromCharCode, null, chunk);
  }
  return text;
}

/** As many arguments as every engine takes. */
const CHUNK = 4096;

/** The raw span of the normalised characters from `start` up to but not including `end`; neither may be empty. */
export function rawSpan(normal: NormalisedText, start: number, end: number): TextSpan {
  const last = normal.offsets[end - 1] ?? 0;
  return { start: normal.offsets[start] ?? last, end: last + 1 };
}

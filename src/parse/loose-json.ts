/**
 * Reads one JSON value as models write it: strict JSON, or with a trailing comma, Python's quotes and words, curly quotes, full-width
 * marks, markdown's escapes (`\_`), a line end within a string. In goes a text and a place, out comes the value and its end, or the place
 * where it broke. Nothing is guessed: a text that could be cut in two ways (`'don't'`) or a key said twice breaks the value.
 *
 * Objects are maps, so that no key has a meaning of its own. Depth is bounded, which keeps a search for objects linear.
 */

export type LooseJson = string | number | boolean | null | readonly LooseJson[] | LooseObject;
export type LooseObject = ReadonlyMap<string, LooseJson>;

export type LooseReading =
  | { readonly ok: true; readonly value: LooseJson; readonly end: number }
  /** `at` is where it broke. */
  | { readonly ok: false; readonly at: number };

/** An answer nests three or four levels deep. */
const DEPTH_MAX = 8;

const BROKEN = Symbol('broken');
type LooseResult<T> = T | typeof BROKEN;

interface JsonCursor {
  readonly text: string;
  readonly end: number;
  at: number;
  depth: number;
}

/** The value that begins at `start` (after white space) and ends before `end`. Total; linear in what it reads. */
export function readLoose(text: string, start: number, end = text.length): LooseReading {
  const cursor: JsonCursor = { text, end, at: start, depth: 0 };
  const found = valueAt(cursor);
  return found === BROKEN ? { ok: false, at: cursor.at } : { ok: true, value: found, end: cursor.at };
}

/** The value that `text` is, with nothing but white space around it; undefined where it is none. */
export function wholeLoose(text: string): LooseJson | undefined {
  const read = readLoose(text, 0);
  return read.ok && text.slice(read.end).trim() === '' ? read.value : undefined;
}

export function isLooseObject(value: LooseJson | undefined): value is LooseObject {
  return value instanceof Map;
}

export function isLooseList(value: LooseJson | undefined): value is readonly LooseJson[] {
  return Array.isArray(value);
}

/** White space of JSON, and what else looks like nothing; by code, since a long reply is read character by character. */
function isBlank(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13) || BLANKS.includes(code);
}

const BLANKS = [0xa0, 0x2028, 0x2029, 0x200b, 0x3000, 0xfeff];

function skip(cursor: JsonCursor): string {
  while (cursor.at < cursor.end && isBlank(cursor.text.charCodeAt(cursor.at))) cursor.at++;
  return cursor.at < cursor.end ? cursor.text.charAt(cursor.at) : '';
}

function valueAt(cursor: JsonCursor): LooseResult<LooseJson> {
  const first = skip(cursor);
  if (first === '{') return nested(cursor, objectAt);
  if (first === '[') return nested(cursor, listAt);
  return lookUp(CLOSERS, first) === undefined ? scalarAt(cursor) : stringAt(cursor);
}

function nested(
  cursor: JsonCursor,
  read: (cursor: JsonCursor) => LooseResult<LooseJson>,
): LooseResult<LooseJson> {
  if (cursor.depth >= DEPTH_MAX) return BROKEN;
  cursor.depth += 1;
  cursor.at += 1;
  const found = read(cursor);
  cursor.depth -= 1;
  return found;
}

function objectAt(cursor: JsonCursor): LooseResult<LooseObject> {
  const entries = new Map<string, LooseJson>();
  while (skip(cursor) !== '}') {
    const key = lookUp(CLOSERS, skip(cursor)) === undefined ? BROKEN : stringAt(cursor);
    if (key === BROKEN || entries.has(key) || !took(cursor, ':：')) return BROKEN;
    const value = valueAt(cursor);
    if (value === BROKEN) return BROKEN;
    entries.set(key, value);
    if (!took(cursor, ',，') && skip(cursor) !== '}') return BROKEN;
  }
  cursor.at += 1;
  return entries;
}

function listAt(cursor: JsonCursor): LooseResult<readonly LooseJson[]> {
  const items: LooseJson[] = [];
  while (skip(cursor) !== ']') {
    const value = valueAt(cursor);
    if (value === BROKEN) return BROKEN;
    items.push(value);
    if (!took(cursor, ',，') && skip(cursor) !== ']') return BROKEN;
  }
  cursor.at += 1;
  return items;
}

function took(cursor: JsonCursor, marks: string): boolean {
  const found = skip(cursor);
  if (found === '' || !marks.includes(found)) return false;
  cursor.at += 1;
  return true;
}

const SCALAR = /(?:-?\d{1,15}(?:\.\d{1,15})?(?:[eE][+-]?\d{1,2})?|true|false|null|True|False|None)(?![\w.])/y;
const WORDS: Readonly<Record<string, boolean | null>> = {
  true: true,
  True: true,
  false: false,
  False: false,
  null: null,
  None: null,
};

function scalarAt(cursor: JsonCursor): LooseResult<LooseJson> {
  SCALAR.lastIndex = cursor.at;
  const found = SCALAR.exec(cursor.text)?.[0];
  if (found === undefined || cursor.at + found.length > cursor.end) return BROKEN;
  cursor.at += found.length;
  const known = lookUp(WORDS, found);
  return known === undefined ? Number(found) : known;
}

/** What ends a string, by what begins it. Each beginning may end its own kind, so a row of beginnings is read once. */
const CLOSERS: Readonly<Record<string, string>> = {
  '"': '"',
  "'": "'",
  '“': '”“„',
  '”': '”“„',
  '„': '”“„',
  '‘': '’‘',
  '’': '’‘',
};

/** What markdown escapes and JSON does not. */
const MARKDOWN = '_*[]()#+-.!`~|>{}<$&';

const ESCAPES: Readonly<Record<string, string>> = {
  '"': '"',
  "'": "'",
  '“': '“',
  '”': '”',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};

function stringAt(cursor: JsonCursor): LooseResult<string> {
  const closers = lookUp(CLOSERS, cursor.text.charAt(cursor.at)) ?? '';
  const pieces: string[] = [];
  let from = cursor.at + 1;
  for (cursor.at = from; cursor.at < cursor.end; cursor.at++) {
    const character = cursor.text.charAt(cursor.at);
    if (closers.includes(character)) {
      pieces.push(cursor.text.slice(from, cursor.at));
      cursor.at += 1;
      return pieces.join('').toWellFormed();
    }
    if (character !== '\\') continue;
    pieces.push(cursor.text.slice(from, cursor.at));
    const escaped = escapeAt(cursor);
    if (escaped === BROKEN) return BROKEN;
    pieces.push(escaped);
    from = cursor.at + 1;
  }
  return BROKEN;
}

/** The character that an escape stands for; leaves the cursor on the escape's last character. */
function escapeAt(cursor: JsonCursor): LooseResult<string> {
  cursor.at += 1;
  const letter = cursor.text.charAt(cursor.at);
  if (letter !== '' && MARKDOWN.includes(letter)) return letter;
  if (letter !== 'u') return lookUp(ESCAPES, letter) ?? BROKEN;
  const hex = cursor.text.slice(cursor.at + 1, Math.min(cursor.at + 5, cursor.end));
  if (!/^[0-9a-fA-F]{4}$/.test(hex)) return BROKEN;
  cursor.at += 4;
  return String.fromCharCode(Number.parseInt(hex, 16));
}
import { lookUp } from '../base/look-up.js';

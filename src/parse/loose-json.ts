/**
 * Parses one JSON value as models write it: strict JSON, or with a trailing comma, Python's quotes and words,
 * curly quotes, full-width marks, markdown's escapes (`\_`), a line end within a string. Nothing is guessed:
 * a text that could end in two places (`'don't'`), a comment or a repeated key makes the value invalid.
 * Objects are maps, so that no key has a built-in meaning. Depth is bounded, which keeps a search for objects
 * linear.
 */
import { lookUp } from '../base/look-up.js';

export type LooseJson = string | number | boolean | null | readonly LooseJson[] | LooseObject;
export type LooseObject = ReadonlyMap<string, LooseJson>;

/** A value and its end; null if it is invalid. */
export type LooseReading = { value: LooseJson; end: number } | null;

/** An answer nests three or four levels deep. */
const DEPTH_MAX = 8;

/** An escape of JSON, or what markdown escapes and JSON does not. */
const ESCAPE = '\\\\(?:["\'“”\\\\/bfnrt_*[\\]()#+\\-.!`~|>{}<$&]|u[0-9a-fA-F]{4})';
/** For each kind of quotation mark, the characters that may open and close a string. */
const QUOTED = ['""', "''", '“”“„', '””“„', '„”“„', '‘’‘', '’’‘']
  .map((marks) => [marks.charAt(0), marks.slice(1)])
  .map(([open, close]) => `${open}(?:[^${close}\\\\]|${ESCAPE})*[${close}]`)
  .join('|');
const SCALAR = '-?\\d{1,40}(?:\\.\\d{1,40})?(?:[eE][+-]?\\d{1,2})?|true|false|null|True|False|None';
const TOKEN = new RegExp(
  `[\\s\\u200b]*(?:(?<mark>[{}[\\],，:：])|(?<string>${QUOTED})|(?<scalar>${SCALAR})(?![\\w.]))`,
  'y',
);
const KEYWORDS: Readonly<Record<string, boolean | null>> = {
  true: true,
  True: true,
  false: false,
  False: false,
  null: null,
  None: null,
};
const WIDE_MARKS: Readonly<Record<string, string>> = { '：': ':', '，': ',' };
const CONTROLS: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

/**
 * The value that begins at `start` (after white space) and ends before `end`. Total; linear in what it reads.
 */
export function readLoose(text: string, start: number, end = text.length): LooseReading {
  return valueAt(end < text.length ? text.slice(0, end) : text, start, 0);
}

/** The value that fills `text` completely, apart from white space around it; undefined if there is none. */
export function wholeLoose(text: string): LooseJson | undefined {
  const read = readLoose(text, 0);
  return read !== null && text.slice(read.end).trim() === '' ? read.value : undefined;
}

export function isLooseObject(value: LooseJson | undefined): value is LooseObject {
  return value instanceof Map;
}

export function isLooseList(value: LooseJson | undefined): value is readonly LooseJson[] {
  return Array.isArray(value);
}

/** A mark, or the value of a string, number or word. */
interface JsonToken {
  mark: string | undefined;
  value: LooseJson;
  end: number;
}

function tokenAt(text: string, at: number): JsonToken | null {
  TOKEN.lastIndex = at;
  const match = TOKEN.exec(text);
  if (match === null) return null;
  const { mark = '', string, scalar = '' } = match.groups ?? {};
  const end = TOKEN.lastIndex;
  if (string !== undefined) return { mark: undefined, value: unescaped(string.slice(1, -1)), end };
  if (mark !== '') return { mark: lookUp(WIDE_MARKS, mark) ?? mark, value: null, end };
  const word = lookUp(KEYWORDS, scalar);
  return { mark: undefined, value: word === undefined ? numberIn(scalar) : word, end };
}

/** As it was written, if a number would lose some of it: `1.10`, or more digits than a number holds. */
function numberIn(written: string): number | string {
  const value = Number(written);
  return String(value) === written ? value : written;
}

function unescaped(text: string): string {
  const plain = text.replace(/\\(?:u([0-9a-fA-F]{4})|([^]))/g, (_, hex?: string, letter = '') =>
    hex === undefined ? (lookUp(CONTROLS, letter) ?? letter) : String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return plain.toWellFormed();
}

function valueAt(text: string, at: number, depth: number): LooseReading {
  const token = tokenAt(text, at);
  if (token === null || token.mark === undefined) return token;
  if (depth === DEPTH_MAX) return null;
  if (token.mark === '{') return objectAt(text, token.end, depth + 1);
  return token.mark === '[' ? listAt(text, token.end, depth + 1) : null;
}

function objectAt(text: string, start: number, depth: number): LooseReading {
  const entries = new Map<string, LooseJson>();
  for (let at = start; ;) {
    const key = tokenAt(text, at);
    if (key?.mark === '}') return { value: entries, end: key.end };
    const colon = key === null ? null : tokenAt(text, key.end);
    if (typeof key?.value !== 'string' || entries.has(key.value) || colon?.mark !== ':') return null;
    const item = valueAt(text, colon.end, depth);
    const next = item === null ? null : nextItem(text, item.end, '}');
    if (item === null || next === null) return null;
    entries.set(key.value, item.value);
    at = next;
  }
}

function listAt(text: string, start: number, depth: number): LooseReading {
  const items: LooseJson[] = [];
  for (let at = start; ;) {
    const first = tokenAt(text, at);
    if (first?.mark === ']') return { value: items, end: first.end };
    const item = valueAt(text, at, depth);
    const next = item === null ? null : nextItem(text, item.end, ']');
    if (item === null || next === null) return null;
    items.push(item.value);
    at = next;
  }
}

/** The position after the comma at `at`, or of what closes the whole. */
function nextItem(text: string, at: number, close: string): number | null {
  const token = tokenAt(text, at);
  if (token?.mark === ',') return token.end;
  return token?.mark === close ? at : null;
}

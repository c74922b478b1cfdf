/**
 * Positions in a JSON text: JSON.parse reports none (or different ones in each version), and an error without
 * a line is hard to find. Out: offsets, and lines and columns from 1. `offsetOf` scans text that JSON.parse
 * has accepted, without checking it again; `syntaxErrorOffset` is for text that it has refused. Linear,
 * without recursion.
 */
import type { ManifestPath } from './checks.js';

export interface TextPlace {
  readonly line: number;
  readonly column: number;
  /** The whole line, cut to a printable length. */
  readonly source: string;
}

const SOURCE_MAX = 160;

export function textPlace(text: string, offset: number): TextPlace {
  const before = text.slice(0, offset);
  const start = before.lastIndexOf('\n') + 1;
  const end = text.indexOf('\n', offset);
  const line = before.split('\n').length;
  const source = text.slice(start, end < 0 ? undefined : end).slice(0, SOURCE_MAX);
  return { line, column: offset - start + 1, source };
}

/** The offset of the value at `path`, or of the deepest existing part of the path. */
export function offsetOf(text: string, path: ManifestPath): number {
  let offset = skipSpace(text, 0);
  for (const key of path) {
    const inner = memberOffset(text, offset, key);
    if (inner === null) return offset;
    offset = inner;
  }
  return offset;
}

function memberOffset(text: string, open: number, key: string | number): number | null {
  const isRecord = text[open] === '{';
  if (!isRecord && text[open] !== '[') return null;
  let at = skipSpace(text, open + 1);
  let offset: number | null = null;
  for (let index = 0; at < text.length && text[at] !== '}' && text[at] !== ']'; index++) {
    let name: string | number = index;
    if (isRecord) {
      const end = endOfString(text, at);
      name = String(JSON.parse(text.slice(at, end)));
      at = skipSpace(text, skipSpace(text, end) + 1);
    }
    // Of repeated keys, JSON.parse keeps the last.
    if (name === key) offset = at;
    at = skipSpace(text, endOfValue(text, at));
    if (text[at] === ',') at = skipSpace(text, at + 1);
  }
  return offset;
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && ' \t\r\n'.includes(text.charAt(at))) at++;
  return at;
}

function endOfString(text: string, from: number): number {
  let at = from + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at + 1;
}

function endOfValue(text: string, from: number): number {
  let depth = 0;
  let at = from;
  while (at < text.length) {
    const c = text.charAt(at);
    if (c === '"') at = endOfString(text, at);
    else if (depth === 0 && (c === ',' || c === '}' || c === ']')) return at;
    else {
      if (c === '{' || c === '[') depth++;
      if (c === '}' || c === ']') depth--;
      at++;
    }
    if (depth === 0 && (c === '"' || c === '}' || c === ']')) return at;
  }
  return at;
}

type JsonExpectation = 'value' | 'key' | 'colon' | 'next';

/** The position at which the text stops being JSON; its length if it only ends too early. */
export function syntaxErrorOffset(text: string): number {
  const open: string[] = [];
  let expected: JsonExpectation = 'value';
  let mayClose = false;
  for (let at = skipSpace(text, 0); at < text.length;) {
    const end = endOfToken(text, at);
    const token = text.slice(at, end);
    if (token === '}' || token === ']') {
      const isMatching = open.pop() === (token === '}' ? '{' : '[') && (expected === 'next' || mayClose);
      if (!isMatching) return at;
      [expected, mayClose] = ['next', false];
    } else {
      const next = nextExpected(expected, token, open.at(-1));
      if (next === null) return at;
      mayClose = expected === 'value' && (token === '{' || token === '[');
      if (mayClose) open.push(token);
      expected = next;
    }
    at = skipSpace(text, end);
  }
  return text.length;
}

/** What may follow a token that closes nothing; null if the token itself is not allowed here. */
function nextExpected(
  expected: JsonExpectation,
  token: string,
  open: string | undefined,
): JsonExpectation | null {
  if (expected === 'colon') return token === ':' ? 'value' : null;
  if (expected === 'next') return token !== ',' || open === undefined ? null : open === '{' ? 'key' : 'value';
  const isText = token.startsWith('"') && isValid(token);
  if (expected === 'key') return isText ? 'colon' : null;
  if (token === '{') return 'key';
  return token === '[' ? 'value' : isText || isValid(token) ? 'next' : null;
}

function endOfToken(text: string, from: number): number {
  if (text.charAt(from) === '"') return endOfString(text, from);
  let at = from + 1;
  if ('{}[],:'.includes(text.charAt(from))) return at;
  while (at < text.length && !'{}[],:" \t\r\n'.includes(text.charAt(at))) at++;
  return at;
}

/** Whether a single token is a string, a number, true, false or null. */
function isValid(token: string): boolean {
  try {
    JSON.parse(token);
    return true;
  } catch {
    return false;
  }
}

/**
 * Reads the arguments of a call that are given by name: members in brackets (`direction="north",
 * target=None)`) or in braces with bare keys, or one object in brackets. Null unless everything up to the
 * closing mark is well-formed.
 */
import type { LooseJson, LooseObject, LooseReading } from './loose-json.js';
import { isLooseObject, readLoose } from './loose-json.js';

const CLOSING_BRACKET = /\s{0,8}\)/y;

/** Arguments by name and the end of the closing mark; null if they are invalid. */
type MembersReading = { value: LooseObject; end: number } | null;

/** Members or one object, up to the closing bracket; `start` is after the opening one. */
export function argumentsInBrackets(text: string, start: number): MembersReading {
  const object = readLoose(text, start);
  if (object === null || !isLooseObject(object.value)) return membersAt(text, start, KEYWORDS);
  const end = endOf(CLOSING_BRACKET, text, object.end);
  return end === null ? null : { value: object.value, end };
}

/** The end of a sticky pattern's match at a position; null if it does not match. */
export function endOf(pattern: RegExp, text: string, at: number): number | null {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : null;
}

/** How the members of a call are written. */
interface MemberSyntax {
  /** A key and the mark after it. */
  key: RegExp;
  /** A comma, or the mark that closes the call. */
  next: RegExp;
  close: string;
}

/** `direction="north", target=None)` */
const KEYWORDS: MemberSyntax = {
  key: /\s{0,8}([A-Za-z_]{1,40})\s{0,4}=\s{0,4}/y,
  next: /\s{0,8}(?:,\s{0,8}|(?=\)))/y,
  close: ')',
};
/** `direction:"north",target:null}` */
export const BARE_KEYS: MemberSyntax = {
  key: /\s{0,8}([A-Za-z_]{1,40})\s{0,4}:\s{0,4}/y,
  next: /\s{0,8}(?:,\s{0,8}|(?=\}))/y,
  close: '}',
};

/** A text between tokens. */
const TOKEN_TEXT = /<escape>([^<]{0,4000})<escape>|<\|"\|>([^<]{0,4000})<\|"\|>/y;

/**
 * The members of a call up to the closing bracket or brace; values are in the syntax of JSON or Python, or
 * between tokens.
 */
export function membersAt(text: string, start: number, { key, next, close }: MemberSyntax): MembersReading {
  const value = new Map<string, LooseJson>();
  let at = start;
  while (text[at] !== close) {
    key.lastIndex = at;
    const name = key.exec(text)?.[1];
    const read = name === undefined ? null : memberValue(text, key.lastIndex);
    const after = read === null ? null : endOf(next, text, read.end);
    if (name === undefined || read === null || after === null || value.has(name)) return null;
    value.set(name, read.value);
    at = after;
  }
  return { value, end: at + 1 };
}

function memberValue(text: string, at: number): LooseReading {
  TOKEN_TEXT.lastIndex = at;
  const match = TOKEN_TEXT.exec(text);
  if (match === null) return readLoose(text, at);
  return { value: match[1] ?? match[2] ?? '', end: TOKEN_TEXT.lastIndex };
}

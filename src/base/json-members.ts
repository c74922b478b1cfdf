/**
 * The members of a JSON record as texts, so that whoever needs a few of them parses those alone. In: the text of a record without white space between its
 * parts, as canonical JSON is; out: each member's text by name. It finds where members end and proves nothing of what is in them: whoever parses
 * one does.
 */

const [QUOTE, COMMA, COLON, BACKSLASH] = [34, 44, 58, 92];
const [OPEN_LIST, CLOSE_LIST, OPEN_RECORD, CLOSE_RECORD] = [91, 93, 123, 125];

/** By name; of two with one name the last, as `JSON.parse` takes it. Null for what is no such text. */
export function memberTexts(text: string): ReadonlyMap<string, string> | null {
  const members = new Map<string, string>();
  if (text === '{}') return members;
  if (text.charCodeAt(0) !== OPEN_RECORD) return null;
  for (let at = 1; text.charCodeAt(at) === QUOTE;) {
    const colon = stringEnd(text, at);
    const end = valueEnd(text, colon + 1);
    if (text.charCodeAt(colon) !== COLON || end === colon + 1) return null;
    const name = nameIn(text.slice(at, colon));
    if (name === null) return null;
    members.set(name, text.slice(colon + 1, end));
    if (text.charCodeAt(end) === CLOSE_RECORD) return end === text.length - 1 ? members : null;
    if (text.charCodeAt(end) !== COMMA) return null;
    at = end + 1;
  }
  return null;
}

/** Null for what is no text in JSON. */
function nameIn(quoted: string): string | null {
  if (!quoted.includes('\\')) return quoted.slice(1, -1);
  try {
    return JSON.parse(quoted) as string;
  } catch {
    return null;
  }
}

/** Behind the value that begins there; the end of the text where it has none. */
function valueEnd(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length;) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      at = stringEnd(text, at);
      continue;
    }
    if (code === OPEN_LIST || code === OPEN_RECORD) depth += 1;
    else if (depth === 0 && (code === COMMA || code === CLOSE_RECORD)) return at;
    else if (code === CLOSE_LIST || code === CLOSE_RECORD) depth -= 1;
    at += 1;
  }
  return text.length;
}

/** Behind the closing quote of the one at `start`; the end of the text where there is none. */
function stringEnd(text: string, start: number): number {
  for (let at = start + 1; ;) {
    const quote = text.indexOf('"', at);
    if (quote < 0) return text.length;
    let escapes = 0;
    while (text.charCodeAt(quote - 1 - escapes) === BACKSLASH) escapes += 1;
    if (escapes % 2 === 0) return quote + 1;
    at = quote + 1;
  }
}

/**
 * The members of a JSON record as pieces of its text, so that whoever needs a few of them parses those alone. In: the UTF-8 bytes of a record without white
 * space between its parts, as canonical JSON is; out: each member's bytes by name. It finds where members end and proves nothing of what is in
 * them: whoever parses one does. Bytes are looked through twice as fast as a string.
 */

const [QUOTE, COMMA, COLON, BACKSLASH] = [34, 44, 58, 92];
const [OPEN_LIST, CLOSE_LIST, OPEN_RECORD, CLOSE_RECORD] = [91, 93, 123, 125];
const EMPTY_BYTES = 2;

const DECODER = new TextDecoder('utf-8', { ignoreBOM: true });

/** By name; of two with one name the last, as `JSON.parse` takes it. Null for what is no such record. */
export function membersOf(json: Uint8Array): ReadonlyMap<string, Uint8Array> | null {
  const members = new Map<string, Uint8Array>();
  if (json[0] !== OPEN_RECORD) return null;
  if (json.length === EMPTY_BYTES && json[1] === CLOSE_RECORD) return members;
  for (let at = 1; json[at] === QUOTE;) {
    const colon = stringEnd(json, at);
    const end = valueEnd(json, colon + 1);
    if (json[colon] !== COLON || end === colon + 1) return null;
    const name = nameIn(json.subarray(at, colon));
    if (name === null) return null;
    members.set(name, json.subarray(colon + 1, end));
    if (json[end] === CLOSE_RECORD) return end === json.length - 1 ? members : null;
    if (json[end] !== COMMA) return null;
    at = end + 1;
  }
  return null;
}

/** Null for what is no text in JSON. */
function nameIn(quoted: Uint8Array): string | null {
  const text = DECODER.decode(quoted);
  if (!text.includes('\\')) return text.slice(1, -1);
  try {
    return JSON.parse(text) as string;
  } catch {
    return null;
  }
}

/** Behind the value that begins there; the end of the text where it has none. */
function valueEnd(json: Uint8Array, start: number): number {
  let depth = 0;
  for (let at = start; at < json.length;) {
    const byte = json[at];
    if (byte === QUOTE) {
      at = stringEnd(json, at);
      continue;
    }
    if (byte === OPEN_LIST || byte === OPEN_RECORD) depth += 1;
    else if (depth === 0 && (byte === COMMA || byte === CLOSE_RECORD)) return at;
    else if (byte === CLOSE_LIST || byte === CLOSE_RECORD) depth -= 1;
    at += 1;
  }
  return json.length;
}

/** Behind the closing quote of the one at `start`; the end of the text where there is none. */
function stringEnd(json: Uint8Array, start: number): number {
  let at = start + 1;
  for (; at < json.length; at++) {
    const byte = json[at];
    if (byte === QUOTE) return at + 1;
    // What it escapes may be a quote.
    if (byte === BACKSLASH) at += 1;
  }
  return json.length;
}

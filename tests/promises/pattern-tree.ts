/**
 * Regular expressions taken apart, as far as this project writes them: a source and flags go in, a tree comes out. Whatever stands for one character
 * (a letter, a class, an escape) stays as its source and is asked natively. Back references aren't read; they throw.
 */

export type Pattern =
  /** One character: what `source` stands for by itself. */
  | { kind: 'one'; source: string }
  | { kind: 'all'; parts: readonly Pattern[] }
  | { kind: 'any'; parts: readonly Pattern[] }
  | { kind: 'group'; index: number; part: Pattern }
  | {
      kind: 'repeat';
      part: Pattern;
      min: number;
      max: number;
      isGreedy: boolean;
    }
  | {
      kind: 'look';
      part: Pattern;
      isBehind: boolean;
      isNegative: boolean;
    }
  | { kind: 'start' | 'end' | 'edge' | 'inside' };

interface Cursor {
  source: string;
  isUnicode: boolean;
  at: number;
  groups: number;
  /** The numbers of the groups that have a name. */
  names: Map<string, number>;
}

/** The tree, how many groups it captures and which of them have names. Throws where a form isn't known. */
export function patternOf(
  source: string,
  isUnicode: boolean,
): { tree: Pattern; groups: number; names: ReadonlyMap<string, number> } {
  const cursor: Cursor = { source, isUnicode, at: 0, groups: 0, names: new Map() };
  const tree = alternatives(cursor);
  if (cursor.at < source.length) throw new SyntaxError(`unread: ${source.slice(cursor.at)}`);
  return { tree, groups: cursor.groups, names: cursor.names };
}

function alternatives(cursor: Cursor): Pattern {
  const parts = [sequence(cursor)];
  while (cursor.source.charAt(cursor.at) === '|') {
    cursor.at += 1;
    parts.push(sequence(cursor));
  }
  const [only] = parts;
  return parts.length === 1 && only !== undefined ? only : { kind: 'any', parts };
}

function sequence(cursor: Cursor): Pattern {
  const parts: Pattern[] = [];
  while (cursor.at < cursor.source.length && !'|)'.includes(cursor.source.charAt(cursor.at))) {
    parts.push(repeated(cursor, term(cursor)));
  }
  return { kind: 'all', parts };
}

const GROUP = /\((?:\?(?:(<?)([=!])|:|<([A-Za-z]\w*)>))?/y;

function term(cursor: Cursor): Pattern {
  const letter = cursor.source.charAt(cursor.at);
  if (letter === '^' || letter === '$') {
    cursor.at += 1;
    return { kind: letter === '^' ? 'start' : 'end' };
  }
  if (letter === '(') return group(cursor);
  const source = one(cursor);
  if (source === '\\b' || source === '\\B') return { kind: source === '\\b' ? 'edge' : 'inside' };
  if (/^\\[1-9k]/.test(source)) throw new SyntaxError(`a back reference: ${source}`);
  return { kind: 'one', source };
}

function group(cursor: Cursor): Pattern {
  GROUP.lastIndex = cursor.at;
  const opening = GROUP.exec(cursor.source);
  const [written = '', behind, look, name] = opening ?? [];
  cursor.at += written.length;
  const isCaptured = written === '(' || name !== undefined;
  if (isCaptured) cursor.groups += 1;
  const index = cursor.groups;
  if (name !== undefined) cursor.names.set(name, index);
  const part = alternatives(cursor);
  if (cursor.source.charAt(cursor.at) !== ')') throw new SyntaxError('an open group');
  cursor.at += 1;
  if (look !== undefined) return { kind: 'look', part, isBehind: behind === '<', isNegative: look === '!' };
  return isCaptured ? { kind: 'group', index, part } : part;
}

const ESCAPE = /\\(?:[pP]\{[^}]*\}|u\{[^}]*\}|u[0-9A-Fa-f]{4}|x[0-9A-Fa-f]{2}|c[A-Za-z]|.)/suy;

/** The source of what stands for one character, from the cursor on. */
function one(cursor: Cursor): string {
  const { source, at } = cursor;
  const letter = source.charAt(at);
  if (letter === '[') cursor.at = classEnd(source, at);
  else if (letter === '\\') {
    ESCAPE.lastIndex = at;
    cursor.at += ESCAPE.exec(source)?.[0].length ?? 1;
  } else cursor.at += cursor.isUnicode ? String.fromCodePoint(source.codePointAt(at) ?? 0).length : 1;
  return source.slice(at, cursor.at);
}

function classEnd(source: string, from: number): number {
  let at = from + 1;
  while (at < source.length && source.charAt(at) !== ']') at += source.charAt(at) === '\\' ? 2 : 1;
  return at + 1;
}

const TIMES = /(?:([*+?])|\{(\d+)(?:(,)(\d*))?\})(\??)/y;
const BOUNDS: Readonly<Record<string, readonly [number, number]>> = {
  '*': [0, Number.POSITIVE_INFINITY],
  '+': [1, Number.POSITIVE_INFINITY],
  '?': [0, 1],
};

function repeated(cursor: Cursor, part: Pattern): Pattern {
  TIMES.lastIndex = cursor.at;
  const times = TIMES.exec(cursor.source);
  if (times === null) return part;
  cursor.at += times[0].length;
  const [, sign = '', low = '0', comma, high, lazy] = times;
  const last = comma === undefined ? Number(low) : high === '' ? Number.POSITIVE_INFINITY : Number(high);
  const [min, max] = BOUNDS[sign] ?? [Number(low), last];
  return { kind: 'repeat', part, min, max, isGreedy: lazy === '' };
}

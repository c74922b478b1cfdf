/**
 * The JSON of a row. An agent's past is told again with each of its rows, so what a turn without pictures comes to is made and spelt out once. In: a
 * row; out: the bytes of the text that `JSON.stringify` gives, piece by piece.
 */
import type { Turn } from './sample.js';

export type Piece = string | Uint8Array;

/** JSON of what was made of a turn, behind a comma. */
const spelt = new WeakMap<object, Uint8Array>();

/** The same for turns without pictures, which tell nothing of where they stand: one object for each. */
export function onceATurn<T extends object>(make: (turn: Turn) => T): (turn: Turn) => T {
  const made = new WeakMap<Turn, T>();
  return (turn) => {
    const known = made.get(turn);
    if (known !== undefined) return known;
    const value = make(turn);
    spelt.set(value, Buffer.from(`,${JSON.stringify(value)}`));
    made.set(turn, value);
    return value;
  };
}

/** A value of a row: the words of turns as one text, with an empty line between them. */
export class JoinedWords {
  readonly turns: readonly Turn[];

  constructor(turns: readonly Turn[]) {
    this.turns = turns;
  }
}

/** As `JSON.stringify(row)`, of a row of JSON without `toJSON`. */
export function rowPieces(row: object): readonly Piece[] {
  const pieces: Piece[] = [];
  let opening = '{';
  let plain: Record<string, unknown> = {};
  const flush = (): void => {
    const text = JSON.stringify(plain).slice(1, -1);
    plain = {};
    if (text === '') return;
    pieces.push(`${opening}${text}`);
    opening = ',';
  };
  for (const [name, value] of Object.entries(row)) {
    const own = value instanceof JoinedWords ? wordsPieces(value) : listPieces(value);
    if (own === null) plain[name] = value;
    else {
      flush();
      pieces.push(`${opening}${JSON.stringify(name)}:`, ...own);
      opening = ',';
    }
  }
  flush();
  pieces.push(opening === '{' ? '{}' : '}');
  return pieces;
}

/** The same in one piece. */
export function rowBytes(row: object): Buffer {
  return Buffer.concat(
    rowPieces(row).map((piece) => (typeof piece === 'string' ? Buffer.from(piece) : piece)),
  );
}

/** Null for what is no list, and for a list of which nothing is spelt out yet. */
function listPieces(value: unknown): readonly Piece[] | null {
  if (!Array.isArray(value)) return null;
  const items: readonly unknown[] = value;
  if (!items.some((item) => isObject(item) && spelt.has(item))) return null;
  const pieces = items.map((item, i): Piece => {
    const known = isObject(item) ? spelt.get(item) : undefined;
    if (known !== undefined) return i === 0 ? known.subarray(1) : known;
    return `${i === 0 ? '' : ','}${JSON.stringify(item ?? null)}`;
  });
  return ['[', ...pieces, ']'];
}

const BETWEEN = '\\n\\n';
/** A turn's words within a JSON text, behind an empty line. */
const words = new WeakMap<Turn, Uint8Array>();

function wordsPieces({ turns }: JoinedWords): readonly Piece[] {
  const pieces = turns.map((turn, i) => (i === 0 ? wordsOf(turn).subarray(BETWEEN.length) : wordsOf(turn)));
  return ['"', ...pieces, '"'];
}

function wordsOf(turn: Turn): Uint8Array {
  const known = words.get(turn);
  if (known !== undefined) return known;
  const made = Buffer.from(`${BETWEEN}${JSON.stringify(turn.text).slice(1, -1)}`);
  words.set(turn, made);
  return made;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

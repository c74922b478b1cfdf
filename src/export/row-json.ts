/**
 * The JSON of a row. Each row of an agent repeats the agent's history, so the JSON of a turn without pictures
 * is made once and cached. In: a row; out: the text that `JSON.stringify` would return, as UTF-8 in pieces.
 */
import { isObject } from '../base/json.js';
import type { PromptTurn } from './prompt-turn.js';

export type RowPiece = string | Uint8Array;

/** The JSON of an object derived from a turn, after a comma. */
const jsonOf = new WeakMap<object, Uint8Array>();

/**
 * `make` with one cached result per turn, for turns without pictures, whose result is the same in every row.
 */
export function cachedPerTurn<T extends object>(make: (turn: PromptTurn) => T): (turn: PromptTurn) => T {
  const cache = new WeakMap<PromptTurn, T>();
  return (turn) => {
    const known = cache.get(turn);
    if (known !== undefined) return known;
    const value = make(turn);
    jsonOf.set(value, Buffer.from(`,${JSON.stringify(value)}`));
    cache.set(turn, value);
    return value;
  };
}

/** A value of a row: the texts of several turns as one text, with an empty line between them. */
export class JoinedText {
  readonly turns: readonly PromptTurn[];

  constructor(turns: readonly PromptTurn[]) {
    this.turns = turns;
  }
}

/** A name and its value: JSON, joined words, or undefined to omit it. */
export type RowField = readonly [name: string, value: unknown];

/**
 * A record, or its fields, with no name twice. If dozens of names are added to a record one after the other,
 * V8 stores it as a hash table, which takes several times as long to make and to write.
 */
export type RowJson = object | readonly RowField[];

/** The bytes that `JSON.stringify` gives for the record, for values without `toJSON`. */
export function rowPieces(row: RowJson): readonly RowPiece[] {
  const pieces: RowPiece[] = [];
  let text = '{';
  let between = '';
  for (const [name, value] of fieldsOf(row)) {
    if (value === undefined) continue;
    text += `${between}${JSON.stringify(name)}:`;
    between = ',';
    const valuePieces = value instanceof JoinedText ? textPieces(value) : listPieces(value);
    if (valuePieces === null) text += JSON.stringify(value);
    else {
      pieces.push(text, ...valuePieces);
      text = '';
    }
  }
  pieces.push(`${text}}`);
  return pieces;
}

function fieldsOf(row: RowJson): readonly RowField[] {
  return Array.isArray(row) ? (row as readonly RowField[]) : Object.entries(row);
}

/** The same in one piece. */
export function rowBytes(row: RowJson): Buffer {
  return Buffer.concat(
    rowPieces(row).map((piece) => (typeof piece === 'string' ? Buffer.from(piece) : piece)),
  );
}

/** Null if it is not a list, or a list none of whose items is cached yet. */
function listPieces(value: unknown): readonly RowPiece[] | null {
  if (!Array.isArray(value)) return null;
  const items: readonly unknown[] = value;
  if (!items.some((item) => isObject(item) && jsonOf.has(item))) return null;
  const pieces = items.map((item, i): RowPiece => {
    const known = isObject(item) ? jsonOf.get(item) : undefined;
    if (known !== undefined) return i === 0 ? known.subarray(1) : known;
    return `${i === 0 ? '' : ','}${JSON.stringify(item ?? null)}`;
  });
  return ['[', ...pieces, ']'];
}

const BETWEEN = '\\n\\n';
/** A turn's text as the inside of a JSON string, after an empty line. */
const textJsonOf = new WeakMap<PromptTurn, Uint8Array>();

function textPieces({ turns }: JoinedText): readonly RowPiece[] {
  const pieces = turns.map((turn, i) => (i === 0 ? textJson(turn).subarray(BETWEEN.length) : textJson(turn)));
  return ['"', ...pieces, '"'];
}

function textJson(turn: PromptTurn): Uint8Array {
  const known = textJsonOf.get(turn);
  if (known !== undefined) return known;
  const bytes = Buffer.from(`${BETWEEN}${JSON.stringify(turn.text).slice(1, -1)}`);
  textJsonOf.set(turn, bytes);
  return bytes;
}

/**
 * The JSON of a row. An agent's past is told again with each of its rows, so what a turn without pictures comes to is made and spelt out once. In: a
 * row; out: the text that `JSON.stringify` gives.
 */
import type { Turn } from './sample.js';

/** JSON of what was made of a turn. */
const texts = new WeakMap<object, string>();

/** The same for turns without pictures, which tell nothing of where they stand: one object for each. */
export function onceATurn<T extends object>(make: (turn: Turn) => T): (turn: Turn) => T {
  const made = new WeakMap<Turn, T>();
  return (turn) => {
    const known = made.get(turn);
    if (known !== undefined) return known;
    const value = make(turn);
    texts.set(value, JSON.stringify(value));
    made.set(turn, value);
    return value;
  };
}

/** As `JSON.stringify(row)`, of a row of JSON without `toJSON`. */
export function rowJson(row: object): string {
  const parts: string[] = [];
  let plain: Record<string, unknown> = {};
  const flush = (): void => {
    const text = JSON.stringify(plain).slice(1, -1);
    if (text !== '') parts.push(text);
    plain = {};
  };
  for (const [name, value] of Object.entries(row)) {
    if (Array.isArray(value) && value.some((item) => spelt(item) !== undefined)) {
      flush();
      const items = value.map((item) => spelt(item) ?? JSON.stringify(item ?? null));
      parts.push(`${JSON.stringify(name)}:[${items.join(',')}]`);
    } else plain[name] = value;
  }
  flush();
  return `{${parts.join(',')}}`;
}

/** Undefined for what has to be spelt out. */
function spelt(item: unknown): string | undefined {
  return typeof item === 'object' && item !== null ? texts.get(item) : undefined;
}

/**
 * Positions in a JSON text: JSON.parse reports none (or different ones in each version), and an error without
 * a line is hard to find. The `yaml` package reads JSON with positions, but also much that JSON does not
 * allow, such as a comma before a bracket, and it recurses. Lines and columns count from 1.
 */
import type { ManifestPath } from './checks.js';

export interface TextPlace {
  line: number;
  column: number;
  /** The whole line, cut to a printable length. */
  source: string;
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

/** The offset of the value at each path, or of the deepest existing part of the path, in text that is JSON. */
export function offsetsOf(text: string, paths: readonly ManifestPath[]): readonly number[] {
  const found = paths.map((): number[] => []);
  walkJson(text, (keys, offset) => {
    for (const [i, path] of paths.entries())
      if (keys.length <= path.length && keys.every((key, depth) => key === path[depth]))
        // Of repeated keys, JSON.parse keeps the last, so what was found within an earlier one is dropped.
        found[i]?.splice(keys.length, Infinity, offset);
  });
  return found.map((offsets) => offsets.at(-1) ?? 0);
}

/** The offset at which the text stops being JSON; its length if it only ends too early. */
export function syntaxErrorOffset(text: string): number {
  return walkJson(text, () => undefined) ?? text.length;
}

/** A text, a mark, or anything else up to the next of these. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"?|[{}[\],:]|[^"{}[\],: \t\r\n]+/gs;

/**
 * Passes on the keys that lead to each value, and its offset. Returns the offset of the first token that is
 * not allowed; null if there is none. Linear, without recursion.
 */
function walkJson(text: string, onValue: (keys: ManifestPath, offset: number) => void): number | null {
  /** The end of each open bracket. */
  const ends: string[] = [];
  /** The key of the current value in each of them. */
  const keys: (string | number)[] = [];
  let expected: 'value' | 'key' | 'colon' | 'comma' = 'value';
  let isEmpty = false;
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    const end = ends.at(-1);
    if (token === end && (expected === 'comma' || isEmpty)) {
      ends.pop();
      keys.pop();
      expected = 'comma';
    } else if (expected === 'comma') {
      if (token !== ',' || end === undefined) return index;
      if (end === ']') keys.push(Number(keys.pop()) + 1);
      expected = end === ']' ? 'value' : 'key';
    } else if (expected === 'colon') {
      if (token !== ':') return index;
      expected = 'value';
    } else if (expected === 'key') {
      if (!token.startsWith('"') || !isScalar(token)) return index;
      keys[keys.length - 1] = String(JSON.parse(token));
      expected = 'colon';
    } else {
      onValue(keys, index);
      if (token === '{' || token === '[') {
        ends.push(token === '{' ? '}' : ']');
        keys.push(0);
        expected = token === '{' ? 'key' : 'value';
        isEmpty = true;
        continue;
      }
      if (!isScalar(token)) return index;
      expected = 'comma';
    }
    isEmpty = false;
  }
  return null;
}

/** Whether a token is a text, a number, true, false or null. */
function isScalar(token: string): boolean {
  try {
    JSON.parse(token);
    return true;
  } catch {
    return false;
  }
}

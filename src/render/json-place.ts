/**
 * Where something stands in a JSON text, since JSON.parse tells no positions (or others in each version). In: a text; out: offsets, and lines
 * and columns that count from 1. jsonc-parser calls itself for what lies within, so where a text is nested deeper than the stack the
 * place is its beginning.
 */
import { parse, parseTree } from 'jsonc-parser';
import type { Node, ParseError } from 'jsonc-parser';
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

/** For each path the offset of the value there, or of the deepest part of the path that is there. `text` is JSON. */
export function offsetsOf(text: string, paths: readonly ManifestPath[]): readonly number[] {
  const root = withinStack(() => parseTree(text));
  return paths.map((path) => {
    let node = root;
    for (const key of path) {
      const inner = memberOf(node, key);
      if (inner === undefined) break;
      node = inner;
    }
    return node?.offset ?? 0;
  });
}

function memberOf(node: Node | undefined, key: string | number): Node | undefined {
  if (node?.type === 'array') return typeof key === 'number' ? node.children?.[key] : undefined;
  // Of keys that stand twice, JSON.parse keeps the last.
  return node?.children?.findLast((property) => property.children?.[0]?.value === key)?.children?.[1];
}

/** Where a text that JSON.parse refuses stops being JSON; its length where it only ends too early. */
export function syntaxErrorOffset(text: string): number {
  const errors: ParseError[] = [];
  withinStack(() => parse(text, errors, { disallowComments: true }));
  return errors[0]?.offset ?? 0;
}

/** Undefined where the stack is too small. */
function withinStack<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/**
 * Finds the JSON objects that stand in a text, in one pass: each is read from its opening brace, strings and escapes respected. In go
 * the raw content and the parts of it that count, out come the outermost objects with their spans. Linear.
 *
 * A broken object hides no later one. What lies within it belongs to it: up to its closing brace, or where it has none, up to an object that
 * begins a line.
 */
import { LIMITS } from '../base/limits.js';
import type { LooseObject } from './loose-json.js';
import { isLooseObject, readLoose } from './loose-json.js';
import type { TextSpan } from './reading.js';

export interface FoundObject extends TextSpan {
  readonly value: LooseObject;
}

export interface FoundObjects {
  /** In order; at most one more than LIMITS.replyCandidates. */
  readonly objects: readonly FoundObject[];
  /** Where the last one begins that did not end like an object; null for none. */
  readonly brokenAt: number | null;
}

export function findObjects(content: string, parts: readonly TextSpan[]): FoundObjects {
  const objects: FoundObject[] = [];
  let brokenAt: number | null = null;
  for (const part of parts) {
    const text = content.slice(0, part.end);
    /** Of the last broken object: its closing brace, null where it has none. */
    let closed: number | null = part.start - 1;
    let closing: ReadonlyMap<number, number> | null = null;
    for (const { index } of text.slice(part.start).matchAll(/\{/g)) {
      const start = part.start + index;
      if (start < (objects.at(-1)?.end ?? 0)) continue;
      if (objects.length > LIMITS.replyCandidates) return { objects, brokenAt };
      const isOutside = closed === null ? beginsLine(content, start) : start > closed;
      const read = readLoose(text, start);
      if (read !== null && isLooseObject(read.value)) {
        if (isOutside) objects.push({ start, end: read.end, value: read.value });
        continue;
      }
      closing ??= closingBraces(text, part.start);
      if (isOutside) closed = closing.get(start) ?? null;
      if (/^\{\s{0,80}["'“]/.test(text.slice(start, start + 82))) brokenAt = start;
    }
  }
  return { objects, brokenAt };
}

/** The closing brace of each opening one, by number alone. */
function closingBraces(text: string, from: number): ReadonlyMap<number, number> {
  const found = new Map<number, number>();
  const open: number[] = [];
  for (const { 0: brace, index } of text.slice(from).matchAll(/[{}]/g)) {
    const start = brace === '{' ? undefined : open.pop();
    if (brace === '{') open.push(from + index);
    if (start !== undefined) found.set(start, from + index);
  }
  return found;
}

function beginsLine(content: string, at: number): boolean {
  return at === 0 || content[at - 1] === '\n' || content[at - 1] === '\r';
}

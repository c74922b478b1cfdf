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
  let at = content.indexOf('{');
  for (const part of parts) {
    let broken: BrokenObject | null = null;
    let closing: ClosingBraces | null = null;
    if (at >= 0 && at < part.start) at = content.indexOf('{', part.start);
    while (at >= 0 && at < part.end && objects.length <= LIMITS.replyCandidates) {
      const read = readLoose(content, at, part.end);
      if (read !== null && isLooseObject(read.value)) {
        if (broken === null || isOutside(content, at, broken))
          objects.push({ start: at, end: read.end, value: read.value });
        at = content.indexOf('{', read.end);
        continue;
      }
      if (broken === null || isOutside(content, at, broken)) {
        closing ??= closingBraces(content, part);
        broken = { closed: closing.get(at) ?? null };
      }
      if (/^\{\s{0,80}["'“]/.test(content.slice(at, at + 82))) brokenAt = at;
      at = content.indexOf('{', at + 1);
    }
  }
  return { objects, brokenAt };
}

interface BrokenObject {
  /** Where its closing brace stands; null where it has none. */
  readonly closed: number | null;
}

/** Whether a place is no part of the broken object before it. */
function isOutside(content: string, at: number, { closed }: BrokenObject): boolean {
  return closed === null ? beginsLine(content, at) : at > closed;
}

type ClosingBraces = ReadonlyMap<number, number>;

/** The closing brace of each opening one, by number alone. */
function closingBraces(content: string, part: TextSpan): ClosingBraces {
  const found = new Map<number, number>();
  const open: number[] = [];
  for (let at = part.start; at < part.end; at++) {
    const code = content.charCodeAt(at);
    if (code === 123) open.push(at);
    if (code !== 125) continue;
    const start = open.pop();
    if (start !== undefined) found.set(start, at);
  }
  return found;
}

function beginsLine(content: string, at: number): boolean {
  return at === 0 || content[at - 1] === '\n' || content[at - 1] === '\r';
}

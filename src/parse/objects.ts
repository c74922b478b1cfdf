/**
 * Finds the JSON objects that stand in a text, in one pass: each is read from its opening brace, strings and escapes respected. In go
 * the raw content and the parts of it that count, out come the outermost objects with their spans. Linear.
 *
 * A broken object hides no later one; but what lies within it may belong to it, so there only an object that begins a line counts.
 */
import { LIMITS } from '../base/limits.js';
import type { LooseObject } from './loose-json.js';
import { isLooseObject, readLoose } from './loose-json.js';
import type { Span } from './reading.js';

export interface FoundObject extends Span {
  readonly value: LooseObject;
}

export interface FoundObjects {
  /** In order; at most one more than LIMITS.replyCandidates. */
  readonly objects: readonly FoundObject[];
  /** Something that began like an object did not end like one. */
  readonly isBroken: boolean;
}

export function findObjects(content: string, parts: readonly Span[]): FoundObjects {
  const objects: FoundObject[] = [];
  let isBroken = false;
  let at = content.indexOf('{');
  for (const part of parts) {
    let brokenUntil = part.start;
    if (at >= 0 && at < part.start) at = content.indexOf('{', part.start);
    while (at >= 0 && at < part.end && objects.length <= LIMITS.replyCandidates) {
      const read = readLoose(content, at, part.end);
      if (read.ok && isLooseObject(read.value)) {
        if (at >= brokenUntil || beginsLine(content, at))
          objects.push({ start: at, end: read.end, value: read.value });
        at = content.indexOf('{', read.end);
        continue;
      }
      if (!read.ok) brokenUntil = Math.max(brokenUntil, read.at);
      isBroken ||= /^\{\s{0,80}["'“]/.test(content.slice(at, at + 82));
      at = content.indexOf('{', at + 1);
    }
  }
  return { objects, isBroken };
}

function beginsLine(content: string, at: number): boolean {
  return at === 0 || content[at - 1] === '\n' || content[at - 1] === '\r';
}

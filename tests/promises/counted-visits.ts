/**
 * Counts the characters that a piece of work looks at: while it runs, regular expressions are matched by `counting-matcher.ts`, and the methods of
 * strings count what they pass over. In: the work; out: its result and the count, the same on every machine. On short texts every match is
 * held against the engine's own, so the count can be believed.
 */
import type { Matcher } from './counting-matcher.js';
import { matchAt, matcherOf, visits } from './counting-matcher.js';

/** Up to this length each match is compared with the native one. */
const COMPARED = 3000;

const nativeExec: (this: RegExp, text: string) => RegExpExecArray | null = Reflect.get(
  RegExp.prototype,
  'exec',
);
const matchers = new Map<string, Matcher>();

function matcherFor(expression: RegExp): Matcher {
  const key = `${expression.flags}/${expression.source}`;
  const before = matchers.get(key);
  if (before !== undefined) return before;
  const made = matcherOf(expression);
  matchers.set(key, made);
  return made;
}

/** True while the counting itself works: what it looks at is not counted. */
let isOwn = false;

/** As `RegExp.prototype.exec` does it. */
function countedExec(this: RegExp, given: unknown): RegExpExecArray | null {
  if (isOwn) return nativeExec.call(this, String(given));
  isOwn = true;
  try {
    return compared(this, String(given));
  } finally {
    isOwn = false;
  }
}

/** The counted match; on a short text the native one, once both agree. */
function compared(expression: RegExp, text: string): RegExpExecArray | null {
  const { lastIndex: from } = expression;
  const found = search(expression, text);
  if (text.length > COMPARED) return found;
  const next = expression.lastIndex;
  expression.lastIndex = from;
  const native = nativeExec.call(expression, text);
  if (isOther(found, native) || expression.lastIndex !== next) {
    throw new Error(
      `the counting matcher errs on ${String(expression)}: ${JSON.stringify([text, found, native])}`,
    );
  }
  return native;
}

function isOther(one: RegExpExecArray | null, other: RegExpExecArray | null): boolean {
  return (
    JSON.stringify([one, one?.index, one?.groups]) !== JSON.stringify([other, other?.index, other?.groups])
  );
}

function search(expression: RegExp, text: string): RegExpExecArray | null {
  const matcher = matcherFor(expression);
  const isStateful = expression.global || expression.sticky;
  const from = isStateful ? expression.lastIndex : 0;
  for (let at = from; at <= text.length; at++) {
    const slots = matchAt(matcher, text, at);
    if (slots !== null) {
      if (isStateful) expression.lastIndex = slots[1] ?? 0;
      return captured(matcher, expression, text, slots);
    }
    if (expression.sticky) break;
    // Within a pair no expression of whole characters can begin.
    if (matcher.isUnicode && (text.codePointAt(at) ?? 0) > 0xffff) at += 1;
  }
  if (isStateful) expression.lastIndex = 0;
  return null;
}

function captured(
  { groups, names }: Matcher,
  expression: RegExp,
  text: string,
  slots: readonly number[],
): RegExpExecArray {
  const places = Array.from(
    { length: groups + 1 },
    (_group, index) => [slots[2 * index] ?? -1, slots[2 * index + 1] ?? -1] as const,
  );
  const texts = places.map(([start, end]) => (start < 0 || end < 0 ? undefined : text.substring(start, end)));
  const indices = places.map(([start, end]) => (start < 0 || end < 0 ? undefined : [start, end]));
  const named = Object.fromEntries([...names].map(([name, index]) => [name, texts[index]]));
  const more = { index: slots[0] ?? 0, input: text, groups: names.size === 0 ? undefined : named };
  return Object.assign(texts, more, expression.hasIndices ? { indices } : {}) as unknown as RegExpExecArray;
}

type Method = (this: unknown, ...given: readonly unknown[]) => unknown;

/** How many characters a method of strings passes over: of the text, what it was given and what it answered. */
const PASSED: Readonly<Record<string, (text: string, given: readonly unknown[], answer: unknown) => number>> =
  {
    ...Object.fromEntries(
      ['at', 'charAt', 'charCodeAt', 'codePointAt', 'slice', 'substring'].map((name) => [name, () => 1]),
    ),
    ...Object.fromEntries(
      ['normalize', 'toLowerCase', 'toUpperCase', 'toWellFormed', 'isWellFormed', 'replaceAll', 'split'].map(
        (name) => [
          name,
          (text: string, [first]: readonly unknown[]) => (first instanceof RegExp ? 0 : text.length),
        ],
      ),
    ),
    ...Object.fromEntries(
      ['trim', 'trimStart', 'trimEnd'].map((name) => [
        name,
        (text: string, _given: readonly unknown[], answer: unknown) =>
          text.length - String(answer).length + 1,
      ]),
    ),
    startsWith: (_text, [first]) => String(first).length,
    endsWith: (_text, [first]) => String(first).length,
    indexOf: (text, [, from], answer) =>
      (Number(answer) < 0 ? text.length : Number(answer)) - Math.min(text.length, Number(from ?? 0)) + 1,
    lastIndexOf: (text, [, from], answer) =>
      Math.min(text.length, Number(from ?? text.length)) - Math.max(0, Number(answer)) + 1,
    includes: (text, [first]) => (text.indexOf(String(first)) + 1 || text.length) + 1,
  };

/** Does the work with everything counted. Nothing else may run meanwhile: the work is synchronous. */
export function countVisits<T>(work: () => T): { result: T; visits: number } {
  const restore = [
    replaced(RegExp.prototype, 'exec', countedExec as Method),
    ...Object.keys(PASSED).map(counting),
    countingIterator(),
  ];
  visits.count = 0;
  try {
    const result = work();
    return { result, visits: visits.count };
  } finally {
    for (const put of restore) put();
  }
}

function replaced(owner: object, name: string | symbol, method: Method): () => void {
  const before = Object.getOwnPropertyDescriptor(owner, name);
  if (before === undefined) throw new TypeError(`no ${String(name)}`);
  Object.defineProperty(owner, name, { ...before, value: method });
  return () => Object.defineProperty(owner, name, before);
}

function counting(name: string): () => void {
  const native = Reflect.get(String.prototype, name) as Method;
  const passed = PASSED[name];
  return replaced(String.prototype, name, function counted(this: unknown, ...given) {
    const answer: unknown = Reflect.apply(native, this, given);
    if (isOwn) return answer;
    isOwn = true;
    visits.count += passed?.(String(this), given, answer) ?? 0;
    isOwn = false;
    return answer;
  });
}

function countingIterator(): () => void {
  const native = Reflect.get(String.prototype, Symbol.iterator) as Method;
  return replaced(String.prototype, Symbol.iterator, function iterate(this: unknown) {
    if (!isOwn) visits.count += String(this).length;
    return native.call(this);
  });
}

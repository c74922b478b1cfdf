/**
 * A backtracking matcher that counts: it does what a regular expression's engine does, one character at a time, and tells how many it looked at.
 * In: an expression, a text, a place to match at; out: what was captured, and the visits. It has a stack of its own, so that a
 * million repetitions are no recursion.
 */
import type { Pattern } from './pattern-tree.js';
import { patternOf } from './pattern-tree.js';

type IsOne = (character: string) => boolean;

type Step =
  | { op: 'one'; is: IsOne; isBack: boolean }
  | {
      op: 'many';
      is: IsOne;
      isBack: boolean;
      min: number;
      max: number;
      isGreedy: boolean;
    }
  | { op: 'split'; first: number; second: number }
  | { op: 'jump'; to: number }
  | { op: 'save' | 'mark' | 'moved'; slot: number }
  | { op: 'look'; program: readonly Step[]; isNegative: boolean }
  | { op: 'start' | 'end' | 'edge' | 'inside' };

export interface Matcher {
  /** Slots of captures: start and end of the whole and of each group, then what the matcher needs itself. */
  slots: number;
  groups: number;
  names: ReadonlyMap<string, number>;
  program: readonly Step[];
  isUnicode: boolean;
  isMultiline: boolean;
}

/** As it was before anybody put a counting one in its place. */
const nativeExec: (this: RegExp, text: string) => RegExpExecArray | null = Reflect.get(
  RegExp.prototype,
  'exec',
);

/** Characters visited since the program began. */
export const visits = { count: 0 };

export function matcherOf({ source, flags }: Pick<RegExp, 'source' | 'flags'>): Matcher {
  const isUnicode = flags.includes('u');
  const { tree, groups, names } = patternOf(source, isUnicode);
  const marks = { next: 2 * groups + 2 };
  const kept = flags.replace(/[^ius]/g, '');
  const program = compiled(tree, { kept, isBack: false, marks });
  return { program, groups, names, slots: marks.next, isUnicode, isMultiline: flags.includes('m') };
}

interface Compiling {
  kept: string;
  isBack: boolean;
  marks: { next: number };
}

/** Jumps are relative to the step that holds them until the end, where nothing needs to change: they stay relative. */
function compiled(tree: Pattern, how: Compiling): readonly Step[] {
  switch (tree.kind) {
    case 'one':
      return [{ op: 'one', is: isOne(tree.source, how.kept), isBack: how.isBack }];
    case 'all':
      return (how.isBack ? tree.parts.toReversed() : tree.parts).flatMap((part) => compiled(part, how));
    case 'any':
      return choice(tree.parts.map((part) => compiled(part, how)));
    case 'group': {
      const [first, last] = how.isBack ? [1, 0] : [0, 1];
      const save = (side: number): Step => ({ op: 'save', slot: 2 * tree.index + side });
      return [save(first), ...compiled(tree.part, how), save(last)];
    }
    case 'look': {
      const program = compiled(tree.part, { ...how, isBack: tree.isBehind });
      return [{ op: 'look', program, isNegative: tree.isNegative }];
    }
    case 'repeat':
      return repetition(tree, how);
    default:
      return [{ op: tree.kind }];
  }
}

function choice(parts: readonly (readonly Step[])[]): readonly Step[] {
  return parts.reduceRight((rest, part, index) =>
    index === parts.length - 1
      ? part
      : [
          { op: 'split', first: 1, second: part.length + 2 },
          ...part,
          { op: 'jump', to: rest.length + 1 },
          ...rest,
        ],
  );
}

function repetition(tree: Extract<Pattern, { kind: 'repeat' }>, how: Compiling): readonly Step[] {
  const { part, min, max, isGreedy } = tree;
  if (part.kind === 'one') {
    return [{ op: 'many', is: isOne(part.source, how.kept), isBack: how.isBack, min, max, isGreedy }];
  }
  const once = compiled(part, how);
  const slot = how.marks.next++;
  const guarded: readonly Step[] = [{ op: 'mark', slot }, ...once, { op: 'moved', slot }];
  const split = (inward: number, outward: number): Step =>
    isGreedy
      ? { op: 'split', first: inward, second: outward }
      : { op: 'split', first: outward, second: inward };
  const needed = Array.from({ length: min }, () => once).flat();
  if (max === Number.POSITIVE_INFINITY) {
    const length = guarded.length;
    return [...needed, split(1, length + 2), ...guarded, { op: 'jump', to: -(length + 1) }];
  }
  const size = guarded.length + 1;
  const optional = Array.from({ length: max - min }, (_time, index) => [
    split(1, (max - min - index) * size),
    ...guarded,
  ]);
  return [...needed, ...optional.flat()];
}

const asked = new Map<string, IsOne>();

/** Whether a character is what a source stands for; asked natively once for each character. */
function isOne(source: string, flags: string): IsOne {
  const key = `${flags}/${source}`;
  const before = asked.get(key);
  if (before !== undefined) return before;
  const expression = new RegExp(`^(?:${source})$`, flags);
  const answers = new Map<string, boolean>();
  const is: IsOne = (character) => {
    const known = answers.get(character);
    if (known !== undefined) return known;
    const answer = nativeExec.call(expression, character) !== null;
    answers.set(character, answer);
    return answer;
  };
  asked.set(key, is);
  return is;
}

/** Captures of a match at exactly this place, in slots; null where there is none. */
export function matchAt(matcher: Matcher, text: string, at: number): readonly number[] | null {
  const slots = Array.from({ length: matcher.slots }, () => -1);
  const end = run({ matcher, text, slots }, matcher.program, at);
  if (end < 0) return null;
  slots[0] = at;
  slots[1] = end;
  return slots;
}

interface Running {
  matcher: Matcher;
  text: string;
  slots: number[];
}

/** What to do where the way taken leads nowhere. */
type Retreat =
  | { kind: 'way'; step: number; at: number }
  | { kind: 'slot'; slot: number; value: number }
  /** Fewer characters of a greedy repetition, or more of a lazy one. */
  | { kind: 'less'; step: number; at: number; least: number }
  | { kind: 'more'; step: number; at: number; left: number };

const FAILED = -1;

function run(running: Running, program: readonly Step[], from: number): number {
  const retreats: Retreat[] = [];
  let step = 0;
  let at = from;
  while (step < program.length) {
    const next = advance(running, { program, retreats, step, at });
    const found = next ?? retreat(running, program, retreats);
    if (found === null) return FAILED;
    step = found.step;
    at = found.at;
  }
  return at;
}

interface Place {
  step: number;
  at: number;
}

interface Moment extends Place {
  program: readonly Step[];
  retreats: Retreat[];
}

/** One step on; null where it fails. */
function advance(running: Running, { program, retreats, step, at }: Moment): Place | null {
  const now = program[step];
  if (now === undefined) return null;
  switch (now.op) {
    case 'one': {
      const character = characterAt(running, at, now.isBack);
      visits.count += 1;
      if (character === '' || !now.is(character)) return null;
      return { step: step + 1, at: now.isBack ? at - character.length : at + character.length };
    }
    case 'many':
      return many(running, now, { program, retreats, step, at });
    case 'split':
      retreats.push({ kind: 'way', step: step + now.second, at });
      return { step: step + now.first, at };
    case 'jump':
      return { step: step + now.to, at };
    case 'save':
    case 'mark':
      retreats.push({ kind: 'slot', slot: now.slot, value: running.slots[now.slot] ?? -1 });
      running.slots[now.slot] = at;
      return { step: step + 1, at };
    case 'moved':
      return running.slots[now.slot] === at ? null : { step: step + 1, at };
    case 'look':
      return look(running, now, { program, retreats, step, at });
    default:
      return holds(running, now.op, at) ? { step: step + 1, at } : null;
  }
}

type Many = Extract<Step, { op: 'many' }>;

function many(
  running: Running,
  { is, isBack, min, max, isGreedy }: Many,
  { retreats, step, at }: Moment,
): Place | null {
  let place = at;
  let least = at;
  let count = 0;
  for (; count < (isGreedy ? max : min); count++) {
    const character = characterAt(running, place, isBack);
    visits.count += 1;
    if (character === '' || !is(character)) break;
    place = isBack ? place - character.length : place + character.length;
    if (count < min) least = place;
  }
  if (count < min) return null;
  if (isGreedy && place !== least) retreats.push({ kind: 'less', step, at: place, least });
  if (!isGreedy && max > min) retreats.push({ kind: 'more', step, at: place, left: max - min });
  return { step: step + 1, at: place };
}

function look(
  running: Running,
  now: Extract<Step, { op: 'look' }>,
  { retreats, step, at }: Moment,
): Place | null {
  const before = [...running.slots];
  const isFound = run(running, now.program, at) !== FAILED;
  const after = [...running.slots];
  for (const [slot, value] of before.entries()) {
    if (isFound && !now.isNegative && after[slot] !== value) retreats.push({ kind: 'slot', slot, value });
    else running.slots[slot] = value;
  }
  return isFound === now.isNegative ? null : { step: step + 1, at };
}

/** Back to the last place where there was another way; null where there is none left. */
function retreat(running: Running, program: readonly Step[], retreats: Retreat[]): Place | null {
  for (let last = retreats.pop(); last !== undefined; last = retreats.pop()) {
    if (last.kind === 'slot') {
      running.slots[last.slot] = last.value;
      continue;
    }
    if (last.kind === 'way') return last;
    const place =
      last.kind === 'less' ? less(running, program, retreats, last) : more(running, program, retreats, last);
    if (place !== null) return place;
  }
  return null;
}

function less(
  running: Running,
  program: readonly Step[],
  retreats: Retreat[],
  { step, at, least }: Extract<Retreat, { kind: 'less' }>,
): Place {
  const isBack = isBackward(program, step);
  visits.count += 1;
  const character = characterAt(running, at, !isBack);
  const place = isBack ? at + character.length : at - character.length;
  if (place !== least) retreats.push({ kind: 'less', step, at: place, least });
  return { step: step + 1, at: place };
}

function more(
  running: Running,
  program: readonly Step[],
  retreats: Retreat[],
  { step, at, left }: Extract<Retreat, { kind: 'more' }>,
): Place | null {
  const now = program[step];
  if (now?.op !== 'many') return null;
  const character = characterAt(running, at, now.isBack);
  visits.count += 1;
  if (character === '' || !now.is(character)) return null;
  const place = now.isBack ? at - character.length : at + character.length;
  if (left > 1) retreats.push({ kind: 'more', step, at: place, left: left - 1 });
  return { step: step + 1, at: place };
}

function isBackward(program: readonly Step[], step: number): boolean {
  const now = program[step];
  return now?.op === 'many' && now.isBack;
}

/** The character after a place, or before it; '' where there is none. */
function characterAt({ matcher, text }: Running, at: number, isBack: boolean): string {
  if (isBack ? at <= 0 : at >= text.length) return '';
  const unit = text[isBack ? at - 1 : at] ?? '';
  if (!matcher.isUnicode || !isSurrogate(unit)) return unit;
  const pair = isBack ? (text[at - 2] ?? '') + unit : unit + (text[at + 1] ?? '');
  return isPair(pair) ? pair : unit;
}

function isSurrogate(unit: string): boolean {
  return unit >= '\ud800' && unit <= '\udfff';
}

function isPair(pair: string): boolean {
  const [high = '', low = ''] = [pair[0], pair[1]];
  return high >= '\ud800' && high <= '\udbff' && low >= '\udc00' && low <= '\udfff';
}

function holds({ matcher, text }: Running, op: 'start' | 'end' | 'edge' | 'inside', at: number): boolean {
  visits.count += 1;
  if (op === 'start') return at === 0 || (matcher.isMultiline && isLineEnd(text[at - 1]));
  if (op === 'end') return at === text.length || (matcher.isMultiline && isLineEnd(text[at]));
  const isEdge = isWord(text[at - 1]) !== isWord(text[at]);
  return isEdge === (op === 'edge');
}

function isLineEnd(unit: string | undefined): boolean {
  return unit === '\n' || unit === '\r' || unit === '\u2028' || unit === '\u2029';
}

function isWord(unit = ''): boolean {
  return (
    (unit >= 'a' && unit <= 'z') ||
    (unit >= 'A' && unit <= 'Z') ||
    (unit >= '0' && unit <= '9') ||
    unit === '_'
  );
}

/**
 * Which arguments of an offered action go together: a single thing can't be dropped by twos, a key fits one door. In: the arguments that
 * were found to be accepted, and whom to ask about numbers; out: sets of values that may be combined freely.
 */
import type { Args } from './action.js';
import type { Slot } from './grammar.js';
import type { Way } from './observation.js';

export interface Asking {
  /** Whether the action would be accepted with these arguments now. */
  readonly accepts: (args: Args) => boolean;
  /** How the noun of an id is said so that it alone is meant. */
  readonly spoken: (id: string) => string;
}

type FreeSlot = Extract<Slot, { kind: 'text' | 'integer' }>;
type IntegerSlot = Extract<Slot, { kind: 'integer' }>;
type Form = readonly Slot[];

/**
 * `forms` are all sets of slots that can be filled, `accepted` the arguments found for each of them without what may be left out and is
 * free. Null where whatever the slots take may be combined, with any number.
 */
export function waysOf(
  forms: readonly Form[],
  accepted: readonly Args[],
  asking: Asking,
): readonly Way[] | null {
  const options = optionsIn(forms, accepted);
  const rows = forms.map((form) => rowsOf(form, forms, { accepted, asking }));
  if (forms.every((form, i) => isWhole(form, rows[i] ?? [], options))) return null;
  return distinct(forms.flatMap((form, i) => joined(form, rows[i] ?? [])));
}

/** What each closed slot was accepted with, in any form. */
function optionsIn(
  forms: readonly Form[],
  accepted: readonly Args[],
): ReadonlyMap<string, ReadonlySet<unknown>> {
  const names = forms.flat().filter((slot) => !isFree(slot));
  return new Map(names.map(({ slot }) => [slot, new Set(accepted.flatMap((args) => args[slot] ?? []))]));
}

function isFree(slot: Slot): slot is FreeSlot {
  return slot.kind === 'text' || slot.kind === 'integer';
}

/** Whether the rows are all that the form could be filled with, whatever number stands in it. */
function isWhole(
  form: Form,
  rows: readonly Way[],
  options: ReadonlyMap<string, ReadonlySet<unknown>>,
): boolean {
  const sizes = form.map((slot) => {
    if (isFree(slot)) return 1;
    const taken = options.get(slot.slot) ?? new Set();
    return slot.kind === 'word' ? Number(taken.has(slot.word)) : taken.size;
  });
  const isAnyNumber = form
    .filter((slot) => slot.kind === 'integer')
    .every(({ slot, min, max }) => rows.every((row) => row[slot]?.[0] === min && row[slot][1] === max));
  return rows.length === sizes.reduce((product, size) => product * size, 1) && isAnyNumber;
}

/** A row for each choice of names, directions and words that the form can be filled with. */
function rowsOf(
  form: Form,
  forms: readonly Form[],
  { accepted, asking }: { readonly accepted: readonly Args[]; readonly asking: Asking },
): readonly Way[] {
  const free = form.filter(isFree);
  const closed = form.filter((slot) => !isFree(slot));
  const isShort = forms.some(
    (other) => other.length < form.length && other.every((one) => form.includes(one)),
  );
  return distinct(accepted.flatMap((args) => closedPart(args, closed, forms))).flatMap((base) => {
    const filled = filledFreely(free, base, { accepts: asking.accepts, isOptional: isShort });
    if (filled === null) return [];
    const values = closed.map(({ slot, kind }) => {
      const value = String(base[slot]);
      return [slot, [kind === 'name' ? asking.spoken(value) : value]] as const;
    });
    return [{ ...Object.fromEntries(values), ...filled }];
  });
}

/** The arguments without the free ones, where they fill just these slots; else none. */
function closedPart(args: Args, closed: Form, forms: readonly Form[]): readonly Args[] {
  const own = Object.entries(args).filter(
    ([name]) => !forms.flat().some((slot) => slot.slot === name && isFree(slot)),
  );
  const fits = closed.every(({ slot }) => args[slot] !== undefined) && own.length === closed.length;
  const isSaid = closed.every((slot) => slot.kind !== 'word' || args[slot.slot] === slot.word);
  return fits && isSaid ? [Object.fromEntries(own)] : [];
}

interface Freely {
  readonly accepts: (args: Args) => boolean;
  /** Whether the same may be said without the free slots: then a number that can only be one is not worth saying. */
  readonly isOptional: boolean;
}

/** Free texts as they are, a number from the least to the most that is accepted; null where none is. */
function filledFreely(free: readonly FreeSlot[], base: Args, { accepts, isOptional }: Freely): Way | null {
  const texts = free.filter(({ kind }) => kind === 'text').map(({ slot }) => slot);
  const said = { ...base, ...Object.fromEntries(texts.map((slot) => [slot, 'a'])) };
  const unsaid = Object.fromEntries(texts.map((slot) => [slot, []]));
  const numbers = free.filter((slot) => slot.kind === 'integer');
  const [number, ...others] = numbers;
  if (number === undefined) return accepts(said) ? unsaid : null;
  // Two numbers depend on each other: each is taken for free.
  if (others.length > 0)
    return { ...unsaid, ...Object.fromEntries(numbers.map(({ slot, min, max }) => [slot, [min, max]])) };
  const range = rangeOf(number, (value) => accepts({ ...said, [number.slot]: value }));
  if (range === null || (isOptional && range[0] === range[1])) return null;
  return { ...unsaid, [number.slot]: range };
}

/** A range of no more numbers than this is tried one by one. */
const TRIED_MAX = 12;

/** The first run of accepted numbers; of a wide range one that begins at either end, whose end is searched for by halves. */
function rangeOf({ min, max }: IntegerSlot, accepts: (value: number) => boolean): [number, number] | null {
  if (max - min < TRIED_MAX) {
    let first = min;
    while (first <= max && !accepts(first)) first += 1;
    if (first > max) return null;
    let last = first;
    while (last < max && accepts(last + 1)) last += 1;
    return [first, last];
  }
  if (!accepts(min)) return accepts(max) ? [max, max] : null;
  let [yes, no] = [min, min + 1];
  while (no <= max && accepts(no)) [yes, no] = [no, Math.min(no + (no - min), max + 1)];
  while (no - yes > 1) {
    const middle = yes + Math.floor((no - yes) / 2);
    if (accepts(middle)) yes = middle;
    else no = middle;
  }
  return [min, yes];
}

/** Rows that differ only in their first value, as one. */
function joined(form: Form, rows: readonly Way[]): readonly Way[] {
  const first = form.find((slot) => !isFree(slot))?.slot;
  if (first === undefined) return rows;
  const groups = new Map<string, Way[]>();
  for (const row of rows) {
    const key = JSON.stringify({ ...row, [first]: [] });
    groups.set(key, [...(groups.get(key) ?? []), row]);
  }
  return [...groups.values()].map((group) => ({
    ...group[0],
    [first]: group.flatMap((row): readonly (string | number)[] => row[first] ?? []).map(String),
  }));
}

function distinct<T extends Args | Way>(all: readonly T[]): readonly T[] {
  const seen = new Set<string>();
  return all.filter((one) => {
    const key = JSON.stringify(one);
    return !seen.has(key) && seen.add(key) !== undefined;
  });
}

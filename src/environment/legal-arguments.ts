/**
 * Which arguments of an offered action may be combined: for example, two of a single thing can't be dropped,
 * and a key fits only one door.
 */
import { lookUp } from '../base/look-up.js';
import type { Args } from './action.js';
import { withArg } from './action.js';
import type { Slot } from './grammar.js';
import type { LegalArguments } from './observation.js';

export interface OfferQuery {
  /** Whether the action would be accepted with these arguments now. */
  accepts: (args: Args) => boolean;
  /** The name of an id's noun that fits no other noun. */
  spoken: (id: string) => string;
  /** As in an `Offering`. */
  numbersFor?: (form: SlotForm) => readonly Args[] | null;
}

type FreeSlot = Extract<Slot, { kind: 'text' | 'integer' }>;
type IntegerSlot = Extract<Slot, { kind: 'integer' }>;
type SlotForm = readonly Slot[];

/** A form with its slots, separated into closed and free ones. */
interface FormShape {
  form: SlotForm;
  closed: SlotForm;
  free: readonly FreeSlot[];
  /**
   * Whether another form is the same without some of the slots. A number with only one possible value is then
   * left out.
   */
  isOptional: boolean;
}

/** All forms of a grammar, with their slots. */
interface FormShapes {
  formShapes: readonly FormShape[];
  /** Names of the slots of all forms that are not free. */
  closed: ReadonlySet<string>;
  /** Whether each form has at most one slot, so that nothing needs to be combined, as in most actions. */
  isOfSingles: boolean;
  /** Whether `isOfSingles` requires that the action is also accepted without arguments. */
  hasBare: boolean;
}

/** Cached by the forms of a grammar, which are a constant of its action. */
const shapesByForms = new WeakMap<readonly SlotForm[], FormShapes>();

function shapesOf(forms: readonly SlotForm[]): FormShapes {
  const cached = shapesByForms.get(forms);
  if (cached !== undefined) return cached;
  const formShapes = forms.map((form) => ({
    form,
    closed: form.filter((slot) => !isFree(slot)),
    free: form.filter(isFree),
    isOptional: forms.some(
      (other) => other.length < form.length && other.every((slot) => form.includes(slot)),
    ),
  }));
  const [first] = formShapes;
  const isOneForm = formShapes.length === 1 && first !== undefined;
  const shapes = {
    formShapes,
    closed: new Set(formShapes.flatMap((shape) => shape.closed.map(({ slot }) => slot))),
    isOfSingles: isOneForm
      ? first.closed.length < 2 && first.free.every(({ kind }) => kind === 'text')
      : formShapes.every(({ form, free }) => form.length < 2 && free.length === 0),
    hasBare: !isOneForm && formShapes.some(({ form }) => form.length === 0),
  };
  shapesByForms.set(forms, shapes);
  return shapes;
}

function isFree(slot: Slot): slot is FreeSlot {
  return slot.kind === 'text' || slot.kind === 'integer';
}

/**
 * `forms` are all sets of slots that can be filled, `accepted` the accepted arguments of each, without
 * optional free ones. Null if all values of the slots may be combined, with any number.
 */
export function legalCombinations(
  forms: readonly SlotForm[],
  accepted: readonly Args[],
  query: OfferQuery,
): readonly LegalArguments[] | null {
  const { formShapes, closed, isOfSingles, hasBare } = shapesOf(forms);
  if (isOfSingles && (!hasBare || accepted.some((args) => Object.keys(args).length === 0))) return null;
  const bases = distinct(accepted.map((args) => pickArgs(args, closed)));
  const rows = formShapes.map((shape) => rowsOf(shape, bases, query));
  if (formShapes.every((shape, i) => isUnrestricted(shape, rows[i] ?? [], bases))) return null;
  return distinct(formShapes.flatMap((shape, i) => mergeRows(shape, rows[i] ?? [])));
}

function pickArgs(args: Args, names: ReadonlySet<string>): Args {
  const present = Object.keys(args);
  if (present.every((name) => names.has(name))) return args;
  return Object.fromEntries(Object.entries(args).filter(([name]) => names.has(name)));
}

/** Whether the rows are all possible fillings of the form, with any number. */
function isUnrestricted(
  { closed, free }: FormShape,
  rows: readonly LegalArguments[],
  bases: readonly Args[],
): boolean {
  const sizes = closed.map((slot) => {
    const values = new Set(bases.flatMap((base) => lookUp(base, slot.slot) ?? []));
    return slot.kind === 'word' ? Number(values.has(slot.word)) : values.size;
  });
  const isAnyNumber = free
    .filter((slot) => slot.kind === 'integer')
    .every(({ slot, min, max }) =>
      rows.every((row) => {
        const [first, second] = lookUp(row, slot) ?? [];
        return first === min && second === max;
      }),
    );
  return rows.length === sizes.reduce((product, size) => product * size, 1) && isAnyNumber;
}

/** One row for each accepted choice of names, directions and words that fills the form. */
function rowsOf(shape: FormShape, bases: readonly Args[], query: OfferQuery): readonly LegalArguments[] {
  const { form, closed } = shape;
  const rows: LegalArguments[] = [];
  const numbers = query.numbersFor?.(form)?.filter(query.accepts) ?? null;
  for (const base of bases) {
    if (!isFilling(base, closed)) continue;
    const filled = fillFree(shape, base, query.accepts, numbers);
    if (filled === null) continue;
    const row: Record<string, LegalArguments[string]> = {};
    for (const { slot, kind } of closed) {
      const value = String(lookUp(base, slot));
      row[slot] = [kind === 'name' ? query.spoken(value) : value];
    }
    for (const slot of Object.keys(filled)) row[slot] = lookUp(filled, slot) ?? [];
    rows.push(row);
  }
  return rows;
}

/** Whether exactly these slots are filled. */
function isFilling(base: Args, closed: SlotForm): boolean {
  if (Object.keys(base).length !== closed.length) return false;
  return closed.every((slot) => {
    const value = lookUp(base, slot.slot);
    return slot.kind === 'word' ? value === slot.word : value !== undefined;
  });
}

const NOTHING: LegalArguments = {};

/**
 * The values of the free slots: any text, and for a number its lowest and highest accepted value; null if
 * none is accepted. `combinations` are the accepted ones of several numbers; null: not known.
 */
function fillFree(
  { free, isOptional }: FormShape,
  base: Args,
  accepts: OfferQuery['accepts'],
  combinations: readonly Args[] | null,
): LegalArguments | null {
  if (free.length === 0) return NOTHING;
  const texts = free.filter(({ kind }) => kind === 'text').map(({ slot }) => slot);
  const withTexts = texts.reduce((args, slot) => withArg(args, slot, 'a'), base);
  const emptyTexts = Object.fromEntries(texts.map((slot) => [slot, []]));
  const numbers = free.filter((slot) => slot.kind === 'integer');
  const [number, ...others] = numbers;
  if (number === undefined) return texts.length === 0 || accepts(withTexts) ? emptyTexts : null;
  if (others.length > 0) {
    // Several numbers depend on one another: each has the range of its accepted values.
    const ranges: Record<string, LegalArguments[string]> = {};
    for (const { slot, min, max } of numbers) {
      const values = combinations?.map((args) => Number(args[slot])) ?? [];
      ranges[slot] = values.length === 0 ? [min, max] : [Math.min(...values), Math.max(...values)];
    }
    return { ...emptyTexts, ...ranges };
  }
  const range = rangeOf(number, (value) => accepts(withArg(withTexts, number.slot, value)));
  if (range === null || (isOptional && range[0] === range[1])) return null;
  return { ...emptyTexts, [number.slot]: range };
}

/** The numbers of a range of at most this size are tried one by one. */
const TRIED_MAX = 12;

/**
 * The first interval of accepted numbers; in a wide range, one that begins at either end, whose other end is
 * found by bisection.
 */
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
  let [accepted, rejected] = [min, min + 1];
  while (rejected <= max && accepts(rejected))
    [accepted, rejected] = [rejected, Math.min(rejected + (rejected - min), max + 1)];
  while (rejected - accepted > 1) {
    const middle = accepted + Math.floor((rejected - accepted) / 2);
    if (accepts(middle)) accepted = middle;
    else rejected = middle;
  }
  return [min, accepted];
}

/** Merges rows that differ only in their first value. */
function mergeRows({ closed }: FormShape, rows: readonly LegalArguments[]): readonly LegalArguments[] {
  const first = closed[0]?.slot;
  if (first === undefined || rows.length < 2) return rows;
  const groups = new Map<string, LegalArguments[]>();
  for (const row of rows) {
    const key = JSON.stringify({ ...row, [first]: [] });
    groups.set(key, [...(groups.get(key) ?? []), row]);
  }
  return [...groups.values()].map((group) => ({
    ...group[0],
    [first]: group.flatMap((row): readonly (string | number)[] => lookUp(row, first) ?? []).map(String),
  }));
}

function distinct<T extends Args | LegalArguments>(all: readonly T[]): readonly T[] {
  if (all.length < 2) return all;
  const seen = new Set<string>();
  return all.filter((one) => {
    const key = JSON.stringify(one);
    return !seen.has(key) && seen.add(key) !== undefined;
  });
}

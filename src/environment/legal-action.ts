/**
 * Finds the legal arguments of an action: fills the forms of its grammar with everything that the agent may
 * name, and offers whatever the action's `check` does not refuse. Free texts and wide number ranges can't be
 * enumerated, so a few examples represent them.
 */
import { lookUp } from '../base/look-up.js';
import type { Problem } from '../base/problem.js';
import type { Action, Args } from './action.js';
import { withArg } from './action.js';
import type { Grammar, Slot } from './grammar.js';
import { slotsOf } from './grammar.js';
import type { Noun, OfferedAction } from './observation.js';
import { CARDINALS, DIRECTIONS } from './space.js';
import { legalCombinations } from './legal-arguments.js';

/** The maximum number of argument combinations that are tried; those accepted by then are offered. */
const TRIES_MAX = 1000;

export interface OfferInput {
  /** What may be named. */
  nouns: readonly Noun[];
  /** The name of an id's noun that fits no other noun. */
  spoken: (id: string) => string;
  /** Whether the action would be accepted with these arguments now. */
  accepts: (args: Args) => boolean;
  /**
   * The combinations worth trying for a form whose numbers belong together, such as the coordinates of a
   * tile; null or absent: example numbers are used.
   */
  numbersFor?: (form: readonly Slot[]) => readonly Args[] | null;
}

/**
 * Whether a result of `check` allows an offer. A check that threw does too, so that the agent that tries the
 * action gets the error.
 */
export function isOfferable(problem: Problem | undefined): boolean {
  return problem === undefined || problem.code === 'action-failed';
}

/** The action with the arguments that would be accepted now; null if none would. */
export function offerOf<S>(action: Action<S>, input: OfferInput): OfferedAction | null {
  const { slots, forms, wholeForms } = formsOf(action.grammar);
  const accepted = acceptedArgs(forms, input);
  if (accepted.length === 0) return null;
  const options: Record<string, readonly string[]> = {};
  for (const slot of slots) options[slot.slot] = optionsOf(slot, accepted, input.spoken);
  const ways = legalCombinations(wholeForms, accepted, input);
  const { name } = action;
  return ways === null ? { action: name, slots: options } : { action: name, slots: options, ways };
}

function acceptedArgs(
  forms: readonly (readonly Slot[])[],
  { nouns, accepts, numbersFor }: OfferInput,
): readonly Args[] {
  const accepted: Args[] = [];
  let tries = 0;
  for (const form of forms) {
    for (const args of numbersFor?.(form) ?? fillForm(form, nouns)) {
      if (tries++ >= TRIES_MAX) return accepted;
      if (accepts(args)) accepted.push(args);
    }
  }
  return accepted;
}

/**
 * The different values that a slot has in the accepted arguments, as spoken; none for free text and numbers.
 */
function optionsOf(slot: Slot, accepted: readonly Args[], spoken: (id: string) => string): readonly string[] {
  if (slot.kind === 'text' || slot.kind === 'integer') return [];
  const values = new Set<string>();
  for (const args of accepted) {
    const value = lookUp(args, slot.slot);
    if (typeof value === 'string') values.add(value);
  }
  return slot.kind === 'name' ? [...values].map(spoken) : [...values];
}

/** The slots and forms of a grammar. */
export interface OfferForms {
  /** Every slot of the grammar once. */
  slots: readonly Slot[];
  /** The slots of each form, without optional free ones. */
  forms: readonly (readonly Slot[])[];
  /** The slots of each form, including optional free ones. */
  wholeForms: readonly (readonly Slot[])[];
}

/** Cached by grammar, which is a constant of its action. */
const formsByGrammar = new WeakMap<Grammar, OfferForms>();

const VERB_ALONE: OfferForms = { slots: [], forms: [[]], wholeForms: [[]] };

/** The slots and forms of a grammar; null stands for an action without arguments. */
export function formsOf(grammar: Grammar | null): OfferForms {
  if (grammar === null) return VERB_ALONE;
  const cached = formsByGrammar.get(grammar);
  if (cached !== undefined) return cached;
  const forms = {
    slots: slotsOf(grammar).map(({ slot }) => slot),
    forms: listForms(grammar),
    wholeForms: listForms(grammar, true),
  };
  formsByGrammar.set(grammar, forms);
  return forms;
}

function listForms(grammar: Grammar, isWhole = false): readonly (readonly Slot[])[] {
  if (grammar.kind === 'choice') return grammar.parts.flatMap((part) => listForms(part, isWhole));
  if (grammar.kind === 'sequence') {
    return grammar.parts.reduce<readonly (readonly Slot[])[]>(
      (forms, part) => forms.flatMap((form) => listForms(part, isWhole).map((rest) => [...form, ...rest])),
      [[]],
    );
  }
  if (grammar.kind === 'optional') {
    const isFree = slotsOf(grammar.part).every(({ slot }) => slot.kind === 'text' || slot.kind === 'integer');
    return isFree && !isWhole ? [[]] : [[], ...listForms(grammar.part, isWhole)];
  }
  const slot = slotsOf(grammar)[0]?.slot;
  return slot === undefined ? [[]] : [[slot]];
}

/** Every way to fill the slots; texts and numbers are represented by examples. */
function fillForm(slots: readonly Slot[], nouns: readonly Noun[]): readonly Args[] {
  let filled: readonly Args[] = [{}];
  for (const slot of slots) {
    const values = valuesOf(slot, nouns);
    const extended: Args[] = [];
    for (const args of filled)
      for (const value of values)
        if (extended.length < TRIES_MAX) extended.push(withArg(args, slot.slot, value));
    filled = extended;
  }
  return filled;
}

function valuesOf(slot: Slot, nouns: readonly Noun[]): readonly (string | number)[] {
  if (slot.kind === 'word') return [slot.word];
  if (slot.kind === 'text') return ['a'];
  if (slot.kind === 'integer') return sampleIntegers(slot);
  if (slot.kind === 'direction') return slot.diagonals ? DIRECTIONS : CARDINALS;
  return nouns.flatMap(({ id, kinds }) => (kinds.some((kind) => slot.of.includes(kind)) ? [id] : []));
}

/** A range of at most this many numbers is tried completely, a wider one only at its ends. */
const INTEGERS_MAX = 12;

/** The numbers of a range that are tried for offers. */
export function sampleIntegers({ min, max }: { min: number; max: number }): readonly number[] {
  if (max - min >= INTEGERS_MAX) return [min, max];
  return Array.from({ length: max - min + 1 }, (_, i) => min + i);
}

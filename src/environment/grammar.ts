/**
 * The spoken form of an action as data. The parser's pattern, the help in the prompt, the JSON Schema of the
 * parameters, the native-tool schema, the guided-decoding pattern and the docs page are all derived from one
 * grammar, so a form exists either in all of them or in none. A slot is a named argument. Several
 * alternatives may contain the same slot.
 */
export type Grammar =
  /** A fixed word, matched ignoring ASCII case. With a slot, the word itself is the argument. */
  | { kind: 'word'; word: string; slot?: string }
  /** A compass direction; the argument is the full lower-case name. Short forms (N, NE …) are understood. */
  | {
      kind: 'direction';
      slot: string;
      diagonals: boolean;
      description: string;
    }
  /**
   * Something that the agent perceives, named by name, short name or id; `of` lists the accepted kinds of
   * noun. `refused` lists kinds that are understood too, so that the action's `check` can say why it refuses
   * them.
   */
  | {
      kind: 'name';
      slot: string;
      of: readonly string[];
      refused?: readonly string[];
      description: string;
    }
  /** Free text, quoted in a command line. Case is kept. */
  | {
      kind: 'text';
      slot: string;
      description: string;
      charactersMax: number;
    }
  | {
      kind: 'integer';
      slot: string;
      min: number;
      max: number;
      description: string;
    }
  | { kind: 'sequence'; parts: readonly Grammar[] }
  | { kind: 'choice'; parts: readonly Grammar[] }
  /**
   * An optional part. `told: 'when-it-fits'` omits it from the help: a turn's offers include it only if
   * something fits, so that an agent reads about stacks only when it sees one. Parsers and schemas ignore
   * this.
   */
  | { kind: 'optional'; part: Grammar; told?: 'when-it-fits' };

export type Slot =
  Extract<Grammar, { slot: string }> | (Extract<Grammar, { kind: 'word' }> & { slot: string });

/** A fixed word; with a slot, the chosen word is the argument. */
export function word<const W extends string>(spelled: W): { kind: 'word'; word: W };
export function word<const W extends string, const N extends string>(
  spelled: W,
  slot: N,
): { kind: 'word'; word: W; slot: N };
export function word(spelled: string, slot?: string): Grammar {
  return slot === undefined ? { kind: 'word', word: spelled } : { kind: 'word', word: spelled, slot };
}

/** A compass direction: one of eight or, without `diagonals`, of four. */
export function direction<const N extends string>(
  slot: N,
  description: string,
  diagonals = true,
): NamedLeaf<'direction', N> {
  return { kind: 'direction', slot, diagonals, description };
}

/**
 * Something that the agent perceives, of one of the kinds `of`; for the kinds `refused`, `check` says why
 * they are not accepted.
 */
export function name<const N extends string>(
  slot: N,
  of: readonly string[],
  description: string,
  refused: readonly string[] = [],
): NamedLeaf<'name', N> {
  return { kind: 'name', slot, of, refused, description };
}

/** Free text of 1 to `charactersMax` characters. */
export function text<const N extends string>(
  slot: N,
  description: string,
  charactersMax: number,
): NamedLeaf<'text', N> {
  return { kind: 'text', slot, description, charactersMax };
}

/** A whole number in the range, ends included. */
export function integer<const N extends string>(
  slot: N,
  range: { min: number; max: number },
  description: string,
): NamedLeaf<'integer', N> {
  return { kind: 'integer', slot, ...range, description };
}

/** All parts, one after the other. */
export function sequence<const P extends readonly Grammar[]>(...parts: P): { kind: 'sequence'; parts: P } {
  return { kind: 'sequence', parts };
}

/** One of the parts. */
export function choice<const P extends readonly Grammar[]>(...parts: P): { kind: 'choice'; parts: P } {
  return { kind: 'choice', parts };
}

/** An optional part. */
export function optional<const G extends Grammar>(part: G): { kind: 'optional'; part: G } {
  return { kind: 'optional', part };
}

/**
 * An optional part that is shown only if something fits it. For rarely needed forms whose slots need offered
 * names or numbers.
 */
export function situational<const G extends Grammar>(
  part: G,
): { kind: 'optional'; part: G; told: 'when-it-fits' } {
  return { kind: 'optional', part, told: 'when-it-fits' };
}

type NamedLeaf<K extends Grammar['kind'], N extends string> = Extract<Grammar, { kind: K }> & {
  slot: N;
};

/**
 * The type of the arguments that a grammar gives: a number for an integer, otherwise text; a slot that not
 * every form fills is optional. For a grammar of unknown type: any arguments.
 */
export type ArgsOf<G> = Grammar extends G
  ? Readonly<Record<string, string | number>>
  : { readonly [L in RequiredOf<G> as L['slot']]: SlotValue<L> } & {
      readonly [L in LeafOf<G> as Exclude<L['slot'], RequiredOf<G>['slot']>]?: SlotValue<L>;
    };

interface NamedSlot {
  slot: string;
}

/** The leaves with a slot. A part that is only known to be a grammar has none, which keeps this finite. */
type LeafOf<G> = G extends { parts: infer P }
  ? LeafIn<P>
  : G extends { part: infer P }
    ? Grammar extends P
      ? never
      : LeafOf<P>
    : Extract<G, NamedSlot>;

type LeafIn<P> = P extends readonly [infer First, ...infer Rest] ? LeafOf<First> | LeafIn<Rest> : never;

/** The leaves that every form fills. */
type RequiredOf<G> = G extends { kind: 'optional' }
  ? never
  : G extends { kind: 'sequence'; parts: infer P }
    ? RequiredIn<P>
    : G extends { kind: 'choice'; parts: infer P }
      ? LeafIn<P> & { slot: SlotInEvery<P> }
      : Extract<G, NamedSlot>;

type RequiredIn<P> = P extends readonly [infer First, ...infer Rest]
  ? RequiredOf<First> | RequiredIn<Rest>
  : never;

type SlotInEvery<P> = P extends readonly [infer First, ...infer Rest]
  ? RequiredOf<First>['slot'] & SlotInEvery<Rest>
  : string;

type SlotValue<L> = L extends { kind: 'integer' }
  ? number
  : L extends { kind: 'word'; word: infer W }
    ? W
    : string;

/** Cached, because a grammar is a constant of its action and is needed for every reply. */
const slotsByGrammar = new WeakMap<Grammar, ReturnType<typeof slotsOf>>();

/** All slots of a grammar, in order of appearance, and whether every form of the action fills them. */
export function slotsOf(grammar: Grammar): readonly { slot: Slot; required: boolean }[] {
  const cached = slotsByGrammar.get(grammar);
  if (cached !== undefined) return cached;
  const slotByName = new Map<string, Slot>();
  collect(grammar, slotByName);
  const requiredSlots = required(grammar);
  const slots = [...slotByName.values()].map((slot) => ({ slot, required: requiredSlots.has(slot.slot) }));
  slotsByGrammar.set(grammar, slots);
  return slots;
}

/** The slots that take the name of something. */
export function nameSlotsOf(grammar: Grammar | null): ReadonlySet<string> {
  const slots = grammar === null ? [] : slotsOf(grammar);
  return new Set(slots.flatMap(({ slot }) => (slot.kind === 'name' ? [slot.slot] : [])));
}

function collect(grammar: Grammar, slotByName: Map<string, Slot>): void {
  if (grammar.kind === 'sequence' || grammar.kind === 'choice') {
    for (const part of grammar.parts) collect(part, slotByName);
  } else if (grammar.kind === 'optional') collect(grammar.part, slotByName);
  else if (grammar.slot !== undefined && !slotByName.has(grammar.slot))
    slotByName.set(grammar.slot, grammar as Slot);
}

function required(grammar: Grammar): ReadonlySet<string> {
  if (grammar.kind === 'optional') return new Set();
  if (grammar.kind === 'sequence') return new Set(grammar.parts.flatMap((part) => [...required(part)]));
  if (grammar.kind === 'choice') {
    const [first, ...rest] = grammar.parts.map(required);
    return new Set([...(first ?? [])].filter((slot) => rest.every((other) => other.has(slot))));
  }
  return new Set(grammar.slot === undefined ? [] : [grammar.slot]);
}

/**
 * The spoken form of an action as data. From one grammar follow the parser's pattern, the help in the prompt,
 * the JSON Schema of the parameters, the native-tool schema, the guided-decoding pattern and the docs page;
 * so a form exists in all of them or in none.
 *
 * A slot is a named argument. The same slot may stand in several alternatives.
 */
export type Grammar =
  /** A fixed word, matched without regard to ASCII case. With a slot, the word itself is the argument. */
  | { readonly kind: 'word'; readonly word: string; readonly slot?: string }
  /** A compass direction: argument is the full lower-case name. Short forms (N, NE …) are understood. */
  | {
      readonly kind: 'direction';
      readonly slot: string;
      readonly diagonals: boolean;
      readonly description: string;
    }
  /** Something the agent perceives, named by name, short name or id; `of` lists the noun kinds that fit. */
  | {
      readonly kind: 'name';
      readonly slot: string;
      readonly of: readonly string[];
      readonly description: string;
    }
  /** Free text, quoted where it is written in a command line. Case is kept. */
  | {
      readonly kind: 'text';
      readonly slot: string;
      readonly description: string;
      readonly charactersMax: number;
    }
  | {
      readonly kind: 'integer';
      readonly slot: string;
      readonly min: number;
      readonly max: number;
      readonly description: string;
    }
  | { readonly kind: 'sequence'; readonly parts: readonly Grammar[] }
  | { readonly kind: 'choice'; readonly parts: readonly Grammar[] }
  | { readonly kind: 'optional'; readonly part: Grammar };

export type Slot =
  Extract<Grammar, { slot: string }> | (Extract<Grammar, { kind: 'word' }> & { slot: string });

export function word(spelled: string, slot?: string): Grammar {
  return slot === undefined ? { kind: 'word', word: spelled } : { kind: 'word', word: spelled, slot };
}

export function direction(slot: string, description: string, diagonals = true): Grammar {
  return { kind: 'direction', slot, diagonals, description };
}

export function name(slot: string, of: readonly string[], description: string): Grammar {
  return { kind: 'name', slot, of, description };
}

export function text(slot: string, description: string, charactersMax: number): Grammar {
  return { kind: 'text', slot, description, charactersMax };
}

export function integer(slot: string, range: { min: number; max: number }, description: string): Grammar {
  return { kind: 'integer', slot, ...range, description };
}

export function sequence(...parts: Grammar[]): Grammar {
  return { kind: 'sequence', parts };
}

export function choice(...parts: Grammar[]): Grammar {
  return { kind: 'choice', parts };
}

export function optional(part: Grammar): Grammar {
  return { kind: 'optional', part };
}

/** Every slot of a grammar, in order of appearance, with whether every form of the action fills it. */
export function slotsOf(grammar: Grammar): readonly { readonly slot: Slot; readonly required: boolean }[] {
  const found = new Map<string, Slot>();
  collect(grammar, found);
  const always = required(grammar);
  return [...found.values()].map((slot) => ({ slot, required: always.has(slot.slot) }));
}

function collect(grammar: Grammar, found: Map<string, Slot>): void {
  if (grammar.kind === 'sequence' || grammar.kind === 'choice') {
    for (const part of grammar.parts) collect(part, found);
  } else if (grammar.kind === 'optional') collect(grammar.part, found);
  else if (grammar.slot !== undefined && !found.has(grammar.slot)) found.set(grammar.slot, grammar as Slot);
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

/** The kinds of controllers, and what is known of each. What they do follows in `assembly/seats.ts`. */
import { lookUp } from '../base/look-up.js';

/** By kind, who decides: a built-in player, a model, a person, or a program of the user's, which may ask a model. */
const CONTROLLERS = {
  scripted: 'built-in',
  random: 'built-in',
  oracle: 'built-in',
  sighted: 'built-in',
  'text-only': 'built-in',
  deaf: 'built-in',
  model: 'model',
  replies: 'built-in',
  human: 'person',
  process: 'program',
} as const;

export type ControllerKind = keyof typeof CONTROLLERS;

/** Those that can't be named in a place; `line`: with `--controller`. */
const NOT_IN = {
  scenario: [],
  batch: ['replies', 'human'],
  line: ['replies', 'process'],
} as const satisfies Record<string, readonly ControllerKind[]>;

type Place = keyof typeof NOT_IN;

export type ControllerKindIn<P extends Place> = Exclude<ControllerKind, (typeof NOT_IN)[P][number]>;

/** Those that need nothing but their name. */
export type PlainControllerKind = Exclude<ControllerKind, 'model' | 'replies'>;

/** Those that need neither a model nor a program, in a batch. */
export type BuiltInPlayer = Exclude<ControllerKindIn<'batch'>, 'model' | 'process'>;

const KINDS = Object.keys(CONTROLLERS) as ControllerKind[];

export function controllerKinds<P extends Place>(place: P): readonly ControllerKindIn<P>[] {
  const others: readonly ControllerKind[] = NOT_IN[place];
  return KINDS.filter((kind) => !others.includes(kind)) as ControllerKindIn<P>[];
}

export const PLAIN_CONTROLLERS = KINDS.filter(
  (kind): kind is PlainControllerKind => kind !== 'model' && kind !== 'replies',
);

export const BUILT_IN_PLAYERS = controllerKinds('batch').filter(
  (kind): kind is BuiltInPlayer => CONTROLLERS[kind] === 'built-in',
);

/** Who decides by a controller, named by its kind; undefined for any other name, such as a client's. */
export function deciderOf(name: string): (typeof CONTROLLERS)[ControllerKind] | undefined {
  return lookUp(CONTROLLERS, name);
}

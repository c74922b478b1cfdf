/** The kinds of controllers, and what is known of each. What they do follows in `assembly/seats.ts`. */

interface KindOfController {
  /** Where it may be named; `line`: with `--controller`. */
  in: readonly ('scenario' | 'batch' | 'line')[];
  /** Who decides: a built-in player, a model, a person, or a program of the user's, which may ask a model. */
  by: 'built-in' | 'model' | 'person' | 'program';
}

const CONTROLLERS = {
  scripted: { by: 'built-in', in: ['scenario', 'batch', 'line'] },
  random: { by: 'built-in', in: ['scenario', 'batch', 'line'] },
  oracle: { by: 'built-in', in: ['scenario', 'batch', 'line'] },
  sighted: { by: 'built-in', in: ['scenario', 'batch', 'line'] },
  'text-only': { by: 'built-in', in: ['scenario', 'batch', 'line'] },
  deaf: { by: 'built-in', in: ['scenario', 'batch', 'line'] },
  model: { by: 'model', in: ['scenario', 'batch', 'line'] },
  replies: { by: 'built-in', in: ['scenario'] },
  human: { by: 'person', in: ['scenario', 'line'] },
  process: { by: 'program', in: ['scenario', 'batch'] },
} as const satisfies Record<string, KindOfController>;

export type ControllerKind = keyof typeof CONTROLLERS;

/** Those that are named in a place. */
export type ControllerKindIn<P extends KindOfController['in'][number]> = {
  [K in ControllerKind]: P extends (typeof CONTROLLERS)[K]['in'][number] ? K : never;
}[ControllerKind];

/** Those that need nothing but their name. */
export type PlainControllerKind = Exclude<ControllerKind, 'model' | 'replies'>;

/** Those that need neither a model nor a program, in a batch. */
export type BuiltInPlayer = Exclude<ControllerKindIn<'batch'>, 'model' | 'process'>;

const KINDS = Object.entries<KindOfController>(CONTROLLERS).map(([kind, about]) => ({
  kind: kind as ControllerKind,
  ...about,
}));

export function controllerKinds<P extends KindOfController['in'][number]>(
  place: P,
): readonly ControllerKindIn<P>[] {
  return KINDS.filter((one) => one.in.includes(place)).map(({ kind }) => kind as ControllerKindIn<P>);
}

export const PLAIN_CONTROLLERS = controllerKinds('scenario').filter(
  (kind): kind is PlainControllerKind => kind !== 'model' && kind !== 'replies',
);

export const BUILT_IN_PLAYERS = controllerKinds('batch').filter(
  (kind): kind is BuiltInPlayer => CONTROLLERS[kind].by === 'built-in',
);

/** Who decides by a controller, named by its kind; undefined for any other name, such as a client's. */
export function deciderOf(name: string): KindOfController['by'] | undefined {
  return KINDS.find(({ kind }) => kind === name)?.by;
}

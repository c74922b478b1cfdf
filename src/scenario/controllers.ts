/** The kinds of controllers, and where each may be named. What they do follows in `assembly/seats.ts`. */

/** `line`: with `--controller`. */
type Place = 'scenario' | 'batch' | 'line';

const CONTROLLERS = {
  model: ['scenario', 'batch', 'line'],
  scripted: ['scenario', 'batch', 'line'],
  random: ['scenario', 'batch', 'line'],
  oracle: ['scenario', 'batch', 'line'],
  sighted: ['scenario', 'batch', 'line'],
  'text-only': ['scenario', 'batch', 'line'],
  deaf: ['scenario', 'batch', 'line'],
  replies: ['scenario'],
  human: ['scenario', 'line'],
  process: ['scenario', 'batch'],
} as const satisfies Record<string, readonly Place[]>;

export type ControllerKind = keyof typeof CONTROLLERS;

/** Those that are named in a place. */
export type ControllerKindIn<P extends Place> = {
  [K in ControllerKind]: P extends (typeof CONTROLLERS)[K][number] ? K : never;
}[ControllerKind];

/** Those that need nothing but their name. */
export type PlainControllerKind = Exclude<ControllerKind, 'model' | 'replies'>;

export function controllerKinds<P extends Place>(place: P): readonly ControllerKindIn<P>[] {
  const kinds = Object.entries<readonly Place[]>(CONTROLLERS).filter(([, places]) => places.includes(place));
  return kinds.map(([kind]) => kind as ControllerKindIn<P>);
}

export const PLAIN_CONTROLLERS = controllerKinds('scenario').filter(
  (kind): kind is PlainControllerKind => kind !== 'model' && kind !== 'replies',
);

/** The kinds of controllers, and where each may be named. What they do follows in `assembly/seats.ts`. */

/** `line`: with `--controller`. */
type Place = 'scenario' | 'batch' | 'line';

const EVERYWHERE = ['scenario', 'batch', 'line'] as const;

/** Whether a model answers; null if only its user knows. Where each may be named. */
export const CONTROLLERS = {
  scripted: { hasModel: false, in: EVERYWHERE },
  random: { hasModel: false, in: EVERYWHERE },
  oracle: { hasModel: false, in: EVERYWHERE },
  sighted: { hasModel: false, in: EVERYWHERE },
  'text-only': { hasModel: false, in: EVERYWHERE },
  deaf: { hasModel: false, in: EVERYWHERE },
  model: { hasModel: true, in: EVERYWHERE },
  replies: { hasModel: false, in: ['scenario'] },
  human: { hasModel: false, in: ['scenario', 'line'] },
  process: { hasModel: null, in: ['scenario', 'batch'] },
} as const satisfies Record<string, { hasModel: boolean | null; in: readonly Place[] }>;

export type ControllerKind = keyof typeof CONTROLLERS;

/** Those that are named in a place. */
export type ControllerKindIn<P extends Place> = {
  [K in ControllerKind]: P extends (typeof CONTROLLERS)[K]['in'][number] ? K : never;
}[ControllerKind];

/** Those that need nothing but their name. */
export type PlainControllerKind = Exclude<ControllerKind, 'model' | 'replies'>;

export function controllerKinds<P extends Place>(place: P): readonly ControllerKindIn<P>[] {
  const kinds = Object.entries<{ in: readonly Place[] }>(CONTROLLERS);
  return kinds.flatMap(([kind, { in: places }]) =>
    places.includes(place) ? [kind as ControllerKindIn<P>] : [],
  );
}

export const PLAIN_CONTROLLERS = controllerKinds('scenario').filter(
  (kind) => kind !== 'model' && kind !== 'replies',
);

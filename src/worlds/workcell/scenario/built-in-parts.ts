/**
 * Built-in parts and cars: data alone. A scenario may name them, change the text of their inspections, or add
 * its own parts of one of these kinds. Places are tiles of the car, from its front left one.
 */
import type { Angle } from '../definition.js';

export const PART_KINDS = ['bumper', 'glass', 'tyre', 'door', 'light', 'panel'] as const;
export type PartKind = (typeof PART_KINDS)[number];

/** Possible faults of parts of a kind, with the text of an inspection. */
export const KIND_FAULTS: Readonly<Record<PartKind, Readonly<Record<string, string>>>> = {
  bumper: {
    cracked: 'A crack runs across it from end to end.',
    loose: 'One of its mounts is torn off.',
  },
  glass: {
    cracked: 'A crack runs through the glass from edge to edge.',
    leaking: 'Its seal has shrunk, and water stands behind it.',
  },
  tyre: {
    punctured: 'A nail sticks in the tread, and the tyre is flat.',
    worn: 'The tread is worn down to the cords.',
  },
  door: {
    jammed: 'The latch is broken, and the door does not open.',
    dented: 'It is dented so deeply that the window has no way to go down.',
  },
  light: {
    dead: 'It stays dark when it is switched on.',
    broken: 'The glass is in pieces.',
  },
  panel: {
    rusted: 'Rust has eaten holes into it.',
    dented: 'It is dented beyond mending.',
  },
};

export interface BuiltInPart {
  name: string;
  kind: PartKind;
  side: Angle;
  x: number;
  y: number;
  sprite: string;
}

function part(
  name: string,
  kind: PartKind,
  side: Angle,
  at: readonly [number, number],
  sprite: string,
): BuiltInPart {
  return { name, kind, side, x: at[0], y: at[1], sprite: `car/${sprite}` };
}

export const BUILT_IN_PARTS: Readonly<Record<string, BuiltInPart>> = {
  'front-bumper': part('front bumper', 'bumper', 0, [1, 0], 'bumper-front'),
  windscreen: part('windscreen', 'glass', 0, [1, 2], 'glass-front'),
  bonnet: part('bonnet', 'panel', 0, [1, 1], 'bonnet'),
  'left-headlight': part('left headlight', 'light', 0, [0, 0], 'light-front-left'),
  'right-headlight': part('right headlight', 'light', 0, [2, 0], 'light-front-right'),
  'front-left-tyre': part('front left tyre', 'tyre', 90, [0, 1], 'tyre-left'),
  'front-left-door': part('front left door', 'door', 90, [0, 2], 'door-left'),
  'rear-left-door': part('rear left door', 'door', 90, [0, 3], 'door-left'),
  'rear-left-tyre': part('rear left tyre', 'tyre', 90, [0, 4], 'tyre-left'),
  'rear-glass': part('rear glass', 'glass', 180, [1, 4], 'glass-rear'),
  'rear-bumper': part('rear bumper', 'bumper', 180, [1, 5], 'bumper-rear'),
  'left-tail-light': part('left tail light', 'light', 180, [0, 5], 'light-rear-left'),
  'right-tail-light': part('right tail light', 'light', 180, [2, 5], 'light-rear-right'),
  'front-right-tyre': part('front right tyre', 'tyre', 270, [2, 1], 'tyre-right'),
  'front-right-door': part('front right door', 'door', 270, [2, 2], 'door-right'),
  'rear-right-door': part('rear right door', 'door', 270, [2, 3], 'door-right'),
  'rear-right-tyre': part('rear right tyre', 'tyre', 270, [2, 4], 'tyre-right'),
};

const TYRES = ['front-left-tyre', 'rear-left-tyre', 'front-right-tyre', 'rear-right-tyre'];
const LIGHTS = ['left-headlight', 'right-headlight', 'left-tail-light', 'right-tail-light'];
const FRONT_DOORS = ['front-left-door', 'front-right-door'];
const ENDS = ['front-bumper', 'rear-bumper', 'windscreen'];

/** Parts of the cars that a scenario may name. */
export const CARS = {
  hatchback: [
    ...ENDS,
    'bonnet',
    'rear-glass',
    ...LIGHTS,
    ...FRONT_DOORS,
    'rear-left-door',
    'rear-right-door',
    ...TYRES,
  ],
  van: [...ENDS, 'bonnet', ...LIGHTS, ...FRONT_DOORS, ...TYRES],
  roadster: [...ENDS, 'rear-glass', 'left-headlight', 'right-headlight', ...FRONT_DOORS, ...TYRES],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type CarKind = keyof typeof CARS;
export const CAR_KINDS = ['hatchback', 'van', 'roadster'] as const satisfies readonly CarKind[];

/** The sprite of a custom part on a side of the car. */
export function mountedSprite(kind: PartKind, side: Angle): string {
  const word = { 0: 'front', 90: 'left', 180: 'rear', 270: 'right' }[side];
  const isDrawn = Object.values(BUILT_IN_PARTS).some(({ sprite }) => sprite === `car/${kind}-${word}`);
  return isDrawn ? `car/${kind}-${word}` : 'car/panel';
}

/** The sprite of a part in hands and on the shelf. */
export function looseSprite(kind: PartKind): string {
  return `item/part-${kind}`;
}

/**
 * The workcell's definition: a car on its stand, its possible faults, the spares on the shelf, and the robots
 * that work there. Plain checked JSON, as written by the scenario's reader and stored in the log. Whatever
 * the seed decides (car, fault, spares) is a choice here; `create.ts` draws it.
 */
import type { Point } from '../../environment/space.js';

/**
 * A robot's side, in degrees: 0 at the front of the car, 90 at its left, 180 at its rear, 270 at its right.
 */
export const ANGLES = [0, 90, 180, 270] as const;
export type Angle = (typeof ANGLES)[number];

const SIDES: Readonly<Record<Angle, string>> = {
  0: 'front',
  90: 'left side',
  180: 'rear',
  270: 'right side',
};

/** "left side". */
export function sideName(angle: Angle): string {
  return SIDES[angle];
}

/** "the left side (90°)". */
export function theSide(angle: Angle): string {
  return `the ${SIDES[angle]} (${angle}°)`;
}

export interface FaultDefinition {
  readonly id: string;
  /** The text of an inspection: a sentence or two. */
  readonly finding: string;
}

export interface PartDefinition extends Point {
  /** Names the part and its place alike. */
  readonly id: string;
  readonly name: string;
  readonly side: Angle;
  /** Shown by an inspection that finds nothing wrong; may be empty. */
  readonly description: string;
  /** Its possible faults; at least one. */
  readonly faults: readonly FaultDefinition[];
  /** Tile of the tileset, on the car. */
  readonly sprite: string;
  /** Tile of the tileset, in hands and on the shelf. */
  readonly looseSprite: string;
}

export interface CarDefinition {
  readonly name: string;
  /**
   * By side, then in the order of the side's places; x and y are tiles of the car, counted from its front
   * left corner.
   */
  readonly parts: readonly PartDefinition[];
}

/** One fault of the car; the seed decides whatever is null. */
export interface FaultChoice {
  readonly part: string | null;
  readonly side: Angle | null;
  readonly fault: string | null;
}

export type Stock =
  | { readonly kind: 'listed'; readonly parts: readonly string[] }
  /** So many spares: one for each fault, the others drawn. */
  | { readonly kind: 'drawn'; readonly count: number };

export interface RobotDefinition {
  readonly id: string;
  readonly name: string;
  readonly sprite: string;
  readonly orientation: Angle;
  /** The actions that it may use; null: all. */
  readonly actions: readonly string[] | null;
}

export interface WorkcellRules {
  /** `scan`: a side is seen once it was scanned; `eyes`: as soon as the robot is there. */
  readonly sight: 'scan' | 'eyes';
  /** Whether burning a sound part ends the run as failed. */
  readonly isBurningSoundFatal: boolean;
  /** If robots act at once, chance decides in each tick who comes first; by default, the lower id does. */
  readonly ties?: 'drawn';
}

export interface WorkcellDefinition {
  /** At least 15 × 15 tiles, both odd. */
  readonly window: { readonly columns: number; readonly rows: number };
  /** The seed decides which one is used. */
  readonly cars: readonly CarDefinition[];
  readonly faults: readonly FaultChoice[];
  readonly stock: Stock;
  /** In turn order; at most four. */
  readonly robots: readonly RobotDefinition[];
  readonly rules: WorkcellRules;
}

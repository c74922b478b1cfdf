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
  id: string;
  /** The text of an inspection: a sentence or two. */
  finding: string;
}

export interface PartDefinition extends Point {
  /** Names the part and its place alike. */
  id: string;
  name: string;
  side: Angle;
  /** Shown by an inspection that finds nothing wrong; may be empty. */
  description: string;
  /** Its possible faults; at least one. */
  faults: readonly FaultDefinition[];
  /** Tile of the tileset, on the car. */
  sprite: string;
  /** Tile of the tileset, in hands and on the shelf. */
  looseSprite: string;
}

export interface CarDefinition {
  name: string;
  /**
   * By side, then in the order of the side's places; x and y are tiles of the car, counted from its front
   * left corner.
   */
  parts: readonly PartDefinition[];
}

/** One fault of the car; the seed decides whatever is null. */
export interface FaultChoice {
  part: string | null;
  side: Angle | null;
  fault: string | null;
}

export type Stock =
  | { kind: 'listed'; parts: readonly string[] }
  /** So many spares: one for each fault, the others drawn. */
  | { kind: 'drawn'; count: number };

export interface RobotDefinition {
  id: string;
  name: string;
  sprite: string;
  orientation: Angle;
  /** The actions that it may use; null: all. */
  actions: readonly string[] | null;
}

export interface WorkcellRules {
  /** `scan`: a side is seen once it was scanned; `eyes`: as soon as the robot is there. */
  sight: 'scan' | 'eyes';
  /** Whether burning a sound part ends the run as failed. */
  isBurningSoundFatal: boolean;
  /** If robots act at once, chance decides in each tick who comes first; by default, the lower id does. */
  ties?: 'drawn';
}

export interface WorkcellDefinition {
  /** At least 15 × 15 tiles, both odd. */
  window: { columns: number; rows: number };
  /** The seed decides which one is used. */
  cars: readonly CarDefinition[];
  faults: readonly FaultChoice[];
  stock: Stock;
  /** In turn order; at most four. */
  robots: readonly RobotDefinition[];
  rules: WorkcellRules;
}

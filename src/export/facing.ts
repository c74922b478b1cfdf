/** Where bodies look: the way that they went last. In: steps; out: directions by id, kept up to date. */
import { DIRECTIONS, stepOf } from '../environment/space.js';
import type { Point } from '../environment/space.js';
import type { StepRecord } from '../trajectory/records.js';
import { walksOf } from '../replay/walks.js';

/** Changes `facing`, which holds nothing of those who never went anywhere. */
export function facingAfter(facing: Map<string, string>, steps: readonly StepRecord[]): void {
  for (const step of steps)
    for (const { actor, path } of walksOf([step])) {
      const way = directionOf(path.at(-2), path.at(-1));
      if (way !== null) facing.set(actor, way);
    }
}

function directionOf(from: Point | undefined, to: Point | undefined): string | null {
  if (from === undefined || to === undefined) return null;
  const [x, y] = [Math.sign(to.x - from.x), Math.sign(to.y - from.y)];
  return DIRECTIONS.find((direction) => stepOf(direction).x === x && stepOf(direction).y === y) ?? null;
}

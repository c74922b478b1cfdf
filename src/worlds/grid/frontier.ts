/**
 * The frontier of an agent's knowledge of the map: the nearest tiles that it believes reachable and that are
 * next to tiles it has never seen, on the whole map or in its own room. There is at most one tile in each
 * direction.
 */
import { LIMITS } from '../../base/limits.js';
import type { Direction, Point } from '../../environment/space.js';
import { CARDINALS, bearing, stepOf } from '../../environment/space.js';
import type { GroundMap } from './known-map.js';
import { GROUND } from './known-map.js';
import type { AgentView } from './view.js';
import type { GridWorld } from './world.js';
import { DOORWAY, tileIndex } from './world.js';

const STEPS = CARDINALS.map(stepOf);

/** A tile that the agent believes it can reach, next to one that it has never seen. */
export interface FrontierTile extends Point {
  /** From the agent's position; null: its own tile. */
  direction: Direction | null;
  /** Steps of the shortest known path, without diagonals. */
  steps: number;
}

/** What the search found out about a tile; 0: nothing yet. */
const [REACHED, UNSEEN, OTHER] = [1, 2, 3];

/**
 * The nearest frontier tile in each direction, nearest first; empty if all searched tiles are known. The
 * search covers the nearest `LIMITS.frontierTiles` tiles, or up to four times as many if it finds none there.
 */
export function frontierOf(
  world: GridWorld,
  { self }: AgentView,
  ground: GroundMap,
  isWithin: (x: number, y: number) => boolean = () => true,
): readonly FrontierTile[] {
  const { width, height } = world.definition.size;
  const nearest = new Map<Direction | null, FrontierTile>();
  const marks = new Uint8Array(width * height);
  const start = self.y * width + self.x;
  marks[start] = REACHED;
  const queue = [start];
  const steps = [0];
  for (let next = 0; next < queue.length; next++) {
    if (next >= LIMITS.frontierTiles * (nearest.size > 0 ? 1 : 4)) break;
    const tile = queue[next] ?? start;
    const stepsHere = steps[next] ?? 0;
    const x = tile % width;
    const y = Math.floor(tile / width);
    let isEdge = false;
    for (const step of STEPS) {
      const besideX = x + step.x;
      const besideY = y + step.y;
      if (besideX < 0 || besideY < 0 || besideX >= width || besideY >= height) continue;
      const beside = besideY * width + besideX;
      if (marks[beside] === 0) {
        const kind = ground(besideX, besideY);
        const isReached = kind === GROUND.walkable && isWithin(besideX, besideY);
        marks[beside] = kind === GROUND.unknown ? UNSEEN : isReached ? REACHED : OTHER;
        if (isReached) {
          queue.push(beside);
          steps.push(stepsHere + 1);
        }
      }
      if (marks[beside] === UNSEEN) isEdge = true;
    }
    const direction = isEdge ? bearing(self, { x, y }) : null;
    if (isEdge && !nearest.has(direction)) nearest.set(direction, { x, y, direction, steps: stepsHere });
  }
  return [...nearest.values()];
}

/**
 * On each side of the agent's own room, the nearest of its tiles next to one that the agent has never seen;
 * none if that side is known.
 */
export function roomEdges(
  world: GridWorld,
  view: AgentView,
  ground: GroundMap,
): ReadonlyMap<Direction, FrontierTile> {
  const { definition, owners, light } = world;
  const ownRoom = owners[tileIndex(definition, view.self)];
  const isSameRoom = (x: number, y: number): boolean => {
    const tile = y * definition.size.width + x;
    return owners[tile] === ownRoom && light[tile] !== DOORWAY;
  };
  const edges = frontierOf(world, view, ground, isSameRoom);
  const sides = new Map<Direction, FrontierTile>();
  for (const side of CARDINALS) {
    const edgesOnSide = edges.filter(({ direction }) => direction?.split('-').includes(side) === true);
    const edge = edgesOnSide.find(({ direction }) => direction === side) ?? edgesOnSide[0];
    if (edge !== undefined) sides.set(side, edge);
  }
  return sides;
}

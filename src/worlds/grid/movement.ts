/**
 * Movement of one tick: claim → resolve → enact. Each walker claims the tile on which its walk ends; claims
 * are resolved together, so that their order does not matter; all granted ones are enacted at once.
 * Sequential order is the same with a single claim. If several claim the same tile, the first in the order of
 * `ties.ts` gets it. Bodies that would swap places or move in a cycle all stay. A tile is refused if its
 * occupant stays, and granted if it leaves in this tick. A walk of several tiles passes agents but not NPCs,
 * and stops at an obstacle that its planner didn't know of.
 */
import { known } from '../../base/assert.js';
import type { Problem } from '../../base/problem.js';
import { problem } from '../../base/problem.js';
import type { Point } from '../../environment/space.js';
import { samePoint } from '../../environment/space.js';
import { moveBodies } from './change.js';
import { actualObstacle } from './believed-walkability.js';
import { canSee } from './sight.js';
import type { GridState } from './state.js';
import { hasOpenCorners } from './walk-search.js';
import { theName } from '../../environment/wording.js';
import type { GridWorld } from './world.js';
import { bodiesAt, positionOf } from './world.js';

/** A walk as it will be performed if its last tile is granted. */
export interface TileClaim {
  agent: string;
  /** From the walker's tile to the one it claims; only its own tile if it can't take a step. */
  path: readonly Point[];
  /** The reason why the walk is cut short, as a clause for the walker; null if it goes as planned. */
  stopped: string | null;
}

/** The outcome of a claim. */
export type MoveGrant = { ok: true } | { ok: false; problem: Problem };

/** The planned path up to the first actual obstacle. */
export function claimOf(
  world: GridWorld,
  state: GridState,
  walker: { agent: string; planned: readonly Point[] },
): TileClaim {
  const { agent, planned } = walker;
  const path = [positionOf(state, agent)];
  for (const tile of planned.slice(1)) {
    const from = known(path.at(-1), 'a tile of the path');
    const stopped = obstacleBetween(world, state, { agent, from, to: tile });
    if (stopped !== null) return { agent, path: withFreeEnd(world, state, agent, path), stopped };
    path.push(tile);
  }
  return { agent, path, stopped: null };
}

/**
 * Shortens claims whose last tile is occupied by a body that will not move: the walk ends one tile before it,
 * because only there the walker learns that the tile is occupied. A single step is refused instead.
 */
export function shortenClaims(
  world: GridWorld,
  state: GridState,
  claims: readonly TileClaim[],
): readonly TileClaim[] {
  const walking = new Set(claims.filter((claim) => claim.path.length > 1).map((claim) => claim.agent));
  return claims.map((claim) => {
    const holder = otherBodiesOn(world, state, claim.agent, endOf(claim)).find((id) => !walking.has(id));
    if (holder === undefined) return claim;
    const path = withFreeEnd(world, state, claim.agent, claim.path);
    if (path.length < 2) return claim;
    return { agent: claim.agent, path, stopped: `${visibleName(world, state, claim, holder)} stands there` };
  });
}

/** What stops a walker from stepping onto a tile; null if nothing does. */
function obstacleBetween(
  world: GridWorld,
  state: GridState,
  step: { agent: string; from: Point; to: Point },
): string | null {
  const obstacle = actualObstacle(world, state, step.to);
  if (obstacle !== null) return obstacle.description;
  const isOpen = (x: number, y: number): boolean => actualObstacle(world, state, { x, y }) === null;
  if (!hasOpenCorners(step.from, step.to, isOpen)) return 'the corner is blocked';
  const npc = otherBodiesOn(world, state, step.agent, step.to).find((id) => world.npcs.has(id));
  return npc === undefined ? null : `${nameOf(world, npc)} is in the way`;
}

/** A walk cut short ends on the last unoccupied tile. */
function withFreeEnd(
  world: GridWorld,
  state: GridState,
  agent: string,
  path: readonly Point[],
): readonly Point[] {
  const last = path.findLastIndex((tile) => otherBodiesOn(world, state, agent, tile).length === 0);
  return path.slice(0, Math.max(last, 0) + 1);
}

/** Ids of other bodies on a tile, which keep the agent from entering it; none if bodies don't block. */
function otherBodiesOn(world: GridWorld, state: GridState, agent: string, tile: Point): readonly string[] {
  if (!world.definition.rules.bodiesBlock) return [];
  return bodiesAt(state, tile)
    .map(({ id }) => id)
    .filter((id) => id !== agent);
}

function nameOf(world: GridWorld, id: string): string {
  return theName(known(world.bodies.get(id), id).name);
}

/** The name of a body at the end of a claim, or "somebody" if the walker doesn't see that tile. */
function visibleName(world: GridWorld, state: GridState, claim: TileClaim, other: string): string {
  return canSee(world, state, claim.agent, endOf(claim)) ? nameOf(world, other) : 'somebody';
}

function endOf(claim: TileClaim): Point {
  return known(claim.path.at(-1), 'the end of a claim');
}

/**
 * The outcome of each claim, by agent. The order of the claims has no effect; `order` lists every agent and
 * determines who comes first.
 */
export function resolve(
  world: GridWorld,
  state: GridState,
  claims: readonly TileClaim[],
  order: readonly string[],
): ReadonlyMap<string, MoveGrant> {
  const grants = new Map<string, MoveGrant>();
  const moving = new Map<string, TileClaim>();
  for (const claim of claims.toSorted((a, b) => order.indexOf(a.agent) - order.indexOf(b.agent))) {
    if (claim.path.length > 1) moving.set(claim.agent, claim);
    else {
      const message = `You could not take a step: ${claim.stopped ?? 'the way is blocked'}.`;
      grants.set(claim.agent, { ok: false, problem: problem('illegal/blocked', message) });
    }
  }
  if (world.definition.rules.bodiesBlock) {
    refuseRivals(world, state, { moving, grants });
    refuseOccupied(world, state, { moving, grants });
    refuseCycles(world, state, { moving, grants });
  }
  for (const agent of moving.keys()) grants.set(agent, { ok: true });
  return grants;
}

/** Of several claims to the same tile, only the first is kept; `moving` is in the order of `ties.ts`. */
function refuseRivals(world: GridWorld, state: GridState, tally: MovementTally): void {
  const winners: TileClaim[] = [];
  for (const claim of tally.moving.values()) {
    const winner = winners.find((other) => samePoint(endOf(other), endOf(claim)));
    if (winner === undefined) winners.push(claim);
    else refuse(claim, `${visibleName(world, state, claim, winner.agent)} got there first`, tally);
  }
}

interface MovementTally {
  moving: Map<string, TileClaim>;
  grants: Map<string, MoveGrant>;
}

function refuse(claim: TileClaim, why: string, { moving, grants }: MovementTally): void {
  moving.delete(claim.agent);
  grants.set(claim.agent, {
    ok: false,
    problem: problem('illegal/occupied', `You stayed where you are: ${why}.`),
  });
}

/** Refuses claims to tiles whose occupant stays; repeated, because each refusal may block another walker. */
function refuseOccupied(world: GridWorld, state: GridState, tally: MovementTally): void {
  for (let isSettled = false; !isSettled;) {
    isSettled = true;
    for (const claim of tally.moving.values()) {
      const blocker = otherBodiesOn(world, state, claim.agent, endOf(claim)).find(
        (id) => !tally.moving.has(id),
      );
      if (blocker === undefined) continue;
      refuse(claim, `${visibleName(world, state, claim, blocker)} stands there`, tally);
      isSettled = false;
    }
  }
}

/** Refuses claims of bodies that would swap places or move in a longer cycle. */
function refuseCycles(world: GridWorld, state: GridState, tally: MovementTally): void {
  const blockerOf = (agent: string): string | undefined => {
    const claim = tally.moving.get(agent);
    return claim && otherBodiesOn(world, state, agent, endOf(claim))[0];
  };
  const inCycle = [...tally.moving.keys()].filter((agent) => {
    let other = blockerOf(agent);
    for (let steps = 0; other !== undefined && other !== agent && steps < tally.moving.size; steps++) {
      other = blockerOf(other);
    }
    return other === agent;
  });
  for (const agent of inCycle) {
    const claim = known(tally.moving.get(agent), agent);
    const other = otherBodiesOn(world, state, agent, endOf(claim))[0] ?? agent;
    refuse(claim, `you and ${visibleName(world, state, claim, other)} were in each other's way`, tally);
  }
}

/** The state with every granted claim performed. */
export function enact(
  state: GridState,
  claims: readonly TileClaim[],
  grants: ReadonlyMap<string, MoveGrant>,
): GridState {
  const granted = claims.filter((claim) => grants.get(claim.agent)?.ok === true);
  return moveBodies(
    state,
    granted.map(({ agent, path }) => ({ id: agent, path })),
  );
}

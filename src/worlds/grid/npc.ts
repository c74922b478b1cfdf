/**
 * NPC behaviours: where an NPC steps at the end of a turn, and what it remembers. NPCs act one after another,
 * use their own sight (in all directions), open no doors and wait if their path is blocked. All randomness
 * comes from the NPC's own stream in the state, so a replay gives the same moves.
 */
import { assertNever, at, known } from '../../base/assert.js';
import { compareText } from '../../base/ids.js';
import { lookUp } from '../../base/look-up.js';
import { nextBelow, pick } from '../../base/rng.js';
import type { Point } from '../../environment/space.js';
import { distance, samePoint } from '../../environment/space.js';
import { setNpc } from './change.js';
import type { Behaviour, NpcDefinition } from './definition.js';
import { findPath } from './paths.js';
import { visibleTiles } from './sight.js';
import type { BodyState, GridState, NpcState } from './state.js';
import type { GridWorld } from './world.js';
import { openSteps } from './walk-search.js';
import { bodiesAt, bodyOf, isWalkable, positionOf } from './world.js';

/** An NPC's decision: the state with its memory and its draws, and the tile to step on; null: it stays. */
export interface NpcDecision {
  state: GridState;
  step: Point | null;
}

type ActiveBehaviour<K extends Behaviour['kind']> = {
  npc: NpcDefinition;
  behaviour: Extract<Behaviour, { kind: K }>;
};

export function decide(world: GridWorld, state: GridState, npc: NpcDefinition): NpcDecision {
  const { behaviour } = npc;
  switch (behaviour.kind) {
    case 'still':
      return { state, step: null };
    case 'wander':
      return wander(world, state, { npc, behaviour });
    case 'patrol':
      return patrol(world, state, { npc, behaviour });
    case 'chase':
      return chase(world, state, { npc, behaviour });
    case 'flee':
      return flee(world, state, { npc, behaviour });
    default:
      return assertNever(behaviour, 'behaviour');
  }
}

/** The tiles that an NPC can step on now. */
function openTiles(world: GridWorld, state: GridState, npc: string): readonly Point[] {
  return openSteps(world, positionOf(state, npc), {
    isFree: (x, y) => isWalkable(world, state, { x, y }) && isUnoccupied(world, state, { x, y }),
    isOpen: (x, y) => isWalkable(world, state, { x, y }),
  });
}

function isUnoccupied(world: GridWorld, state: GridState, tile: Point): boolean {
  return !world.definition.rules.bodiesBlock || bodiesAt(state, tile).length === 0;
}

function wander(
  world: GridWorld,
  state: GridState,
  { npc, behaviour }: ActiveBehaviour<'wander'>,
): NpcDecision {
  const key = `npc:${npc.id}`;
  const chance = nextBelow(known(lookUp(state.rng, key), `stream ${key}`), behaviour.every);
  const choices = chance.value === 0 ? openTiles(world, state, npc.id) : [];
  if (choices.length === 0) return { state: withRandomStream(state, key, chance.state), step: null };
  const choice = pick(chance.state, choices);
  return { state: withRandomStream(state, key, choice.state), step: choice.value };
}

function withRandomStream(state: GridState, key: string, stream: GridState['rng'][string]): GridState {
  return { ...state, rng: { ...state.rng, [key]: stream } };
}

function patrol(
  world: GridWorld,
  state: GridState,
  { npc, behaviour }: ActiveBehaviour<'patrol'>,
): NpcDecision {
  const here = positionOf(state, npc.id);
  const before = mindOfNpc(state, npc.id);
  const goal = behaviour.route[before.leg];
  if (goal === undefined) return { state, step: null };
  const mind = samePoint(here, goal) ? nextLeg(before, behaviour) : before;
  const step = stepTowards(world, state, { npc: npc.id, to: at(behaviour.route, mind.leg) });
  return { state: remember(state, npc.id, mind), step };
}

/** The leg after the one that was reached: in a loop, or back and forth. */
function nextLeg(mind: NpcState, { route, loop }: Extract<Behaviour, { kind: 'patrol' }>): NpcState {
  if (loop) return { ...mind, leg: (mind.leg + 1) % route.length };
  const hasNext = mind.leg + mind.heading >= 0 && mind.leg + mind.heading < route.length;
  if (hasNext) return { ...mind, leg: mind.leg + mind.heading };
  const back = mind.heading === 1 ? -1 : 1;
  return { ...mind, leg: Math.max(0, Math.min(route.length - 1, mind.leg + back)), heading: back };
}

/** Goes to where it last saw a target; forgets that position once it is there and sees none. */
function chase(
  world: GridWorld,
  state: GridState,
  { npc, behaviour }: ActiveBehaviour<'chase'>,
): NpcDecision {
  const seen = nearestSeen(world, state, {
    npc: npc.id,
    candidates: behaviour.targets,
    radius: behaviour.sightRadius,
  });
  const before = mindOfNpc(state, npc.id);
  const goal = seen ?? before.lastSeen;
  const hasArrived = goal !== null && samePoint(goal, positionOf(state, npc.id));
  const lastSeen = hasArrived && seen === null ? null : goal;
  const after = remember(state, npc.id, { ...before, lastSeen });
  return { state: after, step: lastSeen && stepTowards(world, state, { npc: npc.id, to: lastSeen }) };
}

/** Goes away from where it last saw the nearest threat, until that position is outside its sight radius. */
function flee(world: GridWorld, state: GridState, { npc, behaviour }: ActiveBehaviour<'flee'>): NpcDecision {
  const seen = nearestSeen(world, state, {
    npc: npc.id,
    candidates: behaviour.from,
    radius: behaviour.sightRadius,
  });
  const before = mindOfNpc(state, npc.id);
  const here = positionOf(state, npc.id);
  const threat = seen ?? before.lastSeen;
  const isSafe = threat === null || distance(here, threat) > behaviour.sightRadius;
  const after = remember(state, npc.id, { ...before, lastSeen: isSafe ? null : threat });
  return { state: after, step: isSafe ? null : stepAway(world, state, { npc: npc.id, threat }) };
}

/** The step that leads farthest away; null if all of them lead nearer or sideways. */
function stepAway(
  world: GridWorld,
  state: GridState,
  { npc, threat }: { npc: string; threat: Point },
): Point | null {
  let best: Point | null = null;
  let farthest = distance(positionOf(state, npc), threat);
  for (const tile of openTiles(world, state, npc)) {
    if (distance(tile, threat) <= farthest) continue;
    best = tile;
    farthest = distance(tile, threat);
  }
  return best;
}

/** The first step of a shortest path; null while it is occupied or there is no path. */
function stepTowards(
  world: GridWorld,
  state: GridState,
  { npc, to }: { npc: string; to: Point },
): Point | null {
  const options = { diagonals: world.hasDiagonals, blocked: () => false };
  const path = findPath(world, state, positionOf(state, npc), to, options);
  const step = path?.[1];
  return step !== undefined && isUnoccupied(world, state, step) ? step : null;
}

/** The tile of the nearest of these bodies that the NPC sees and that still act; ties by id. */
function nearestSeen(
  world: GridWorld,
  state: GridState,
  { npc, candidates, radius }: { npc: string; candidates: readonly string[]; radius: number },
): Point | null {
  const here = positionOf(state, npc);
  const sight = visibleTiles(world, state, here, radius, null);
  const seen = candidates
    .map((id) => bodyOf(state, id))
    .filter((body): body is BodyState => body?.status === 'awake' && sight.has(body.x, body.y))
    .toSorted((a, b) => distance(here, a) - distance(here, b) || compareText(a.id, b.id));
  const nearest = seen[0];
  return nearest === undefined ? null : { x: nearest.x, y: nearest.y };
}

function mindOfNpc(state: GridState, npc: string): NpcState {
  return known(lookUp(state.npcs, npc), `mind of ${npc}`);
}

/** Copies nothing if nothing changed. */
function remember(state: GridState, npc: string, mind: NpcState): GridState {
  const before = mindOfNpc(state, npc);
  const isSame =
    before.leg === mind.leg && before.heading === mind.heading && before.lastSeen === mind.lastSeen;
  return isSame ? state : setNpc(state, npc, mind);
}

/** Where a reference player goes: to what it plans to reach, into rooms, and to what it has not seen. */
import type { CandidateAction } from '../../../agent/controllers/scripted-player.js';
import type { Point } from '../../../environment/space.js';
import { moved } from '../../../environment/space.js';
import { isWithinReach } from '../world.js';
import type { Act } from './acts.js';
import type { Belief } from './belief.js';
import { placeOf } from './belief.js';
import type { Way } from './ground.js';

/** A step on a way that takes so many turns. */
export interface Step {
  turns: number;
  wish: CandidateAction;
}

/** The first step to where an act is done; null if it is there; undefined without a way. */
export function stepTo(belief: Belief, at: Act['at']): Step | null | undefined {
  if (at === null) return null;
  const { facts, ground, goesTo } = belief;
  const place = 'id' in at ? placeOf(belief, at.id) : 'x' in at ? at : null;
  if (place === undefined) return undefined;
  const isThere = (tile: Point): boolean =>
    'room' in at ? ground.roomOf(tile) === at.room : place !== null && isWithinReach(tile, place, at.tiles);
  if (isThere(facts.self)) return null;
  if (facts.movement === 'tile' || !goesTo || 'x' in at) return stepOn(belief, ground.wayTo(isThere));
  const target = 'room' in at ? at.room : at.id;
  if ('room' in at && !facts.rooms.includes(target)) return undefined;
  return { turns: 2, wish: { command: `GO TO ${target}`, why: 'I have to be there.' } };
}

/** A step, or the door open that is in its way; null at the end of the way. */
function stepOn({ facts, ground }: Belief, way: Way | null): Step | null | undefined {
  if (way?.step == null) return way === null ? undefined : null;
  const { turns, step } = way;
  const door = ground.doorAt(moved(facts.self, step));
  const wish =
    door?.state === 'closed'
      ? { command: `OPEN ${door.id}`, why: 'The way leads through it.' }
      : { command: `GO ${step}`, why: 'This is my way.' };
  return { turns, wish };
}

/** To what it has not seen, or not since something changed, or into a part that it has seen only from outside. */
export function toSearch(belief: Belief): Step | null {
  const { facts, ground } = belief;
  if (facts.movement === 'room') return null;
  const unseen = ground.wayTo((_tile, mark) => '?,'.includes(mark));
  const isOutside = (tile: Point, mark: string): boolean =>
    mark === '.' && ground.roomOf(tile) === null && ground.doorAt(tile) === null;
  return stepOn(belief, unseen ?? ground.wayTo(isOutside)) ?? null;
}

/** Where a reference player goes: to what it plans to reach, into rooms, and to what it has not seen. */
import type { CandidateAction } from '../../../agent/controllers/scripted-player.js';
import type { Point } from '../../../environment/space.js';
import { moved } from '../../../environment/space.js';
import type { Belief } from './belief.js';
import type { Ground, Way } from './ground.js';
import { isWithin } from './ground.js';
import type { ScriptedSituation } from './situation.js';
import type { Planner, Step } from './tasks.js';

/** Plans by what it believes: how it comes near something, or into a room. */
export function plannerIn(belief: Belief, situation: ScriptedSituation): Planner {
  const { facts, ground } = belief;
  const walk = (isGoal: (tile: Point) => boolean) => stepOn(belief, ground.wayTo(isGoal));
  const byRoom = facts.movement === 'room' && situation.goesTo;
  return {
    belief,
    can: (verb) => situation.scope.has(verb),
    approach: (target, within = 1) => {
      if (isWithin(facts.self, target, within)) return null;
      if (byRoom && target.id !== '') return { turns: 2, wish: goTo(target.id) };
      return walk((tile) => isWithin(tile, target, within));
    },
    enter: (room) => {
      if (byRoom) return facts.rooms.includes(room) ? { turns: 2, wish: goTo(room) } : undefined;
      return walk((tile) => ground.roomOf(tile) === room) ?? undefined;
    },
  };
}

function goTo(target: string): CandidateAction {
  return { command: `GO TO ${target}`, why: 'I have to be there.' };
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

const AROUND = [-2, -1, 0, 1, 2];

/** To what it has not seen, or not since something changed; null if it has seen all that it can get to. */
export function toSearch(belief: Belief): Step | null {
  const { width, height } = belief.definition.size;
  const isUnseen = (tile: Point): boolean =>
    tile.x < width && tile.y < height && '?,'.includes(belief.ground.mark(tile));
  // The nearest, but rather where more around it is unseen: five tiles are worth a step.
  const worth = ({ x, y }: Point): number =>
    AROUND.flatMap((dy) => AROUND.map((dx) => ({ x: x + dx, y: y + dy }))).filter(isUnseen).length / 5;
  return toTile(belief, isUnseen, worth);
}

/** Into a part that it has seen from outside, which may be a room that it needs. */
export function toEnter(belief: Belief): Step | null {
  const { ground } = belief;
  return toTile(
    belief,
    (tile, mark) => mark === '.' && ground.roomOf(tile) === null && ground.doorAt(tile) === null,
  );
}

function toTile(belief: Belief, ...goal: Parameters<Ground['wayTo']>): Step | null {
  if (belief.facts.movement === 'room') return null;
  return stepOn(belief, belief.ground.wayTo(...goal)) ?? null;
}

/**
 * Events of the workcell, with the robots that could perceive them: the actor and the robots at the same
 * side. Data by kind: turned {from, to}; scanned {side}; inspected {part}; removed, attached {part}; burnt,
 * fetched {item}; listed {}; handed-over {item, to}; said {text, hearers}.
 */
import type { Json } from '../../base/json.js';
import type { Event } from '../../environment/action.js';
import { stationOf } from './layout.js';
import type { WorkcellState } from './state.js';
import type { Workcell } from './world.js';
import { robotOf, robotsAt } from './world.js';
import { sortedIds } from './change.js';

/** Actions that no other robot notices. */
const PRIVATE = new Set(['scanned', 'inspected', 'listed']);

/** An event of a robot at its side in `state`. */
export function happened(
  world: Workcell,
  state: WorkcellState,
  {
    kind,
    actor,
    data = {},
  }: { readonly kind: string; readonly actor: string; readonly data?: Readonly<Record<string, Json>> },
): Event {
  const { orientation } = robotOf(state, actor);
  const seenBy = PRIVATE.has(kind) ? [actor] : robotsAt(state, orientation);
  return { kind, actor, at: tileOf(world, state, actor), data, seenBy };
}

/** The same event, also seen by further robots, such as those at the side that a robot left. */
export function alsoSeenBy(event: Event, robots: readonly string[]): Event {
  return { ...event, seenBy: sortedIds([...new Set([...event.seenBy, ...robots])]) };
}

/** The tile of a robot. */
export function tileOf(world: Workcell, state: WorkcellState, id: string) {
  const index = world.definition.robots.findIndex((robot) => robot.id === id);
  return stationOf(robotOf(state, id).orientation, index).robot;
}

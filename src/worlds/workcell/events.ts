/**
 * Events of the workcell, with the robots that could perceive them: the actor and the robots at the same
 * side; and what those are told. Data by kind: turned {from, to}; scanned {side}; inspected {part}; removed,
 * attached {part, item}; burnt, fetched {item}; listed {}; handed-over {item, to}; said {text, hearers}.
 */
import { compareText } from '../../base/ids.js';
import type { Json } from '../../base/json.js';
import type { Event } from '../../environment/action.js';
import { capitalised, nameText, theName } from '../../environment/wording.js';
import { ANGLES, theSide } from './definition.js';
import type { WorkcellState } from './state.js';
import type { Workcell } from './world.js';
import { itemName, partDefinition, robotName, robotOf, robotsAt, tileOf } from './world.js';

/** Actions that no other robot notices. */
const PRIVATE = new Set(['scanned', 'inspected', 'listed']);

/** An event of a robot at its side in `state`. */
export function happened(
  world: Workcell,
  state: WorkcellState,
  actor: string,
  kind: string,
  data: Readonly<Record<string, Json>>,
): Event {
  const seenBy = PRIVATE.has(kind) ? [actor] : robotsAt(state, robotOf(state, actor).orientation);
  return { kind, actor, at: tileOf(world, state, actor), data, seenBy };
}

/** The same event, also seen by further robots, such as those at the side that a robot left. */
export function alsoSeenBy(event: Event, robots: readonly string[]): Event {
  return { ...event, seenBy: [...new Set([...event.seenBy, ...robots])].toSorted(compareText) };
}

/** What a robot that saw an event is told of it; null for nothing. */
export function noticeOf(
  world: Workcell,
  state: WorkcellState,
  robot: string,
  { kind, actor, data }: Event,
): string | null {
  if (actor === null) return null;
  const name = capitalised(theName(robotName(world, actor)));
  const textOf = (value: Json | undefined): string => (typeof value === 'string' ? value : '');
  const item = (): string => itemName(world, state, textOf(data['item']));
  switch (kind) {
    case 'turned': {
      const to = ANGLES.find((angle) => angle === data['to']);
      if (to === undefined) return null;
      const hasCome = robotOf(state, robot).orientation === to;
      return `${name} ${hasCome ? 'came to' : 'left for'} ${theSide(to)}.`;
    }
    case 'removed':
      return `${name} removed the ${nameText(partDefinition(world, state, textOf(data['part'])).name)}.`;
    case 'attached':
      return `${name} attached the ${item()}.`;
    case 'burnt':
      return `${name} burnt a part.`;
    case 'fetched':
      return `${name} took a part from the shelf.`;
    case 'handed-over':
      return data['to'] === robot ? `${name} gave you the ${item()}.` : `${name} handed a part over.`;
    default:
      return null;
  }
}

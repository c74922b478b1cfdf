/** What robots see of others' actions at their side: one line per event, for each robot that saw it. */
import type { Json } from '../../base/json.js';
import type { Event } from '../../environment/action.js';
import { addInbox } from './change.js';
import type { WorkcellState } from './state.js';
import type { Workcell } from './world.js';
import { anyPart, itemName, robotName, robotOf } from './world.js';
import { capitalised, nameText, theName, theSide } from './wording.js';
import { ANGLES } from './definition.js';

/**
 * The state with every event reported to the robots that saw it, except its doer. Speech was delivered when
 * it was said.
 */
export function tellEvents(world: Workcell, state: WorkcellState, events: readonly Event[]): WorkcellState {
  return events.reduce(
    (now, event) =>
      event.seenBy
        .filter((id) => id !== event.actor)
        .reduce((after, id) => tellOne(world, after, event, id), now),
    state,
  );
}

function tellOne(world: Workcell, state: WorkcellState, event: Event, robot: string): WorkcellState {
  const line = lineOf(world, state, event, robot);
  return line === null ? state : addInbox(state, robot, { kind: 'noticed', line });
}

function lineOf(world: Workcell, state: WorkcellState, event: Event, robot: string): string | null {
  const { kind, actor, data } = event;
  if (actor === null) return null;
  const who = capitalised(theName(robotName(world, actor)));
  const item = textOf(data['item']);
  switch (kind) {
    case 'turned': {
      const to = ANGLES.find((angle) => angle === data['to']);
      if (to === undefined) return null;
      return robotOf(state, robot).orientation === to
        ? `${who} came to ${theSide(to)}.`
        : `${who} left for ${theSide(to)}.`;
    }
    case 'removed':
      return `${who} removed the ${nameText(anyPart(world, state, textOf(data['part'])).name)}.`;
    case 'attached':
      return `${who} attached the ${itemName(world, state, item)}.`;
    case 'burnt':
      return `${who} burnt a part.`;
    case 'fetched':
      return `${who} took a part from the shelf.`;
    case 'handed-over':
      return textOf(data['to']) === robot
        ? `${who} gave you the ${itemName(world, state, item)}.`
        : `${who} handed a part over.`;
    default:
      return null;
  }
}

function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}

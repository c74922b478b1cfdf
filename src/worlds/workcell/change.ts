/**
 * The setters with which rules change the state: pure and copy-on-write. They don't check whether a change is
 * allowed; the caller has done so.
 */
import { compareText } from '../../base/ids.js';
import { LIMITS } from '../../base/limits.js';
import type { WorkcellInboxItem, WorkcellMindState, RobotState, WorkcellState } from './state.js';
import { mindOf, robotOf } from './world.js';

export function setRobot(state: WorkcellState, id: string, change: Partial<RobotState>): WorkcellState {
  return { ...state, robots: { ...state.robots, [id]: { ...robotOf(state, id), ...change } } };
}

export function setMind(state: WorkcellState, id: string, change: Partial<WorkcellMindState>): WorkcellState {
  return { ...state, minds: { ...state.minds, [id]: { ...mindOf(state, id), ...change } } };
}

/** `item` null: the place is empty afterwards. */
export function setPlace(state: WorkcellState, part: string, item: string | null): WorkcellState {
  return { ...state, places: { ...state.places, [part]: item } };
}

export function takeOffShelf(state: WorkcellState, item: string): WorkcellState {
  return { ...state, shelf: state.shelf.filter((id) => id !== item) };
}

export function addBurnt(state: WorkcellState, item: string): WorkcellState {
  return { ...state, burnt: [...state.burnt, item] };
}

/** A robot learns the current contents of the shelf. */
export function learnShelf(state: WorkcellState, robot: string): WorkcellState {
  return setMind(state, robot, { shelf: state.shelf });
}

/** Adds an entry for the next observation; a full inbox drops the oldest. */
export function addInbox(state: WorkcellState, robot: string, item: WorkcellInboxItem): WorkcellState {
  const inbox = [...mindOf(state, robot).inbox, item].slice(-LIMITS.inboxUtterances);
  return setMind(state, robot, { inbox });
}

/** Adds robots to those that this robot knows of. */
export function addMet(state: WorkcellState, robot: string, others: readonly string[]): WorkcellState {
  const { met } = mindOf(state, robot);
  const added = others.filter((id) => id !== robot && !met.includes(id));
  return added.length === 0 ? state : setMind(state, robot, { met: sortedIds([...met, ...added]) });
}

/** Adds a heard line to those that the robot recalls; the oldest are dropped. */
export function addRecalled(state: WorkcellState, robot: string, line: string): WorkcellState {
  return setMind(state, robot, {
    recalled: [...mindOf(state, robot).recalled, line].slice(-LIMITS.recalledLines),
  });
}

export function sortedIds(ids: readonly string[]): readonly string[] {
  return ids.toSorted(compareText);
}

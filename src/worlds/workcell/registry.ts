/**
 * The actions of the workcell: one line each. Each has a file in `actions/`; DONE and WAIT are in
 * `environment/standard-actions.ts`. The scenario says which of them each robot may use.
 */
import type { ActionRegistry } from '../../environment/action.js';
import { actionRegistry } from '../../environment/action.js';
import { doneAction, waitAction } from '../../environment/standard-actions.js';
import { attachPartAction } from './actions/attach-part.js';
import { getSpareAction } from './actions/get-spare.js';
import { handOverAction } from './actions/hand-over.js';
import { incinerateAction } from './actions/incinerate.js';
import { inspectAction } from './actions/inspect.js';
import { listSparesAction } from './actions/list-spares.js';
import { removePartAction } from './actions/remove-part.js';
import { scanAreaAction } from './actions/scan-area.js';
import { setOrientationAction } from './actions/set-orientation.js';
import { speakAction } from './actions/speak.js';
import type { WorkcellAction } from './actions/workcell-action.js';
import { setRobot } from './change.js';
import type { WorkcellState } from './state.js';
import type { Workcell } from './world.js';

/** `ActionRegistry`, with what the workcell's actions have beyond it. */
export interface WorkcellRegistry extends ActionRegistry<WorkcellState> {
  get(verb: string): WorkcellAction | undefined;
  list(): readonly WorkcellAction[];
}

export function workcellRegistry(world: Workcell): WorkcellRegistry {
  return actionRegistry<WorkcellState>([
    attachPartAction(world),
    doneAction((state, robot) => setRobot(state, robot, { status: 'done' })),
    getSpareAction(world),
    handOverAction(world),
    incinerateAction(world),
    inspectAction(world),
    listSparesAction(world),
    removePartAction(world),
    scanAreaAction(world),
    setOrientationAction(world),
    speakAction(world),
    waitAction(),
  ]);
}

/**
 * Agents' own success and failure: checked together with the run's conditions, stored as marks, and final. An
 * agent whose outcome is decided no longer acts, like one that has said DONE. Failure is checked first.
 */
import type { Outcome } from '../../environment/environment.js';
import { setBody, setMark } from './change.js';
import { isTrue } from './conditions.js';
import type { GridDefinition } from './definition.js';
import type { GridState } from './state.js';
import type { GridWorld } from './world.js';
import { bodyOf } from './world.js';

export function hasOwnOutcomes({ agents }: GridDefinition): boolean {
  return agents.some(({ success, failure }) => success !== undefined || failure !== undefined);
}

export function ownOutcome(state: GridState, agent: string): Outcome['status'] {
  if (Object.hasOwn(state.marks, failedMark(agent))) return 'failed';
  return Object.hasOwn(state.marks, succeededMark(agent)) ? 'succeeded' : 'running';
}

/**
 * The state with the outcomes decided in it. All agents are judged by the same state, so that the outcome of
 * one does not affect the others.
 */
export function withOutcomes(world: GridWorld, before: GridState): GridState {
  return world.definition.agents.reduce((state, { id, success, failure }) => {
    if (ownOutcome(before, id) !== 'running') return state;
    const isMet = (condition: typeof success): boolean =>
      condition !== undefined && isTrue(world, before, condition);
    const mark = isMet(failure) ? failedMark(id) : isMet(success) ? succeededMark(id) : null;
    if (mark === null) return state;
    const marked = setMark(state, mark);
    return bodyOf(marked, id)?.status === 'awake' ? setBody(marked, id, { status: 'done' }) : marked;
  }, before);
}

function succeededMark(agent: string): string {
  return `succeeded:${agent}`;
}

function failedMark(agent: string): string {
  return `failed:${agent}`;
}

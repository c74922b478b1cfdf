/**
 * The lists of all actions of a run's entities, each made when a learner first requests it. Null if the list
 * is too long.
 */
import { actionSpaceOf } from '../environment/action-space.js';
import type { ActionSpace } from '../environment/action-space.js';
import type { ServedRun } from './served-run.js';

const spaces = new WeakMap<ServedRun, Map<string, ActionSpace | null>>();

/** Throws if the entity can't be controlled. */
export function spaceOf(run: ServedRun, entity: string): ActionSpace | null {
  const spacesOfRun = spaces.get(run) ?? new Map<string, ActionSpace | null>();
  spaces.set(run, spacesOfRun);
  const cached = spacesOfRun.get(entity);
  if (cached !== undefined) return cached;
  run.gate(entity);
  const space = actionSpaceOf(run.opened.environment, entity);
  spacesOfRun.set(entity, space);
  return space;
}

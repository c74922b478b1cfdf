/**
 * The lists of all actions of a run's entities, made when the first learner requests one. In: a run and an
 * entity; out: its list, null if it is too long.
 */
import { actionSpaceOf } from '../environment/action-space.js';
import type { ActionSpace } from '../environment/action-space.js';
import type { ServedRun } from './served-run.js';

const spaces = new WeakMap<ServedRun, Map<string, ActionSpace | null>>();

/** Throws if the entity can't be controlled. */
export function spaceOf(run: ServedRun, entity: string): ActionSpace | null {
  const known = spaces.get(run) ?? new Map<string, ActionSpace | null>();
  spaces.set(run, known);
  const before = known.get(entity);
  if (before !== undefined) return before;
  run.gate(entity);
  const made = actionSpaceOf(run.opened.environment, entity);
  known.set(entity, made);
  return made;
}

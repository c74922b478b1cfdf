/** What the actions that open, close, lock and unlock doors and containers share. */
import type { Event } from '../../../environment/action.js';
import { setDoor, setThing } from '../change.js';
import { happened } from '../events.js';
import type { EventKind } from '../event-kinds.js';
import type { GridState } from '../state.js';
import type { ActionTarget } from '../targets.js';

/** A door or a container, with the state of its lid. */
export interface TargetLid {
  target: ActionTarget;
  state: 'open' | 'closed' | 'locked';
  /** Id of the key that locks and unlocks it; null: it has no lock. */
  key: string | null;
}

/** The lid of a target; null if it has none. */
export function lidOf(target: ActionTarget | null): TargetLid | null {
  if (target?.kind === 'door') {
    return { target, state: target.state.state, key: target.definition.key };
  }
  if (target?.kind !== 'thing' || target.item.lid === null) return null;
  return { target, state: target.item.lid, key: target.definition.container?.key ?? null };
}

/** The state with the lid moved; the time until a door closes by itself starts again. */
export function withLid(state: GridState, { target }: TargetLid, to: TargetLid['state']): GridState {
  return target.kind === 'door'
    ? setDoor(state, target.id, { state: to, openFor: 0 })
    : setThing(state, target.id, { lid: to });
}

/** An event of a lid: opened, closed, unlocked, locked. */
export function lidEvent(kind: EventKind, agent: string, { target }: TargetLid): Event {
  return happened(kind, agent, target.at, { id: target.id, name: target.name });
}

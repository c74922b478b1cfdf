/** The kinds of events of the grid world that happen without custom actions: how each is told, and whether it changes what lies about. */
import { lookUp } from '../../base/look-up.js';

/**
 * The verb of an event: active if the actor is seen, otherwise passive. `preposition` introduces the receiver
 * or the target.
 */
export interface EventVerb {
  active: string;
  passive: string;
  preposition?: string;
}

interface EventTraits {
  /** Absent if those who see it are told of the result alone, or in words of its own. */
  verb?: EventVerb;
  /** Whether it changes a thing or a door: then the knowledge of agents nearby is updated. */
  changesThings: boolean;
}

const EVENTS = {
  'agent-done': { changesThings: false },
  appeared: { verb: { active: 'brought', passive: 'appeared' }, changesThings: true },
  caught: { verb: { active: 'caught', passive: 'was caught' }, changesThings: false },
  closed: { verb: { active: 'closed', passive: 'was closed' }, changesThings: true },
  'door-shut': { verb: { active: 'let fall shut', passive: 'fell shut' }, changesThings: true },
  dropped: { verb: { active: 'put down', passive: 'was put down', preposition: 'in' }, changesThings: true },
  'finished-work': { verb: { active: 'finished the work on', passive: 'was finished' }, changesThings: true },
  gave: { verb: { active: 'gave', passive: 'was given', preposition: 'to' }, changesThings: true },
  incapacitated: { verb: { active: 'incapacitated', passive: 'was incapacitated' }, changesThings: true },
  locked: { verb: { active: 'locked', passive: 'was locked' }, changesThings: true },
  looked: { changesThings: false },
  moved: { changesThings: false },
  opened: { verb: { active: 'opened', passive: 'was opened' }, changesThings: true },
  pushed: { verb: { active: 'pushed', passive: 'was pushed' }, changesThings: true },
  read: { changesThings: false },
  restored: { verb: { active: 'restored', passive: 'can act again' }, changesThings: true },
  rested: { changesThings: true },
  said: { changesThings: false },
  told: { changesThings: false },
  took: { verb: { active: 'picked up', passive: 'was picked up' }, changesThings: true },
  triggered: { changesThings: false },
  unlocked: { verb: { active: 'unlocked', passive: 'was unlocked' }, changesThings: true },
  used: { verb: { active: 'used', passive: 'was used', preposition: 'on' }, changesThings: true },
  vanished: { verb: { active: 'took away', passive: 'disappeared' }, changesThings: true },
  worked: { verb: { active: 'worked on', passive: 'was worked on' }, changesThings: true },
} as const satisfies Readonly<Record<string, EventTraits>>;

export type EventKind = keyof typeof EVENTS;
export const EVENT_KINDS = Object.keys(EVENTS);

/** Undefined for a kind of a custom action. */
export function traitsOf(kind: string): EventTraits | undefined {
  return lookUp<EventTraits>(EVENTS, kind);
}

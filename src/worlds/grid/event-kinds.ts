/**
 * The kinds of events of the grid world that happen without custom actions, one entry each: who perceives it,
 * how it is told, and whether it changes what lies about. A comment names its data besides `id` and `name`,
 * which an event has if it is about one thing, door or body.
 */
import { lookUp } from '../../base/look-up.js';
import { SAID } from '../../environment/spoken.js';

/**
 * The verb of an event: active if the actor is seen, otherwise passive. `preposition` introduces the receiver
 * or the target.
 */
export interface EventVerb {
  active: string;
  /** Absent for what has no object (`hummed`): it is told only if the actor is seen. */
  passive?: string;
  preposition?: string;
}

interface EventTraits {
  /**
   * Those who see it happen, its actor alone, or those that it was made with: the hearers of an utterance,
   * the recipients of a text.
   */
  witnesses: 'sight' | 'actor' | 'given';
  /** Absent if those who see it are told of the result alone, or in words of its own. */
  verb?: EventVerb;
  /** Whether it changes a thing or a door: then the knowledge of agents nearby is updated. */
  changesThings: boolean;
}

export const EVENTS = {
  'agent-done': { witnesses: 'sight', changesThings: false },
  appeared: { witnesses: 'sight', verb: { active: 'brought', passive: 'appeared' }, changesThings: true },
  caught: { witnesses: 'sight', verb: { active: 'caught', passive: 'was caught' }, changesThings: false },
  closed: { witnesses: 'sight', verb: { active: 'closed', passive: 'was closed' }, changesThings: true },
  'door-shut': {
    witnesses: 'sight',
    verb: { active: 'let fall shut', passive: 'fell shut' },
    changesThings: true,
  },
  /** {amount, on, onId} */
  dropped: {
    witnesses: 'sight',
    verb: { active: 'put down', passive: 'was put down', preposition: 'in' },
    changesThings: true,
  },
  /** {told} */
  'finished-work': {
    witnesses: 'sight',
    verb: { active: 'finished the work on', passive: 'was finished' },
    changesThings: true,
  },
  /** {amount, to} */
  gave: {
    witnesses: 'sight',
    verb: { active: 'gave', passive: 'was given', preposition: 'to' },
    changesThings: true,
  },
  incapacitated: {
    witnesses: 'sight',
    verb: { active: 'incapacitated', passive: 'was incapacitated' },
    changesThings: true,
  },
  locked: { witnesses: 'sight', verb: { active: 'locked', passive: 'was locked' }, changesThings: true },
  looked: { witnesses: 'actor', changesThings: false },
  /** {path} */
  moved: { witnesses: 'sight', changesThings: false },
  opened: { witnesses: 'sight', verb: { active: 'opened', passive: 'was opened' }, changesThings: true },
  /** {direction, path, landed} */
  pushed: { witnesses: 'sight', verb: { active: 'pushed', passive: 'was pushed' }, changesThings: true },
  read: { witnesses: 'actor', changesThings: false },
  restored: {
    witnesses: 'sight',
    verb: { active: 'restored', passive: 'can act again' },
    changesThings: true,
  },
  /** {as} */
  rested: { witnesses: 'sight', changesThings: true },
  /** {channel, text, hearers} */
  [SAID]: { witnesses: 'given', changesThings: false },
  /** {text} */
  told: { witnesses: 'given', changesThings: false },
  /** {amount, from} */
  took: { witnesses: 'sight', verb: { active: 'picked up', passive: 'was picked up' }, changesThings: true },
  /** {id} of the trigger */
  triggered: { witnesses: 'actor', changesThings: false },
  unlocked: {
    witnesses: 'sight',
    verb: { active: 'unlocked', passive: 'was unlocked' },
    changesThings: true,
  },
  /** {on, onId} */
  used: {
    witnesses: 'sight',
    verb: { active: 'used', passive: 'was used', preposition: 'on' },
    changesThings: true,
  },
  vanished: {
    witnesses: 'sight',
    verb: { active: 'took away', passive: 'disappeared' },
    changesThings: true,
  },
  /** {remaining} */
  worked: {
    witnesses: 'sight',
    verb: { active: 'worked on', passive: 'was worked on' },
    changesThings: true,
  },
} as const satisfies Readonly<Record<string, EventTraits>>;

export type EventKind = keyof typeof EVENTS;
export const EVENT_KINDS = Object.keys(EVENTS);

/** Undefined for a kind of a custom action. */
export function traitsOf(kind: string): EventTraits | undefined {
  return lookUp<EventTraits>(EVENTS, kind);
}

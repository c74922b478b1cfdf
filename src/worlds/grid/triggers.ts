/**
 * Fires triggers. After an action and at the end of a turn, events and conditions set off triggers, whose
 * effects may set off further ones, up to LIMITS.triggerFirings. Order: for each event, in order, the
 * triggers by id; then the triggers that wait only for a condition. Fired triggers and counters are recorded
 * as marks of the state.
 */
import { LIMITS } from '../../base/limits.js';
import { assertNever } from '../../base/assert.js';
import type { Event } from '../../environment/action.js';
import type { Point } from '../../environment/space.js';
import { spokenIn } from '../../environment/spoken.js';
import { setCount, setMark } from './change.js';
import { isTrue, saysPhrase } from './conditions.js';
import type { TriggerOccasion, Trigger } from './definition.js';
import { ANY_AGENT } from './definition.js';
import type { EffectCause, EffectResult } from './effects.js';
import { applyEffect } from './effects.js';
import { pathOf } from './perceive.js';
import type { GridWorld } from './world.js';
import { roomAt, roomsAt } from './world.js';

/** The situation in which triggers are checked. */
export interface TriggerContext {
  /** Whether conditions are checked too; false after a free action. */
  checksConditions: boolean;
  /** The turn whose agents have all acted; null during their part of the turn. */
  turnOver: number | null;
}

interface TriggerFiring extends EffectResult {
  fired: number;
}

/** The state and events after all triggers that these events and conditions set off. */
export function applyTriggers(world: GridWorld, start: EffectResult, context: TriggerContext): EffectResult {
  const { triggers } = world.definition;
  if (triggers === undefined) return start;
  let now = triggers
    .filter(({ when }) => when?.kind === 'turn-over' && when.turn === context.turnOver)
    .reduce<TriggerFiring>((fired, trigger) => fire(world, fired, trigger, NO_CAUSE), { ...start, fired: 0 });
  for (let next = 0, isSettled = false; !isSettled;) {
    for (; next < now.events.length; next++) now = onEvent(world, now, { triggers, event: now.events[next] });
    const after = context.checksConditions ? onConditions(world, now, triggers) : now;
    isSettled = after.fired === now.fired;
    now = after;
  }
  return { state: now.state, events: now.events };
}

function onEvent(
  world: GridWorld,
  start: TriggerFiring,
  { triggers, event }: { triggers: readonly Trigger[]; event: Event | undefined },
): TriggerFiring {
  if (event === undefined || event.actor === null || !world.agents.has(event.actor)) return start;
  return triggers
    .filter(({ when }) => when !== null && matchesOccasion(world, when, event))
    .reduce((now, trigger) => fire(world, now, trigger, causeOf(event)), start);
}

/** Triggers without an event fire when their condition has become true: once, or again after it was false. */
function onConditions(world: GridWorld, start: TriggerFiring, triggers: readonly Trigger[]): TriggerFiring {
  return triggers.reduce((now, trigger) => {
    const { when, condition, id } = trigger;
    if (when !== null || condition === null) return now;
    const mark = trueMark(id);
    const wasTrue = Object.hasOwn(now.state.marks, mark);
    const isNowTrue = isTrue(world, now.state, condition);
    if (isNowTrue === wasTrue) return now;
    if (!isNowTrue) return { ...now, state: setCount(now.state, mark, null) };
    const after = fire(world, now, trigger, NO_CAUSE);
    // A condition that a trigger's own effects undo may become true again.
    const staysTrue = after !== now && isTrue(world, after.state, condition);
    return staysTrue ? { ...after, state: setMark(after.state, mark) } : after;
  }, start);
}

function firedMark(trigger: string): string {
  return `fired:${trigger}`;
}

/** Set while the condition of a trigger holds. */
function trueMark(trigger: string): string {
  return `held:${trigger}`;
}

const NO_CAUSE: EffectCause = { actor: null, amount: 1 };

function causeOf({ kind, actor, data }: Event): EffectCause {
  const { amount } = data;
  return { actor, amount: kind === 'used' && typeof amount === 'number' ? amount : 1 };
}

function fire(world: GridWorld, now: TriggerFiring, trigger: Trigger, cause: EffectCause): TriggerFiring {
  const { id, condition, effects, repeats } = trigger;
  const hasFired = !repeats && Object.hasOwn(now.state.marks, firedMark(id));
  if (hasFired || now.fired >= LIMITS.triggerFirings) return now;
  if (condition !== null && !isTrue(world, now.state, condition)) return now;
  const event: Event = { kind: 'triggered', actor: null, at: null, data: { id }, seenBy: [] };
  const marked: EffectResult = {
    state: setMark(now.state, firedMark(id)),
    events: [...now.events, event],
  };
  const after = effects.reduce((done, effect) => applyEffect(world, done, { effect, cause }), marked);
  return { ...after, fired: now.fired + 1 };
}

/** Whether an event is the one that a trigger waits for. */
function matchesOccasion(world: GridWorld, when: TriggerOccasion, event: Event): boolean {
  if (when.kind === 'turn-over') return false;
  if (when.agent !== ANY_AGENT && when.agent !== event.actor) return false;
  switch (when.kind) {
    case 'used':
      return isUse(world, when, event);
    case 'entered-room':
      return event.kind === 'moved' && entersRoom(world, pathOf(event.data['path']), when.room);
    case 'entered-tile':
      // Also if the walk only passes over it.
      return (
        event.kind === 'moved' &&
        pathOf(event.data['path'])
          .slice(1)
          .some((tile) => tile.x === when.x && tile.y === when.y)
      );
    case 'said':
      return isSaid(world, when, event);
    default:
      return assertNever(when, 'occasion');
  }
}

/** Work counts as use when it is finished. */
function isUse(
  world: GridWorld,
  { thing, on }: Extract<TriggerOccasion, { kind: 'used' }>,
  event: Event,
): boolean {
  const { id, onId = null } = event.data;
  if (event.kind === 'used') return id === thing && onId === on;
  if (event.kind !== 'finished-work' || id !== (on ?? thing)) return false;
  return on === null || world.things.get(on)?.work?.tool === thing;
}

function entersRoom(world: GridWorld, path: readonly Point[], room: string): boolean {
  const rooms = path.map(({ x, y }) => roomAt(world, x, y)?.id);
  return rooms.some((id, step) => step > 0 && id === room && rooms[step - 1] !== room);
}

function isSaid(
  world: GridWorld,
  { phrase, room }: Extract<TriggerOccasion, { kind: 'said' }>,
  event: Event,
): boolean {
  const spoken = spokenIn(event);
  if (spoken === null || !saysPhrase(spoken.text, phrase)) return false;
  return room === null || (event.at !== null && roomsAt(world, event.at.x, event.at.y).includes(room));
}

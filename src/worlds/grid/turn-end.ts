/**
 * The second half of a turn, after the agents: NPCs act one after another, doors close by themselves, NPCs
 * catch agents, triggers fire, and the next turn begins. Called once per turn; agents that see its events get
 * them in their inbox.
 */
import { compareText } from '../../base/ids.js';
import { lookUp } from '../../base/look-up.js';
import type { Event } from '../../environment/action.js';
import type { TurnEnd } from '../../environment/environment.js';
import { distance } from '../../environment/space.js';
import { learnFromEvents } from './advance.js';
import { moveBody, setBody, setDoor, setMinds } from './change.js';
import { activeAgents } from './conditions.js';
import type { NpcDefinition } from './definition.js';
import { asData, happened, withWitnesses } from './events.js';
import type { EffectResult } from './effects.js';
import { decide } from './npc.js';
import { deliverEvents } from './perceive.js';
import { visibleTiles } from './sight.js';
import type { GridState } from './state.js';
import { withOutcomes } from './own-outcomes.js';
import { applyTriggers } from './triggers.js';
import type { GridWorld } from './world.js';
import { bodyOf, doorOf, isDoorwayFree, positionOf } from './world.js';
import { known } from '../../base/assert.js';

export function endTurnOf(world: GridWorld, before: GridState): TurnEnd<GridState> {
  const npcs = [...world.npcs.values()];
  const doors = [...world.doors.values()];
  const acted = npcs.reduce<EffectResult>((now, npc) => actNpc(world, now, npc), {
    state: before,
    events: [],
  });
  const shut = doors.reduce((now, { id }) => ageDoor(world, now, id), acted);
  const caught = npcs.reduce((now, npc) => catchAgents(world, now, npc), shut);
  const { state: unfolded, events } = applyTriggers(world, caught, {
    checksConditions: true,
    turnOver: before.turn,
  });
  const state = withOutcomes(world, unfolded);
  const learnt = learnFromEvents(world, state, events);
  const delivered = deliverEvents(world, before, learnt, events);
  const spoke = Object.keys(delivered.minds).filter((id) => lookUp(delivered.minds, id)?.spoke === true);
  const reset = setMinds(delivered, spoke, () => ({ spoke: false }));
  return { state: { ...reset, turn: delivered.turn + 1 }, events };
}

function withEvent(world: GridWorld, { events }: EffectResult, state: GridState, event: Event): EffectResult {
  return { state, events: [...events, withWitnesses(world, state, event)] };
}

function actNpc(world: GridWorld, now: EffectResult, npc: NpcDefinition): EffectResult {
  const from = positionOf(now.state, npc.id);
  const { state, step } = decide(world, now.state, npc);
  if (step === null) return { ...now, state };
  const path = [from, step];
  const event = happened('moved', npc.id, step, { path: asData(path) });
  return withEvent(world, now, moveBody(state, { id: npc.id, path }), event);
}

/** Counts the turns since a door was opened; closes it when they are over and the doorway is free. */
function ageDoor(world: GridWorld, now: EffectResult, id: string): EffectResult {
  const definition = known(world.doors.get(id), id);
  const { state, openFor } = known(doorOf(now.state, id), `door ${id}`);
  if (definition.closesAfter === 0 || state !== 'open') return now;
  const isDue = openFor + 1 >= definition.closesAfter;
  if (!isDue || !isDoorwayFree(now.state, definition)) {
    const openTurns = Math.min(openFor + 1, definition.closesAfter);
    return { ...now, state: setDoor(now.state, id, { openFor: openTurns }) };
  }
  const shut = setDoor(now.state, id, { state: 'closed', openFor: 0 });
  return withEvent(world, now, shut, happened('door-shut', null, definition, { id, name: definition.name }));
}

/** Catches every agent within the NPC's reach or, if it watches, in its line of sight, in order of id. */
function catchAgents(world: GridWorld, now: EffectResult, npc: NpcDefinition): EffectResult {
  const { catches, watchRadius } = npc;
  if (catches === null) return now;
  const here = positionOf(now.state, npc.id);
  const sight = visibleTiles(world, now.state, here, Math.max(catches.reach, watchRadius), null);
  const caught = activeAgents(world, now.state)
    .map((id) => known(bodyOf(now.state, id), id))
    .filter((body) => sight.has(body.x, body.y))
    .filter((body) => distance(here, body) <= catches.reach || isWatched(here, body, watchRadius))
    .toSorted((a, b) => compareText(a.id, b.id));
  return caught.reduce((after, { id, x, y }) => {
    const data = { id, name: known(world.agents.get(id), id).name };
    const state = setBody(after.state, id, { status: 'caught' });
    return withEvent(world, after, state, happened('caught', npc.id, { x, y }, data));
  }, now);
}

/** Whether a tile is within a watch radius, which is round like sight: x² + y² ≤ r² + r. */
function isWatched(from: { x: number; y: number }, to: { x: number; y: number }, radius: number): boolean {
  const [dx, dy] = [from.x - to.x, from.y - to.y];
  return radius > 0 && dx * dx + dy * dy <= radius * radius + radius;
}

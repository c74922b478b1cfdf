/**
 * What a reference player believes: conditions are true, false or unknown by what it has perceived, and counters are
 * what the triggers have counted that it heard or caused. A trigger of which it noticed nothing has not fired.
 */
import { assertNever } from '../../../base/assert.js';
import { lookUp } from '../../../base/look-up.js';
import type { Point } from '../../../environment/space.js';
import type { ItemFact, LidState, SpatialFacts } from '../../../environment/spatial-facts.js';
import { saysPhrase } from '../conditions.js';
import type { GridCondition, GridDefinition, Trigger } from '../definition.js';
import { ANY_AGENT, EVERY_AGENT } from '../definition.js';
import { isWithinReach } from '../world.js';
import type { Ground } from './ground.js';

/** Which triggers have fired, and what they counted. */
export interface Firings {
  fired: readonly string[];
  counts: Readonly<Record<string, number>>;
}

export const NO_FIRINGS: Firings = { fired: [], counts: {} };

export interface Said {
  agent: string;
  text: string;
}

export interface Belief {
  me: string;
  /** Whether a verb is one of the agent's actions. */
  can: (verb: string) => boolean;
  /** Whether GO takes a target. */
  goesTo: boolean;
  facts: SpatialFacts;
  ground: Ground;
  definition: GridDefinition;
  firings: Firings;
  /** What agents said, by speaker; its own words too. */
  said: readonly Said[];
  /** Things whose work is finished. */
  worked: readonly string[];
  /** Ids of the things that the agent has read. */
  read: readonly string[];
}

/** Where a thing, door or body is, as far as it is known. */
export interface KnownPlace extends Point {
  id: string;
  isHeld: boolean;
  /** What it lies in; null for none. */
  container: string | null;
  isInSight: boolean;
  /** Of a door or container, as last seen. */
  lid: LidState | null;
}

export function placeOf({ facts }: Belief, id: string): KnownPlace | undefined {
  const { self, things, bodies, doors, remembered } = facts;
  const alone = { isHeld: false, container: null, isInSight: true, lid: null };
  const inside = (at: Point & { isHeld: boolean }, container: string | null) => {
    const { x, y, isHeld } = at;
    return (item: ItemFact): readonly KnownPlace[] => [
      { ...alone, id: item.id, x, y, isHeld, container, lid: item.lid },
      ...item.inside.flatMap(inside(at, item.id)),
    ];
  };
  return [
    ...self.holds.flatMap(inside({ ...self, isHeld: true }, null)),
    ...things.flatMap((thing) => inside({ ...thing, isHeld: false }, null)(thing)),
    ...bodies.map((body) => ({ ...alone, ...body })),
    ...doors.map((door) => ({ ...alone, ...door, lid: door.state })),
    ...remembered.map((memory) => ({ ...alone, ...memory, isInSight: false })),
  ].find((one) => one.id === id);
}

/** Whether a condition is true; undefined if the agent can't tell. */
export function truthOf(belief: Belief, condition: GridCondition): boolean | undefined {
  switch (condition.kind) {
    case 'all':
    case 'any': {
      const truths = condition.of.map((each) => truthOf(belief, each));
      return truthOfSeveral(truths, condition.kind === 'all');
    }
    case 'not': {
      const inner = truthOf(belief, condition.of);
      return inner === undefined ? undefined : !inner;
    }
    case 'door-is':
    case 'container-is': {
      const lid = placeOf(belief, condition.kind === 'door-is' ? condition.door : condition.thing)?.lid;
      if (lid == null) return undefined;
      return condition.state === 'unlocked' ? lid !== 'locked' : lid === condition.state;
    }
    case 'thing-inside': {
      const place = placeOf(belief, condition.thing);
      return place?.isInSight !== true ? undefined : place.container === condition.container;
    }
    case 'thing-in-room': {
      const place = placeOf(belief, condition.thing);
      if (place === undefined) return undefined;
      const room = belief.ground.roomOf(place);
      return room === null && !place.isHeld ? undefined : room === condition.room;
    }
    case 'work-done':
      return belief.worked.includes(condition.thing);
    case 'count': {
      const count = lookUp(belief.firings.counts, condition.counter) ?? 0;
      return count >= (condition.min ?? count) && count <= (condition.max ?? count);
    }
    default: {
      const { agent } = condition;
      if (agent !== ANY_AGENT && agent !== EVERY_AGENT) return truthFor(belief, agent, condition);
      const truths = belief.definition.agents.map(({ id }) => truthFor(belief, id, condition));
      return truthOfSeveral(truths, agent === EVERY_AGENT);
    }
  }
}

function truthOfSeveral(truths: readonly (boolean | undefined)[], isAll: boolean): boolean | undefined {
  if (truths.includes(!isAll)) return !isAll;
  return truths.includes(undefined) ? undefined : isAll;
}

type AgentCondition = Extract<GridCondition, { agent: string }>;

function truthFor(belief: Belief, agent: string, condition: AgentCondition): boolean | undefined {
  const { facts, ground, me } = belief;
  const isMe = agent === me;
  const body = isMe ? facts.self : facts.bodies.find(({ id }) => id === agent);
  switch (condition.kind) {
    case 'in-room':
      return body && ground.roomOf(body) === condition.room;
    case 'at':
      return body && isWithinReach(body, condition, 0);
    case 'near': {
      const target = placeOf(belief, condition.target);
      return body && target && isWithinReach(body, target, condition.within);
    }
    case 'holds': {
      const place = placeOf(belief, condition.thing);
      if (isMe) return place?.isHeld === true;
      return place?.isInSight === true ? false : undefined;
    }
    case 'heard':
      return belief.said.some((one) => one.agent === agent && saysPhrase(one.text, condition.phrase));
    case 'read':
      return isMe ? belief.read.includes(condition.thing) : undefined;
    case 'caught':
    case 'done':
      return body && body.status === condition.kind;
    default:
      return assertNever(condition, 'condition');
  }
}

/** What happened since the last decision, as far as the agent noticed. */
export interface Happened {
  said: readonly Said[];
  /** The thing that it used, and on what. */
  used: { thing: string; on: string | null } | null;
  /** The room that it came into. */
  entered: string | null;
  hasMoved: boolean;
}

/** With one firing more. */
export function firingsWith({ fired, counts: before }: Firings, { id, effects }: Trigger): Firings {
  const counts = { ...before };
  for (const effect of effects)
    if (effect.kind === 'count')
      counts[effect.counter] =
        (lookUp(counts, effect.counter) ?? 0) + (effect.by === 'amount' ? 1 : effect.by);
  return { fired: [...new Set([...fired, id])], counts };
}

/** The firings after what happened, in the order of the rules. */
export function firingsAfter(belief: Belief, happened: Happened): Firings {
  const { triggers = [] } = belief.definition;
  let now = belief.firings;
  const fireIf = (trigger: Trigger, isOccasioned: boolean): void => {
    const { id, condition, when, repeats } = trigger;
    const mayFire = !now.fired.includes(id) || (repeats && when !== null);
    if (!mayFire || !isOccasioned) return;
    if (condition === null || truthOf({ ...belief, firings: now }, condition) === true)
      now = firingsWith(now, trigger);
  };
  for (const trigger of triggers) fireIf(trigger, isOccasion(belief, trigger, happened));
  for (let before: Firings | null = null; before !== now;) {
    before = now;
    for (const trigger of triggers) fireIf(trigger, trigger.when === null);
  }
  return now;
}

function isOccasion({ me, facts }: Belief, { when }: Trigger, happened: Happened): boolean {
  if (when === null) return false;
  if (when.kind === 'turn-over') return when.turn < facts.turn;
  const isMine = when.agent === ANY_AGENT || when.agent === me;
  switch (when.kind) {
    case 'said':
      return happened.said.some(
        ({ agent, text }) =>
          (when.agent === ANY_AGENT || when.agent === agent) &&
          saysPhrase(text, when.phrase) &&
          (when.room === null || agent !== me || when.room === facts.self.room),
      );
    case 'used':
      return isMine && happened.used?.thing === when.thing && happened.used.on === when.on;
    case 'entered-room':
      return isMine && happened.entered === when.room;
    case 'entered-tile':
      return isMine && happened.hasMoved && isWithinReach(facts.self, when, 0);
    default:
      return assertNever(when, 'occasion');
  }
}

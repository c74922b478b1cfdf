/**
 * Success and failure: whether a condition is true in a state, and the sentence that describes it. Most
 * conditions follow from the current state; past events (heard, read, worked) are recorded in it as marks.
 * Failure is checked first: an agent that is caught on the winning tile has not won.
 */
import { assertNever } from '../../base/assert.js';
import { counted } from '../../base/counted.js';
import { lookUp } from '../../base/look-up.js';
import type { Outcome } from '../../environment/environment.js';
import type { Point } from '../../environment/space.js';
import type { GridCondition, GridDefinition } from './definition.js';
import { ANY_AGENT, EVERY_AGENT } from './definition.js';
import type { GridState, ThingState } from './state.js';
import type { GridWorld } from './world.js';
import { bodyOf, doorOf, isWithinReach, roomAt, thingOf, whereIs } from './world.js';
import { shardValues } from './chunks.js';
import { capitalised, theName } from '../../environment/wording.js';

/** Agents that still act, in turn order. */
export function activeAgents(world: GridWorld, state: GridState): readonly string[] {
  return world.definition.agents.map(({ id }) => id).filter((id) => isAwake(state, id));
}

function isAwake(state: GridState, agent: string): boolean {
  return bodyOf(state, agent)?.status === 'awake';
}

/** Whether an agent still acts. */
export function isActive(world: GridWorld, state: GridState, agent: string): boolean {
  return world.agents.has(agent) && isAwake(state, agent);
}

export function outcomeOf(world: GridWorld, state: GridState): Outcome {
  const { success, successReason, failure, failureReason } = world.definition;
  if (failure && isTrue(world, state, failure)) {
    return { status: 'failed', reason: failureReason || sentence(world, failure) };
  }
  if (success && isTrue(world, state, success)) {
    return { status: 'succeeded', reason: successReason || sentence(world, success) };
  }
  if (world.definition.agents.some(({ id }) => isAwake(state, id))) return { status: 'running', reason: '' };
  const isEveryoneCaught = world.definition.agents.every(({ id }) => bodyOf(state, id)?.status === 'caught');
  if (isEveryoneCaught) return { status: 'failed', reason: 'Every agent was caught.' };
  return success
    ? { status: 'failed', reason: 'No agent is left to act, and success was not reached.' }
    : { status: 'running', reason: '' };
}

export function isTrue(world: GridWorld, state: GridState, condition: GridCondition): boolean {
  switch (condition.kind) {
    case 'all':
      return condition.of.every((each) => isTrue(world, state, each));
    case 'any':
      return condition.of.some((each) => isTrue(world, state, each));
    case 'not':
      return !isTrue(world, state, condition.of);
    case 'door-is':
      return lidMatches(doorOf(state, condition.door)?.state, condition.state);
    case 'container-is':
      return lidMatches(thingOf(state, condition.thing)?.lid, condition.state);
    case 'thing-inside':
      return stackPartsOf(state, condition.thing).some((part) => isInside(state, part, condition.container));
    case 'thing-in-room':
      return stackPartsOf(state, condition.thing).some((part) => {
        const at = whereIs(state, part.id);
        return at !== null && roomAt(world, at.x, at.y)?.id === condition.room;
      });
    case 'work-done':
      return Object.hasOwn(state.marks, workMark(condition.thing));
    case 'count': {
      const { counter, min, max } = condition;
      const count = lookUp(state.marks, countMark(counter)) ?? 0;
      return (min === null || count >= min) && (max === null || count <= max);
    }
    default:
      return isTrueForAgents(world, state, condition);
  }
}

type AgentCondition = Extract<GridCondition, { agent: string }>;

function isTrueForAgents(world: GridWorld, state: GridState, condition: AgentCondition): boolean {
  // An agent is always near itself, so only others count.
  const agentIds = world.definition.agents
    .map(({ id }) => id)
    .filter((id) => condition.kind !== 'near' || id !== condition.target);
  const test = (agent: string): boolean => {
    const body = bodyOf(state, agent);
    if (body === undefined) return false;
    switch (condition.kind) {
      case 'in-room':
        return roomAt(world, body.x, body.y)?.id === condition.room;
      case 'at':
        return body.x === condition.x && body.y === condition.y;
      case 'near':
        return pointsOf(world, state, condition.target).some((at) =>
          isWithinReach(body, at, condition.within),
        );
      case 'holds':
        return stackPartsOf(state, condition.thing).some((part) => holderOf(state, part) === agent);
      case 'heard':
        return heardPhrases(world.definition).some(
          ({ phrase }, index) =>
            phrase === condition.phrase && Object.hasOwn(state.marks, heardMark(index, agent)),
        );
      case 'read':
        return Object.hasOwn(state.marks, readMark(condition.thing, agent));
      case 'caught':
        return body.status === 'caught';
      case 'done':
        return body.status === 'done';
      default:
        return assertNever(condition, 'condition');
    }
  };
  if (condition.agent === ANY_AGENT) return agentIds.some(test);
  if (condition.agent === EVERY_AGENT) return agentIds.every(test);
  return test(condition.agent);
}

type ConditionLid = 'open' | 'closed' | 'locked';

function lidMatches(lid: ConditionLid | null | undefined, expected: ConditionLid | 'unlocked'): boolean {
  return expected === 'unlocked' ? lid === 'open' || lid === 'closed' : lid === expected;
}

/** The thing itself and everything that was split off from it. */
function stackPartsOf(state: GridState, id: string): readonly ThingState[] {
  const whole = thingOf(state, id);
  if (whole !== undefined && whole.amount === 1) return [whole];
  return shardValues(state.things).filter((item) => item.definition === id);
}

/** Where a door, a body, or a thing and everything that was split off from it are; a thing also in hands. */
export function pointsOf(world: GridWorld, state: GridState, id: string): readonly Point[] {
  const point = world.doors.get(id) ?? bodyOf(state, id);
  if (point !== undefined) return [point];
  return stackPartsOf(state, id).flatMap((part) => whereIs(state, part.id) ?? []);
}

function isInside(state: GridState, { place }: ThingState, container: string): boolean {
  if (place.at !== 'inside') return false;
  const outer = thingOf(state, place.container);
  return place.container === container || (outer !== undefined && isInside(state, outer, container));
}

/** The body that holds a thing, directly or in a held container; null for none. */
function holderOf(state: GridState, { place }: ThingState): string | null {
  if (place.at === 'held') return place.by;
  const outer = place.at === 'inside' ? thingOf(state, place.container) : undefined;
  return outer === undefined ? null : holderOf(state, outer);
}

/** The mark set when the work on a thing is finished. */
export function workMark(thing: string): string {
  return `worked:${thing}`;
}

/** The mark set when an agent reads a thing. */
export function readMark(thing: string, agent: string): string {
  return `read:${thing}:${agent}`;
}

/** The mark set when an agent says a phrase and another agent hears it. */
export function heardMark(phraseIndex: number, speaker: string): string {
  return `heard:${phraseIndex}:${speaker}`;
}

/** The mark that holds what triggers have counted. */
export function countMark(counter: string): string {
  return `count:${counter}`;
}

type HeardCondition = Extract<GridCondition, { kind: 'heard' }>;

const heardConditionsByDefinition = new WeakMap<object, readonly HeardCondition[]>();

/**
 * Every `heard` condition: of success, failure, triggers, then agents. The mark of a phrase contains its
 * index in this list.
 */
export function heardPhrases(definition: GridDefinition): readonly HeardCondition[] {
  const cached = heardConditionsByDefinition.get(definition);
  if (cached !== undefined) return cached;
  const { success, failure, triggers = [], agents } = definition;
  const agentConditions = agents.flatMap((agent) => [agent.success, agent.failure]);
  const conditions = [success, failure, ...triggers.map(({ condition }) => condition), ...agentConditions]
    .flatMap((root) => (root ? leaves(root) : []))
    .filter((condition) => condition.kind === 'heard');
  heardConditionsByDefinition.set(definition, conditions);
  return conditions;
}

/** Whether where it is can never change: a door, or a thing that nobody and no trigger moves. */
export function isFixed({ definition, doors, things }: GridWorld, id: string): boolean {
  const thing = things.get(id);
  const effects = (definition.triggers ?? []).flatMap((trigger) => trigger.effects);
  const isMoved = effects.some(
    (effect) => (effect.kind === 'spawn' || effect.kind === 'move') && effect.thing === id,
  );
  const isMovable = thing === undefined || thing.portable || thing.pushable || thing.place.at !== 'tile';
  return doors.has(id) || !(isMovable || isMoved);
}

function leaves(condition: GridCondition): readonly GridCondition[] {
  if (condition.kind === 'all' || condition.kind === 'any') return condition.of.flatMap(leaves);
  return condition.kind === 'not' ? leaves(condition.of) : [condition];
}

/** Whether `said` contains the phrase as whole words, ignoring ASCII case and punctuation. */
export function saysPhrase(said: string, phrase: string): boolean {
  const phraseWords = normaliseWords(phrase);
  return phraseWords !== '' && ` ${normaliseWords(said)} `.includes(` ${phraseWords} `);
}

/*
 * Everything that is neither an ASCII letter or digit nor a letter-like character beyond ASCII, by fixed
 * ranges, because Unicode's own tables change.
 */
const SEPARATORS = /[^0-9A-Za-z\u00C0-\u1FFF\u2070-\u2FFF\u3040-\uFFFF]+/g;

/** The words of a text in lower case, with one space between them. */
export function normaliseWords(text: string): string {
  return text
    .replace(/['’]/g, '')
    .replace(SEPARATORS, ' ')
    .replace(/[A-Z]/g, (letter) => letter.toLowerCase())
    .trim();
}

function sentence(world: GridWorld, condition: GridCondition): string {
  return `${capitalised(describeCondition(world, condition))}.`;
}

function describeCondition(world: GridWorld, condition: GridCondition): string {
  const thing = (id: string): string => theName(world.things.get(id)?.name ?? id);
  const room = (id: string): string => theName(world.rooms.get(id)?.name ?? id);
  switch (condition.kind) {
    case 'all':
      return condition.of.map((each) => describeCondition(world, each)).join(', and ');
    case 'any':
      return condition.of.map((each) => describeCondition(world, each)).join(', or ');
    case 'not':
      return `it is not so that ${describeCondition(world, condition.of)}`;
    case 'door-is':
      return `${theName(world.doors.get(condition.door)?.name ?? condition.door)} is ${condition.state}`;
    case 'container-is':
      return `${thing(condition.thing)} is ${condition.state}`;
    case 'thing-inside':
      return `${thing(condition.thing)} is in ${thing(condition.container)}`;
    case 'thing-in-room':
      return `${thing(condition.thing)} is in ${room(condition.room)}`;
    case 'count':
      return `${condition.counter} is ${describeBounds(condition)}`;
    case 'work-done':
      return `the work on ${thing(condition.thing)} is done`;
    case 'in-room':
      return `${subjectName(world, condition)} is in ${room(condition.room)}`;
    case 'at':
      return `${subjectName(world, condition)} is at (${condition.x}, ${condition.y})`;
    case 'near': {
      const target = world.doors.get(condition.target) ?? world.bodies.get(condition.target);
      const name = target === undefined ? thing(condition.target) : theName(target.name);
      return `${subjectName(world, condition)} is within ${counted(condition.within, 'tile')} of ${name}`;
    }
    case 'holds':
      return `${subjectName(world, condition)} holds ${thing(condition.thing)}`;
    case 'heard':
      return `${subjectName(world, condition)} was heard to say ${JSON.stringify(condition.phrase)}`;
    case 'read':
      return `${subjectName(world, condition)} has read ${thing(condition.thing)}`;
    case 'caught':
      return `${subjectName(world, condition)} was caught`;
    case 'done':
      return `${subjectName(world, condition)} is done`;
    default:
      return assertNever(condition, 'condition');
  }
}

function describeBounds({ min, max }: { min: number | null; max: number | null }): string {
  if (min !== null && max !== null) return min === max ? String(min) : `${min} to ${max}`;
  return min === null ? `${max ?? 0} at most` : `${min} or more`;
}

function subjectName(world: GridWorld, { agent }: AgentCondition): string {
  if (agent === ANY_AGENT) return 'an agent';
  if (agent === EVERY_AGENT) return 'every agent';
  return theName(world.agents.get(agent)?.name ?? agent);
}

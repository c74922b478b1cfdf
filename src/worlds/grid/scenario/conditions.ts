/**
 * Conditions: which keys form one, what they may name, and the definition made from them. A condition is
 * `all`, `any` or `not`, or a subject (`agent`, `thing`, `door`) with one predicate.
 */
import { LIMITS } from '../../../base/limits.js';
import { lookUp } from '../../../base/look-up.js';
import { ANY_AGENT, EVERY_AGENT } from '../definition.js';
import type { GridCondition } from '../definition.js';
import { suggest } from '../../../scenario/suggest.js';
import type { YamlPath } from '../../../scenario/tree.js';
import { isInside } from './map.js';
import type { IdKind, GridReading } from './places.js';
import { refer } from './places.js';
import { isContainer } from './things.js';
import type { ConditionInput } from './schema-condition.js';

type ConditionKey = keyof ConditionInput;

/** Keys that may be combined, in the author's words. */
const FORMS: readonly (readonly ConditionKey[])[] = [
  ['all'],
  ['any'],
  ['not'],
  ['agent', 'in_room'],
  ['agent', 'at'],
  ['agent', 'holds'],
  ['agent', 'has_read'],
  ['agent', 'said'],
  ['agent', 'caught'],
  ['agent', 'done'],
  ['thing', 'inside'],
  ['thing', 'in_room'],
  ['thing', 'is'],
  ['door', 'is'],
  ['counter', 'at_least'],
  ['counter', 'at_most'],
  ['counter', 'exactly'],
];

const KEYS: readonly ConditionKey[] = [...new Set(FORMS.flat())];

/** The definition of a condition; undefined if a mistake was reported. */
export function readCondition(
  reading: GridReading,
  input: ConditionInput,
  path: YamlPath,
  depth = 1,
): GridCondition | undefined {
  const keys = KEYS.filter((key) => input[key] !== undefined);
  const form = FORMS.find((each) => each.length === keys.length && each.every((key) => keys.includes(key)));
  const named = namesExist(reading, input, path);
  if (depth > LIMITS.conditionDepth)
    reading.report.error({ key: path }, `conditions are nested more than ${LIMITS.conditionDepth} deep`);
  else if (form === undefined) {
    tellForm(reading, keys, path);
    tellParts(reading, input, path, depth);
  } else if (form.length === 1) return group(reading, input, path, depth);
  else {
    const condition = predicate(reading, input, path);
    if (named) return condition;
  }
  return undefined;
}

function tellForm(reading: GridReading, keys: readonly ConditionKey[], path: YamlPath): void {
  const found = keys.length === 0 ? 'nothing' : keys.join(', ');
  const near = FORMS.filter((form) => keys.some((key) => form.includes(key)));
  const forms = (near.length === 0 ? FORMS : near).map((form) => form.join(' + ')).join('; ');
  reading.report.error({ key: path }, `${found} is not a valid condition`, `valid conditions: ${forms}`);
}

/** If keys don't fit together, each condition that they could form is checked for its own mistakes. */
function tellParts(reading: GridReading, input: ConditionInput, path: YamlPath, depth: number): void {
  const forms = FORMS.filter((form) => form.every((key) => input[key] !== undefined));
  // All comparisons of a counter count as the same fact.
  const counter = forms.find(([subject]) => subject === 'counter');
  for (const form of forms) {
    const part = Object.fromEntries(form.map((key) => [key, input[key]]));
    if (form.length === 1) group(reading, part, path, depth);
    else if (form[0] !== 'counter' || form === counter) predicate(reading, part, path);
  }
}

function group(
  reading: GridReading,
  input: ConditionInput,
  path: YamlPath,
  depth: number,
): GridCondition | undefined {
  if (input.not !== undefined) {
    const of = readCondition(reading, input.not, [...path, 'not'], depth + 1);
    return of === undefined ? undefined : { kind: 'not', of };
  }
  const kind = input.all === undefined ? 'any' : 'all';
  const of = (input[kind] ?? []).map((each, i) =>
    readCondition(reading, each, [...path, kind, i], depth + 1),
  );
  return { kind, of: of.filter((each) => each !== undefined) };
}

/** The kinds of things that each key may name. */
const NAMES: readonly (readonly [
  Extract<ConditionKey, 'agent' | 'thing' | 'door' | 'in_room' | 'holds' | 'has_read' | 'inside'>,
  IdKind,
])[] = [
  ['agent', 'agent'],
  ['thing', 'thing'],
  ['door', 'door'],
  ['in_room', 'room'],
  ['holds', 'thing'],
  ['has_read', 'thing'],
  ['inside', 'thing'],
];

/** True if every id exists; each unknown one is reported, regardless of other mistakes. */
function namesExist(reading: GridReading, input: ConditionInput, path: YamlPath): boolean {
  const found = NAMES.map(([key, kind]) => {
    const id = input[key];
    const isGroup = key === 'agent' && (id === ANY_AGENT || id === EVERY_AGENT);
    return id === undefined || isGroup || refer(reading, id, [kind], [...path, key]);
  });
  return !found.includes(false);
}

function predicate(reading: GridReading, input: ConditionInput, path: YamlPath): GridCondition | undefined {
  const { agent, door, thing } = input;
  if (agent !== undefined) return ofAgent(reading, input, { agent, path });
  if (door !== undefined) return ofDoor(reading, input, door, path);
  if (input.counter !== undefined) return ofCounter(reading, input, input.counter, path);
  if (thing === undefined) return undefined;
  if (input.is !== undefined) return ofState(reading, thing, { is: input.is, path });
  if (input.in_room !== undefined) return { kind: 'thing-in-room', thing, room: input.in_room };
  const { inside = '' } = input;
  if (isThing(reading, inside) && !isContainer(reading, inside))
    reading.report.error([...path, 'inside'], `${inside} is not a container`);
  return { kind: 'thing-inside', thing, container: inside };
}

function isThing({ ids }: GridReading, id: string): boolean {
  return ids.get(id) === 'thing';
}

function ofAgent(
  reading: GridReading,
  input: ConditionInput,
  { agent, path }: { agent: string; path: YamlPath },
): GridCondition | undefined {
  if (input.in_room !== undefined) return { kind: 'in-room', agent, room: input.in_room };
  if (input.holds !== undefined) return { kind: 'holds', agent, thing: input.holds };
  if (input.has_read !== undefined) return hasRead(reading, { agent, thing: input.has_read, path });
  if (input.said !== undefined) return { kind: 'heard', agent, phrase: input.said };
  if (input.caught !== undefined) return { kind: 'caught', agent };
  if (input.done !== undefined) return { kind: 'done', agent };
  const [x, y] = input.at ?? [0, 0];
  if (!isInside(reading.map, x, y)) reading.report.error([...path, 'at'], `(${x}, ${y}) is outside the map`);
  return { kind: 'at', agent, x, y };
}

function hasRead(
  reading: GridReading,
  { agent, thing, path }: { agent: string; thing: string; path: YamlPath },
): GridCondition {
  const hasText = lookUp(reading.values.things, thing)?.text !== undefined;
  if (isThing(reading, thing) && !hasText)
    reading.report.error([...path, 'has_read'], `${thing} has no text to read`, `give ${thing} a text`);
  return { kind: 'read', agent, thing };
}

function ofCounter(
  reading: GridReading,
  input: ConditionInput,
  counter: string,
  path: YamlPath,
): GridCondition | undefined {
  const counters = [
    ...new Set(Object.values(reading.values.triggers).flatMap((each) => each.then.map(({ count }) => count))),
  ].filter((each) => each !== undefined);
  if (!counters.includes(counter)) {
    const hint = (): string | undefined =>
      counters.length === 0 ? `write 'count: ${counter}' in a trigger` : suggest(counter, counters);
    reading.report.error([...path, 'counter'], `no trigger counts '${counter}'`, hint);
    return undefined;
  }
  const { at_least: min = null, at_most: max = null, exactly } = input;
  return exactly === undefined
    ? { kind: 'count', counter, min, max }
    : { kind: 'count', counter, min: exactly, max: exactly };
}

function ofDoor(
  reading: GridReading,
  input: ConditionInput,
  door: string,
  path: YamlPath,
): GridCondition | undefined {
  if (input.is !== undefined && input.is !== 'worked') return { kind: 'door-is', door, state: input.is };
  reading.report.error([...path, 'is'], 'a door is open, closed, locked or unlocked');
  return undefined;
}

function ofState(
  reading: GridReading,
  thing: string,
  { is, path }: { is: NonNullable<ConditionInput['is']>; path: YamlPath },
): GridCondition | undefined {
  const at = [...path, 'is'];
  if (!isThing(reading, thing)) return undefined;
  const hasWork = lookUp(reading.values.things, thing)?.work !== undefined;
  if (is === 'worked') {
    if (hasWork) return { kind: 'work-done', thing };
    reading.report.error(at, `${thing} has no 'work', so its state is never 'worked'`);
  } else if (!isContainer(reading, thing))
    reading.report.error(at, `${thing} is not a container, so its state is never '${is}'`);
  else return { kind: 'container-is', thing, state: is };
  return undefined;
}

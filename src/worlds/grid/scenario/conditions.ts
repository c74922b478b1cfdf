/**
 * Conditions: which keys form one, which ids they may name, and the definition made from them. A condition is
 * `all`, `any` or `not`, or a subject (`agent`, `thing`, `door`, `counter`) with one predicate.
 */
import { LIMITS } from '../../../base/limits.js';
import { lookUp } from '../../../base/look-up.js';
import { ANY_AGENT, EVERY_AGENT } from '../definition.js';
import type { GridCondition } from '../definition.js';
import { suggest } from '../../../scenario/suggest.js';
import type { YamlPath } from '../../../scenario/tree.js';
import { isInside } from './map.js';
import type { IdKind, GridReading } from './places.js';
import { checkReference } from './places.js';
import { isContainer } from './things.js';
import type { ConditionInput } from './schema-condition.js';

type ConditionKey = keyof ConditionInput;

/** The valid combinations of keys, as written in a scenario. */
const FORMS: readonly (readonly ConditionKey[])[] = [
  ['all'],
  ['any'],
  ['not'],
  ['agent', 'in_room'],
  ['agent', 'at'],
  ['agent', 'near'],
  ['agent', 'near', 'within'],
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
  const namesAreValid = checkReferences(reading, input, path);
  if (depth > LIMITS.conditionDepth)
    reading.report.error({ key: path }, `conditions are nested more than ${LIMITS.conditionDepth} deep`);
  else if (form === undefined) {
    reportInvalidForm(reading, keys, path);
    checkEachForm(reading, input, path, depth);
  } else if (form.length === 1) return readGroup(reading, input, path, depth);
  else {
    const condition = readPredicate(reading, input, path);
    if (namesAreValid) return condition;
  }
  return undefined;
}

function reportInvalidForm(reading: GridReading, keys: readonly ConditionKey[], path: YamlPath): void {
  const shownKeys = keys.length === 0 ? 'nothing' : keys.join(', ');
  const similarForms = FORMS.filter((form) => keys.some((key) => form.includes(key)));
  const forms = (similarForms.length === 0 ? FORMS : similarForms).map((form) => form.join(' + ')).join('; ');
  reading.report.error({ key: path }, `${shownKeys} is not a valid condition`, `valid conditions: ${forms}`);
}

/** If the keys don't fit together, checks every condition that some of them form, to find further mistakes. */
function checkEachForm(reading: GridReading, input: ConditionInput, path: YamlPath, depth: number): void {
  const forms = FORMS.filter((form) => form.every((key) => input[key] !== undefined));
  // All comparisons of a counter count as the same fact.
  const counter = forms.find(([subject]) => subject === 'counter');
  for (const form of forms) {
    const part = Object.fromEntries(form.map((key) => [key, input[key]]));
    if (form.length === 1) readGroup(reading, part, path, depth);
    else if (form[0] !== 'counter' || form === counter) readPredicate(reading, part, path);
  }
}

function readGroup(
  reading: GridReading,
  input: ConditionInput,
  path: YamlPath,
  depth: number,
): GridCondition | undefined {
  if (input.not !== undefined) {
    const operand = readCondition(reading, input.not, [...path, 'not'], depth + 1);
    return operand === undefined ? undefined : { kind: 'not', of: operand };
  }
  const kind = input.all === undefined ? 'any' : 'all';
  const operands = (input[kind] ?? []).map((each, i) =>
    readCondition(reading, each, [...path, kind, i], depth + 1),
  );
  return { kind, of: operands.filter((each) => each !== undefined) };
}

/** The keys whose value is an id, and the kinds of thing that it may name. */
const REFERENCE_KEYS: readonly (readonly [
  Extract<ConditionKey, 'agent' | 'thing' | 'door' | 'in_room' | 'near' | 'holds' | 'has_read' | 'inside'>,
  ...IdKind[],
])[] = [
  ['agent', 'agent'],
  ['thing', 'thing'],
  ['door', 'door'],
  ['in_room', 'room'],
  ['near', 'thing', 'door', 'agent', 'npc'],
  ['holds', 'thing'],
  ['has_read', 'thing'],
  ['inside', 'thing'],
];

/** True if every id exists; each unknown one is reported, regardless of other mistakes. */
function checkReferences(reading: GridReading, input: ConditionInput, path: YamlPath): boolean {
  const results = REFERENCE_KEYS.map(([key, ...kinds]) => {
    const id = input[key];
    const isGroup = key === 'agent' && (id === ANY_AGENT || id === EVERY_AGENT);
    return id === undefined || isGroup || checkReference(reading, id, kinds, [...path, key]);
  });
  return !results.includes(false);
}

function readPredicate(
  reading: GridReading,
  input: ConditionInput,
  path: YamlPath,
): GridCondition | undefined {
  const { agent, door, thing } = input;
  if (agent !== undefined) return agentCondition(reading, input, { agent, path });
  if (door !== undefined) return doorCondition(reading, input, door, path);
  if (input.counter !== undefined) return counterCondition(reading, input, input.counter, path);
  if (thing === undefined) return undefined;
  if (input.is !== undefined) return thingStateCondition(reading, thing, { is: input.is, path });
  if (input.in_room !== undefined) return { kind: 'thing-in-room', thing, room: input.in_room };
  const { inside = '' } = input;
  if (isThing(reading, inside) && !isContainer(reading, inside))
    reading.report.error([...path, 'inside'], `${inside} is not a container`);
  return { kind: 'thing-inside', thing, container: inside };
}

function isThing({ ids }: GridReading, id: string): boolean {
  return ids.get(id) === 'thing';
}

function agentCondition(
  reading: GridReading,
  input: ConditionInput,
  { agent, path }: { agent: string; path: YamlPath },
): GridCondition | undefined {
  if (input.in_room !== undefined) return { kind: 'in-room', agent, room: input.in_room };
  if (input.near !== undefined) {
    if (input.near === agent)
      reading.report.error([...path, 'near'], `${agent} is always near itself`, 'name something else');
    return { kind: 'near', agent, target: input.near, within: input.within ?? 1 };
  }
  if (input.holds !== undefined) return { kind: 'holds', agent, thing: input.holds };
  if (input.has_read !== undefined) return hasReadCondition(reading, { agent, thing: input.has_read, path });
  if (input.said !== undefined) return { kind: 'heard', agent, phrase: input.said };
  if (input.caught !== undefined) return { kind: 'caught', agent };
  if (input.done !== undefined) return { kind: 'done', agent };
  const [x, y] = input.at ?? [0, 0];
  if (!isInside(reading.map, x, y)) reading.report.error([...path, 'at'], `(${x}, ${y}) is outside the map`);
  return { kind: 'at', agent, x, y };
}

function hasReadCondition(
  reading: GridReading,
  { agent, thing, path }: { agent: string; thing: string; path: YamlPath },
): GridCondition {
  const hasText = lookUp(reading.values.things, thing)?.text !== undefined;
  if (isThing(reading, thing) && !hasText)
    reading.report.error([...path, 'has_read'], `${thing} has no text to read`, `give ${thing} a text`);
  return { kind: 'read', agent, thing };
}

function counterCondition(
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

function doorCondition(
  reading: GridReading,
  input: ConditionInput,
  door: string,
  path: YamlPath,
): GridCondition | undefined {
  if (input.is !== undefined && input.is !== 'worked') return { kind: 'door-is', door, state: input.is };
  reading.report.error([...path, 'is'], 'a door is open, closed, locked or unlocked');
  return undefined;
}

function thingStateCondition(
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

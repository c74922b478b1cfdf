/**
 * Checks the shape of a row's JSON before it is used: a log may be untrusted, and a hash only proves that a
 * text is unchanged, not that it is valid. In: any JSON. Out: whether code that trusts the record's type can
 * use it safely; `verify` proves the rest.
 */
import { isRecord } from '../base/json.js';
import { isId } from '../base/ids.js';
import { LIMITS } from '../base/limits.js';
import type { UntimelyReason } from '../trajectory/records.js';

/** A window, or a map shown as a whole, with a ruler along two of its sides. */
const SCENE_SIDE_MAX = LIMITS.mapSideTiles + 2;

/** An `ActRecord`; what may be null may be absent. */
export function isAct(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const { index, call, reading, intent, result, insteadOf } = value;
  return (
    isInteger(index) &&
    isOptional(call, isInteger) &&
    isOptional(reading, isReading) &&
    isOptional(intent, isIntent) &&
    isResult(result) &&
    isOptional(insteadOf, isProblem)
  );
}

/** An `Event`; what may be null may be absent. */
export function isEvent(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const { kind, actor, at, data, seenBy } = value;
  return (
    isText(kind) &&
    isOptional(actor, isText) &&
    isOptional(at, isPoint) &&
    isRecord(data) &&
    isShallow(data) &&
    isListOf(seenBy, isText)
  );
}

/** A reply's `Usage`; what may be null may be absent. */
export function isUsage(value: unknown): boolean {
  return isRecord(value) && Object.values(value).every((count) => isOptional(count, isAmount));
}

/** Of `Reply.toolCalls`. */
export function isToolCall(value: unknown): boolean {
  return isRecord(value) && isText(value['name']) && isText(value['arguments']);
}

/** Of `Reply.tries`. */
export function isTry(value: unknown): boolean {
  return isRecord(value) && isText(value['problem']) && isAmount(value['afterMs']);
}

/** `StepRewards`. */
export function isRewards(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const { paid, byName, outcomes, distance } = value;
  const isValidDistance =
    distance === undefined || distance === null || distance === 'never' || isAmount(distance);
  return (
    isAmounts(paid) && isOptional(byName, isNamedAmounts) && isOptional(outcomes, isTexts) && isValidDistance
  );
}

function isAmounts(value: unknown): boolean {
  return isRecord(value) && Object.values(value).every(Number.isFinite);
}

function isNamedAmounts(value: unknown): boolean {
  return isRecord(value) && Object.values(value).every(isAmounts);
}

/** `UntimelyCount`. */
export function isUntimely(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const { entity, reason, missed, count } = value;
  return (
    typeof entity === 'string' &&
    isId(entity) &&
    typeof reason === 'string' &&
    Object.hasOwn(UNTIMELY_REASONS, reason) &&
    (missed === undefined || isPositiveInteger(missed)) &&
    isPositiveInteger(count)
  );
}

const UNTIMELY_REASONS: Readonly<Record<UntimelyReason, true>> = {
  late: true,
  early: true,
  decided: true,
  'other-attempt': true,
  'out-of-play': true,
  stale: true,
};

/** The hashes of a state's parts. */
export function isParts(value: unknown): boolean {
  return isTexts(value);
}

function isTexts(value: unknown): boolean {
  return isRecord(value) && Object.values(value).every(isText);
}

/** An `Observation`; its facts are its environment's own. */
export function isObservation(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const { agent, turn, sections, scope, offered, nouns, facts, scene, refusals } = value;
  return (
    isText(agent) &&
    isInteger(turn) &&
    isListOf(sections, isSection) &&
    isListOf(scope, isText) &&
    isListOf(offered, isOffered) &&
    isListOf(nouns, isNoun) &&
    isRecord(facts) &&
    isShallow(facts) &&
    isOptional(scene, isScene) &&
    (refusals === undefined || refusals === 'plain')
  );
}

/** The maximum depth of JSON in a log, as for canonical JSON: recursive code must not run out of stack. */
const DEPTH_MAX = 100;

/** Whether JSON is nested no deeper than anything that the program writes. */
export function isShallow(value: unknown, depth = 0): boolean {
  if (typeof value !== 'object' || value === null) return true;
  if (depth >= DEPTH_MAX) return false;
  for (const inner of Array.isArray(value) ? (value as readonly unknown[]) : Object.values(value))
    if (typeof inner === 'object' && inner !== null && !isShallow(inner, depth + 1)) return false;
  return true;
}

/** The versions with which a run was played, by name; numbers, except those of the program and Node. */
export function isVersions(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const { program, node, log, rules, parser, prompt, render } = value;
  return (
    isText(program) &&
    isText(node) &&
    isInteger(log) &&
    Number(log) >= 1 &&
    [rules, parser, prompt, render].every(isInteger)
  );
}

function isReading(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const { ok, command, problem, rung, span, words } = value;
  if (!isOptional(rung, isText) || !isOptional(span, isSpan)) return false;
  return ok === true ? isCommand(command) && isText(words) : ok === false && isProblem(problem);
}

function isCommand(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const { action, args, alternatives } = value;
  return isText(action) && isArgs(args) && (alternatives === undefined || isListOf(alternatives, isArgs));
}

function isSpan(value: unknown): boolean {
  return isRecord(value) && isInteger(value['start']) && isInteger(value['end']);
}

function isIntent(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const { agent, action, args, outside } = value;
  return isText(agent) && isText(action) && isArgs(args) && isShallow(outside);
}

function isArgs(value: unknown): boolean {
  return isRecord(value) && Object.values(value).every(isScalar);
}

function isScalar(value: unknown): boolean {
  return isText(value) || Number.isFinite(value);
}

function isResult(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const { ok, message, path, problem } = value;
  if (ok === true) return isText(message) && isOptional(path, (points) => isListOf(points, isPoint));
  return ok === false && isProblem(problem);
}

function isProblem(value: unknown): boolean {
  return isRecord(value) && isText(value['code']) && isText(value['message']) && isShallow(value);
}

function isSection(value: unknown): boolean {
  return isRecord(value) && isText(value['id']) && isListOf(value['lines'], isText);
}

function isOffered(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const { action, slots, ways } = value;
  return (
    isText(action) &&
    isRecord(slots) &&
    Object.values(slots).every((words) => isListOf(words, isText)) &&
    (ways === undefined || isListOf(ways, isWay))
  );
}

function isWay(value: unknown): boolean {
  return isRecord(value) && Object.values(value).every((words) => isListOf(words, isScalar));
}

function isNoun(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const { id, name, distinctName, aliases, kinds } = value;
  return (
    isText(id) &&
    isText(name) &&
    (distinctName === undefined || isText(distinctName)) &&
    isListOf(aliases, isText) &&
    isListOf(kinds, isText)
  );
}

/** A window of tiles with their contents: every list is as long as the window requires. */
function isScene(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const { width, height, origin, legend, ground, visibility, things, marks } = value;
  if (!isSideLength(width) || !isSideLength(height) || !isListOf(legend, isText)) return false;
  const tiles = Number(width) * Number(height);
  const names = (legend as readonly unknown[]).length;
  return (
    isPoint(origin) &&
    isListOf(ground, (index) => isInteger(index) && Number(index) >= -1 && Number(index) < names) &&
    (ground as readonly unknown[]).length === tiles &&
    isListOf(visibility, (seen) => seen === 0 || seen === 1 || seen === 2) &&
    (visibility as readonly unknown[]).length === tiles &&
    isListOf(things, isSceneThing) &&
    isListOf(marks, (mark) => isRecord(mark) && isPoint(mark) && isText(mark['text']))
  );
}

function isSceneThing(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const { id, name, sprite, layer } = value;
  return isText(id) && isText(name) && isText(sprite) && isInteger(layer) && isPoint(value);
}

function isSideLength(value: unknown): boolean {
  return isInteger(value) && Number(value) >= 1 && Number(value) <= SCENE_SIDE_MAX;
}

function isPoint(value: unknown): boolean {
  return isRecord(value) && isInteger(value['x']) && isInteger(value['y']);
}

function isOptional(value: unknown, is: (value: unknown) => boolean): boolean {
  return value === undefined || value === null || is(value);
}

export function isListOf(value: unknown, is: (value: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(is);
}

export function isText(value: unknown): boolean {
  return typeof value === 'string';
}

/** A count or a measurement. */
export function isAmount(value: unknown): boolean {
  return typeof value === 'number' && value >= 0 && value <= Number.MAX_SAFE_INTEGER;
}

function isPositiveInteger(value: unknown): boolean {
  return isInteger(value) && Number(value) >= 1;
}

export function isInteger(value: unknown): boolean {
  return Number.isSafeInteger(value);
}

/**
 * What a row's JSON must look like before anybody reads on: a log may come from a stranger, and a hash says only that a text is what was
 * written, not that it makes sense. In: any JSON. Out: whether readers that trust the record's type can't stumble over it; more is proven
 * by `verify`.
 */
import { isId } from '../base/ids.js';

type Fields = Readonly<Record<string, unknown>>;

export function isRecord(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An `ActRecord`; what may be null may be absent. */
export function isAct(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const { call, reading, intent, result, insteadOf } = value;
  return (
    isOptional(call, isWhole) &&
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
    isListOf(seenBy, isText)
  );
}

/** A reply's `Usage`; what may be null may be absent. */
export function isUsage(value: unknown): boolean {
  return isRecord(value) && Object.values(value).every((count) => isOptional(count, isNumber));
}

/** A `Scenario`, but for its definition, which only its environment knows. */
export function isScenario(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const { agents, models, turns, budget, render, prompt, probes } = value;
  const texts = ['name', 'title', 'description', 'seed', 'environment'];
  return (
    texts.every((name) => isText(value[name])) &&
    isListOf(agents, isAgent) &&
    [models, turns, budget, render, prompt].every(isRecord) &&
    isOptional(probes, isRecord)
  );
}

/** What a run was played with, by name; numbers but for the program's and Node's. */
export function isVersions(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const { program, node, log, rules, parser, prompt, render } = value;
  return isText(program) && isText(node) && [log, rules, parser, prompt, render].every(isWhole);
}

function isAgent(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const { id, name, persona, goals, controller, protocol, memory, reflection } = value;
  return (
    typeof id === 'string' &&
    isId(id) &&
    [name, persona, protocol].every(isText) &&
    isListOf(goals, isRecord) &&
    isRecord(controller) &&
    isText(controller['kind']) &&
    [memory, reflection].every(isRecord)
  );
}

function isReading(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const { ok, command, problem, rung, span, words } = value;
  if (!isOptional(rung, isText) || !isOptional(span, isSpan)) return false;
  return ok === true ? isRecord(command) && isText(words) : ok === false && isProblem(problem);
}

function isSpan(value: unknown): boolean {
  return isRecord(value) && isWhole(value['start']) && isWhole(value['end']);
}

function isIntent(value: unknown): boolean {
  return isRecord(value) && isText(value['action']) && isRecord(value['args']);
}

function isResult(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const { ok, message, path, problem } = value;
  if (ok === true) return isText(message) && isOptional(path, (points) => isListOf(points, isPoint));
  return ok === false && isProblem(problem);
}

function isProblem(value: unknown): boolean {
  return isRecord(value) && isText(value['code']) && isText(value['message']);
}

function isPoint(value: unknown): boolean {
  return isRecord(value) && isWhole(value['x']) && isWhole(value['y']);
}

function isOptional(value: unknown, is: (value: unknown) => boolean): boolean {
  return value === undefined || value === null || is(value);
}

function isListOf(value: unknown, is: (value: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(is);
}

function isText(value: unknown): boolean {
  return typeof value === 'string';
}

function isNumber(value: unknown): boolean {
  return typeof value === 'number';
}

function isWhole(value: unknown): boolean {
  return Number.isSafeInteger(value);
}

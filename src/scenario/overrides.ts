/**
 * `--set key=value`: one value of the scenario replaced before it is checked, so that what it breaks is told like any other
 * mistake. Keys are paths with dots; agents are named by id.
 */
import type { Json } from '../base/json.js';
import type { Diagnostic } from '../base/errors.js';
import { LIMITS } from '../base/limits.js';
import { childOf, isRecord } from './records.js';
import type { Setting } from './report.js';
import { settingDiagnostic } from './report.js';
import type { Path } from './tree.js';
import { typed } from './variables.js';

interface Overridden {
  readonly value: Json;
  readonly settings: readonly Setting[];
  readonly mistakes: readonly Diagnostic[];
}

/** Applies settings in order; those that name no place in the scenario come back as mistakes. */
export function override(value: Json, settings: readonly string[]): Overridden {
  const mistakes: Diagnostic[] = [];
  const done: Setting[] = [];
  let changed = value;
  for (const text of settings) {
    const [, keys, given] = /^([A-Za-z0-9_.-]{1,200})=(.*)$/s.exec(text) ?? [];
    const path = keys === undefined ? undefined : pathOf(changed, keys.split('.'));
    const isTooLong = (given ?? '').length > LIMITS.settingCharacters;
    if (keys === undefined)
      mistakes.push(
        settingDiagnostic(
          { text },
          { message: 'not of the form key=value', suggestion: '--set turns.max=20' },
        ),
      );
    else if (path === undefined)
      mistakes.push(settingDiagnostic({ text }, { message: `${keys} names nothing in the scenario` }));
    else if (isTooLong)
      mistakes.push(
        settingDiagnostic(
          { text: keys },
          { message: `the value has more than ${LIMITS.settingCharacters} characters` },
        ),
      );
    else {
      changed = replaced(changed, path, valueOf(given ?? ''));
      done.push({ path, text });
    }
  }
  return { value: changed, settings: done, mistakes };
}

/** `null` removes a key, so that its default holds. */
function valueOf(text: string): Json {
  if (text === 'null') return null;
  return listOf(text) ?? typed(text);
}

/** A list as JSON writes it, such as [9, 9]; null for any other text. What stands in it is checked as in the file. */
function listOf(text: string): Json | null {
  if (!text.startsWith('[')) return null;
  try {
    return JSON.parse(text) as Json;
  } catch {
    return null;
  }
}

const UNSAFE = new Set(['__proto__', 'constructor', 'prototype', '']);

function pathOf(value: Json, keys: readonly string[]): Path | undefined {
  const path: (string | number)[] = [];
  let at: Json | undefined = value;
  for (const key of keys) {
    if (UNSAFE.has(key) || typeof at === 'string' || typeof at === 'number' || typeof at === 'boolean')
      return undefined;
    if (Array.isArray(at)) {
      const list: readonly Json[] = at;
      const index = list.findIndex((each, i) => idOf(each) === key || String(i) === key);
      if (index === -1) return undefined;
      path.push(index);
      at = list[index];
    } else {
      path.push(key);
      at = isRecord<Json>(at) && Object.hasOwn(at, key) ? at[key] : undefined;
    }
  }
  return path;
}

function idOf(value: Json): unknown {
  return childOf(value, 'id');
}

function replaced(value: Json | undefined, path: Path, given: Json): Json {
  const [step, ...rest] = path;
  if (step === undefined) return given;
  if (Array.isArray(value))
    return value.map((each: Json, i) => (i === step ? replaced(each, rest, given) : each));
  const record: Record<string, Json> = { ...(isRecord<Json>(value) ? value : {}) };
  if (rest.length === 0 && given === null) delete record[step];
  else record[step] = replaced(record[step], rest, given);
  return record;
}

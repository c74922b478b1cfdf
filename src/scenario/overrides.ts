/**
 * `--set key=value`: replaces one value of the scenario before it is checked, so that its mistakes are
 * reported like any others. Keys are paths with dots; agents are named by id. The schema at that position
 * determines the value's type.
 */
import { z } from 'zod';
import { isRecord, type Json } from '../base/json.js';
import { ScenarioError } from '../base/errors.js';
import type { Diagnostic } from '../base/errors.js';
import { LIMITS } from '../base/limits.js';
import { prescan } from './prescan.js';
import { childOf } from './records.js';
import type { Setting } from './report.js';
import { settingDiagnostic } from './report.js';
import { schemasAt } from './schema-walk.js';
import { diagnostic, sourceOf } from './source.js';
import { suggest } from './suggest.js';
import { parseTree } from './tree.js';
import type { YamlPath } from './tree.js';
import { typed } from './variables.js';

interface OverriddenInput {
  readonly value: Json;
  readonly settings: readonly Setting[];
  readonly mistakes: readonly Diagnostic[];
}

/** The schema of the scenario so far, because its environment may be set too. Null if it is unknown. */
export type SchemaOf = (value: Json) => z.ZodType | null;

/**
 * Applies settings in order; those whose key does not exist or whose value is invalid are returned as
 * mistakes.
 */
export function override(value: Json, settings: readonly string[], schemaOf: SchemaOf): OverriddenInput {
  const mistakes: Diagnostic[] = [];
  const done: Setting[] = [];
  let changed = value;
  const refuse = (text: string, message: string, suggestion?: string): void =>
    void mistakes.push(settingDiagnostic({ text }, { message, suggestion }));
  for (const text of settings) {
    const [, keys, given = ''] = /^([A-Za-z0-9_.-]{1,200})=(.*)$/s.exec(text) ?? [];
    const path = keys === undefined ? [] : pathOf(changed, keys.split('.'));
    if (keys === undefined) refuse(text, 'not of the form key=value', '--set turns.max=20');
    else if ('astray' in path)
      refuse(text, `${keys} does not exist in the scenario`, suggest(path.astray, path.known));
    else if (given.length > LIMITS.settingCharacters)
      refuse(keys, `the value has more than ${LIMITS.settingCharacters} characters`);
    else {
      const read = valueOf(given, schemasAt(schemaOf(changed), path));
      mistakes.push(...read.mistakes);
      if (read.mistakes.length > 0) continue;
      changed = replaced(changed, path, read.value);
      done.push({ path, text });
    }
  }
  return { value: changed, settings: done, mistakes };
}

interface OverrideReading {
  readonly value: Json;
  readonly mistakes: readonly Diagnostic[];
}

/** `null` removes a key, so that its default applies; where only text is allowed, any other value is text. */
function valueOf(text: string, wanted: readonly unknown[]): OverrideReading {
  if (text === 'null') return { value: null, mistakes: [] };
  if (wanted.length > 0 && wanted.every(isText)) return { value: text, mistakes: [] };
  const flow = /^\s*[[{]/.test(text) ? flowOf(text) : null;
  const isProse = flow !== null && flow.mistakes.length > 0 && wanted.some(isText);
  return flow === null || isProse ? { value: typed(text), mistakes: [] } : flow;
}

function isText(schema: unknown): boolean {
  return schema instanceof z.ZodString;
}

/** A list or keys with values, as JSON or YAML flow syntax. The content is checked as in the file. */
function flowOf(text: string): OverrideReading {
  try {
    const source = sourceOf('--set', text);
    const mistakes = [...prescan(source)];
    const { value } = parseTree(source, (at, finding) => mistakes.push(diagnostic(source, at, finding)));
    return { value, mistakes };
  } catch (error) {
    if (error instanceof ScenarioError) return { value: null, mistakes: error.diagnostics };
    throw error;
  }
}

const UNSAFE = new Set(['__proto__', 'constructor', 'prototype', '']);

/** A nonexistent key, with suggestions. */
interface UnknownSetting {
  readonly astray: string;
  readonly known: readonly string[];
}

function pathOf(value: Json, keys: readonly string[]): YamlPath | UnknownSetting {
  const path: (string | number)[] = [];
  let at: Json | undefined = value;
  for (const key of keys) {
    if (UNSAFE.has(key) || typeof at === 'string' || typeof at === 'number' || typeof at === 'boolean')
      return { astray: key, known: [] };
    if (Array.isArray(at)) {
      const list: readonly Json[] = at;
      const index = list.findIndex((each, i) => idOf(each) === key || String(i) === key);
      if (index === -1) return { astray: key, known: list.map(idOf).filter((id) => typeof id === 'string') };
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

function replaced(value: Json | undefined, path: YamlPath, given: Json): Json {
  const [step, ...rest] = path;
  if (step === undefined) return given;
  if (Array.isArray(value))
    return value.map((each: Json, i) => (i === step ? replaced(each, rest, given) : each));
  const record: Record<string, Json> = { ...(isRecord<Json>(value) ? value : {}) };
  if (rest.length === 0 && given === null) delete record[step];
  else record[step] = replaced(record[step], rest, given);
  return record;
}

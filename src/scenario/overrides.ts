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
import { childOf } from './records.js';
import type { SetOption } from './report.js';
import { settingDiagnostic } from './report.js';
import { schemasAt } from './schema-walk.js';
import { sourceOf } from './source.js';
import { suggest } from './suggest.js';
import { parseTree } from './tree.js';
import type { YamlPath } from './tree.js';
import { parseUnquoted } from './variables.js';

/** The schema of the scenario so far, because its environment may be set too. Null if it is unknown. */
export type SchemaOf = (value: Json) => z.ZodType | null;

/**
 * Applies settings in order; those whose key does not exist or whose value is invalid are returned as
 * mistakes.
 */
export function applySettings(
  value: Json,
  settings: readonly string[],
  schemaOf: SchemaOf,
): { value: Json; settings: readonly SetOption[]; mistakes: readonly Diagnostic[] } {
  const mistakes: Diagnostic[] = [];
  const applied: SetOption[] = [];
  let changed = value;
  const reportSetting = (text: string, message: string, suggestion?: string): void =>
    void mistakes.push(settingDiagnostic({ text }, { message, suggestion }));
  for (const text of settings) {
    const [, keys, valueText = ''] = /^([A-Za-z0-9_.-]{1,200})=(.*)$/s.exec(text) ?? [];
    const path = keys === undefined ? [] : resolveKeys(changed, keys.split('.'));
    if (keys === undefined)
      reportSetting(text, 'not of the form key=value', 'write, for example: --set turns.max=20');
    else if ('unknownKey' in path)
      reportSetting(text, `${keys} does not exist in the scenario`, suggest(path.unknownKey, path.known));
    else if (valueText.length > LIMITS.settingCharacters)
      reportSetting(keys, `the value has more than ${LIMITS.settingCharacters} characters`);
    else {
      const parsed = parseValue(valueText, schemasAt(schemaOf(changed), path));
      mistakes.push(...parsed.mistakes);
      if (parsed.mistakes.length > 0) continue;
      changed = withValueAt(changed, path, parsed.value);
      applied.push({ path, text });
    }
  }
  return { value: changed, settings: applied, mistakes };
}

interface OverrideReading {
  value: Json;
  mistakes: readonly Diagnostic[];
}

/** `null` removes a key, so that its default applies; where only text is allowed, any other value is text. */
function parseValue(text: string, schemas: readonly unknown[]): OverrideReading {
  if (text === 'null') return { value: null, mistakes: [] };
  if (schemas.length > 0 && schemas.every(isText)) return { value: text, mistakes: [] };
  const flow = /^\s*[[{]/.test(text) ? parseFlow(text) : null;
  const isProse = flow !== null && flow.mistakes.length > 0 && schemas.some(isText);
  return flow === null || isProse ? { value: parseUnquoted(text), mistakes: [] } : flow;
}

function isText(schema: unknown): boolean {
  return schema instanceof z.ZodString;
}

/** Parses a list or a mapping in JSON or YAML flow syntax, with the same checks as a file. */
function parseFlow(text: string): OverrideReading {
  try {
    const source = sourceOf('--set', text);
    const mistakes: Diagnostic[] = [];
    const { value } = parseTree(source, mistakes);
    return { value, mistakes };
  } catch (error) {
    if (error instanceof ScenarioError) return { value: null, mistakes: error.diagnostics };
    throw error;
  }
}

const UNSAFE = new Set(['__proto__', 'constructor', 'prototype', '']);

function resolveKeys(
  value: Json,
  keys: readonly string[],
): YamlPath | { unknownKey: string; known: readonly string[] } {
  const path: (string | number)[] = [];
  let node: Json | undefined = value;
  for (const key of keys) {
    if (UNSAFE.has(key) || typeof node === 'string' || typeof node === 'number' || typeof node === 'boolean')
      return { unknownKey: key, known: [] };
    if (Array.isArray(node)) {
      const list: readonly Json[] = node;
      const index = list.findIndex((each, i) => idOf(each) === key || String(i) === key);
      if (index === -1)
        return { unknownKey: key, known: list.map(idOf).filter((id) => typeof id === 'string') };
      path.push(index);
      node = list[index];
    } else {
      path.push(key);
      node = isRecord<Json>(node) && Object.hasOwn(node, key) ? node[key] : undefined;
    }
  }
  return path;
}

function idOf(value: Json): unknown {
  return childOf(value, 'id');
}

function withValueAt(value: Json | undefined, path: YamlPath, newValue: Json): Json {
  const [step, ...rest] = path;
  if (step === undefined) return newValue;
  if (Array.isArray(value))
    return value.map((each: Json, i) => (i === step ? withValueAt(each, rest, newValue) : each));
  const record: Record<string, Json> = { ...(isRecord<Json>(value) ? value : {}) };
  if (rest.length === 0 && newValue === null) delete record[step];
  else record[step] = withValueAt(record[step], rest, newValue);
  return record;
}

/**
 * `${NAME}` and `${NAME:-default}` in a scenario's settings. They are expanded only under `seed`, `turns`,
 * `models` and `render`, so text for agents (personas, signs, speech) never contains anything from the
 * environment. A scenario may come from an untrusted source, and can send everything that it reads to its own
 * server. So it may read only the variables of a short list and those that the user names.
 */
import { isRecord, type Json } from '../base/json.js';
import type { MistakeReport } from './report.js';
import type { YamlPath, Tree } from './tree.js';
import { isPlain, describeOddNumber, scalarAt } from './tree.js';

/** Looks up a variable by its name. */
export type Variables = (name: string) => string | undefined;

/** The environment variables, and which of them a scenario may read. */
export interface ReadableVariables {
  variables: Variables;
  /** Names that the user gives in addition to `READABLE_VARIABLES`. */
  env: readonly string[];
}

/** The variables that every scenario may read: the address of the user's server, and its model. */
export const READABLE_VARIABLES: readonly string[] = ['VLLM_URL', 'VLLM_MODEL'];

/** The name of an environment variable, as part of a regular expression. */
export const VARIABLE = '[A-Za-z_][A-Za-z0-9_]{0,63}';
export const VARIABLE_NAME = new RegExp(`^${VARIABLE}$`);

const SETTINGS = ['seed', 'turns', 'models', 'render'] as const;

/** `$$` gives a literal dollar sign. */
const REFERENCE = /\$(?:\$|\{([^{}]*)\})/g;
const REFERENCED = new RegExp(`^(${VARIABLE})(?::-(.*))?$`, 's');
const WHOLE_REFERENCE = new RegExp(`\\$\\{${VARIABLE}(?::-[^{}]*)?\\}`);

export interface FilledValue {
  value: Json;
  /** Paths of the values with a variable that could not be expanded. */
  failedPaths: readonly YamlPath[];
}

/** The scenario's value with its settings expanded; unset variables are reported at their position. */
export function withVariables(
  tree: Tree,
  readable: ReadableVariables,
  report: MistakeReport,
  settings: readonly string[] = SETTINGS,
): FilledValue {
  const { value } = tree;
  const failedPaths: YamlPath[] = [];
  if (!isRecord<Json>(value)) return { value, failedPaths };
  const filled: Record<string, Json> = { ...value };
  for (const key of settings) {
    const setting = filled[key];
    if (setting !== undefined) filled[key] = expand({ tree, readable, report, failedPaths }, setting, [key]);
  }
  for (const [key, text] of Object.entries(value)) {
    if (!settings.includes(key)) warnOfUnexpanded(report, text, { path: [key], settings });
  }
  return { value: filled, failedPaths };
}

/** Warns of references in text for agents, which is never expanded. */
function warnOfUnexpanded(
  report: MistakeReport,
  value: Json,
  { path, settings }: { path: YamlPath; settings: readonly string[] },
): void {
  const visit = (each: Json, step: string | number): void =>
    warnOfUnexpanded(report, each, { path: [...path, step], settings });
  if (typeof value === 'string') {
    const [reference] = WHOLE_REFERENCE.exec(value) ?? [];
    if (reference !== undefined)
      report.warning(
        path,
        `${reference.slice(0, 60)} is not expanded here`,
        `variables are expanded only under ${settings.join(', ')}`,
      );
  } else if (Array.isArray(value)) value.forEach(visit);
  else if (typeof value === 'object' && value !== null)
    for (const [key, each] of Object.entries(value)) visit(each, key);
}

interface VariableContext {
  tree: Tree;
  readable: ReadableVariables;
  report: MistakeReport;
  failedPaths: YamlPath[];
}

function expand(context: VariableContext, value: Json, path: YamlPath): Json {
  if (typeof value === 'string') return value.includes('$') ? expandText(context, value, path) : value;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((each: Json, i) => expand(context, each, [...path, i]));
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, expand(context, each, [...path, key])]),
  );
}

function expandText(context: VariableContext, text: string, path: YamlPath): Json {
  const filled = text.replace(REFERENCE, (reference, inner: string | undefined) => {
    return inner === undefined ? '$' : expandReference(context, { reference, inner, path });
  });
  const scalar = scalarAt(context.tree, path);
  return scalar !== undefined && isPlain(scalar) && filled !== text ? parseUnquoted(filled) : filled;
}

function expandReference(
  { readable, report, failedPaths }: VariableContext,
  { reference, inner, path }: { reference: string; inner: string; path: YamlPath },
): string {
  const [, name, fallback] = REFERENCED.exec(inner) ?? [];
  const mayRead = name !== undefined && isReadable(name, readable);
  const value = mayRead ? readable.variables(name) : undefined;
  if (name === undefined)
    report.error(
      path,
      `${reference.slice(0, 60)} is not a reference to a variable`,
      'write ${NAME} or ${NAME:-default}; $$ gives one $',
    );
  else if (!mayRead)
    report.error(
      path,
      `a scenario may not read the environment variable ${name}`,
      `allow it with --env ${name}; for a server's key, write api_key_env: ${name}`,
    );
  else if (value !== undefined && value !== '') return value;
  else if (fallback !== undefined) return fallback;
  else
    report.error(
      path,
      `the environment variable ${name} is not set`,
      `set it, or write \${${name}:-default}`,
    );
  failedPaths.push(path);
  return reference;
}

/** Whether the scenario may read a variable. Set or not, so that a scenario can't find out what is set. */
function isReadable(name: string, { env }: ReadableVariables): boolean {
  return READABLE_VARIABLES.includes(name) || env.includes(name);
}

/** Unquoted text is converted as YAML would: an integer or decimal number, true or false. */
export function parseUnquoted(text: string): Json {
  if (text === 'true' || text === 'false') return text === 'true';
  const isNumber =
    /^-?(0|[1-9]\d*)(\.\d+)?$/.test(text) && describeOddNumber(text, Number(text)) === undefined;
  return isNumber ? Number(text) : text;
}

/**
 * What a module of the user's own may export, and whether it did. In: a loaded module; out: its parts by their kinds, checked as far as
 * their shape goes, since a typing mistake in plain JavaScript would otherwise be met in the middle of a run.
 */
import type { Controller } from '../agent/controller.js';
import type { Memory } from '../agent/memory.js';
import { UsageError } from '../base/errors.js';
import { lookUp } from '../base/look-up.js';
import { nearest } from '../base/nearest.js';
import type { ActionSpec } from '../environment/own-action.js';
import type { EffectHandler } from '../orchestrator/run-context.js';
import type { Protocol } from '../parse/protocol.js';
import { readTools } from '../worlds/toolbox/scenario/own-tools.js';
import type { OwnTool } from '../worlds/toolbox/scenario/own-tools.js';
import type { MakeAction } from '../worlds/grid/registry.js';
import type { GridState } from '../worlds/grid/state.js';
import type { EnvironmentModule } from './environments.js';

/** Who plays instead of what the scenario says, by agent. */
export interface OwnSeats {
  readonly controllers: Readonly<Record<string, Controller>>;
  readonly protocols: Readonly<Record<string, Protocol>>;
  readonly memory: Readonly<Record<string, Memory>>;
}

/** What one module brings. */
export interface OwnExports extends OwnSeats {
  /** Of the grid world. */
  readonly actions: readonly MakeAction[];
  /** What those reach for outside, by name. */
  readonly effectHandlers: Readonly<Record<string, EffectHandler>>;
  readonly environments: readonly EnvironmentModule[];
  /** Of the toolbox. */
  readonly tools: readonly OwnTool[];
}

const NAMES = [
  'actions',
  'effectHandlers',
  'environments',
  'tools',
  'controllers',
  'protocols',
  'memory',
] as const;

/** `path` is how the user named it. Throws UsageError where it exports none of these, or something else under one of their names. */
export function readExports(path: string, loaded: Readonly<Record<string, unknown>>): OwnExports {
  const names = Object.keys(loaded);
  if (!names.some((name) => NAMES.some((known) => known === name))) throw nothingIn(path, names);
  const { tools } = loaded;
  const part = <T>(name: (typeof NAMES)[number], needs: readonly string[]): Readonly<Record<string, T>> =>
    partsOf<T>(loaded[name], { path, name, needs });
  const actions = listed<MakeAction | ActionSpec<GridState>>(loaded['actions'], {
    path,
    name: 'actions',
    needs: ['name', 'description', 'examples', 'apply'],
  });
  return {
    actions: actions.map((one) => (typeof one === 'function' ? one : () => one)),
    environments: ownEnvironments(path, loaded['environments']),
    tools: tools === undefined ? [] : readTools(tools, path),
    effectHandlers: part('effectHandlers', []),
    controllers: part('controllers', ['name', 'decide']),
    protocols: part('protocols', [
      'name',
      'instructions',
      'actionLines',
      'form',
      'replyText',
      'repair',
      'read',
    ]),
    memory: part('memory', ['messages', 'remember', 'wish', 'digest', 'kept']),
  };
}

function ownEnvironments(path: string, value: unknown): readonly EnvironmentModule[] {
  const name = 'environments';
  const found = listed<EnvironmentModule>(value, { path, name, needs: ['kind', 'reader', 'effectHandlers'] });
  for (const [i, { kind, reader }] of found.entries()) {
    require(kind, `${name}[${i}].kind`, {
      path,
      name,
      needs: ['kind', 'rulesVersion', 'actionNames', 'open'],
    });
    const needs = ['kind', 'keys', 'agentKeys', 'sections', 'read'];
    require(reader, `${name}[${i}].reader`, { path, name, needs });
  }
  return found;
}

function nothingIn(path: string, names: readonly string[]): UsageError {
  const meant = names.map((name) => nearest(name, NAMES)).find((name) => name !== undefined);
  return new UsageError(`${path} exports nothing that is known`, [
    ...(meant === undefined ? [] : [`did you mean \`export const ${meant}\`?`]),
    `export one or more of: ${NAMES.join(', ')}`,
  ]);
}

interface RequestedExport {
  readonly path: string;
  readonly name: string;
  /** What each must have; nothing: then each is a function. */
  readonly needs: readonly string[];
}

/** A list whose members have what is needed, or are functions that make such. */
function listed<T>(value: unknown, wanted: RequestedExport): readonly T[] {
  if (value === undefined) return [];
  if (!Array.isArray(value))
    throw new UsageError(`${wanted.path}: \`${wanted.name}\` is no list`, [
      `export const ${wanted.name} = [ … ]`,
    ]);
  for (const [i, one] of value.entries()) {
    if (wanted.name !== 'actions' || typeof one !== 'function') require(one, `${wanted.name}[${i}]`, wanted);
  }
  return value as readonly T[];
}

function partsOf<T>(value: unknown, wanted: RequestedExport): Readonly<Record<string, T>> {
  if (value === undefined) return {};
  if (!isObject(value) || Array.isArray(value))
    throw new UsageError(`${wanted.path}: \`${wanted.name}\` is no record`, [
      `export const ${wanted.name} = { … }`,
    ]);
  for (const [key, one] of Object.entries(value)) require(one, `${wanted.name}.${key}`, wanted);
  return value as Readonly<Record<string, T>>;
}

function require(value: unknown, place: string, { path, needs }: RequestedExport): void {
  if (needs.length === 0 && typeof value !== 'function')
    throw new UsageError(`${path}: ${place} is no function`);
  const missing = needs.filter((need) => !isObject(value) || lookUp(value, need) === undefined);
  if (missing.length > 0) throw new UsageError(`${path}: ${place} lacks ${missing.join(', ')}`);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

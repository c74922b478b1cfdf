/**
 * What a module of the user's may export, and a check that it does. Their shape is checked here, because
 * otherwise a typing mistake in plain JavaScript would surface only in the middle of a run.
 */
import type { Controller } from '../agent/controller.js';
import type { Memory } from '../agent/memory.js';
import { UsageError } from '../base/errors.js';
import { nearest } from '../base/nearest.js';
import type { EffectHandler } from '../orchestrator/run-context.js';
import type { Protocol } from '../parse/protocol.js';
import { requireList, requireRecord, requireParts } from '../worlds/exported-parts.js';
import type { EnvironmentModule, WorldExtension } from '../worlds/environment-module.js';

/** Controllers used instead of the scenario's, by agent. */
export interface OwnSeats {
  controllers: Readonly<Record<string, Controller>>;
  protocols: Readonly<Record<string, Protocol>>;
  memory: Readonly<Record<string, Memory>>;
}

/** What one module exports. */
export interface OwnExports extends OwnSeats {
  /** Parts of built-in worlds, by the name that they are exported under. */
  parts: Readonly<Record<string, readonly unknown[]>>;
  /** The effect handlers of those parts, by name. */
  effectHandlers: Readonly<Record<string, EffectHandler>>;
  environments: readonly EnvironmentModule[];
}

const PART_NAMES = ['effectHandlers', 'environments', 'controllers', 'protocols', 'memory'] as const;

/**
 * `path` is the path as the user gave it, `extensions` lists what the module may add to worlds. Throws
 * UsageError if it exports nothing that is known, or something of another type under a known name.
 */
export function readExports(
  path: string,
  loaded: Readonly<Record<string, unknown>>,
  extensions: readonly WorldExtension[],
): OwnExports {
  const knownNames = [...extensions.map(({ exportName }) => exportName), ...PART_NAMES];
  const names = Object.keys(loaded);
  if (!names.some((name) => knownNames.includes(name))) throw noKnownExport(path, names, knownNames);
  const part = <T>(
    name: (typeof PART_NAMES)[number],
    needs: readonly (keyof T & string)[],
  ): Readonly<Record<string, T>> => requireRecord<T>(loaded[name], { path, name, needs });
  return {
    parts: Object.fromEntries(
      extensions.map((extension) => [
        extension.exportName,
        extension.read(loaded[extension.exportName], path),
      ]),
    ),
    environments: ownEnvironments(path, loaded['environments']),
    effectHandlers: part<EffectHandler>('effectHandlers', []),
    controllers: part<Controller>('controllers', ['name', 'decide']),
    protocols: part<Protocol>('protocols', [
      'name',
      'instructions',
      'actionLines',
      'form',
      'replyText',
      'repair',
      'read',
    ]),
    memory: part<Memory>('memory', ['messages', 'remember', 'textRequest', 'withText', 'kept']),
  };
}

function ownEnvironments(path: string, value: unknown): readonly EnvironmentModule[] {
  const name = 'environments';
  const environments = requireList<EnvironmentModule>(value, {
    path,
    name,
    needs: ['kind', 'reader', 'effectHandlers'],
  });
  for (const [i, { kind, reader }] of environments.entries()) {
    requireParts(kind, `${name}[${i}].kind`, {
      path,
      name,
      needs: ['kind', 'rulesVersion', 'actionNames', 'open'],
    });
    const needs = ['kind', 'keys', 'agentKeys', 'sections', 'read'];
    requireParts(reader, `${name}[${i}].reader`, { path, name, needs });
  }
  return environments;
}

function noKnownExport(path: string, names: readonly string[], knownNames: readonly string[]): UsageError {
  const suggestion = names.map((name) => nearest(name, knownNames)).find((name) => name !== undefined);
  return new UsageError(`${path} has no recognised exports`, [
    ...(suggestion === undefined ? [] : [`did you mean \`export const ${suggestion}\`?`]),
    `export one or more of: ${knownNames.join(', ')}`,
  ]);
}

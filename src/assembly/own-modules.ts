/**
 * The user's own modules. They are loaded only here, because loading runs their code. A scenario may come
 * from an untrusted source, so it can't name a module. Every error names the file.
 */
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { errorMessage, UsageError } from '../base/errors.js';
import type { EnvironmentModule } from '../worlds/environment-module.js';
import { readExports } from './own-exports.js';
import type { FaultPlace } from './module-fault.js';
import type { OwnExports, OwnSeats } from './own-exports.js';

export interface OwnParts {
  /** The available environments and those of the modules. */
  modules: readonly EnvironmentModule[];
  seats: OwnSeats;
}

interface LoadedModule extends OwnExports {
  /** As the user named it. */
  path: string;
}

/**
 * Loads modules, by paths relative to `folder`, and runs their code. Throws UsageError with the file's name
 * if one can't be loaded or used.
 */
export async function loadModules(
  paths: readonly string[],
  { folder, builtIn }: { folder: string; builtIn: readonly EnvironmentModule[] },
): Promise<OwnParts> {
  const loaded: LoadedModule[] = [];
  const extensions = builtIn.flatMap(({ extension }) => extension ?? []);
  for (const path of paths)
    loaded.push({ path, ...readExports(path, await importModule(path, resolve(folder, path)), extensions) });
  const effectHandlers = mergeExports(loaded, 'effectHandlers');
  // The worlds to which a module adds something.
  const extendedWorlds = builtIn.flatMap(({ extension }) => {
    if (extension === undefined) return [];
    const additions = loaded.map(({ path, parts }) => ({ path, parts: parts[extension.exportName] ?? [] }));
    return additions.every(({ parts }) => parts.length === 0)
      ? []
      : [extension.extended(additions, effectHandlers)];
  });
  const extendedKinds = extendedWorlds.map(({ kind }) => kind.kind);
  const others = withEnvironments(loaded, builtIn).filter(({ kind }) => !extendedKinds.includes(kind.kind));
  const seats = {
    controllers: mergeExports(loaded, 'controllers'),
    protocols: mergeExports(loaded, 'protocols'),
    memory: mergeExports(loaded, 'memory'),
  };
  return { modules: [...extendedWorlds, ...others], seats };
}

const MODULE_HINT =
  'a module is a JavaScript file (.mjs); docs/reference/library.md lists what it may export';

async function importModule(path: string, file: string): Promise<Readonly<Record<string, unknown>>> {
  if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true)
    throw new UsageError(`there is no module ${path}`, [MODULE_HINT]);
  try {
    return (await import(pathToFileURL(file).href)) as Readonly<Record<string, unknown>>;
  } catch (error) {
    throw await loadError(error, path, file);
  }
}

async function loadError(error: unknown, path: string, file: string): Promise<UsageError> {
  const message = errorMessage(error);
  // Loaded on demand: it needs Node's part for processes, which takes time at each start.
  const { faultPlace } = await import('./module-fault.js');
  const place = faultPlace(error, file);
  const isPackageMissing = message.includes("Cannot find package 'orchestrate-vlm'");
  const installHint =
    "install orchestrate-vlm in the module's folder; orchestrate init creates a project that has it";
  const hints = isPackageMissing
    ? [installHint]
    : (hintsOf(error) ?? importHint(error) ?? (place === null ? [MODULE_HINT] : []));
  return new UsageError(
    `${path} can't be loaded: ${message}${place === null ? '' : placeText(place)}`,
    hints,
  );
}

/** The module itself exists, so what can't be found is something that it imports. */
function importHint(error: unknown): readonly string[] | null {
  const { code } = Object(error) as { code?: unknown };
  if (code !== 'ERR_MODULE_NOT_FOUND') return null;
  return [
    'it imports something that does not exist: correct the path, or install the package in its folder or above',
  ];
}

function placeText({ file, line, source }: FaultPlace): string {
  return ` (${file}:${line})${source === null ? '' : `\n${source}`}`;
}

/**
 * The hints that our own functions give if a module misuses them. They are recognised by shape, because the
 * module may have its own copy of this package.
 */
function hintsOf(error: unknown): readonly string[] | null {
  const { name, hints } = Object(error) as { name?: unknown; hints?: unknown };
  return name === 'UsageError' && Array.isArray(hints) && hints.length > 0 ? hints.map(String) : null;
}

/** Merges the exports of all modules, by name. Throws UsageError if two modules export the same one. */
function mergeExports<K extends keyof OwnSeats | 'effectHandlers'>(
  loaded: readonly LoadedModule[],
  exportName: K,
): LoadedModule[K] {
  const merged: Record<string, unknown> = {};
  for (const { path, [exportName]: exported } of loaded) {
    const duplicate = Object.keys(exported).find((name) => Object.hasOwn(merged, name));
    if (duplicate !== undefined)
      throw new UsageError(`${path}: another module also exports ${exportName} for ${duplicate}`);
    Object.assign(merged, exported);
  }
  return merged as LoadedModule[K];
}

function withEnvironments(
  loaded: readonly LoadedModule[],
  builtIn: readonly EnvironmentModule[],
): readonly EnvironmentModule[] {
  const modules = [...builtIn];
  for (const { path, environments } of loaded) {
    for (const environment of environments) {
      const { kind } = environment.kind;
      const existing = modules.find((module) => module.kind.kind === kind);
      if (existing !== undefined)
        throw new UsageError(`${path}: there is already an environment called "${kind}"`, [
          existing.extension === undefined
            ? 'give the environment another name'
            : `to extend that environment, export the additions as a list \`${existing.extension.exportName}\``,
        ]);
      modules.push(environment);
    }
  }
  return modules;
}

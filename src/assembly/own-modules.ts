/**
 * The user's own modules. They are loaded only here, because loading runs their code. A scenario may come
 * from an untrusted source, so it can't name a module. In: paths that the user gave, and the available
 * environments. Out: the environments with the modules' additions, and controllers that replace those of the
 * scenario. Every error names the file.
 */
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { UsageError } from '../base/errors.js';
import type { EnvironmentModule } from '../worlds/environment-module.js';
import { readExports } from './own-exports.js';
import { faultPlace } from './module-fault.js';
import type { FaultPlace } from './module-fault.js';
import type { OwnExports, OwnSeats } from './own-exports.js';

export interface OwnParts {
  /** The available environments and those of the modules. */
  readonly modules: readonly EnvironmentModule[];
  readonly seats: OwnSeats;
}

interface LoadedModule extends OwnExports {
  /** As the user named it. */
  readonly path: string;
}

/**
 * Loads modules, by paths relative to `folder`, and runs their code. Throws UsageError with the file's name
 * if one can't be loaded or used.
 */
export async function loadModules(
  paths: readonly string[],
  { folder, builtIn }: { readonly folder: string; readonly builtIn: readonly EnvironmentModule[] },
): Promise<OwnParts> {
  const all: LoadedModule[] = [];
  const extensions = builtIn.flatMap(({ extension }) => extension ?? []);
  for (const path of paths)
    all.push({ path, ...readExports(path, await imported(path, resolve(folder, path)), extensions) });
  const changed = extended(all, builtIn);
  const replaced = changed.map(({ kind }) => kind.kind);
  const others = withKinds(all, builtIn).filter(({ kind }) => !replaced.includes(kind.kind));
  const seats = {
    controllers: joined(all, 'controllers'),
    protocols: joined(all, 'protocols'),
    memory: joined(all, 'memory'),
  };
  return { modules: [...changed, ...others], seats };
}

const HINT = 'a module is a JavaScript file (.mjs); docs/reference/library.md lists what it may export';

async function imported(path: string, file: string): Promise<Readonly<Record<string, unknown>>> {
  if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true)
    throw new UsageError(`there is no module ${path}`, [HINT]);
  try {
    return (await import(pathToFileURL(file).href)) as Readonly<Record<string, unknown>>;
  } catch (error) {
    throw unloadable(error, path, file);
  }
}

function unloadable(error: unknown, path: string, file: string): UsageError {
  const words = wordsOf(error);
  const place = faultPlace(error, file);
  const isHomeless = words.includes("Cannot find package 'orchestrate-vlm'");
  const home =
    "install orchestrate-vlm in the module's folder; orchestrate init creates a project that has it";
  const hints = isHomeless ? [home] : (hintsOf(error) ?? importHint(error) ?? (place === null ? [HINT] : []));
  return new UsageError(`${path} can't be loaded: ${words}${place === null ? '' : placeWords(place)}`, hints);
}

/** The module is there, so what can't be found is something that it imports. */
function importHint(error: unknown): readonly string[] | null {
  const { code } = Object(error) as { code?: unknown };
  if (code !== 'ERR_MODULE_NOT_FOUND') return null;
  return [
    'it imports something that does not exist: correct the path, or install the package in its folder or above',
  ];
}

/** In addition to the error's message: the file, the line and its text. */
function placeWords({ file, line, source }: FaultPlace): string {
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
function joined<K extends keyof OwnSeats | 'effectHandlers'>(
  all: readonly LoadedModule[],
  what: K,
): LoadedModule[K] {
  const whole: Record<string, unknown> = {};
  for (const { path, [what]: own } of all) {
    const taken = Object.keys(own).find((name) => Object.hasOwn(whole, name));
    if (taken !== undefined)
      throw new UsageError(`${path}: another module also exports ${what} for ${taken}`);
    Object.assign(whole, own);
  }
  return whole as LoadedModule[K];
}

/** The worlds to which a module adds something. */
function extended(
  all: readonly LoadedModule[],
  builtIn: readonly EnvironmentModule[],
): readonly EnvironmentModule[] {
  const effectHandlers = joined(all, 'effectHandlers');
  return builtIn.flatMap(({ extension }) => {
    if (extension === undefined) return [];
    const own = all.map(({ path, parts }) => ({ path, parts: parts[extension.exportName] ?? [] }));
    return own.every(({ parts }) => parts.length === 0) ? [] : [extension.extended(own, effectHandlers)];
  });
}

function withKinds(
  all: readonly LoadedModule[],
  builtIn: readonly EnvironmentModule[],
): readonly EnvironmentModule[] {
  const modules = [...builtIn];
  for (const { path, environments } of all) {
    for (const one of environments) {
      const { kind } = one.kind;
      const other = modules.find((each) => each.kind.kind === kind);
      if (other !== undefined)
        throw new UsageError(`${path}: there is already an environment called "${kind}"`, [
          other.extension === undefined
            ? 'give it another name'
            : `to extend that environment, export the additions as a list \`${other.extension.exportName}\``,
        ]);
      modules.push(one);
    }
  }
  return modules;
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/**
 * `--modules <path.mjs>`: the user's own modules, for every command that opens a scenario's world. They add to
 * the environments, and their controllers replace those of the scenario.
 */
import type { EnvironmentModule } from '../../worlds/environment-module.js';
import { loadModules } from '../../assembly/own-modules.js';
import type { OwnSeats } from '../../assembly/own-exports.js';
import type { OwnParts } from '../../assembly/own-modules.js';
import { UsageError } from '../../base/errors.js';
import { meantOf } from '../../base/nearest.js';
import type { Scenario } from '../../scenario/scenario.js';
import { repeated } from './option.js';
import type { Io } from '../terminal/io.js';

export const MODULES = {
  modules: repeated(
    'Module (.mjs) with your own actions, environments or tools, whose code is run; may be given more than once',
  ),
};

/** Loads the named modules in addition to the built-in ones. Throws UsageError. */
export function loadOwnParts(
  modulePaths: readonly string[] | undefined,
  io: Io,
  builtIn: readonly EnvironmentModule[],
): Promise<OwnParts> {
  const paths = modulePaths ?? [];
  if (paths.includes(''))
    throw new UsageError('--modules takes the path of a module', ['--modules my-actions.mjs']);
  return loadModules(paths, { folder: io.cwd, builtIn });
}

/** Throws UsageError if a module has a controller for an agent that the scenario doesn't have. */
export function requireKnownAgents(
  { controllers, protocols, memory }: OwnSeats,
  { agents, name }: Scenario,
): void {
  const ids = agents.map(({ id }) => id);
  const namedAgents = [controllers, protocols, memory].flatMap((one) => Object.keys(one));
  const unknownAgent = namedAgents.find((id) => !ids.includes(id));
  if (unknownAgent === undefined) return;
  throw new UsageError(`a module refers to the agent "${unknownAgent}", but ${name} has no such agent`, [
    meantOf(unknownAgent, ids, 'its agents'),
  ]);
}

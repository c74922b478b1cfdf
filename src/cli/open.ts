/**
 * A scenario opened for use: loaded and checked, its environment opened, its tileset read. Every command that takes a scenario begins
 * here, so they all see the same one. Warnings are printed, mistakes thrown.
 */
import type { Diagnostic } from '../base/errors.js';
import type { Environment } from '../environment/environment.js';
import { openScenario as openFile } from '../scenario/folder.js';
import { loadScenario } from '../scenario/load.js';
import type { Scenario } from '../scenario/scenario.js';
import { diagnosticsText } from './error-text.js';
import { ownTileset, readTileset } from './files.js';
import type { LoadedTileset } from './files.js';
import { fromCwd } from './files.js';
import type { Io } from './io.js';
import { painter } from './style.js';
import { moduleOf } from './wire.js';
import type { EnvironmentModule } from './wire.js';
import { variablesOf } from './variables.js';

export interface OpenOptions {
  readonly io: Io;
  readonly modules: readonly EnvironmentModule[];
  /** `key=value` of each `--set`. */
  readonly set: readonly string[];
  /** What the command line changes in the checked scenario. */
  readonly change?: (scenario: Scenario) => Scenario;
}

export interface Opened {
  readonly scenario: Scenario;
  /** The file's text. */
  readonly source: string;
  readonly module: EnvironmentModule;
  readonly environment: Environment<unknown>;
  readonly loaded: LoadedTileset;
  /** Whether the environment draws scenes at all. */
  readonly hasPicture: boolean;
  readonly warnings: readonly Diagnostic[];
}

export async function openScenario(path: string, options: OpenOptions): Promise<Opened> {
  const { io, modules, set } = options;
  const file = { ...openFile(fromCwd(io, path)), path };
  const own = await ownTileset();
  const read = loadScenario(file, variablesOf(io), {
    set,
    worlds: modules.map((one) => one.reader),
    known: { sprites: own.sprites, actions: actionNames(modules) },
  });
  const scenario = options.change?.(read.scenario) ?? read.scenario;
  const module = moduleOf(modules, scenario.environment);
  const environment = module.kind.open(scenario.definition);
  const named = scenario.render.tileset;
  const loaded = named === null ? own : await readTileset(named, (name) => file.readFile(name), own);
  if (read.warnings.length > 0) io.err.write(diagnosticsText(read.warnings, painter(io, io.err)));
  const hasPicture = environment.scene(environment.create(scenario.seed), null) !== null;
  return { scenario, source: read.source, module, environment, loaded, hasPicture, warnings: read.warnings };
}

/** The verbs of every environment at hand; which of them the scenario's world has is known only once it is read. */
function actionNames(modules: readonly EnvironmentModule[]): readonly string[] {
  return [...new Set(modules.flatMap((one) => one.kind.actionNames))];
}

/** A scenario opened for use. Its type is apart from what opens it, which loads every world. */
import type { Diagnostic } from '../base/errors.js';
import type { Environment } from '../environment/environment.js';
import type { Scenario } from '../scenario/scenario.js';
import type { EffectHandlers } from '../worlds/effect-handlers.js';
import type { EnvironmentModule } from '../worlds/environment-module.js';
import type { LoadedTileset } from './tilesets.js';

/** A scenario that was loaded, checked and opened, as `prepare`, `winnable` and `regretOfRun` take it. */
export interface OpenedScenario {
  scenario: Scenario;
  /** The text of the scenario file. */
  source: string;
  module: EnvironmentModule;
  environment: Environment<unknown>;
  /** The effect handlers of its actions. */
  effectHandlers: EffectHandlers;
  /** Its tileset: `loaded.tileset` for `drawFrame`, `loaded.source` as the log stores it. */
  loaded: LoadedTileset;
  /** Whether the environment has pictures. */
  hasPicture: boolean;
  /** The warnings that `check` would print. */
  warnings: readonly Diagnostic[];
}

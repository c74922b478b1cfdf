/**
 * A logged run opened from its record alone: environment, painter and seats as they were, without the scenario's file, a model's server or
 * the environment's variables. Who sits in the seats is the caller's choice.
 */
import type { Controller } from '../agent/controller.js';
import type { Environment } from '../environment/environment.js';
import type { RunRecord } from '../log/records.js';
import { systemDependencies } from '../model/dependencies.js';
import type { Painter, Seat } from '../orchestrator/parts.js';
import { loadTileset } from '../render/tileset.js';
import type { Tileset, TilesetSource } from '../render/tileset.js';
import { moduleOf } from './environments.js';
import type { EnvironmentModule } from './environments.js';
import { environmentOf } from './open.js';
import { framePainter } from './painter.js';
import { seatsFor } from './seats.js';

/** What a run's record opens into. */
export interface LoggedStage {
  readonly environment: Environment<unknown>;
  /** Null where nothing is drawn. Throws UsageError where the logged tileset can't be used. */
  painter(): Promise<Painter | null>;
  seats(controllers: Readonly<Record<string, Controller>>, hasPicture: boolean): readonly Seat[];
}

/**
 * Opens one logged run after the other; what throws is the opener's call: UsageError where the run's environment is not among the
 * modules. Runs of a batch share a tileset, so the last one is kept.
 */
export function stageOpener(modules: readonly EnvironmentModule[]): (run: RunRecord) => LoggedStage {
  const tilesets = lastTileset();
  return (run) => {
    const { scenario } = run;
    const environment = environmentOf(moduleOf(modules, scenario.environment), scenario);
    const dependencies = systemDependencies(() => undefined);
    return {
      environment,
      painter: async () => {
        const hasPicture = environment.scene(environment.create(run.seed), null) !== null;
        return hasPicture ? framePainter(scenario, await tilesets(run.tileset)) : null;
      },
      seats: (controllers, hasPicture) =>
        seatsFor({ scenario, environment, hasPicture, dependencies, controllers }).seats,
    };
  };
}

function lastTileset(): (source: TilesetSource) => Promise<Tileset> {
  let last: { readonly source: TilesetSource; readonly tileset: Tileset } | null = null;
  return async (source) => {
    if (last === null || !isSame(last.source, source))
      last = { source, tileset: await loadTileset(source, 'the log') };
    return last.tileset;
  };
}

function isSame(one: TilesetSource, other: TilesetSource): boolean {
  const names = Object.keys(one.images);
  if (one.manifest !== other.manifest || names.length !== Object.keys(other.images).length) return false;
  return names.every((name) => {
    const [a, b] = [one.images[name], other.images[name]];
    return a !== undefined && b !== undefined && Buffer.compare(a, b) === 0;
  });
}

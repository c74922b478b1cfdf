/**
 * A logged run opened from its record alone: environment, painter and seats as they were, without the
 * scenario's file, a model's server or environment variables. The caller chooses the controllers.
 */
import type { Controller } from '../agent/controller.js';
import { known } from '../base/assert.js';
import { UsageError } from '../base/errors.js';
import { lookUp } from '../base/look-up.js';
import type { Environment } from '../environment/environment.js';
import type { RunRecord } from '../trajectory/records.js';
import { systemDependencies } from '../model/dependencies.js';
import type { Protocol } from '../parse/protocol.js';
import { protocolOf } from '../parse/protocols.js';
import type { AgentSpec } from '../scenario/scenario.js';
import type { Painter, Seat } from '../orchestrator/run-context.js';
import { loadTileset } from '../render/tileset.js';
import type { Tileset, TilesetSource } from '../render/tileset.js';
import type { EnvironmentModule } from '../worlds/environment-module.js';
import { loggedEnvironment } from './logged-environment.js';
import type { OwnSeats } from './own-exports.js';
import { framePainter } from './painter.js';
import { seatsFor } from './seats.js';

/** What a run's record is opened into. */
export interface LoggedStage {
  environment: Environment<unknown>;
  /** How an agent's replies are parsed. */
  protocol(agent: string): Protocol;
  /** Null if nothing is drawn. Throws UsageError if the logged tileset can't be used. */
  painter(): Promise<Painter | null>;
  seats(controllers: Readonly<Record<string, Controller>>, hasPicture: boolean): readonly Seat[];
}

/** The custom parts that runs were played with. */
export interface StageOptions {
  modules: readonly EnvironmentModule[];
  /** Custom protocols and memories; none by default. */
  seats?: OwnSeats;
}

/**
 * Returns a function that opens logged runs for `verifyRun`: `modules` are all environments that they may use
 * (`MODULES`, and yours), `seats` the custom protocols and memories. That function throws UsageError if a run
 * needs something else.
 */
export function stageOpener({ modules, seats: custom }: StageOptions): (run: RunRecord) => LoggedStage {
  let last: { source: TilesetSource; tileset: Tileset } | null = null;
  const tilesets = async (source: TilesetSource): Promise<Tileset> => {
    if (last === null || !isSameSource(last.source, source))
      last = { source, tileset: await loadTileset(source, 'the log') };
    return last.tileset;
  };
  return (run) => {
    const { scenario } = run;
    requireCustomParts(run, custom);
    const environment = loggedEnvironment(run, modules);
    const dependencies = systemDependencies(() => undefined);
    return {
      environment,
      protocol: (agent) => lookUp(custom?.protocols, agent) ?? protocolOf(agentOf(run, agent).protocol),
      painter: async () => {
        const hasPicture = environment.scene(environment.create(run.seed), null) !== null;
        return hasPicture ? framePainter(scenario, await tilesets(run.tileset)) : null;
      },
      seats: (controllers, hasPicture) =>
        seatsFor({
          scenario,
          environment,
          hasPicture,
          dependencies,
          controllers,
          protocols: custom?.protocols ?? {},
          memory: custom?.memory ?? {},
        }).seats,
    };
  };
}

function agentOf({ scenario: { agents } }: RunRecord, agent: string): AgentSpec {
  return known(
    agents.find(({ id }) => id === agent),
    `the agent ${agent}`,
  );
}

/** Throws UsageError if an agent used a custom part that is not available. */
function requireCustomParts({ runId, controllers }: RunRecord, custom: StageOptions['seats']): void {
  for (const [agent, record] of Object.entries(controllers)) {
    const { protocol, memory } = record as { protocol?: string; memory?: unknown };
    const lacksProtocol = protocol !== undefined && lookUp(custom?.protocols, agent) === undefined;
    const lacksMemory = memory !== undefined && lookUp(custom?.memory, agent) === undefined;
    if (!lacksProtocol && !lacksMemory) continue;
    const missing = lacksProtocol ? `the custom protocol "${protocol}"` : 'a custom memory';
    throw new UsageError(`run ${runId}: ${agent} was played with ${missing}, which is not available`, [
      'load the module that defines it: --modules my-agents.mjs',
    ]);
  }
}

function isSameSource(first: TilesetSource, second: TilesetSource): boolean {
  const names = Object.keys(first.images);
  if (first.manifest !== second.manifest || names.length !== Object.keys(second.images).length) return false;
  return names.every((name) => {
    const [a, b] = [lookUp(first.images, name), lookUp(second.images, name)];
    return a !== undefined && b !== undefined && Buffer.compare(a, b) === 0;
  });
}

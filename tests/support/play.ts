/**
 * A run inside a test: a scenario as text or by path, played by controllers that the test hands in, into any sink. Everything else is put
 * together as the command line does it.
 */
import type { Controller } from '../../src/agent/controller.js';
import type { Json } from '../../src/base/json.js';
import { builtInTileset } from '../../src/assembly/tilesets.js';
import type { EnvironmentModule } from '../../src/worlds/environment-module.js';
import { MODULES } from '../../src/worlds/registry.js';
import { moduleOf } from '../../src/worlds/environment-module.js';
import { effectHandlersOf } from '../../src/worlds/effect-handlers.js';
import { environmentOf } from '../../src/assembly/scenario-environment.js';
import { framePainter } from '../../src/assembly/painter.js';
import { runRecord } from '../../src/assembly/run-record.js';
import { seatsFor } from '../../src/assembly/seats.js';
import { MemorySink } from '../../src/trajectory/memory-sink.js';
import type { RunEnd, RunRecord } from '../../src/trajectory/records.js';
import type { RunSink } from '../../src/trajectory/sink.js';
import { systemDependencies } from '../../src/model/dependencies.js';
import type { RunContext, RunWatcher, StopSignals } from '../../src/orchestrator/run-context.js';
import { TurnOrchestrator } from '../../src/orchestrator/turn-orchestrator.js';
import { openScenarioFile } from '../../src/scenario/folder.js';
import type { ScenarioFile } from '../../src/scenario/files.js';
import { loadScenario } from '../../src/scenario/load.js';

export interface PlayOptions {
  /** Instead of the scenario's own, by agent. */
  controllers?: Readonly<Record<string, Controller>>;
  set?: readonly string[];
  /** Changes the world after it has been checked, to one that only an earlier program accepted. */
  definition?: (checked: Json) => Json;
  modules?: readonly EnvironmentModule[];
  /** Where a scenario that is given as text is taken to lie. */
  folder?: string;
  watcher?: RunWatcher;
  beforeStep?: RunContext<unknown>['beforeStep'];
  /** What an earlier run left, by agent. */
  kept?: RunRecord['kept'];
  keep?: RunContext<unknown>['storeMemories'];
  /** Stands still at 0 by default. */
  clock?: RunContext<unknown>['clock'];
}

/** A scenario's parts, to be run or looked at. `text` is YAML, or the path of a file that ends in .yaml. */
export async function partsFor(
  text: string,
  sink: RunSink,
  options: PlayOptions = {},
): Promise<RunContext<unknown>> {
  const modules = options.modules ?? MODULES;
  const file: ScenarioFile = text.endsWith('.yaml')
    ? openScenarioFile(text)
    : { path: 'test.yaml', content: text, readFile: refuse };
  const own = await builtInTileset();
  const { scenario: checked, source } = loadScenario(file, () => undefined, {
    set: options.set ?? [],
    worlds: modules.map(({ reader }) => reader),
    known: { sprites: own.sprites },
  });
  const scenario =
    options.definition === undefined
      ? checked
      : { ...checked, definition: options.definition(checked.definition) };
  const module = moduleOf(modules, scenario.environment);
  const environment = environmentOf(module, scenario);
  const hasPicture = environment.scene(environment.create(scenario.seed), null) !== null;
  const dependencies = systemDependencies(() => undefined);
  const { seats } = seatsFor({ scenario, environment, hasPicture, dependencies });
  const seated = seats.map((seat) => ({
    ...seat,
    controller: options.controllers?.[seat.spec.id] ?? seat.controller,
  }));
  const record = {
    scenario,
    source,
    environment,
    tileset: own.source,
    seats: seated,
    prepared: {},
    kept: options.kept ?? {},
    now: options.clock?.now() ?? 0,
    runId: null,
    player: null,
  };
  return {
    run: runRecord(record),
    scenario,
    environment,
    seats: seated,
    painter: hasPicture ? framePainter(scenario, own.tileset) : null,
    effectHandlers: effectHandlersOf(module, {
      definition: scenario.definition,
      folder: options.folder ?? file.folder ?? null,
      root: null,
    }),
    sink,
    clock: options.clock ?? { now: () => 0 },
    watcher: options.watcher ?? {},
    ...(options.beforeStep === undefined ? {} : { beforeStep: options.beforeStep }),
    ...(options.keep === undefined ? {} : { storeMemories: options.keep }),
  };
}

export interface Played {
  sink: MemorySink;
  end: RunEnd;
  parts: RunContext<unknown>;
}

/** Plays to the end, into memory. */
export async function play(text: string, options: PlayOptions = {}): Promise<Played> {
  const sink = new MemorySink();
  const parts = await partsFor(text, sink, options);
  return { sink, parts, end: await new TurnOrchestrator(parts).run(NEVER_STOPPED) };
}

const never = new AbortController().signal;
export const NEVER_STOPPED: StopSignals = { soft: never, hard: never };

function refuse(): Uint8Array {
  throw new Error('there is no such file');
}

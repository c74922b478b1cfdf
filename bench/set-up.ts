/**
 * The parts of a run for measuring: a scenario of the repository with the scripted controller in every seat, put together from the same
 * pieces as `orchestrate run` does, with a real log. Paths are taken from the folder that the bench is started in, the repository's root.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { scriptedController } from '../src/worlds/scripted-controller.js';
import { composer, PROMPT_VERSION } from '../src/agent/prompt.js';
import type { Controller } from '../src/agent/controller.js';
import type { Environment } from '../src/environment/environment.js';
import { genesis } from '../src/trajectory/chain.js';
import type { RunRecord } from '../src/trajectory/records.js';
import { LOG_VERSION } from '../src/log/log-version.js';
import type { Seat } from '../src/orchestrator/run-context.js';
import type { Vocabulary } from '../src/forms/vocabulary.js';
import { PARSER_VERSION, protocolOf } from '../src/parse/protocols.js';
import { RENDER_VERSION } from '../src/render/draw.js';
import { imageNames } from '../src/render/manifest.js';
import { loadTileset } from '../src/render/tileset.js';
import type { Tileset, TilesetSource } from '../src/render/tileset.js';
import { openScenarioFile } from '../src/scenario/folder.js';
import { loadScenario } from '../src/scenario/load.js';
import type { AgentSpec, Scenario } from '../src/scenario/scenario.js';
import { grid } from '../src/worlds/grid/grid.js';
import type { GridState } from '../src/worlds/grid/state.js';
import { READERS } from '../src/worlds/registry.js';

const ASSETS = 'assets';
const MANIFEST = 'tileset.json';

export interface SetUp {
  readonly scenario: Scenario;
  readonly environment: Environment<GridState>;
  readonly seats: readonly Seat[];
  readonly tileset: Tileset;
  /** The record of a run of that name, which plays the same from its seed every time. */
  recordOf(runId: string): RunRecord;
}

/** Its files. */
const TILESET = tilesetSource();

/** Opened once for all runs, as a batch of runs in one process does. */
const ownTileset = loadTileset(TILESET);

/** `set` as on the command line. Throws ScenarioError or UsageError as `orchestrate run` would. */
export async function setUp(
  path: string,
  seed: string,
  controllerOf: ControllerOf = scriptedController,
  set: readonly string[] = [],
): Promise<SetUp> {
  const { scenario: written, source } = loadScenario(openScenarioFile(path), () => undefined, {
    set,
    worlds: READERS,
  });
  const scenario: Scenario = { ...written, seed };
  const environment = grid.open(scenario.definition);
  const seats = scenario.agents.map((agent) => seatOf(agent, { scenario, environment, controllerOf }));
  const record: Omit<RunRecord, 'runId'> = {
    source,
    scenario,
    seed,
    versions: {
      program: '0',
      log: LOG_VERSION,
      rules: environment.rulesVersion,
      parser: PARSER_VERSION,
      prompt: PROMPT_VERSION,
      render: RENDER_VERSION,
      node: process.version,
    },
    tileset: TILESET,
    controllers: {},
    kept: {},
    startedAt: 0,
    genesisHash: genesis({ scenario, seed, rules: environment.rulesVersion, log: LOG_VERSION }),
  };
  const tileset = await ownTileset;
  return { scenario, environment, seats, tileset, recordOf: (runId) => ({ ...record, runId }) };
}

function tilesetSource(): TilesetSource {
  const manifest = readFileSync(join(ASSETS, MANIFEST), 'utf8');
  const images = imageNames(manifest).map((name) => [name, readFileSync(join(ASSETS, name))]);
  return { manifest, images: Object.fromEntries(images) as TilesetSource['images'] };
}

/** Who plays an agent. */
export type ControllerOf = (agent: string, vocabulary: Vocabulary) => Controller;

interface Table {
  readonly scenario: Scenario;
  readonly environment: Environment<GridState>;
  readonly controllerOf: ControllerOf;
}

function seatOf(agent: AgentSpec, { scenario, environment, controllerOf }: Table): Seat {
  const scope = environment.scope(agent.id);
  const vocabulary = environment.actions.list().filter(({ name }) => scope.includes(name));
  const protocol = protocolOf(agent.protocol);
  return {
    spec: agent,
    controller: controllerOf(agent.id, vocabulary),
    protocol,
    composer: composer({ scenario, agent, protocol, vocabulary, hasPicture: true }),
  };
}

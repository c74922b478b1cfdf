/**
 * Expands a batch into runs: the product of scenarios, switches, players and seeds. Each run has an id
 * derived from everything that shapes it, so that the same run is played only once, in any order and on any
 * machine.
 */
import { setImmediate as nextRound } from 'node:timers/promises';
import { hashJson, sha256 } from '../base/canonical.js';
import { UsageError } from '../base/errors.js';
import type { Diagnostic } from '../base/errors.js';
import type { OpenedScenario } from '../assembly/opened-scenario.js';
import { modelsOfAgents } from '../scenario/scenario.js';
import { isPartOfWorld } from '../scenario/world-part.js';
import { truncateName } from '../assembly/run-record.js';
import { PROGRAM_VERSION } from '../assembly/version.js';
import { lookUp } from '../base/look-up.js';
import { batchModels, requireSeats, seatNames } from './players.js';
import { genesis } from '../trajectory/chain.js';
import type { BatchRecord } from '../scenario/batch-record.js';
import type { BatchPlayers, BatchPosition, BatchSpec } from '../scenario/batch.js';
import type { ModelSpec, Scenario } from '../scenario/scenario.js';

/** What a run has in common with others of its cell: runs of one cell differ only in their seed. */
export interface BatchCell {
  /** The scenario's name. */
  scenario: string;
  /** The players' name in the batch; '' for the scenario's own. */
  players: string;
  /** Position by switch. */
  switches: Readonly<Record<string, string>>;
}

/** Which player plays which agent, with which settings. */
export interface RunSetup {
  /** The scenario's path, relative to the batch's folder or absolute. */
  path: string;
  set: readonly string[];
  players: BatchPlayers;
  maxTurns: number | null;
}

/** A run that is to be played. */
export interface PlannedRun extends RunSetup {
  id: string;
  cell: BatchCell;
  seed: string;
  /** Agents for which a program of the user's decides. */
  byProgram: readonly string[];
}

export interface BatchPlan {
  runs: readonly PlannedRun[];
  /** Every model to be asked, at each of its servers. */
  models: readonly ModelSpec[];
  /** Of the scenarios. */
  warnings: readonly Diagnostic[];
}

/** `runs` are those that belong in the folder, `all` also those of other shards. */
export function batchRecord(
  title: string,
  { runs, all }: { runs: readonly PlannedRun[]; all: readonly PlannedRun[] },
): BatchRecord {
  return {
    title,
    plan: hashJson('orchestrate-batch-plan-v1', all.map(({ id }) => id).toSorted()),
    runs: runs.map(({ id, cell, seed, players }) => {
      const models = Object.values(batchModels(players)).flatMap(({ spec }) => spec.model ?? []);
      return { run: id, ...cell, seed, models: [...new Set(models)], seats: seatNames(players) };
    }),
  };
}

/** Opens a scenario with a setup and a seed, null for its own. Throws ScenarioError, UsageError. */
export type OpenSetup = (setup: RunSetup, seed: string | null) => Promise<OpenedScenario>;

/**
 * Opens every scenario once with every setup, so that mistakes are reported before anything is played. Throws
 * like opening a scenario does, and UsageError if two runs are the same. Seeds are the outermost loop, so a
 * batch that is stopped early has some runs of every cell.
 */
export async function planOf(spec: BatchSpec, open: OpenSetup): Promise<BatchPlan> {
  const openedSetups: {
    cell: BatchCell;
    setup: RunSetup;
    opened: OpenedScenario;
  }[] = [];
  for (const { cell, setup } of setupsOf(spec)) {
    const opened = await open(setup, null);
    requireSeats(opened.scenario, setup.players, cell.players);
    openedSetups.push({ cell: { ...cell, scenario: opened.scenario.name }, setup, opened });
  }
  const seedsOf = (opened: OpenedScenario): readonly string[] => spec.seeds ?? [opened.scenario.seed];
  const rounds = Math.max(0, ...openedSetups.map(({ opened }) => seedsOf(opened).length));
  const runs: PlannedRun[] = [];
  for (let round = 0; round < rounds; round++) {
    // An id takes a millisecond and a batch has thousands, so the event loop gets a turn in between to handle
    // keys.
    await nextRound();
    for (const { cell, setup, opened } of openedSetups) {
      const seed = seedsOf(opened)[round];
      if (seed === undefined) continue;
      runs.push({
        ...setup,
        id: idOf(opened, cell, seed),
        cell,
        seed,
        byProgram: agentsByProgram(opened.scenario),
      });
    }
  }
  const seen = new Map<string, PlannedRun>();
  for (const run of runs) {
    const duplicate = seen.get(run.id);
    if (duplicate !== undefined)
      throw new UsageError(
        `the batch has the same run twice: ${cellName(duplicate.cell)} and ${cellName(run.cell)}, seed ${run.seed}`,
        [
          'two positions of a switch with the same settings, or two names for one model, give the same runs: leave one out',
        ],
      );
    seen.set(run.id, run);
  }
  return {
    runs,
    models: openedSetups.flatMap(modelsToAsk),
    warnings: openedSetups.flatMap(({ opened }) => opened.warnings),
  };
}

function agentsByProgram({ agents }: Scenario): readonly string[] {
  return agents.filter(({ controller }) => controller.kind === 'process').map(({ id }) => id);
}

function modelsToAsk({ setup, opened }: { setup: RunSetup; opened: OpenedScenario }): readonly ModelSpec[] {
  const { players } = setup;
  const { scenario } = opened;
  const played = scenario.agents.filter((agent) => players.kind !== 'own' && !isPartOfWorld(agent));
  return [
    ...Object.values(batchModels(players)).flatMap(({ spec, servers }) =>
      servers.map(({ baseUrl }) => ({ ...spec, baseUrl })),
    ),
    ...modelsOfAgents(
      scenario,
      played.map(({ id }) => id),
    ),
  ];
}

function setupsOf({ scenarios, switches, players, maxTurns }: BatchSpec) {
  return scenarios.flatMap((path) =>
    combinations(switches).flatMap((positions) =>
      players.map(({ name, players: setupPlayers }) => {
        const set = positions.flatMap(({ position }) => position.set);
        const positionNames = Object.fromEntries(
          positions.map(({ name: switchName, position }) => [switchName, position.name]),
        );
        const cell: BatchCell = { scenario: path, players: name, switches: positionNames };
        return { cell, setup: { path, set, players: setupPlayers, maxTurns } };
      }),
    ),
  );
}

interface ChosenPosition {
  name: string;
  position: BatchPosition;
}

/** All combinations of one position per switch. */
function combinations(switches: BatchSpec['switches']): readonly (readonly ChosenPosition[])[] {
  return switches.reduce<readonly (readonly ChosenPosition[])[]>(
    (combined, { name, positions }) =>
      combined.flatMap((chosen) => positions.map((position) => [...chosen, { name, position }])),
    [[]],
  );
}

const ID_DIGITS = 12;

/**
 * Covers the effective scenario, its art, the players with their settings, the seed and the program's
 * version, but not a server's address or our time limits.
 */
function idOf(
  { scenario, environment, loaded }: OpenedScenario,
  { players }: BatchCell,
  seed: string,
): string {
  const { manifest, images } = loaded.source;
  // An unnamed model is the only one of its server, and a program is the user's choice, so the name in the batch
  // identifies it.
  const isUnnamed =
    Object.values(scenario.models).some(({ model }) => model === null) ||
    agentsByProgram(scenario).length > 0;
  const hash = hashJson('orchestrate-batch-run-v1', {
    // By the first version of the rule, which includes the name of the scenario's file, so that older batches
    // keep the names of their runs.
    genesis: genesis({ scenario, seed, rules: environment.rulesVersion, log: 1 }),
    // Other seeds draw other values.
    ...(scenario.draw === undefined ? {} : { undrawn: scenario.draw.from }),
    tileset: [
      manifest,
      ...Object.keys(images)
        .sort()
        .map((name) => sha256(lookUp(images, name) ?? '')),
    ],
    unnamed: isUnnamed ? players : null,
    controllers: scenario.agents.map(({ controller }) => controller),
    models: Object.entries(scenario.models).map(([name, spec]) => [name, answersOf(spec)]),
    program: PROGRAM_VERSION,
  });
  return `${truncateName(scenario.name)}-${hash.slice(0, ID_DIGITS)}`;
}

/**
 * Throws UsageError if what was opened here differs from the planned run: its id covers the scenario, its
 * art, the players and the program. `own` is opened with the scenario's own seed.
 */
export function requireRun(opened: OpenedScenario, { id, cell, seed, path }: PlannedRun): void {
  const localId = idOf(opened, cell, seed);
  if (localId === id) return;
  throw new UsageError(
    `${path} is not the scenario that the batch was planned with: its run id here is ${localId}, not ${id}`,
    [
      'use the same scenario files, modules, programs (--process) and version of orchestrate on both machines',
    ],
  );
}

/** The settings of a model that shape its answers. */
function answersOf({ model, temperature, topP, maxTokens, seed, guided, extra }: ModelSpec): object {
  return { model, temperature, topP, maxTokens, seed, guided, extra };
}

/** "crypt · qwen · channel=text". */
export function cellName({ scenario, players, switches }: BatchCell): string {
  const chosen = Object.entries(switches).map(([name, position]) => `${name}=${position}`);
  return [scenario, players, ...chosen].filter((part) => part !== '').join(' · ');
}

/**
 * Loads a batch file, or throws every mistake at once, each with its position. The scenarios themselves are
 * loaded elsewhere, one by one.
 */
import type { Diagnostic } from '../base/errors.js';
import type { Json } from '../base/json.js';
import { LIMITS } from '../base/limits.js';
import { counted } from '../base/counted.js';
import { lookUp } from '../base/look-up.js';
import { meantOf } from '../base/nearest.js';
import { systemWords } from '../base/system-words.js';
import { BUILT_IN_PLAYERS } from './controllers.js';
import type { BatchPlayer, BatchPlayers, BatchSpec } from './batch.js';
import type { ScenarioFile } from './files.js';
import { parseRemovingMistakes } from './error-recovery.js';
import { childOf } from './records.js';
import type { MistakeReport } from './report.js';
import { findingsFor } from './report.js';
import { nameOf } from './load.js';
import { batchSchema } from './schema-batch.js';
import type { BatchInput } from './schema-batch.js';
import { reportSecrets } from './secrets.js';
import { scenarioError, sourceOf } from './source.js';
import { parseTree } from './tree.js';
import { withVariables } from './variables.js';
import type { ReadableVariables } from './variables.js';

/** The keys in whose values `${NAME}` stands for a variable. */
const KEYS_WITH_VARIABLES = ['models', 'seeds', 'max_turns', 'parallel', 'limits', 'patience_s'] as const;

/** Throws ScenarioError with every mistake of the file. */
export function loadBatch(file: ScenarioFile, readable: ReadableVariables): BatchSpec {
  const source = sourceOf(file.path, file.content);
  const earlyFindings: Diagnostic[] = [];
  const tree = parseTree(source, earlyFindings);
  const findings = findingsFor(() => tree, [], earlyFindings);
  reportSecrets(tree.value, findings);
  if (childOf(tree.value, 'agents') !== undefined && childOf(tree.value, 'scenarios') === undefined) {
    findings.error(['agents'], 'this is a scenario, not a batch', `orchestrate run ${file.path} plays it`);
    throw scenarioError(findings.list);
  }
  const { value, failedPaths } = withVariables(tree, readable, findings, KEYS_WITH_VARIABLES);
  const { value: input } = parseRemovingMistakes(batchSchema, value, { report: findings, failedPaths });
  if (input !== null) {
    reportFiles(file, input, findings);
    reportPlayers(value, input, findings);
    reportSize(input, findings);
    reportUselessCostLimit(input, findings);
  }
  findings.throwIfFailed();
  if (input === null) throw scenarioError(findings.list);
  const { title, scenarios, models, seeds, switches, max_turns: maxTurns, parallel, limits } = input;
  const players = Object.entries(models).map(([key, model]) => ({
    name: key,
    players: playersOf(model, models),
  }));
  return {
    name: nameOf(file.path),
    title,
    scenarios,
    players: players.length === 0 ? [{ name: '', players: { kind: 'own' } }] : players,
    seeds: seedsOf(seeds),
    switches: Object.entries(switches).map(([key, positions]) => ({
      name: key,
      positions: Object.entries(positions).map(([position, set]) => ({ name: position, set })),
    })),
    maxTurns: maxTurns ?? null,
    parallel,
    limits,
    patienceMs: input.patience_s * 1000,
  };
}

/**
 * Reports scenarios that can't be read, are listed twice, or have the same file name, by which `report` names
 * them.
 */
function reportFiles(file: ScenarioFile, { scenarios }: BatchInput, report: MistakeReport): void {
  for (const [i, path] of scenarios.entries()) {
    const sameName = scenarios.findIndex((other) => nameOf(other) === nameOf(path));
    if (scenarios.indexOf(path) < i) report.error(['scenarios', i], `${path} is in the list twice`);
    else if (sameName < i)
      report.error(
        ['scenarios', i],
        `${scenarios[sameName]} and ${path} are both called ${nameOf(path)}: reports could not distinguish them`,
        'rename one of the two files',
      );
    try {
      file.readFile(path);
    } catch (error) {
      report.error(
        ['scenarios', i],
        `the scenario ${path} can't be read: ${systemWords(error)}`,
        'paths are relative to the batch file, or absolute',
      );
    }
  }
}

function reportPlayers(value: Json, { models }: BatchInput, report: MistakeReport): void {
  for (const [name, { controller, servers, seats }] of Object.entries(models)) {
    const written = childOf(childOf(value, 'models'), name);
    if (seats !== null) {
      for (const key of Object.keys(written as object).filter((one) => one !== 'seats'))
        report.error(
          ['models', name, key],
          `the players of the seats have their own settings, so ${key} has no effect`,
          'set it in the entries that seats names',
        );
      reportSeats(name, seats, models, report);
      continue;
    }
    if (servers !== null && childOf(written, 'base_url') !== undefined)
      report.error(
        ['models', name, 'base_url'],
        "'base_url' and 'servers' are mutually exclusive",
        'leave one of them out',
      );
    if (controller === 'model') continue;
    const unusedKeys = Object.keys(written as object).filter((key) => key !== 'controller');
    for (const key of unusedKeys)
      report.error(['models', name, key], `${controller} plays without a model, so ${key} has no effect`);
  }
}

function reportSeats(
  name: string,
  seats: Readonly<Record<string, string>>,
  models: BatchInput['models'],
  report: MistakeReport,
): void {
  const single = Object.keys(models).filter((other) => models[other]?.seats === null);
  for (const [agent, player] of Object.entries(seats)) {
    if (single.includes(player)) continue;
    const place = ['models', name, 'seats', agent];
    if (Object.hasOwn(models, player))
      report.error(place, `${player} has seats itself`, 'name one player for each seat');
    else if (player === 'process')
      report.error(
        place,
        'a program needs a name, by which --process finds it',
        `models: { mine: { controller: process } }, then ${agent}: mine`,
      );
    else if (!BUILT_IN_PLAYERS.some((kind) => kind === player))
      report.error(
        place,
        `there is no player "${player}"`,
        meantOf(player, [...single, ...BUILT_IN_PLAYERS], 'players'),
      );
  }
}

function reportSize(input: BatchInput, report: MistakeReport): void {
  const { scenarios, models, seeds, switches } = input;
  const positionCounts = Object.values(switches).map((positions) => Object.keys(positions).length);
  const seedCount = typeof seeds === 'number' ? seeds : (seeds?.length ?? 1);
  const factors = [scenarios.length, Math.max(1, Object.keys(models).length), seedCount, ...positionCounts];
  const runs = factors.reduce((product, factor) => product * factor, 1);
  if (runs === 0) report.error(['switches'], 'a switch without positions leaves no runs to play');
  if (runs > LIMITS.batchRuns)
    report.error(
      [],
      `this batch has ${counted(runs, 'run')}; the maximum is ${LIMITS.batchRuns}`,
      'split it into several batches',
    );
}

function reportUselessCostLimit({ models, limits }: BatchInput, report: MistakeReport): void {
  const prices = Object.values(models).map(({ price }) => Number(price.prompt) + Number(price.reply));
  if (limits.cost === null || prices.length === 0 || prices.some((price) => price > 0)) return;
  report.error(
    ['limits', 'cost'],
    'no model has a price, so the cost is always 0',
    'give a model a price: price: { prompt: 0.2, reply: 0.6 }',
  );
}

function playersOf(entry: BatchInput['models'][string], models: BatchInput['models']): BatchPlayers {
  if (entry.seats === null) return playerOf(entry);
  const seats = Object.entries(entry.seats).map(([agent, name]) => {
    const named = lookUp(models, name);
    const builtIn = BUILT_IN_PLAYERS.find((kind) => kind === name) ?? 'scripted';
    return [agent, { name, player: named === undefined ? { kind: builtIn } : playerOf(named) }] as const;
  });
  return { kind: 'seats', seats: Object.fromEntries(seats) };
}

function playerOf({
  controller,
  servers,
  seats: _seats,
  ...spec
}: BatchInput['models'][string]): BatchPlayer {
  if (controller !== 'model') return { kind: controller };
  return { kind: 'model', spec, servers: servers ?? [{ baseUrl: spec.baseUrl, weight: 1 }] };
}

function seedsOf(seeds: BatchInput['seeds']): readonly string[] | null {
  if (seeds === undefined) return null;
  if (typeof seeds === 'number') return Array.from({ length: seeds }, (_, i) => String(i + 1));
  return [...new Set(seeds.map(String))];
}

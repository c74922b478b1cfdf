/**
 * Other differences between runs of the same scenario and players: settings of the scenario, each as path and
 * value, `render.channel=text`. If all are alike, there are none. Unused models are not settings: a model
 * that is only in the file does not change the players.
 */
import { canonicalJson, sha256 } from '../base/canonical.js';
import { differences } from '../base/differences.js';
import { compareText } from '../base/ids.js';
import type { Json } from '../base/json.js';
import { lookUp } from '../base/look-up.js';
import { askedModel, seatsIn } from '../trajectory/player-names.js';
import type { RunRecord } from '../trajectory/records.js';
import type { AgentSpec } from '../scenario/scenario.js';
import { grouped } from '../base/grouped.js';
import { samplingSettings } from '../trajectory/sampling-settings.js';
import type { RunMetrics } from './run-metrics.js';

/** The settings of an effective scenario. */
export interface ReportedSetup {
  /** The settings that every world has: turns, frame, prompt, agents. */
  shared: Json;
  /** The settings of the models that decide for agents, by their names in the scenario. */
  models: ModelSettings;
  /** The world's own settings, which may follow from the seed. */
  world: Json;
  /** Whether the seed draws values, so that the shared settings may follow from it too. */
  isDrawn: boolean;
}

type ModelSettings = Readonly<Record<string, Json>>;

export interface MeasuredRun {
  figures: Omit<RunMetrics, 'settings'>;
  setup: ReportedSetup;
}

/** Long texts and lists, such as maps, count as one value and are stored as a hash. */
const MAX_TEXT_CHARACTERS = 200;
const MAX_LIST_ITEMS = 64;
const SHOWN_CHARACTERS = 40;

export function setupOf({
  scenario,
  controllers,
}: Pick<RunRecord, 'scenario' | 'controllers'>): ReportedSetup {
  const { agents, turns, budget, render, prompt, probes, definition } = scenario;
  const agentSettings = Object.fromEntries(
    agents.map(({ id, controller: _controller, ...mind }) => [id, mind]),
  );
  // A batch names its players, and another batch may give the same name to others.
  const seats = seatsIn([{ controllers }]);
  const shared = { agents: agentSettings, turns, budget, render, prompt, probes, seats };
  const askedModels = agents.flatMap((agent) => modelAskedBy(agent, lookUp(controllers, agent.id)) ?? []);
  const models = [...new Set(askedModels)].flatMap((name): readonly (readonly [string, Json])[] => {
    const spec = lookUp(scenario.models, name);
    return spec === undefined ? [] : [[name, shortened(samplingSettings(spec))]];
  });
  return {
    shared: shortened(shared as unknown as Json),
    models: Object.fromEntries(models),
    world: shortened(definition),
    isDrawn: scenario.draw !== undefined,
  };
}

/** Returns one object for equal parts of setups, because thousands of runs differ in little. */
export function sharedSetups(): (setup: ReportedSetup) => ReportedSetup {
  const known = new Map<string, Json>();
  const shareValue = <Part extends Json>(part: Part): Part => {
    const hash = sha256(JSON.stringify(part));
    const same = known.get(hash) ?? part;
    known.set(hash, same);
    return same as Part;
  };
  return ({ shared, models, world, isDrawn }) => ({
    isDrawn,
    shared: shareValue(shared),
    models: shareValue(models),
    world: shareValue(world),
  });
}

/**
 * The model that decides for an agent, which also writes its summaries, explanations and answers to probes.
 * If a controller was passed in, the scenario's model is not asked, and the log names none.
 */
function modelAskedBy({ controller }: AgentSpec, record: Json | undefined): string | null {
  return controller.kind === 'model' && askedModel(record) !== null ? controller.model : null;
}

function shortened(value: Json): Json {
  if (typeof value === 'string') return value.length > MAX_TEXT_CHARACTERS ? sha256(value) : value;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value))
    return value.length > MAX_LIST_ITEMS
      ? sha256(canonicalJson(value))
      : value.map((one: Json) => shortened(one));
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, shortened(one)]));
}

/**
 * Each run with its settings, in the given order. A setting in which some players' runs differ is shown for
 * all runs of the scenario, so that they can be compared.
 */
export function withSettings(runs: readonly MeasuredRun[]): readonly RunMetrics[] {
  const textByRun = new Map<MeasuredRun, string>();
  for (const ofScenario of grouped(runs, ({ figures }) => figures.scenario)) {
    const byPlayers = grouped(ofScenario, ({ figures }) => figures.players).map((runsOfPlayers) => {
      const group = withCommonNames(runsOfPlayers);
      return { runsOfPlayers, group, paths: pathsOf(group) };
    });
    const commonPaths = distinct(byPlayers.flatMap(({ paths }) => paths.filter((path) => !isOfModel(path))));
    for (const { runsOfPlayers, group, paths } of byPlayers) {
      const shownPaths = distinct([...commonPaths, ...paths.filter(isOfModel)]);
      runsOfPlayers.forEach((run, i) => {
        const { setup } = group[i] ?? run;
        textByRun.set(run, shownPaths.flatMap((path) => settingOf(setup, path)).join(', '));
      });
    }
  }
  return runs.map((run) => ({ ...run.figures, settings: textByRun.get(run) ?? '' }));
}

/**
 * A scenario's name for its model makes no difference: `run` uses the file's name for it, `batch` and
 * `--model` give their own. Runs with one model each share one name, that of the first.
 */
function withCommonNames(group: readonly MeasuredRun[]): readonly MeasuredRun[] {
  const names = group.map(({ setup }) => Object.keys(setup.models));
  const [name = ''] = names[0] ?? [];
  if (names.some(({ length }) => length !== 1)) return group;
  return group.map((run) => {
    const [settings = null] = Object.values(run.setup.models);
    return { ...run, setup: { ...run.setup, models: { [name]: settings } } };
  });
}

type SettingPath = readonly (string | number)[];

/**
 * Settings in which some of them differ; of the world's settings, only those that differ between runs of one
 * seed, because a generated map, and what is drawn, is different for each seed.
 */
function pathsOf(runs: readonly MeasuredRun[]): readonly SettingPath[] {
  const byName = new Map<string, SettingPath>();
  const add = (paths: readonly SettingPath[]): void => {
    for (const path of paths) byName.set(path.join('.'), path);
  };
  const [first] = runs;
  const firstOfSeed = new Map<string, MeasuredRun>();
  for (const run of runs) {
    const firstRun = firstOfSeed.get(run.figures.seed) ?? run;
    firstOfSeed.set(run.figures.seed, firstRun);
    add(pathsOfDifferences((run.setup.isDrawn ? firstRun : first)?.setup.shared, run.setup.shared));
    add(pathsOfDifferences(firstRun.setup.world, run.setup.world));
  }
  add(pathsOfModels(runs.map(({ setup }) => setup.models)));
  return [...byName.values()];
}

/** Which of the models are asked, and only the settings in which those runs that ask them differ. */
function pathsOfModels(runs: readonly ModelSettings[]): readonly SettingPath[] {
  const names = [...new Set(runs.flatMap((models) => Object.keys(models)))];
  return names.flatMap((name) => {
    const modelSettings = runs.flatMap((models) => lookUp(models, name) ?? []);
    const differingPaths = modelSettings
      .flatMap((one) => pathsOfDifferences(modelSettings[0], one))
      .map((path) => ['models', name, ...path]);
    return modelSettings.length === runs.length ? differingPaths : [['models', name], ...differingPaths];
  });
}

function distinct(paths: readonly SettingPath[]): readonly SettingPath[] {
  const byName = new Map(paths.map((path) => [path.join('.'), path]));
  return [...byName].toSorted(([a], [b]) => compareText(a, b)).map(([, path]) => path);
}

/** Model settings are shown only for its own runs: others have other models. */
function isOfModel([first]: SettingPath): boolean {
  return first === 'models';
}

function pathsOfDifferences(one: Json | undefined, other: Json | undefined): readonly SettingPath[] {
  if (one === other) return [];
  return differences(one, other).map(({ path }) => path);
}

/** "render.channel=text"; nothing for settings of a model that the run does not ask. */
function settingOf({ shared, models, world }: ReportedSetup, path: SettingPath): readonly string[] {
  const [, model = '', ...pathInModel] = path;
  if (isOfModel(path) && pathInModel.length === 0)
    return [`${path.join('.')}=${Object.hasOwn(models, model) ? 'asked' : 'none'}`];
  if (isOfModel(path) && !Object.hasOwn(models, model)) return [];
  const value = valueAt({ ...Object(shared), models }, path) ?? valueAt(world, path);
  return [`${path.join('.')}=${valueText(value)}`];
}

function valueText(value: Json | undefined): string {
  const text = value === undefined ? 'none' : typeof value === 'string' ? value : JSON.stringify(value);
  const letters = Array.from(text);
  return letters.length > SHOWN_CHARACTERS ? `${letters.slice(0, SHOWN_CHARACTERS).join('')}…` : text;
}

function valueAt(value: Json | undefined, path: SettingPath): Json | undefined {
  return path.reduce<Json | undefined>((at, step) => {
    if (typeof at !== 'object' || at === null) return undefined;
    return (at as Readonly<Record<string | number, Json>>)[step];
  }, value);
}

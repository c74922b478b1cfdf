/**
 * What runs of the same scenario and players differ in besides: settings of the scenario, each told by its path and value, `render.channel=text`. In: runs
 * with their scenarios; out: the same runs, each with the settings that tell it from others. Where all are alike nothing is told.
 */
import { canonicalJson, sha256 } from '../base/canonical.js';
import { differences } from '../base/differences.js';
import { compareText } from '../base/ids.js';
import type { Json } from '../base/json.js';
import type { Scenario } from '../scenario/scenario.js';
import type { RunFigures } from './run-figures.js';

/** A scenario as it took effect, as far as settings go. */
export interface Setup {
  /** What every world has: turns, frame, prompt, minds, and how models are asked. */
  readonly shared: Json;
  /** The world's own part, which may follow from the seed. */
  readonly world: Json;
}

export interface MeasuredRun {
  readonly figures: Omit<RunFigures, 'settings'>;
  readonly setup: Setup;
}

/** Long texts and lists, such as maps, count as one value: kept as a hash. */
const KEPT_CHARACTERS = 200;
const KEPT_ITEMS = 64;
const SHOWN_CHARACTERS = 40;

export function setupOf(scenario: Scenario): Setup {
  const { agents, models, turns, budget, render, prompt, probes, definition } = scenario;
  const minds = Object.fromEntries(agents.map(({ id, controller: _controller, ...mind }) => [id, mind]));
  // Where a server is, and how patient we are with it, is no setting of the run; the model's name stands among the players.
  const asked = Object.entries(models).map(([name, spec]) => {
    const { temperature, topP, maxTokens, seed, guided, extra } = spec;
    return [name, { temperature, top_p: topP, max_tokens: maxTokens, seed, guided, extra }];
  });
  const shared = { agents: minds, models: Object.fromEntries(asked), turns, budget, render, prompt, probes };
  return { shared: shortened(shared as unknown as Json), world: shortened(definition) };
}

function shortened(value: Json): Json {
  if (typeof value === 'string') return value.length > KEPT_CHARACTERS ? sha256(value) : value;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value))
    return value.length > KEPT_ITEMS
      ? sha256(canonicalJson(value))
      : value.map((one: Json) => shortened(one));
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, shortened(one)]));
}

/** Each run with its settings, in the order that was given. What some players' runs differ in is told of all of the scenario, so that they can be compared. */
export function withSettings(runs: readonly MeasuredRun[]): readonly RunFigures[] {
  const told = new Map<MeasuredRun, string>();
  for (const ofScenario of grouped(runs, ({ figures }) => figures.scenario)) {
    const byPlayers = grouped(ofScenario, ({ figures }) => figures.players).map((group) => ({
      group,
      paths: pathsOf(group),
    }));
    const all = distinct(byPlayers.flatMap(({ paths }) => paths.filter((path) => !isOfModel(path))));
    for (const { group, paths } of byPlayers) {
      const own = distinct([...all, ...paths.filter(isOfModel)]);
      for (const run of group) told.set(run, own.map((path) => settingOf(run.setup, path)).join(', '));
    }
  }
  return runs.map((run) => ({ ...run.figures, settings: told.get(run) ?? '' }));
}

function grouped(
  runs: readonly MeasuredRun[],
  keyOf: (run: MeasuredRun) => string,
): readonly (readonly MeasuredRun[])[] {
  const groups = new Map<string, MeasuredRun[]>();
  for (const run of runs) {
    const group = groups.get(keyOf(run)) ?? [];
    groups.set(keyOf(run), group);
    group.push(run);
  }
  return [...groups.values()];
}

type Path = readonly (string | number)[];

/** Where some of them differ; of the world only where two of one seed do, for a made map is another with each seed. */
function pathsOf(runs: readonly MeasuredRun[]): readonly Path[] {
  const found = new Map<string, Path>();
  const add = (paths: readonly Path[]): void => {
    for (const path of paths) found.set(path.join('.'), path);
  };
  const [first] = runs;
  const ofSeed = new Map<string, MeasuredRun>();
  for (const run of runs) {
    const twin = ofSeed.get(run.figures.seed) ?? run;
    ofSeed.set(run.figures.seed, twin);
    add(partings(first?.setup.shared, run.setup.shared));
    add(partings(twin.setup.world, run.setup.world));
  }
  return [...found.values()];
}

function distinct(paths: readonly Path[]): readonly Path[] {
  const byName = new Map(paths.map((path) => [path.join('.'), path]));
  return [...byName].toSorted(([a], [b]) => compareText(a, b)).map(([, path]) => path);
}

/** How a model is asked is told of its own runs alone: others have other models. */
function isOfModel([first]: Path): boolean {
  return first === 'models';
}

function partings(one: Json | undefined, other: Json | undefined): readonly Path[] {
  return differences(one, other).map(({ path }) => path);
}

/** "render.channel=text". */
function settingOf({ shared, world }: Setup, path: Path): string {
  const value = valueAt(shared, path) ?? valueAt(world, path);
  const words = value === undefined ? 'none' : typeof value === 'string' ? value : JSON.stringify(value);
  const letters = Array.from(words);
  const shown = letters.length > SHOWN_CHARACTERS ? `${letters.slice(0, SHOWN_CHARACTERS).join('')}…` : words;
  return `${path.join('.')}=${shown}`;
}

function valueAt(value: Json | undefined, path: Path): Json | undefined {
  return path.reduce<Json | undefined>((at, step) => {
    if (typeof at !== 'object' || at === null) return undefined;
    return (at as Readonly<Record<string | number, Json>>)[step];
  }, value);
}

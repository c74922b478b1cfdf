/**
 * `--set` for a fork: which keys of a scenario may differ from a given step on. The scenario's text in the
 * log is read with and without the settings, and the differences are applied to the logged scenario. So a key
 * has the same meaning and the same checks as in the file. A change that would have altered the past, above
 * all one of the world, is refused.
 */
import { differences } from '../base/differences.js';
import type { JsonDifference } from '../base/differences.js';
import { UsageError } from '../base/errors.js';
import { isRecord, type Json } from '../base/json.js';
import type { RunRecord } from '../trajectory/records.js';
import type { ScenarioFile } from '../scenario/files.js';
import { loadScenario } from '../scenario/load.js';
import type { Scenario } from '../scenario/scenario.js';
import type { EnvironmentModule } from '../worlds/environment-module.js';

export interface ForkSettings {
  /** `key=value` of each `--set`. */
  set: readonly string[];
  modules: readonly EnvironmentModule[];
  /** Where environment variables are looked up. */
  variables: (name: string) => string | undefined;
  /** The variables that the scenario's text may read, in addition to those that every scenario may. */
  env?: readonly string[] | undefined;
}

/** The keys that may change for the following steps: none of them had an effect on the earlier ones. */
const CHANGEABLE_KEYS = ['turns', 'budget', 'models', 'prompt', 'probes', 'render'];
const CHANGEABLE_AGENT_KEYS = ['persona', 'goals', 'controller', 'protocol', 'memory', 'reflection'];

/**
 * The run's scenario with the settings applied. Throws UsageError or ScenarioError if one can't be applied.
 */
export function withForkSettings(run: RunRecord, settings: ForkSettings): Scenario {
  if (settings.set.length === 0) return run.scenario;
  // What the run has instead of the file's: its seed, and what was drawn.
  for (const key of ['seed', 'draw'])
    if (settings.set.some((setting) => /^[^.=]*/.exec(setting)?.[0] === key)) requireChangeable([key]);
  const before = loadWithSettings(run, settings, []);
  const after = loadWithSettings(run, settings, settings.set);
  const changes = differences(before as unknown as Json, after as unknown as Json);
  for (const { path } of changes) requireChangeable(path);
  return changes.reduce<Json>(withDifference, run.scenario as unknown as Json) as unknown as Scenario;
}

/** Templates are separate files, which were read when the log was written. */
const WITHOUT_TEMPLATES = 'prompt.templates=null';

function loadWithSettings(
  run: RunRecord,
  { modules, variables, env }: ForkSettings,
  set: readonly string[],
): Scenario {
  if (run.source === '')
    throw new UsageError('--set needs the text of the scenario, which this log does not contain', [
      'use --protocol, --max-turns or --model',
    ]);
  return loadScenario(loggedFile(run), variables, {
    set: [WITHOUT_TEMPLATES, ...set],
    seed: run.seed,
    drawn: run.scenario.draw?.drawn,
    env,
    worlds: modules.map((module) => module.reader),
  }).scenario;
}

function loggedFile({ scenario, source, tileset }: RunRecord): ScenarioFile {
  return {
    path: `${scenario.name}.yaml`,
    content: source,
    readFile: (path) => {
      if (path === scenario.render.tileset) return new TextEncoder().encode(tileset.manifest);
      const image = tileset.images[path.slice(path.lastIndexOf('/') + 1)];
      if (image === undefined) throw new Error('a log does not contain the other files of the scenario');
      return image;
    },
  };
}

function requireChangeable(path: JsonDifference['path']): void {
  // What else might have been drawn follows from the other keys.
  const [first, second, third] = path[0] === 'draw' && path[1] === 'from' ? path.slice(2) : path;
  const isOfAgent =
    first === 'agents' && typeof second === 'number' && CHANGEABLE_AGENT_KEYS.includes(String(third));
  const isTileset = first === 'render' && second === 'tileset';
  if (isOfAgent || (CHANGEABLE_KEYS.includes(String(first)) && !isTileset)) return;
  const changedPart = first === 'definition' ? 'the world' : path.slice(0, 3).join('.');
  throw new UsageError(`--set would change ${changedPart}, but the steps that the fork keeps depend on it`, [
    `a fork may change ${CHANGEABLE_KEYS.join(', ')}, and for each agent ${CHANGEABLE_AGENT_KEYS.join(', ')}`,
    'to change the world, play the scenario again with orchestrate run SCENARIO --set',
  ]);
}

function withDifference(
  value: Json,
  { path, after: newValue }: Pick<JsonDifference, 'path' | 'after'>,
): Json {
  const [key, ...restOfPath] = path;
  if (key === undefined) return newValue ?? null;
  if (Array.isArray(value))
    return value.map((element: Json, i) =>
      i === key ? withDifference(element, { path: restOfPath, after: newValue }) : element,
    );
  const record: Record<string, Json> = isRecord(value) ? { ...value } : {};
  const inner = withDifference(record[key] ?? null, { path: restOfPath, after: newValue });
  if (restOfPath.length === 0 && newValue === undefined) delete record[key];
  else record[key] = inner;
  return record;
}

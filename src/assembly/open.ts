/**
 * A scenario opened for use: loaded and checked, its environment opened, its tileset read. All uses of a
 * scenario start here, so that they see the same one. Mistakes are thrown together, warnings are returned.
 */
import { meantOf } from '../base/nearest.js';
import { known } from '../base/assert.js';
import { counted } from '../base/counted.js';
import { LIMITS } from '../base/limits.js';
import type { Environment, Outcome } from '../environment/environment.js';
import type { ScenarioFile } from '../scenario/files.js';
import { draftScenario } from '../scenario/load.js';
import type { Scenario } from '../scenario/scenario.js';
import { MODULES } from '../worlds/registry.js';
import { moduleOf } from '../worlds/environment-module.js';
import type { EnvironmentModule } from '../worlds/environment-module.js';
import { namedTileset, builtInTileset } from './tilesets.js';
import { environmentOf } from './scenario-environment.js';
import type { OpenedScenario } from './opened-scenario.js';
import { effectHandlersOf } from '../worlds/effect-handlers.js';
import { protocolOf } from '../parse/protocols.js';
import type { MistakeReport } from '../scenario/report.js';

/** Options for opening a scenario. */
export interface OpenOptions {
  /** The environments that the scenario may use; the built-in ones by default. */
  modules?: readonly EnvironmentModule[];
  /**
   * Where environment variables are looked up; nowhere by default. A scenario may read only `VLLM_URL`,
   * `VLLM_MODEL` and those named in `env`.
   */
  variables?: (name: string) => string | undefined;
  /** Names of further environment variables that the scenario may read. It can send their values anywhere. */
  env?: readonly string[] | undefined;
  /** `key=value` for any key of the file, as `--set` takes them. */
  set?: readonly string[];
  /** A folder of files that the user named, used instead of the scenario's. */
  root?: string;
  /** Used instead of the scenario's own seed; a generated map follows from it too. */
  seed?: string | undefined;
  /** Whether mistakes are searched with every value of every draw, not only with those of the seed. */
  everyDraw?: boolean;
  /** Changes the checked scenario before it is opened. */
  change?: (scenario: Scenario) => Scenario;
}

/**
 * Loads, checks and opens a scenario without playing it. Throws ScenarioError with all mistakes, including
 * those in its tileset. The default modules are `MODULES`; if you pass your own, pass those too.
 */
export async function openScenario(file: ScenarioFile, options: OpenOptions = {}): Promise<OpenedScenario> {
  const { modules = MODULES, variables = () => undefined, set = [] } = options;
  const builtIn = await builtInTileset();
  const draft = draftScenario(file, variables, {
    set,
    seed: options.seed,
    everyDraw: options.everyDraw,
    env: options.env,
    worlds: modules.map((module) => module.reader),
    known: {
      sprites: builtIn.sprites,
      // Of all available environments, because the scenario's own world is known only after it has been read.
      actions: [...new Set(modules.flatMap((module) => module.kind.actionNames))],
      actionsByKind: Object.fromEntries(modules.map(({ kind }) => [kind.kind, kind.actionNames])),
    },
  });
  const tileset =
    draft.tileset === null
      ? builtIn
      : await namedTileset(draft.tileset, file, {
          findings: draft.findings,
          skin: draft.skin,
          lender: builtIn,
        });
  const checked = draft.finish();
  const loaded = known(tileset, 'a tileset without reported mistakes');
  const module = moduleOf(modules, checked.scenario.environment);
  const changed = options.change?.(checked.scenario) ?? checked.scenario;
  const origin = {
    definition: changed.definition,
    folder: file.folder ?? null,
    root: options.root ?? null,
  };
  const effectHandlers = effectHandlersOf(module, origin);
  const environment = environmentOf(module, changed);
  const { max, best } = await turnLimit(changed, environment);
  const scenario = { ...changed, turns: { ...changed.turns, max } };
  const start = environment.create(scenario.seed);
  const hasPicture = environment.scene(start, null) !== null;
  const { source } = checked;
  const warnings = checked.withMore((report) => {
    warnAboutUnknownActions(scenario, environment, report);
    warnAboutUnknownFacts(scenario, environment, start, report);
    if (scenario.turns.timesBest !== undefined && best === null)
      report.warning(
        ['turns', 'times_best'],
        `no solution was found for seed ${scenario.seed.slice(0, 40)}, so turns.max alone limits the run to ${counted(max, 'turn')}`,
        'orchestrate check tells whether the world can be won',
      );
    warnAboutEarlyEnd(environment.outcome(start).status, scenario.seed, report);
  });
  return { scenario, source, module, environment, effectHandlers, loaded, hasPicture, warnings };
}

/**
 * The turns of a run: `max`, or with `times_best` so many times the turns of the best solution of this seed,
 * whatever is fewer. `best` is null if it was not needed or not found.
 */
async function turnLimit(
  scenario: Scenario,
  environment: Environment<unknown>,
): Promise<{ max: number; best: number | null }> {
  const { max, timesBest } = scenario.turns;
  if (timesBest === undefined || !environment.hasGoal) return { max, best: null };
  // What searches is loaded on demand.
  const { searchRules } = await import('./seats.js');
  const { solve } = await import('../solve/solve.js');
  const start = { state: environment.create(scenario.seed), turn: 1 };
  const rules = searchRules(scenario, environment);
  const { turn: best } = solve(environment, start, { ...rules, effort: LIMITS.searchedSteps });
  return { max: best === null ? max : Math.min(max, Math.max(1, best * timesBest)), best };
}

/**
 * Warns of each fixed reply, parsed as in the run, that names no action of the world: most likely the user forgot a
 * module. Other mistakes in a reply depend on the run.
 */
function warnAboutUnknownActions(
  { agents }: Scenario,
  { actions }: Environment<unknown>,
  report: MistakeReport,
): void {
  const vocabulary = actions.list();
  for (const [i, { controller, protocol }] of agents.entries()) {
    if (controller.kind !== 'replies') continue;
    for (const [j, content] of controller.replies.entries()) {
      const reply = { content, reasoning: null, toolCalls: [], finishReason: 'stop' };
      const reading = protocolOf(protocol).read(reply, vocabulary);
      if (reading.ok || reading.problem.code !== 'unknown-action') continue;
      report.warning(
        ['agents', i, 'replies', j],
        'this reply names no action of the world',
        'load a custom action with --modules my-actions.mjs',
      );
    }
  }
}

/** Warns of keys of `prompt.snapshot` that no agent's facts have at the start. */
function warnAboutUnknownFacts(
  { prompt: { snapshot }, agents }: Scenario,
  environment: Environment<unknown>,
  start: unknown,
  report: MistakeReport,
): void {
  if (typeof snapshot === 'boolean') return;
  const facts = [...new Set(agents.flatMap(({ id }) => Object.keys(environment.observe(start, id).facts)))];
  for (const [i, key] of snapshot.entries())
    if (!facts.includes(key))
      report.warning(['prompt', 'snapshot', i], `no agent has a fact "${key}"`, meantOf(key, facts, 'facts'));
}

/** Warns of a run that is over before anybody acts, which may depend on the seed. */
function warnAboutEarlyEnd(status: Outcome['status'], seed: string, report: MistakeReport): void {
  if (status !== 'succeeded' && status !== 'failed') return;
  const isWon = status === 'succeeded';
  const key = isWon ? 'success' : 'failure';
  report.warning(
    { key: [key], lacks: key },
    `the world is ${isWon ? 'won' : 'lost'} before its first turn (seed ${seed.slice(0, 40)})`,
    `change the start or '${key}': no agent gets a turn`,
  );
}

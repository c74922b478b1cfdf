/**
 * A logged run, opened for every kind of display: its steps, its worlds, its tileset.
 */
import { meantOf } from '../../base/nearest.js';
import type { EnvironmentModule } from '../../worlds/environment-module.js';
import { loggedEnvironment } from '../../assembly/logged-environment.js';
import { UsageError } from '../../base/errors.js';
import { WORLD_ID } from '../../base/ids.js';
import type { LogReader } from '../../log/reader.js';
import type { RunSummary } from '../../trajectory/run-summary.js';
import type { FilmSource } from '../../replay/film.js';
import { LoggedStates } from '../../replay/state-at.js';
import type { ReplayOptions } from '../options/replay-options.js';
import { loadTileset } from '../../render/tileset.js';

export interface ReplaySource extends FilmSource {
  summary: RunSummary;
  /** Whether the environment draws anything. */
  hasPicture: boolean;
}

/**
 * Throws UsageError for an agent, a view or a step that the run does not have, StorageError if the log can't
 * be read.
 */
export async function openReplay(
  reader: LogReader,
  summary: RunSummary,
  { options, modules }: { options: Partial<ReplayOptions>; modules: readonly EnvironmentModule[] },
): Promise<ReplaySource> {
  const run = reader.run(summary.runId);
  const agents = run.scenario.agents.map(({ id }) => id);
  const { agent, view } = options;
  const viewAgent = view?.startsWith('agent:') === true ? view.slice('agent:'.length) : undefined;
  if (view !== undefined && viewAgent === undefined && view !== 'map' && view !== 'all')
    throw new UsageError(`there is no view "${view}"`, ['map, all, or agent:<id>']);
  if (viewAgent !== undefined && !agents.includes(viewAgent))
    throw new UsageError(`the run has no agent "${viewAgent}"`, [meantOf(viewAgent, agents, 'its agents')]);
  if (agent !== undefined && agent !== WORLD_ID && !agents.includes(agent))
    throw new UsageError(`the run has no agent "${agent}"`, [meantOf(agent, agents, 'its agents')]);
  for (const step of [options.step, options.from, options.to])
    if (step !== undefined && step > summary.steps)
      throw new UsageError(`the run has no step ${step}`, [`its last step is ${summary.steps}`]);
  const environment = loggedEnvironment(run, modules);
  const states = new LoggedStates({ reader, run, environment });
  const hasPicture = environment.scene(states.at(0).state, null) !== null;
  const tileset = (await loadTileset(run.tileset, 'the log')).skinned(run.scenario.render.skin);
  return { reader, run, environment, states, tileset, summary, hasPicture };
}

/**
 * The agent whose view is shown, null for the whole map; by default the one agent that was selected,
 * otherwise the map.
 */
export function viewersOf(
  { run }: Pick<ReplaySource, 'run'>,
  { view, agent }: Pick<ReplayOptions, 'view' | 'agent'>,
): readonly (string | null)[] {
  if (view === 'all') return [null, ...run.scenario.agents.map(({ id }) => id)];
  if (view?.startsWith('agent:') === true) return [view.slice('agent:'.length)];
  if (view === 'map') return [null];
  return [agent === undefined || agent === WORLD_ID ? null : agent];
}

/** The warning about a picture that may differ from what was played; `step` is the first such step. */
export function mismatchWarning(step: number): string {
  return `the replayed world after step ${step} differs from the log (run verify)`;
}

/** Throws UsageError if the run's environment draws nothing. */
export function requirePicture({ hasPicture, run }: ReplaySource, log: string): void {
  if (!hasPicture)
    throw new UsageError(`the environment "${run.scenario.environment}" has no picture`, [
      `orchestrate show ${log} prints the run`,
    ]);
}

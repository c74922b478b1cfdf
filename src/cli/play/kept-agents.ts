/**
 * Agents of a served world that the server plays itself (`--keep`, and those of the world): their models, the
 * address of these, and where keys may go.
 */
import { UsageError } from '../../base/errors.js';
import type { KeyAddresses } from '../../model/keys.js';
import { modelsOfAgents } from '../../scenario/scenario.js';
import type { Scenario } from '../../scenario/scenario.js';
import { withOverrides } from '../options/overrides.js';
import type { ServeOptions } from '../options/serve-options.js';
import { confirmedAddresses } from '../options/server-keys.js';
import type { Io } from '../terminal/io.js';
import { LineInput } from '../terminal/line-input.js';

/**
 * Those named, and those with `part: world`, unless the scenario has no others. One with fixed replies alone may
 * have them for when nobody takes it. With `only`, all others, too.
 */
export function keptAgents({ agents }: Scenario, { keep = [], only }: ServeOptions): readonly string[] {
  const ofWorld = agents.flatMap(({ id, part }) => (part === 'world' ? [id] : []));
  const others = only === undefined ? [] : agents.flatMap(({ id }) => (id === only ? [] : [id]));
  return [...new Set([...keep, ...(ofWorld.length < agents.length ? ofWorld : []), ...others])];
}

/** Throws UsageError for options about kept agents if there is none. */
export function withKeptModels(scenario: Scenario, options: ServeOptions): Scenario {
  const { keep = [], model, guided, 'base-url': baseUrl } = options;
  const modelOptions = { model, 'base-url': baseUrl, guided };
  const [unusedOption] = Object.entries(modelOptions).flatMap(([name, value]) =>
    value === undefined ? [] : [name],
  );
  if (unusedOption === undefined) return scenario;
  if (keep.length === 0 && options.only === undefined)
    throw new UsageError(
      `--${unusedOption} is for agents that the server plays with --keep, but none is named`,
      [
        'name them with --keep AGENT',
        'programs that play an entity over the network use their own model: orchestrate agent --base-url …',
      ],
    );
  const changed = withOverrides(scenario, { model, baseUrl, guided });
  const kept = keptAgents(scenario, options);
  const agents = scenario.agents.map((agent, i) =>
    kept.includes(agent.id) ? (changed.agents[i] ?? agent) : agent,
  );
  return { ...changed, agents };
}

/**
 * Where keys may go: only the models of kept agents are called here. Throws UsageError before anything is
 * sent.
 */
export function keptAddresses(
  { scenario, words: options, io }: { scenario: Scenario; words: ServeOptions; io: Io },
  signal: AbortSignal,
): Promise<KeyAddresses> {
  const { key, 'base-url': baseUrl } = options;
  const kept = keptAgents(scenario, options);
  const served = scenario.agents.flatMap(({ id }) => (kept.includes(id) ? [] : [id]));
  return confirmedAddresses(
    modelsOfAgents(scenario, served),
    { key, baseUrl },
    { io, lines: new LineInput(io.stdin), signal },
  );
}

/**
 * What a batch would ask of its models: two runs of each cell are played in memory, without a model, by the
 * sighted reference player (in a world without one, by the scripted player), and multiplied.
 */
import { familyNamed } from '../model/frame-words.js';
import { frameTokens } from '../model/frame-tokens.js';
import { play } from '../assembly/play.js';
import type { OpenedScenario } from '../assembly/opened-scenario.js';
import type { CallRequest } from '../trajectory/records.js';
import type { AgentSpec, ModelSpec } from '../scenario/scenario.js';
import { MemorySink } from '../trajectory/memory-sink.js';
import { referenceWorld } from '../worlds/registry.js';
import { cellName } from './plan.js';
import type { OpenSetup, PlannedRun } from './plan.js';

/** So many characters of text count as a token, as elsewhere if a server counts none. */
const CHARACTERS_PER_TOKEN = 4;
const SAMPLED_SEEDS = 2;

/** What one model would be asked. */
export interface ModelForecast {
  /** The model's name on the server; '' for the server's only model. */
  model: string;
  calls: number;
  /** Of text and pictures together. */
  promptTokens: number;
  pictures: number;
  /** The tokens of all pictures; null if the model's name doesn't tell how it counts them. */
  pictureTokens: number | null;
  /** The most tokens that the replies can have. */
  replyTokensMax: number;
  promptCost: number;
  /** At most. */
  replyCost: number;
}

/** By model, the one with the most calls first. Opens scenarios and throws as they do. */
export async function forecastOf(
  runs: readonly PlannedRun[],
  open: OpenSetup,
): Promise<readonly ModelForecast[]> {
  const cells = new Map<string, PlannedRun[]>();
  for (const run of runs) {
    const name = cellName(run.cell);
    cells.set(name, [...(cells.get(name) ?? []), run]);
  }
  const byModel = new Map<string, ModelForecast>();
  for (const cellRuns of cells.values()) {
    const sampled = cellRuns.slice(0, SAMPLED_SEEDS);
    for (const run of sampled) {
      const opened = await open(run, run.seed);
      for (const [spec, requests] of await requestsIn(opened)) {
        const model = spec.model ?? '';
        byModel.set(
          model,
          withRequests(byModel.get(model), spec, requests, cellRuns.length / sampled.length),
        );
      }
    }
  }
  return [...byModel.values()].toSorted((a, b) => b.calls - a.calls);
}

/** The requests of a run that a model would get, by model. */
async function requestsIn(opened: OpenedScenario): Promise<ReadonlyMap<ModelSpec, readonly CallRequest[]>> {
  const { scenario } = opened;
  const specs = new Map<string, ModelSpec>();
  const agents = scenario.agents.map((agent): AgentSpec => {
    const { controller } = agent;
    const spec = controller.kind === 'model' ? scenario.models[controller.model] : undefined;
    if (spec !== undefined) specs.set(agent.id, spec);
    const isElsewhere = ['model', 'human', 'process'].includes(controller.kind);
    const kind = referenceWorld(scenario.environment) === undefined ? 'scripted' : 'sighted';
    return isElsewhere ? { ...agent, controller: { kind } } : agent;
  });
  const requests = new Map<ModelSpec, CallRequest[]>();
  if (specs.size === 0) return requests;
  const sink = new MemorySink();
  await play({ ...opened, scenario: { ...scenario, agents, probes: null } }, { sink });
  for (const entry of sink.entries) {
    const spec = entry.kind === 'request' ? specs.get(entry.call.agent) : undefined;
    if (entry.kind !== 'request' || spec === undefined) continue;
    requests.set(spec, [...(requests.get(spec) ?? []), entry.call]);
  }
  return requests;
}

function withRequests(
  before: ModelForecast | undefined,
  { model, maxTokens, price }: ModelSpec,
  requests: readonly CallRequest[],
  times: number,
): ModelForecast {
  const family = familyNamed(model ?? '');
  const parts = requests.flatMap(({ messages }) => messages.flatMap((message) => message.parts));
  const pngs = parts.flatMap((part) => (part.kind === 'image' ? [Buffer.from(part.png)] : []));
  const characters = parts.reduce((sum, part) => sum + (part.kind === 'text' ? part.text.length : 0), 0);
  // The size of a PNG stands in its header.
  const sizes = pngs.map((png) => ({ width: png.readUInt32BE(16), height: png.readUInt32BE(20) }));
  const pictureTokens =
    family === null
      ? null
      : sizes.reduce((sum, size) => sum + frameTokens(family, size.width, size.height), 0);
  const calls = Math.round(requests.length * times);
  const promptTokens = Math.round((characters / CHARACTERS_PER_TOKEN + (pictureTokens ?? 0)) * times);
  const replyTokensMax = calls * maxTokens;
  return {
    model: model ?? '',
    calls: (before?.calls ?? 0) + calls,
    promptTokens: (before?.promptTokens ?? 0) + promptTokens,
    pictures: (before?.pictures ?? 0) + Math.round(pngs.length * times),
    pictureTokens:
      pictureTokens === null ? null : (before?.pictureTokens ?? 0) + Math.round(pictureTokens * times),
    replyTokensMax: (before?.replyTokensMax ?? 0) + replyTokensMax,
    promptCost: (before?.promptCost ?? 0) + (promptTokens * Number(price.prompt)) / 1_000_000,
    replyCost: (before?.replyCost ?? 0) + (replyTokensMax * Number(price.reply)) / 1_000_000,
  };
}

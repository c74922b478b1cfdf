/**
 * What a batch would ask of its models: two runs of each cell are played in memory, without a model, by the
 * sighted reference player (in a world without one, by the scripted player), and multiplied.
 */
import { familyNamed } from '../model/frame-words.js';
import { frameTokens } from '../model/frame-tokens.js';
import { play } from '../assembly/play.js';
import type { OpenedScenario } from '../assembly/opened-scenario.js';
import { grouped } from '../base/grouped.js';
import { rounded6 } from '../base/rounded.js';
import type { Message } from '../model/chat.js';
import { deciderOf } from '../scenario/controllers.js';
import { sumByName, total } from '../trajectory/named-counts.js';
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
  replyTokensMax: number;
  promptCost: number;
  replyCostMax: number;
}

/** By model, the one with the most calls first. Opens scenarios and throws as they do. */
export async function forecastOf(
  runs: readonly PlannedRun[],
  open: OpenSetup,
): Promise<readonly ModelForecast[]> {
  const asked: { model: string; figures: Figures }[] = [];
  for (const cellRuns of grouped(runs, ({ cell }) => cellName(cell))) {
    const sampled = cellRuns.slice(0, SAMPLED_SEEDS);
    const times = cellRuns.length / sampled.length;
    for (const run of sampled)
      for (const { spec, messages } of await requestsIn(await open(run, run.seed)))
        asked.push({ model: spec.model ?? '', figures: figuresOf(spec, messages, times) });
  }
  const forecasts = grouped(asked, ({ model }) => model).map((same): ModelForecast => {
    const [{ model }] = same;
    const { promptCost, replyCostMax, ...counts } = sumByName(same.map(({ figures }) => figures));
    return {
      model,
      calls: Math.round(counts.calls),
      promptTokens: Math.round(counts.promptTokens),
      pictures: Math.round(counts.pictures),
      pictureTokens: familyNamed(model) === null ? null : Math.round(counts.pictureTokens),
      replyTokensMax: Math.round(counts.replyTokensMax),
      promptCost: rounded6(promptCost),
      replyCostMax: rounded6(replyCostMax),
    };
  });
  return forecasts.toSorted((a, b) => b.calls - a.calls);
}

/** The requests of a run that a model would get. */
async function requestsIn(
  opened: OpenedScenario,
): Promise<readonly { spec: ModelSpec; messages: readonly Message[] }[]> {
  const { scenario } = opened;
  const specOf = ({ controller }: AgentSpec): ModelSpec | undefined =>
    controller.kind === 'model' ? scenario.models[controller.model] : undefined;
  const specs = new Map(scenario.agents.map((agent) => [agent.id, specOf(agent)]));
  if ([...specs.values()].every((spec) => spec === undefined)) return [];
  const kind = referenceWorld(scenario.environment) === undefined ? 'scripted' : 'sighted';
  const agents = scenario.agents.map((agent): AgentSpec =>
    deciderOf(agent.controller.kind) === 'built-in' ? agent : { ...agent, controller: { kind } },
  );
  const sink = new MemorySink();
  await play({ ...opened, scenario: { ...scenario, agents, probes: null } }, { sink });
  return sink.entries.flatMap((entry) => {
    const spec = entry.kind === 'request' ? specs.get(entry.call.agent) : undefined;
    return entry.kind === 'request' && spec !== undefined ? [{ spec, messages: entry.call.messages }] : [];
  });
}

type Figures = Readonly<Record<Exclude<keyof ModelForecast, 'model'>, number>>;

/** Of a request that stands for so many. */
function figuresOf(
  { model, maxTokens, price }: ModelSpec,
  messages: readonly Message[],
  times: number,
): Figures {
  const family = familyNamed(model ?? '');
  const parts = messages.flatMap((message) => message.parts);
  const characters = total(parts.map((part) => (part.kind === 'text' ? part.text.length : 0)));
  const pngs = parts.flatMap((part) => (part.kind === 'image' ? [Buffer.from(part.png)] : []));
  // The size of a PNG stands in its header.
  const sizes = pngs.map((png) => [png.readUInt32BE(16), png.readUInt32BE(20)] as const);
  const ofPictures = total(sizes.map((size) => (family === null ? 0 : frameTokens(family, ...size))));
  const promptTokens = (characters / CHARACTERS_PER_TOKEN + ofPictures) * times;
  const replyTokensMax = maxTokens * times;
  return {
    calls: times,
    promptTokens,
    pictures: pngs.length * times,
    pictureTokens: ofPictures * times,
    replyTokensMax,
    promptCost: (promptTokens * Number(price.prompt)) / 1_000_000,
    replyCostMax: (replyTokensMax * Number(price.reply)) / 1_000_000,
  };
}

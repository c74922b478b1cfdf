/**
 * Converts the file's values to effective ones: models, turns, frame, prompt and agents, with every default
 * filled in. Fractions become decimal text here, because the log of a run contains no floats.
 */
import { WORLD_ID } from '../base/ids.js';
import type { Json } from '../base/json.js';
import { properNameFromId } from './names.js';
import type { MistakeReport } from './report.js';
import { suggest } from './suggest.js';
import { PRESETS } from './presets.js';
import type {
  AgentSpec,
  BudgetSpec,
  ControllerSpec,
  Goal,
  ModelSpec,
  ProbesSpec,
  ReflectionSpec,
  RenderSpec,
  RewardSpec,
  SpeculateSpec,
  TurnSpec,
} from './scenario.js';
import type { ScenarioAgentInput, ScenarioInput } from './schema.js';
import { modelSchema } from './schema-model.js';
import type { ModelInput } from './schema-model.js';
import type { ProbesInput, ReflectionInput } from './schema-questions.js';
import type { RewardsInput } from './schema-rewards.js';
import { speculateSchema } from './schema-turns.js';
import type { YamlPath } from './tree.js';
import { PARSE_ONCE } from './parse-once.js';

export function turnSpec(input: ScenarioInput['turns']): TurnSpec {
  const { order, max, attempts, given_up: givenUp, free_acts: freeActs, repair, repeats = null } = input;
  return { order, max, attempts, givenUp, freeActs, repair, repeats, speculate: speculateSpec(input) };
}

function speculateSpec({ speculate }: ScenarioInput['turns']): SpeculateSpec | null {
  if (speculate === false) return null;
  const { ahead, wasted_max: wastedMax } = speculateSchema.parse(
    speculate === true ? {} : speculate,
    PARSE_ONCE,
  );
  return { ahead, wastedMax };
}

export function budgetSpec({ steps, tokens, seconds, cost }: ScenarioInput['budget']): BudgetSpec {
  return {
    steps: steps ?? null,
    tokens: tokens ?? null,
    seconds: seconds ?? null,
    cost: cost === undefined ? null : decimal(cost),
  };
}

export function renderSpec(input: ScenarioInput['render']): RenderSpec {
  const preset = PRESETS[input.preset];
  const [columns, rows] = input.window ?? [preset.columns, preset.rows];
  const { channel, names, blank, marks, legend, ruler = preset.ruler, skin } = input;
  return {
    tilePixels: input.tile ?? preset.tilePixels,
    columns,
    rows,
    tileset: input.tileset ?? null,
    channel,
    ...(channel === 'image' ? { names } : {}),
    ...(blank ? { blank } : {}),
    marks,
    legend,
    ruler,
    skin,
  };
}

export function modelSpec(input: ModelInput): ModelSpec {
  return {
    baseUrl: input.base_url,
    model: input.model ?? null,
    apiKeyEnv: input.api_key_env,
    temperature: decimal(input.temperature),
    topP: decimal(input.top_p),
    maxTokens: input.max_tokens,
    seed: input.seed ?? null,
    timeoutMs: input.timeout_ms,
    retries: input.retries,
    guided: input.guided,
    server: input.server ?? null,
    price: { prompt: decimal(input.price.prompt), reply: decimal(input.price.reply) },
    extra: Object.fromEntries(
      Object.entries(input.extra).map(([field, value]) => [field, withoutFloats(value as Json)]),
    ),
  };
}

export function probesSpec(input: ProbesInput | undefined): ProbesSpec | null {
  if (input === undefined) return null;
  const { every = null, steps, kinds, each } = input;
  return { every, steps, kinds: [...new Set(kinds)], each };
}

export function rewardSpec({ effort, ...amounts }: RewardsInput): RewardSpec {
  const { success, failure, step, refused, unreadable, progress, discount } = amounts;
  return {
    success: decimal(success),
    failure: decimal(failure),
    step: decimal(step),
    refused: decimal(refused),
    unreadable: decimal(unreadable),
    progress: decimal(progress),
    discount: decimal(discount),
    effort,
  };
}

function reflectionSpec({ when, question }: ReflectionInput): ReflectionSpec {
  return { when, question: question ?? null };
}

/** A model with all defaults, for commands without a scenario. */
export function defaultModel(): ModelSpec {
  return modelSpec(modelSchema.parse({}, PARSE_ONCE));
}

/** A number as plain decimal text with at most six places: 0.7, 1, 0.000001. */
export function decimal(value: number): string {
  return value.toFixed(6).replace(/\.?0+$/, '');
}

function withoutFloats(value: Json): Json {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? value : { decimal: decimal(value) };
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((each: Json) => withoutFloats(each));
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, withoutFloats(each)]));
}

/** The agents; each model that one names must exist in the scenario. */
export function agentSpecs(
  agents: readonly ScenarioAgentInput[],
  { models, reflection }: { readonly models: readonly string[]; readonly reflection: ReflectionInput },
  report: MistakeReport,
): readonly AgentSpec[] {
  reportIds(agents, report);
  return agents.map((input, i) => ({
    id: input.id,
    name: input.name ?? properNameFromId(input.id),
    ...(input.tags === undefined ? {} : { tags: input.tags }),
    // Absent for players, so that scenarios without this key keep their hashes.
    ...(input.part === 'world' ? { part: input.part } : {}),
    persona: input.persona,
    goals: goalsOf(input.goals),
    controller: controllerOf(input, models, { report, index: i }),
    protocol: input.protocol,
    memory: memoryOf(input, { report, index: i }),
    reflection: reflectionSpec(input.reflection ?? reflection),
  }));
}

/** Reports ids that two agents share, and the id that the log uses for the world's part of a turn. */
function reportIds(agents: readonly ScenarioAgentInput[], report: MistakeReport): void {
  agents.forEach(({ id }, i) => {
    const at = ['agents', i, 'id'];
    if (id === WORLD_ID) report.error(at, `'${id}' is a reserved id: in the log, it marks the end of a turn`);
    if (agents.findIndex((other) => other.id === id) < i)
      report.error(
        at,
        `two agents have the id '${id}'`,
        'choose another id: ids must be unique in a scenario',
      );
  });
}

/** Sorted by priority; equal ones keep their order. */
function goalsOf(inputs: ScenarioAgentInput['goals']): readonly Goal[] {
  const goals = inputs.map((input, i): Goal => {
    if (typeof input === 'string') return { priority: i + 1, name: input, description: '', kind: 'task' };
    const { name, description, kind } = input;
    return { priority: input.priority ?? i + 1, name, description, kind };
  });
  return goals.toSorted((a, b) => a.priority - b.priority);
}

interface SettingContext {
  readonly report: MistakeReport;
  readonly index: number;
}

function memoryOf({ memory }: ScenarioAgentInput, { report, index }: SettingContext): AgentSpec['memory'] {
  const { kind, turns_max: turnsMax, turns_kept: turnsKept } = memory;
  const at = ['agents', index, 'memory', 'turns_kept'];
  const trimsBlocks = kind !== 'none' && kind !== 'window';
  if (trimsBlocks && turnsKept >= turnsMax)
    report.error(at, `turns_kept is ${turnsKept}, which is not less than turns_max, ${turnsMax}`);
  return {
    kind,
    turnsMax,
    turnsKept,
    charactersMax: memory.characters_max,
    notesMax: memory.notes_max,
    // Absent, not zero, so that scenarios without these keys keep their hashes.
    ...(memory.pictures > 0 ? { pictures: memory.pictures } : {}),
    ...(memory.recalls > 0 ? { recalls: memory.recalls } : {}),
  };
}

function controllerOf(
  input: ScenarioAgentInput,
  models: readonly string[],
  { report, index }: SettingContext,
): ControllerSpec {
  const path = ['agents', index];
  const kind =
    input.controller ??
    (input.model !== undefined ? 'model' : input.replies !== undefined ? 'replies' : 'scripted');
  reportModel(input, models, { kind, report, path });
  const hasUnusedReplies =
    kind !== 'replies' && (input.replies !== undefined || input.after_replies !== undefined);
  if (hasUnusedReplies)
    report.error(
      { key: [...path, input.replies === undefined ? 'after_replies' : 'replies'] },
      `replies have no effect with the controller ${kind}`,
      'write controller: replies',
    );
  if (kind === 'replies') {
    if (input.replies === undefined)
      report.error(
        { key: [...path, 'controller'] },
        'the controller has no replies',
        "write replies: ['ACTION: WAIT']",
      );
    // oxlint-disable-next-line unicorn/no-thenable -- a word of the scenario, never awaited
    return { kind, replies: input.replies ?? [], then: input.after_replies ?? 'wait' };
  }
  if (kind !== 'model') return { kind };
  return { kind, model: modelOf(input, models, { report, index }) };
}

/**
 * A model that exists but isn't used is reported too, so that a scripted run is not mistaken for a model's.
 */
function reportModel(
  { model }: ScenarioAgentInput,
  models: readonly string[],
  { kind, report, path }: { kind: ControllerSpec['kind']; report: MistakeReport; path: YamlPath },
): void {
  if (model === undefined) return;
  if (!models.includes(model))
    report.error(
      [...path, 'model'],
      `there is no model called '${model}'`,
      suggest(model, models) ?? 'write models: {main: {}}',
    );
  else if (kind !== 'model')
    report.warning(
      { key: [...path, 'model'] },
      `a model has no effect with the controller ${kind}`,
      'write controller: model, or leave out the model',
    );
}

function modelOf(
  input: ScenarioAgentInput,
  models: readonly string[],
  { report, index }: SettingContext,
): string {
  const path = ['agents', index];
  const [only, second] = models;
  if (input.model === undefined && only !== undefined && second === undefined) return only;
  if (input.model === undefined)
    report.error(
      { key: [...path, 'controller'] },
      only === undefined
        ? 'the scenario names no models'
        : 'the scenario names several models, and this agent does not say which one',
      only === undefined ? 'write models: {main: {}}' : `write model: ${only}`,
    );
  return input.model ?? only ?? '';
}

/** Agents as they take effect, with what an author may leave out: names, controllers, models. */
import { WORLD_ID } from '../base/ids.js';
import { properNameFromId } from './names.js';
import type { MistakeReport } from './report.js';
import { suggest } from './suggest.js';
import type { AgentSpec, ControllerSpec, Goal, ModelSpec, ReflectionSpec } from './scenario.js';
import type { ScenarioAgentInput } from './schema.js';
import { modelSchema } from './schema-model.js';
import type { YamlPath } from './tree.js';
import { PARSE_ONCE } from './parse-once.js';

/** A model with all defaults, for commands without a scenario. */
export function defaultModel(): ModelSpec {
  return modelSchema.parse({}, PARSE_ONCE);
}

/** The agents; each model that one names must exist in the scenario. */
export function agentSpecs(
  agents: readonly ScenarioAgentInput[],
  { models, reflection }: { models: readonly string[]; reflection: ReflectionSpec },
  report: MistakeReport,
): readonly AgentSpec[] {
  // Reports ids that two agents share, and the id that the log uses for the world's part of a turn.
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
  for (const [i, { memory }] of agents.entries()) {
    const { kind, turnsMax, turnsKept } = memory;
    const trimsBlocks = kind !== 'none' && kind !== 'window';
    if (trimsBlocks && turnsKept >= turnsMax)
      report.error(
        ['agents', i, 'memory', 'turns_kept'],
        `turns_kept is ${turnsKept}, which is not less than turns_max, ${turnsMax}`,
      );
  }
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
    memory: input.memory,
    reflection: input.reflection ?? reflection,
  }));
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
  report: MistakeReport;
  index: number;
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

/** The toolbox as a part of the scenario format: its keys, and how they become a ToolboxDefinition. */
import { compareText } from '../../../base/ids.js';
import type { Json } from '../../../base/json.js';
import { LIMITS } from '../../../base/limits.js';
import { DEFINED_SECTIONS } from '../../../environment/environment-spec.js';
import type { ToolboxDefinition } from '../definition.js';
import { readAgentActions } from '../../../scenario/agent-actions.js';
import { pathProblem } from '../../../scenario/files.js';
import type { MistakeReport } from '../../../scenario/report.js';
import { suggest } from '../../../scenario/suggest.js';
import type { WorldInput, WorldReader } from '../../../scenario/world.js';
import type { CheckReading } from './answers.js';
import { readCheck } from './answers.js';
import type { ToolboxInput } from './schema-toolbox.js';
import { TOOLBOX_AGENT_KEYS, TOOLBOX_KEYS, toolboxAgentSchema, toolboxSchema } from './schema-toolbox.js';
import { PARSE_ONCE } from '../../../scenario/parse-once.js';

/** Reads the toolbox's keys of a scenario; its definition opens with the environment of the same kind. */
export const toolboxWorld: WorldReader = {
  kind: 'toolbox',
  keys: TOOLBOX_KEYS,
  agentKeys: TOOLBOX_AGENT_KEYS,
  sections: DEFINED_SECTIONS,
  read: readToolbox,
};

function readToolbox({ values, agents, known }: WorldInput, report: MistakeReport): Json {
  const input = toolboxSchema.parse(values, PARSE_ONCE);
  const limits = [
    ['questions', LIMITS.questions],
    ['knowledge', LIMITS.knowledgeEntries],
  ] as const;
  for (const [key, max] of limits) {
    const count = Object.keys(input[key]).length;
    if (count > max) report.error({ key: [key] }, `${count} ${key}; the maximum is ${max}`);
  }
  const list = agents.map((agent) => toolboxAgentSchema.parse(agent, PARSE_ONCE));
  const selected = selectQuestion(input, { report, verbs: known.actions });
  const definition: ToolboxDefinition = {
    ...selected,
    // Sorted, since the order of keys in a mapping means nothing.
    knowledge: Object.entries(input.knowledge)
      .map(([key, text]) => ({ key, text }))
      .toSorted((a, b) => compareText(a.key, b.key)),
    folder: folderOf(input, report),
    ...(input.folder === undefined ? {} : { searchesInFile: true }),
    tools: [],
    agents: list.map(({ id }) => id),
    scopes: Object.fromEntries(
      list.flatMap(({ id, actions }, i) => {
        const verbs = readAgentActions(actions, { known, report }, ['agents', i]);
        return verbs === null ? [] : [[id, verbs]];
      }),
    ),
  };
  const json: Json = JSON.parse(JSON.stringify(definition));
  return json;
}

/** Checks every question and returns the selected one. */
function selectQuestion(
  input: ToolboxInput,
  reading: CheckReading,
): Pick<ToolboxDefinition, 'question' | 'answer'> {
  const { report } = reading;
  const questions = Object.entries(input.questions).map(
    ([id, { ask, answer }]) =>
      [id, { question: ask, answer: readCheck(reading, answer, ['questions', id, 'answer']) }] as const,
  );
  if (input.goal !== undefined) return { question: input.goal, answer: null };
  const ids = questions.map(([id]) => id);
  const selectedId = input.question ?? (ids.length === 1 ? ids[0] : undefined);
  const selected = questions.find(([id]) => id === selectedId);
  if (selected !== undefined) return selected[1];
  if (selectedId !== undefined)
    report.error(['question'], `there is no question called '${selectedId}'`, suggest(selectedId, ids));
  else if (ids.length > 1)
    report.error({ key: ['questions'] }, 'no question is selected', `write question: ${ids[0] ?? ''}`);
  else
    report.error(
      [],
      'there is no question',
      'write `goal: "What is …?"`, or add the key `questions:` with answers',
    );
  return { question: '', answer: null };
}

function folderOf({ folder }: ToolboxInput, report: MistakeReport): string | null {
  if (folder === undefined) return null;
  const problem = pathProblem(folder);
  if (problem !== undefined)
    report.error(
      ['folder'],
      `'${folder.slice(0, 60)}' ${problem}`,
      'choose a folder next to the scenario file, such as letters',
    );
  return folder;
}

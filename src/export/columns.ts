/**
 * The flat columns of a sample: the ones that `--where` can refer to, and that tables and data sets contain
 * in addition to messages and pictures. In: a sample; out: texts, numbers, booleans and nulls by column name.
 * The names are stable (docs/reference/data-sets.md).
 */
import { canonicalJson } from '../base/canonical.js';
import type { Field } from './row-json.js';
import type { ExportSample } from './sample.js';

export type ColumnValue = string | number | boolean | null;

type ColumnType = 'text' | 'integer' | 'number' | 'boolean';

interface ExportColumn {
  readonly name: string;
  readonly type: ColumnType;
  readonly about: string;
  readonly of: (sample: ExportSample) => ColumnValue;
}

/** In the order in which formats write them. */
export const COLUMNS = [
  { name: 'run', type: 'text', about: 'the id of the run', of: ({ runId }) => runId },
  { name: 'scenario', type: 'text', about: "the scenario's name", of: ({ scenario }) => scenario },
  { name: 'seed', type: 'text', about: 'the seed of the run', of: ({ seed }) => seed },
  { name: 'environment', type: 'text', about: 'the kind of world', of: ({ environment }) => environment },
  { name: 'agent', type: 'text', about: 'the agent that answered', of: ({ agent }) => agent },
  { name: 'model', type: 'text', about: 'the name of the model on its server', of: ({ model }) => model },
  {
    name: 'controller',
    type: 'text',
    about: 'the controller that decided',
    of: ({ controller }) => controller,
  },
  {
    name: 'player',
    type: 'text',
    about: 'the player: its name in the batch, or otherwise its model or controller',
    of: ({ player }) => player,
  },
  { name: 'protocol', type: 'text', about: 'the reply format', of: ({ protocol }) => protocol },
  {
    name: 'step',
    type: 'integer',
    about: 'the number of the step in the run, from 1',
    of: ({ step }) => step,
  },
  { name: 'turn', type: 'integer', about: 'the turn, from 1', of: ({ turn }) => turn },
  {
    name: 'attempt',
    type: 'integer',
    about: 'the number of the call within the step, from 1',
    of: ({ attempt }) => attempt,
  },
  { name: 'purpose', type: 'text', about: '`act`, or `repair`', of: ({ purpose }) => purpose },
  { name: 'reply', type: 'text', about: 'the reply as received', of: ({ answer }) => answer.text },
  {
    name: 'reasoning',
    type: 'text',
    about: 'reasoning that the server returned separately',
    of: ({ answer }) => answer.reasoning,
  },
  {
    name: 'action',
    type: 'text',
    about: 'the action that was understood',
    of: ({ intent }) => intent?.action ?? null,
  },
  {
    name: 'arguments',
    type: 'text',
    about: 'its arguments as JSON',
    of: ({ intent }) => (intent === null ? null : canonicalJson(intent.args)),
  },
  { name: 'rung', type: 'text', about: 'the rule that parsed the reply', of: ({ rung }) => rung },
  {
    name: 'ok',
    type: 'boolean',
    about: 'whether the action was carried out',
    of: ({ result }) => result?.ok ?? null,
  },
  {
    name: 'problem',
    type: 'text',
    about: 'the problem code, if any',
    of: ({ result }) => result?.code ?? null,
  },
  {
    name: 'result',
    type: 'text',
    about: 'the result, as reported to the agent',
    of: ({ result }) => result?.message ?? null,
  },
  {
    name: 'settled',
    type: 'boolean',
    about: 'whether this call settled its step',
    of: ({ isSettling }) => isSettling,
  },
  {
    name: 'mark',
    type: 'text',
    about: "a person's verdict: `accepted`, `rejected`, `corrected`",
    of: ({ mark }) => mark?.verdict ?? null,
  },
  { name: 'outcome', type: 'text', about: 'how the run ended', of: ({ outcome }) => outcome.status },
  {
    name: 'agent_outcome',
    type: 'text',
    about: 'how the run ended for the agent, if it has its own conditions or the scenario `rewards`',
    of: ({ agentOutcome }) => agentOutcome,
  },
  {
    name: 'run_turns',
    type: 'integer',
    about: 'the number of turns of the run',
    of: ({ outcome }) => outcome.turns,
  },
  {
    name: 'reward',
    type: 'number',
    about: 'the reward of the agent from this step up to its next step, if the scenario has `rewards`',
    of: ({ paid }) => paid?.reward ?? null,
  },
  {
    name: 'return',
    type: 'number',
    about: 'the sum of the rewards of the agent from this step to the end of the run, not discounted',
    of: ({ paid }) => paid?.return ?? null,
  },
  {
    name: 'regret',
    type: 'integer',
    about: 'the number of turns by which the step delayed success, with `--regret`',
    of: ({ cost }) => cost?.regret ?? null,
  },
  {
    name: 'regret_kind',
    type: 'text',
    about: '`exact`, `estimate`, or `fatal` (success is impossible after the step)',
    of: ({ cost }) => cost?.regretKind ?? null,
  },
  {
    name: 'progress',
    type: 'integer',
    about: 'the progress towards success after the step, in percent, with `--regret`',
    of: ({ cost }) => cost?.progress ?? null,
  },
  {
    name: 'progress_kind',
    type: 'text',
    about: '`exact`, or `estimate`',
    of: ({ cost }) => cost?.progressKind ?? null,
  },
  {
    name: 'pictures',
    type: 'integer',
    about: 'the number of pictures in its messages',
    of: (sample) => sample.pictures().length,
  },
  {
    name: 'prompt_tokens',
    type: 'integer',
    about: 'the tokens of the prompt, as counted by the server',
    of: ({ answer }) => answer.usage.promptTokens,
  },
  {
    name: 'completion_tokens',
    type: 'integer',
    about: 'the tokens of the reply, as counted by the server',
    of: ({ answer }) => answer.usage.completionTokens,
  },
] as const satisfies readonly ExportColumn[];

/** The same list, with the type of any column. */
export const ALL_COLUMNS: readonly ExportColumn[] = COLUMNS;

/** All columns of a sample, by name, in order. */
export function columnsOf(sample: ExportSample): Readonly<Record<string, ColumnValue>> {
  return Object.fromEntries(ALL_COLUMNS.map(({ name, of }) => [name, of(sample)]));
}

/** The same as fields of a row; `cellOf` converts the value of a cell. */
export function columnFields(
  sample: ExportSample,
  cellOf: (cell: ColumnValue, column: ExportColumn) => unknown = (cell) => cell,
): readonly Field[] {
  return ALL_COLUMNS.map((column) => [column.name, cellOf(column.of(sample), column)] as const);
}

const EMPTY = { text: '', integer: -1, number: 0, boolean: false } as const;

/**
 * Replaces null, for readers that derive the type of a column from the first samples of a file and give a
 * column of nulls a null type.
 */
export function neverNull(cell: ColumnValue, { type }: ExportColumn): ColumnValue {
  return cell ?? EMPTY[type];
}

/**
 * The flat columns of a sample: the ones that `--where` can refer to, and that tables and data sets contain
 * in addition to messages and pictures. The names are stable (docs/reference/data-sets.md).
 */
import { canonicalJson } from '../base/canonical.js';
import { lookUp } from '../base/look-up.js';
import { LATER_ACT_FIELDS } from '../trajectory/act.js';
import type { LaterActField } from '../trajectory/act.js';
import type { ExportSample } from './sample.js';

export type ColumnValue = string | number | boolean | null;

type ColumnType = 'text' | 'integer' | 'number' | 'boolean';

interface ExportColumn {
  name: string;
  type: ColumnType;
  about: string;
  read: (sample: ExportSample) => ColumnValue;
}

export function laterActColumns(fields: Readonly<Record<string, LaterActField>>): readonly ExportColumn[] {
  return Object.entries(fields).map(([field, { type, column }]) => ({
    ...column,
    type,
    read: ({ actValues }) => lookUp(actValues, field) ?? null,
  }));
}

/** In the order in which formats write them. */
export const COLUMNS = [
  { name: 'run', type: 'text', about: 'the id of the run', read: ({ runId }) => runId },
  { name: 'scenario', type: 'text', about: "the scenario's name", read: ({ scenario }) => scenario },
  { name: 'seed', type: 'text', about: 'the seed of the run', read: ({ seed }) => seed },
  { name: 'environment', type: 'text', about: 'the kind of world', read: ({ environment }) => environment },
  { name: 'agent', type: 'text', about: 'the agent that answered', read: ({ agent }) => agent },
  {
    name: 'model',
    type: 'text',
    about: 'the model that the server was asked for',
    read: ({ model }) => model,
  },
  {
    name: 'controller',
    type: 'text',
    about: 'the controller that decided',
    read: ({ controller }) => controller,
  },
  {
    name: 'player',
    type: 'text',
    about: 'the player: its name in the batch, otherwise its model, otherwise its controller',
    read: ({ player }) => player,
  },
  {
    name: 'lineup',
    type: 'text',
    about: "the name in the batch of the run's players together, if different ones have its seats",
    read: ({ lineup }) => lineup,
  },
  { name: 'protocol', type: 'text', about: 'the reply format', read: ({ protocol }) => protocol },
  {
    name: 'step',
    type: 'integer',
    about: 'the number of the step in the run, from 1',
    read: ({ step }) => step,
  },
  { name: 'turn', type: 'integer', about: 'the turn, from 1', read: ({ turn }) => turn },
  {
    name: 'attempt',
    type: 'integer',
    about: 'the number of the call within the step, from 1',
    read: ({ attempt }) => attempt,
  },
  { name: 'purpose', type: 'text', about: '`act`, or `repair`', read: ({ purpose }) => purpose },
  { name: 'reply', type: 'text', about: 'the reply as received', read: ({ answer }) => answer.text },
  {
    name: 'reasoning',
    type: 'text',
    about: 'reasoning that the server returned separately',
    read: ({ answer }) => answer.reasoning,
  },
  {
    name: 'action',
    type: 'text',
    about: 'the action that was understood',
    read: ({ intent }) => intent?.action ?? null,
  },
  {
    name: 'arguments',
    type: 'text',
    about: 'its arguments as JSON',
    read: ({ intent }) => (intent === null ? null : canonicalJson(intent.args)),
  },
  { name: 'rung', type: 'text', about: 'the rule that parsed the reply', read: ({ rung }) => rung },
  {
    name: 'ok',
    type: 'boolean',
    about: 'whether the action was carried out',
    read: ({ result }) => result?.ok ?? null,
  },
  {
    name: 'problem',
    type: 'text',
    about: 'the problem code, if any',
    read: ({ result }) => result?.code ?? null,
  },
  {
    name: 'result',
    type: 'text',
    about: 'the result, as reported to the agent',
    read: ({ result }) => result?.message ?? null,
  },
  ...laterActColumns(LATER_ACT_FIELDS),
  {
    name: 'settled',
    type: 'boolean',
    about: "whether this call's action was the last one of its step",
    read: ({ isSettling }) => isSettling,
  },
  {
    name: 'mark',
    type: 'text',
    about: "a person's verdict: `accepted`, `rejected`, `corrected`",
    read: ({ mark }) => mark?.verdict ?? null,
  },
  { name: 'outcome', type: 'text', about: 'how the run ended', read: ({ outcome }) => outcome.status },
  {
    name: 'agent_outcome',
    type: 'text',
    about: 'how the run ended for the agent, if it has its own conditions or the scenario `rewards`',
    read: ({ agentOutcome }) => agentOutcome,
  },
  {
    name: 'run_turns',
    type: 'integer',
    about: 'the number of turns of the run',
    read: ({ outcome }) => outcome.turns,
  },
  {
    name: 'reward',
    type: 'number',
    about: 'the reward of the agent from this step up to its next step, if the scenario has `rewards`',
    read: ({ paid }) => paid?.reward ?? null,
  },
  {
    name: 'return',
    type: 'number',
    about: 'the sum of the rewards of the agent from this step to the end of the run, not discounted',
    read: ({ paid }) => paid?.return ?? null,
  },
  {
    name: 'regret',
    type: 'integer',
    about: 'the number of turns by which the step delayed success, with `--regret`',
    read: ({ cost }) => cost?.regret ?? null,
  },
  {
    name: 'regret_kind',
    type: 'text',
    about: '`exact`, `estimate`, or `fatal` (success is impossible after the step)',
    read: ({ cost }) => cost?.regretKind ?? null,
  },
  {
    name: 'progress',
    type: 'integer',
    about: 'the progress towards success after the step, in percent, with `--regret`',
    read: ({ cost }) => cost?.progress ?? null,
  },
  {
    name: 'progress_kind',
    type: 'text',
    about: '`exact`, or `estimate`',
    read: ({ cost }) => cost?.progressKind ?? null,
  },
  {
    name: 'pictures',
    type: 'integer',
    about: 'the number of pictures in its messages',
    read: (sample) => sample.pictures().length,
  },
  {
    name: 'prompt_tokens',
    type: 'integer',
    about: 'the tokens of the prompt, as counted by the server',
    read: ({ answer }) => answer.usage.promptTokens,
  },
  {
    name: 'completion_tokens',
    type: 'integer',
    about: 'the tokens of the reply, as counted by the server',
    read: ({ answer }) => answer.usage.completionTokens,
  },
  {
    name: 'drawn',
    type: 'text',
    about: 'what the seed drew for the scenario (`draw`), such as `colour red, n 2`',
    read: ({ drawn }) => drawn,
  },
] as const satisfies readonly ExportColumn[];

/** The same list, with the type of any column. */
export const ALL_COLUMNS: readonly ExportColumn[] = COLUMNS;

/** The columns that say where a row comes from and what came of its answer, for formats without the others. */
export const ORIGIN_COLUMNS: readonly ExportColumn[] = [
  'run',
  'scenario',
  'seed',
  'agent',
  'player',
  'step',
  'ok',
  'problem',
].flatMap((name) => ALL_COLUMNS.filter((column) => column.name === name));

/** The values of these columns, by name. */
export function originOf(sample: ExportSample): Readonly<Record<string, ColumnValue>> {
  return Object.fromEntries(ORIGIN_COLUMNS.map(({ name, read }) => [name, read(sample)]));
}

/** All columns of a sample, by name, in order; `cellOf` converts the value of a cell. */
export function columnsOf(
  sample: ExportSample,
  cellOf: (cell: ColumnValue, column: ExportColumn) => ColumnValue = (cell) => cell,
): Readonly<Record<string, ColumnValue>> {
  return Object.fromEntries(ALL_COLUMNS.map((column) => [column.name, cellOf(column.read(sample), column)]));
}

const EMPTY = { text: '', integer: -1, number: 0, boolean: false } as const;

/**
 * Replaces null, for readers that derive the type of a column from the first samples of a file and give a
 * column of nulls a null type.
 */
export function neverNull(cell: ColumnValue, { type }: ExportColumn): ColumnValue {
  return cell ?? EMPTY[type];
}

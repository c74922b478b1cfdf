/**
 * The types of a data set's columns, named as in a dataset card on the Hugging Face hub. Without them, a
 * reader infers the types from the first rows: a column that is empty there gets a null type, and reading
 * fails at its first value. Pure data.
 */
import { COLUMNS, ORIGIN_COLUMNS } from './columns.js';

export type Scalar = 'string' | 'int64' | 'float64' | 'bool';
/** The type of a list's items. */
export type FeatureItems = Scalar | 'image' | 'json' | readonly Feature[] | { list: FeatureItems };

export type Feature =
  | { name: string; dtype: Scalar | 'image' | 'json' }
  | { name: string; list: FeatureItems }
  | { name: string; struct: readonly Feature[] };

export const textColumn = (name: string): Feature => ({ name, dtype: 'string' });
export const integerColumn = (name: string): Feature => ({ name, dtype: 'int64' });
export const numberColumn = (name: string): Feature => ({ name, dtype: 'float64' });
export const booleanColumn = (name: string): Feature => ({ name, dtype: 'bool' });
/** Values whose keys differ from row to row. */
export const jsonColumn = (name: string): Feature => ({ name, dtype: 'json' });
export const listColumn = (name: string, items: FeatureItems): Feature => ({ name, list: items });
export const recordColumn = (name: string, fields: readonly Feature[]): Feature => ({ name, struct: fields });

const TYPES = {
  text: textColumn,
  integer: integerColumn,
  number: numberColumn,
  boolean: booleanColumn,
} as const;

/** The columns that tables and data sets contain besides messages and pictures. */
export const COLUMN_FEATURES: readonly Feature[] = COLUMNS.map(({ name, type }) => TYPES[type](name));

/** The columns that say where a row comes from and what came of its answer. */
export const ORIGIN_FEATURES: readonly Feature[] = ORIGIN_COLUMNS.map(({ name, type }) => TYPES[type](name));

/** The columns that say which moment a row is about. */
export const MOMENT_FEATURES: readonly Feature[] = [
  ...['run', 'scenario', 'seed', 'environment', 'agent'].map(textColumn),
  ...['step', 'turn'].map(integerColumn),
];

/**
 * What an agent was paid for the step of a row; null if its scenario has no rewards, or another reply settled
 * the step.
 */
export const PAID_FEATURES: readonly Feature[] = ['reward', 'return'].map(numberColumn);

/** The pictures of a row, in the order of their positions in its messages. */
export const PICTURES_FEATURE: Feature = listColumn('images', 'image');

/** Messages in the form that TRL's trainers read. */
export function trlFeature(name: string): Feature {
  return listColumn(name, [
    textColumn('role'),
    listColumn('content', [textColumn('type'), textColumn('text')]),
  ]);
}

/** A native call, as chat templates read it. */
const TOOL_CALLS = listColumn('tool_calls', [
  textColumn('type'),
  recordColumn('function', [textColumn('name'), textColumn('arguments')]),
]);

/** The same columns for data with native tool calls: messages may hold calls, and a row has its tools. */
export function withToolCalls(features: readonly Feature[]): readonly Feature[] {
  const isMessages = (feature: Feature): boolean =>
    'list' in feature && Array.isArray(feature.list) && feature.list.some(({ name }) => name === 'role');
  if (!features.some(isMessages)) return features;
  const changed = features.map((feature): Feature => {
    if (!('list' in feature) || !isMessages(feature)) return feature;
    return listColumn(feature.name, [...(feature.list as readonly Feature[]), TOOL_CALLS]);
  });
  return [...changed, textColumn('tools')];
}

/** A row in the form that a trainer reads: the prompt, the training target and the pictures. */
export const CONVERSATION_FEATURES: readonly Feature[] = [
  ...['prompt', 'completion'].map(trlFeature),
  PICTURES_FEATURE,
];

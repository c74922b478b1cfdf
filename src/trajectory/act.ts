/**
 * One act within a step, and what the rest of the program must know of each of its fields: the check of logs,
 * `verify`, the columns of data sets and `show --step` follow from `ACT_FIELDS`. A further field stands here
 * and where it is recorded, in `orchestrator/decide.ts`.
 */
import type { Problem } from '../base/problem.js';
import type { Intent } from '../environment/action.js';
import type { ActResult } from '../environment/environment.js';
import type { ReplyReading } from '../parse/reading.js';

/** One act within a step: a free action, a refused try, or the action that settled the step. */
export interface ActRecord {
  /** Counts from 0 within the step. */
  index: number;
  /** The call whose reply requested it; null for the world's acts and for a forced wait. */
  call: number | null;
  /** How the reply was parsed; null if there was none. */
  reading: ReplyReading | null;
  /** The requested action; null if nothing could be understood. */
  intent: Intent | null;
  result: ActResult;
  /**
   * The reason if this act replaces one of the agent, because the agent gave no usable reply; otherwise null.
   */
  insteadOf: Problem | null;
}

/** An act before it has a result. */
export type RequestedAct = Omit<ActRecord, 'index' | 'result'>;

/** Its fields are in the order of the JSON in logs. */
export function actOf(
  { call, reading, intent, ...others }: RequestedAct,
  { index, result }: Pick<ActRecord, 'index' | 'result'>,
): ActRecord {
  return { index, call, reading, intent, result, ...others };
}

/** The value of a later field. A text would have to be hidden in data sets (`export/redaction.ts`). */
export type LaterActValue = number | boolean;

/**
 * A field that was added after logs had been written. It is optional in `ActRecord`, because they lack it; a
 * program that knows it always records it, null for nothing. The chain does not cover it.
 */
export interface LaterActField {
  type: 'integer' | 'boolean';
  /** Its column in data sets. */
  column: { name: string; about: string };
  /** What `show --step` says of it; null for nothing. */
  words: (value: LaterActValue) => string | null;
}

interface ActField {
  /** What `verify` reports if the replay gives it another value: the part of the step, and a sentence. */
  part: string;
  note: string;
  later?: LaterActField;
}

/** The compiler demands `later` for the optional fields. */
type ActFields = {
  [F in keyof ActRecord]-?: object extends Pick<ActRecord, F> ? Required<ActField> : ActField;
};

/** What `verify` reports if there are other acts. */
export const OTHER_ACTS: ActField = { part: 'acts', note: 'this step has different actions' };
const PARSED: ActField = { part: 'parser', note: 'the reply is parsed differently' };
const RESULT: ActField = { part: 'result', note: 'the action has a different result' };

export const ACT_FIELDS: ActFields = {
  index: OTHER_ACTS,
  call: OTHER_ACTS,
  reading: PARSED,
  intent: PARSED,
  result: RESULT,
  insteadOf: RESULT,
};

/** By name. */
export const LATER_ACT_FIELDS: Readonly<Record<string, LaterActField>> = Object.fromEntries(
  Object.entries<ActField>(ACT_FIELDS).flatMap(([name, { later }]) =>
    later === undefined ? [] : [[name, later]],
  ),
);

/** The later fields that an act has, by name. */
export function laterValues(act: ActRecord): Readonly<Record<string, LaterActValue | null>> {
  return Object.fromEntries(Object.entries(act).filter(([name]) => Object.hasOwn(LATER_ACT_FIELDS, name)));
}

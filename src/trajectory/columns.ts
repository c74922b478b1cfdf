/**
 * The columns of a log that hold its records, each once. The records' types (`records.ts`), and in `log` the
 * tables' SQL, the checks, the hashes, the way from records to rows and back, and the version of the log
 * follow from them. docs/reference/log.md explains the tables.
 */
import type { Json } from '../base/json.js';
import type { Event } from '../environment/action.js';
import type { ToolCall, Usage } from '../model/chat.js';
import type { ProbeKind } from '../scenario/scenario.js';
import { LATER_ACT_FIELDS } from './act.js';
import type { ActRecord } from './act.js';
import {
  BLOB,
  COUNT,
  DURATION,
  FROM_0,
  HASH,
  ID,
  json,
  JSON_TEXT,
  KEY,
  later,
  laterGroup,
  MOMENT,
  named,
  NUMBER,
  oneOf,
  optional,
  OTHERS,
  POSITIVE,
  quoted,
  replayed,
  ROW_HASH,
  rowOnly,
  RUN,
  TEXT,
  withSql,
} from './column-kinds.js';
import type { Column } from './column-kinds.js';
import type {
  CallPurpose,
  RunVersions,
  ServingRecord,
  StepRewards,
  TickTiming,
  UntimelyCount,
} from './record-values.js';
import * as shapes from './shapes.js';

/** Of a table whose rows had no hash in version 1. */
const LATER_ROW_HASH = { ...rowOnly(optional(ROW_HASH)), since: 2 };

export const RUN_COLUMNS = {
  run: KEY,
  /** Created at the start of the run; identifies it in a log with several runs. */
  runId: withSql(TEXT, { after: 'UNIQUE' }),
  parentRun: rowOnly(withSql(optional(NUMBER), { after: 'REFERENCES runs (run)' })),
  forkStep: rowOnly(
    withSql(optional(NUMBER), {
      where: '$ > 0',
      firstSql: 'INTEGER CHECK (($ IS NULL) = (parent_run IS NULL) AND $ > 0)',
    }),
  ),
  name: rowOnly(TEXT),
  seed: TEXT,
  source: BLOB,
  scenario: BLOB,
  tileset: BLOB,
  kept: BLOB,
  /** The hash that the chain of steps begins with: 64 hexadecimal digits. */
  genesisHash: named('genesis', HASH),
};

export const SESSION_COLUMNS = {
  run: RUN,
  sitting: rowOnly(POSITIVE),
  firstStep: rowOnly(POSITIVE),
  /** Of the program and its parts; the log's own is `log`. */
  versions: json<RunVersions>(shapes.versions),
  /** By agent: the controller's name and, for models, the server's information about itself. No secrets. */
  controllers: json<Readonly<Record<string, Json>>>(shapes.records),
  /** Wall clock, milliseconds since 1970: informative, not part of any hash. */
  startedAt: MOMENT,
};

const PURPOSES = [
  'act',
  'repair',
  'summary',
  'probe',
  'reflection',
  'interview',
  'speculation',
] as const satisfies readonly CallPurpose[];

/** A row's hash has the hashes of its contents in place of their numbers (`log/row-hashes.ts`). */
export const CALL_COLUMNS = {
  run: RUN,
  /** Counts the run's calls from 1. */
  call: POSITIVE,
  step: POSITIVE,
  turn: POSITIVE,
  agent: ID,
  /** Counts the calls for one step from 1. */
  attempt: POSITIVE,
  purpose: withSql(oneOf<CallPurpose>(...PURPOSES), {
    firstSql: `TEXT NOT NULL\n    CHECK ($ IN (${quoted(PURPOSES)}))`,
  }),
  controller: TEXT,
  observation: BLOB,
  frame: rowOnly(withSql(optional(NUMBER), { after: 'REFERENCES frames (frame)' })),
  previous: rowOnly(withSql(optional(NUMBER), { where: '$ < call' })),
  kept: rowOnly(withSql(COUNT, { where: '$ >= 0 AND (previous IS NOT NULL OR $ = 0)' })),
  appended: rowOnly(JSON_TEXT),
  settings: optional(BLOB),
  sha256: ROW_HASH,
  /** The time in milliseconds since 1970. */
  startedAt: MOMENT,
};

/** A failed call has an error and nothing else. */
export const REPLY_COLUMNS = {
  run: OTHERS,
  call: OTHERS,
  error: optional(TEXT),
  content: optional(TEXT),
  reasoning: optional(TEXT),
  toolCalls: optional(json<readonly ToolCall[]>(shapes.toolCalls), []),
  finishReason: optional(TEXT),
  model: optional(TEXT),
  usage: optional(json<Partial<Usage>>(shapes.usage)),
  raw: optional(TEXT),
  adaptations: optional(json<readonly string[]>(shapes.texts), []),
  latencyMs: optional(DURATION, 0),
  tries: optional(json<readonly { problem: string; afterMs: number }[]>(shapes.tries), []),
  memory: optional(json<Json>(shapes.anything)),
  sha256: optional(ROW_HASH),
};

export const PROBE_COLUMNS = {
  run: OTHERS,
  call: NUMBER,
  kind: TEXT as Column<string, ProbeKind, 'always', never>,
  question: TEXT,
  /** The possible answers; null if the answer is a whole number. */
  options: optional(json<readonly string[]>(shapes.texts)),
  expected: TEXT,
  /** The answer as parsed, or the start of the reply if it could not be parsed. */
  answer: TEXT,
  verdict: oneOf('right', 'wrong', 'unreadable'),
  sha256: LATER_ROW_HASH,
  /** Present if the question was asked with a grey picture, as a control. */
  picture: later(6, oneOf('grey'), 'picture'),
};

/** A row's hash has the hash of its output in place of the number. */
export const OUTSIDE_COLUMNS = {
  run: RUN,
  step: POSITIVE,
  position: rowOnly(FROM_0),
  agent: ID,
  action: TEXT,
  args: json<Json>(shapes.anything),
  output: BLOB,
  /** The time in milliseconds since 1970. */
  startedAt: MOMENT,
  durationMs: DURATION,
  sha256: LATER_ROW_HASH,
};

export const STEP_COLUMNS = {
  run: RUN,
  /** Counts the run's steps from 1. */
  step: POSITIVE,
  /** Counts from 1. */
  turn: POSITIVE,
  /** Agent id, or `world` for the end of a turn. */
  agent: ID,
  /**
   * The calls whose results shaped this step, in order; empty for `world`. Abandoned calls (interrupted, or
   * speculative and discarded) and calls that only asked about the step (probes, interviews) are in the log
   * but not listed here.
   */
  calls: json<readonly number[]>(shapes.calls),
  acts: replayed(json<readonly ActRecord[]>(shapes.acts(LATER_ACT_FIELDS))),
  events: replayed(json<readonly Event[]>(shapes.events)),
  /** The hash of the whole state after the step: 64 hexadecimal digits. */
  stateHash: named('state', HASH),
  /** Hashes of the state's parts, by name. */
  parts: json<Readonly<Record<string, string>>>(shapes.parts),
  /** The hash over this step and the one before (docs/reference/log.md). */
  chain: HASH,
  /** The time in milliseconds since 1970. */
  finishedAt: MOMENT,
  sha256: LATER_ROW_HASH,
  /**
   * Present if the scenario has rewards. They follow from the rest of the record, so the chain does not cover
   * them; `verify` computes them again.
   */
  rewards: later(3, json<StepRewards>(shapes.rewards), ''),
  /** Present for the end of a turn of a served run. */
  timing: laterGroup<TickTiming>(3, { overrunMs: COUNT, settleMs: COUNT }, 'timing'),
  /**
   * Present in a served run: the intents of any entity that came at the wrong time since the previous step.
   */
  untimely: later(4, json<readonly UntimelyCount[]>(shapes.untimely), 'untimely'),
};

export const END_COLUMNS = {
  run: OTHERS,
  sitting: OTHERS,
  status: oneOf('succeeded', 'failed', 'ended', 'interrupted', 'error'),
  /** The reason for the end, in one sentence. */
  reason: TEXT,
  /** The turn of the last step; 0 if there was none. */
  turns: COUNT,
  /** The last step; 0 if there was none. */
  steps: COUNT,
  stateHash: named('state', HASH),
  /** The hash over the last step's hash, or the genesis hash, and this end (docs/reference/log.md). */
  chain: HASH,
  finalState: BLOB,
  /** The time in milliseconds since 1970. */
  endedAt: MOMENT,
};

export const SERVED_COLUMNS = {
  run: OTHERS,
  sitting: OTHERS,
  /** The options with which a session was served, under its seal `begin`. */
  options: json<ServingRecord>(shapes.serving),
};

export const LEASE_COLUMNS = {
  run: RUN,
  position: rowOnly(POSITIVE),
  sitting: rowOnly(POSITIVE),
  entity: ID,
  /** Increases with each lease of the entity, even across restarts. */
  epoch: POSITIVE,
  event: oneOf('granted', 'released', 'expired', 'superseded', 'restarted'),
  /** The holder's own name. */
  controller: TEXT,
  /** The holder's identity, from its token or certificate. */
  principal: TEXT,
  /** The tick that was open at the time, or the next one. */
  tick: FROM_0,
  /** The time in milliseconds since 1970. */
  at: MOMENT,
  sha256: ROW_HASH,
};

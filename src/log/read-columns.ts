/**
 * What SQLite returns for the reader's queries (`queries.ts`), column by column: the counterpart of what
 * `rows.ts` writes. Nothing has been checked yet.
 */
import type { RequestColumns } from './requests.js';
import type { CallPurpose, ProbeRecord, RunEnd } from '../trajectory/records.js';

export interface RunRow {
  readonly run: number;
  readonly run_id: string;
  readonly parent_run: number | null;
  readonly parent: string | null;
  readonly fork_step: number | null;
  readonly name: string;
  readonly seed: string;
  readonly source: number;
  readonly scenario: number;
  readonly versions: string;
  readonly controllers: string;
  readonly tileset: number;
  readonly kept: number;
  readonly genesis: string;
  readonly started_at: number;
  readonly status: RunEnd['status'] | null;
  readonly steps: number;
  readonly chain: string;
}

export interface CallRow extends RequestColumns {
  readonly run: number;
  readonly call: number;
  readonly step: number;
  readonly turn: number;
  readonly agent: string;
  readonly attempt: number;
  readonly purpose: CallPurpose;
  /** As in the row: `speculation` even if the call counted. */
  readonly stored_purpose: CallPurpose;
  readonly controller: string;
  readonly observation: number;
  /** Its hash as stored; null if it is missing. */
  readonly observed: string | null;
  readonly settings: number | null;
  readonly frame: number | null;
  readonly sha256: string;
  readonly started_at: number;
  readonly replied: number | null;
  readonly error: string | null;
  readonly content: string | null;
  readonly reasoning: string | null;
  readonly tool_calls: string | null;
  readonly finish_reason: string | null;
  readonly model: string | null;
  readonly usage: string | null;
  readonly raw: string | null;
  readonly adaptations: string | null;
  readonly latency_ms: number | null;
  readonly tries: string | null;
  readonly memory: string | null;
  readonly reply_sha256: string | null;
}

/** In the order of the columns in `SELECT_CALL`. */
export const CALL_COLUMNS = [
  'run',
  'call',
  'step',
  'turn',
  'agent',
  'attempt',
  'purpose',
  'stored_purpose',
  'controller',
  'observation',
  'observed',
  'frame',
  'previous',
  'kept',
  'appended',
  'settings',
  'sha256',
  'started_at',
  'replied',
  'error',
  'content',
  'reasoning',
  'tool_calls',
  'finish_reason',
  'model',
  'usage',
  'raw',
  'adaptations',
  'latency_ms',
  'tries',
  'memory',
  'reply_sha256',
] as const satisfies readonly (keyof CallRow)[];

/** A call's columns without their names, which SQLite returns in half the time. */
export type CallValues = ValuesOf<CallRow, typeof CALL_COLUMNS>;

type ValuesOf<Row, Columns extends readonly (keyof Row)[]> = {
  readonly [I in keyof Columns]: Row[Columns[I]];
};

export function callRow(values: CallValues): CallRow {
  return {
    run: values[0],
    call: values[1],
    step: values[2],
    turn: values[3],
    agent: values[4],
    attempt: values[5],
    purpose: values[6],
    stored_purpose: values[7],
    controller: values[8],
    observation: values[9],
    observed: values[10],
    frame: values[11],
    previous: values[12],
    kept: values[13],
    appended: values[14],
    settings: values[15],
    sha256: values[16],
    started_at: values[17],
    replied: values[18],
    error: values[19],
    content: values[20],
    reasoning: values[21],
    tool_calls: values[22],
    finish_reason: values[23],
    model: values[24],
    usage: values[25],
    raw: values[26],
    adaptations: values[27],
    latency_ms: values[28],
    tries: values[29],
    memory: values[30],
    reply_sha256: values[31],
  };
}

export interface StepOutlineRow {
  readonly run: number;
  readonly step: number;
  readonly turn: number;
  readonly agent: string;
  readonly calls: string;
  readonly acts: string;
  readonly events: string;
  readonly state: string;
  readonly parts: string;
  readonly chain: string;
  readonly finished_at: number;
  /** Null if there are no rewards, and in logs before version 3. */
  readonly rewards: string | null;
  /** Set for the end of a turn of a served run; otherwise null, and in logs before version 3. */
  readonly overrun_ms: number | null;
  readonly settle_ms: number | null;
  /** Null in a run that is not served, and in logs before version 4. */
  readonly untimely: string | null;
  /** Null in a log of version 1. */
  readonly sha256: string | null;
}

/** In the order of the columns in `SELECT_STEP_OUTLINE`. */
export const STEP_OUTLINE_COLUMNS = [
  'run',
  'step',
  'turn',
  'agent',
  'calls',
  'acts',
  'events',
  'state',
  'parts',
  'chain',
  'finished_at',
  'rewards',
  'overrun_ms',
  'settle_ms',
  'untimely',
  'sha256',
] as const satisfies readonly (keyof StepOutlineRow)[];

export type StepOutlineValues = ValuesOf<StepOutlineRow, typeof STEP_OUTLINE_COLUMNS>;

export function stepOutlineRow(values: StepOutlineValues): StepOutlineRow {
  return {
    run: values[0],
    step: values[1],
    turn: values[2],
    agent: values[3],
    calls: values[4],
    acts: values[5],
    events: values[6],
    state: values[7],
    parts: values[8],
    chain: values[9],
    finished_at: values[10],
    rewards: values[11],
    overrun_ms: values[12],
    settle_ms: values[13],
    untimely: values[14],
    sha256: values[15],
  };
}

export interface StepRow extends StepOutlineRow {
  readonly snapshot: number | null;
}

export interface ProbeRow {
  readonly run: number;
  readonly call: number;
  readonly step: number;
  readonly turn: number;
  readonly agent: string;
  readonly kind: string;
  readonly question: string;
  readonly options: string | null;
  readonly expected: string;
  readonly answer: string;
  readonly verdict: ProbeRecord['verdict'];
  readonly sha256: string | null;
}

export interface OutsideRow {
  readonly run: number;
  readonly step: number;
  readonly position: number;
  readonly agent: string;
  readonly action: string;
  readonly args: string;
  readonly output: number;
  readonly started_at: number;
  readonly duration_ms: number;
  /** Absent in a log of version 1. */
  readonly sha256?: string | null;
}

export interface EndRow {
  readonly status: RunEnd['status'];
  readonly reason: string;
  readonly turns: number;
  readonly steps: number;
  readonly state: string;
  readonly chain: string;
  readonly final_state: number;
  readonly ended_at: number;
}

export interface SessionRow {
  readonly first_step: number;
  readonly versions: string;
  readonly controllers: string;
  readonly started_at: number;
  readonly ended_at: number | null;
  readonly last_step_at: number | null;
}

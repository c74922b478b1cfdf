/** What SQLite gives for the reader's questions (`queries.ts`), column by column: the counterpart of what `rows.ts` writes. Nothing of it is checked yet. */
import type { RequestColumns } from './requests.js';
import type { CallPurpose, ProbeRecord, RunEnd } from './records.js';

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
}

export interface CallRow extends RequestColumns {
  readonly call: number;
  readonly step: number;
  readonly turn: number;
  readonly agent: string;
  readonly attempt: number;
  readonly purpose: CallPurpose;
  readonly controller: string;
  readonly observation: number;
  /** Its hash as stored; null where it is missing. */
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

/** The order in which `SELECT_CALL` asks for them. */
export const CALL_COLUMNS = [
  'call',
  'step',
  'turn',
  'agent',
  'attempt',
  'purpose',
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

/** A call's columns without their names, which SQLite gives in half the time. */
export type CallValues = ValuesOf<CallRow, typeof CALL_COLUMNS>;

type ValuesOf<Row, Columns extends readonly (keyof Row)[]> = {
  readonly [I in keyof Columns]: Row[Columns[I]];
};

export function callRow(values: CallValues): CallRow {
  return {
    call: values[0],
    step: values[1],
    turn: values[2],
    agent: values[3],
    attempt: values[4],
    purpose: values[5],
    controller: values[6],
    observation: values[7],
    observed: values[8],
    frame: values[9],
    previous: values[10],
    kept: values[11],
    appended: values[12],
    settings: values[13],
    sha256: values[14],
    started_at: values[15],
    replied: values[16],
    error: values[17],
    content: values[18],
    reasoning: values[19],
    tool_calls: values[20],
    finish_reason: values[21],
    model: values[22],
    usage: values[23],
    raw: values[24],
    adaptations: values[25],
    latency_ms: values[26],
    tries: values[27],
    memory: values[28],
    reply_sha256: values[29],
  };
}

export interface StepOutlineRow {
  readonly step: number;
  readonly turn: number;
  readonly agent: string;
  readonly calls: string;
  readonly acts: string;
  readonly events: string;
  readonly finished_at: number;
}

/** The order in which `SELECT_STEP_OUTLINE` asks for them. */
export const STEP_OUTLINE_COLUMNS = [
  'step',
  'turn',
  'agent',
  'calls',
  'acts',
  'events',
  'finished_at',
] as const satisfies readonly (keyof StepOutlineRow)[];

export type StepOutlineValues = ValuesOf<StepOutlineRow, typeof STEP_OUTLINE_COLUMNS>;

export function stepOutlineRow(values: StepOutlineValues): StepOutlineRow {
  const [step, turn, agent, calls, acts, events, finished] = values;
  return { step, turn, agent, calls, acts, events, finished_at: finished };
}

export interface StepRow extends StepOutlineRow {
  readonly state: string;
  readonly parts: string;
  readonly chain: string;
  readonly snapshot: number | null;
}

export interface ProbeRow {
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
}

export interface OutsideRow {
  readonly step: number;
  readonly agent: string;
  readonly action: string;
  readonly args: string;
  readonly output: number;
  readonly started_at: number;
  readonly duration_ms: number;
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

export interface SittingRow {
  readonly first_step: number;
  readonly controllers: string;
  readonly started_at: number;
  readonly ended_at: number | null;
}

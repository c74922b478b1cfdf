/**
 * The allowed values of each column of a log: type, range, and enumerated words. SQLite's own checks are not
 * used, because a changed byte passes them. In: rows from SQLite; out: nothing, or a StorageError that names
 * the column. JSON columns are checked in `row-shapes.ts`.
 */
import type { StorageError } from '../base/errors.js';
import { damaged } from './failures.js';
import type {
  CallRow,
  EndRow,
  OutsideRow,
  ProbeRow,
  RunRow,
  SessionRow,
  StepOutlineRow,
} from './read-columns.js';
import type { CallPurpose, ProbeRecord, RunEnd } from '../trajectory/records.js';

interface ColumnKind {
  readonly is: (value: unknown) => boolean;
  /** The expected type, in a message. */
  readonly expected: string;
}

/** The furthest moment from 1970 that a date can have, in milliseconds. */
const MOMENT_MAX = 8.64e15;
const HASH_PATTERN = /^[0-9a-f]{64}$/;

const TEXT: ColumnKind = { is: (value) => typeof value === 'string', expected: 'text' };
const COUNT: ColumnKind = { is: (value) => isIntegerFrom(value, 0), expected: 'a whole number' };
const NUMBER_FROM_1: ColumnKind = {
  is: (value) => isIntegerFrom(value, 1),
  expected: 'a positive whole number',
};
const MOMENT: ColumnKind = {
  is: (value) => Number.isSafeInteger(value) && Math.abs(value as number) <= MOMENT_MAX,
  expected: 'a time in milliseconds',
};
const DURATION: ColumnKind = {
  is: (value) => typeof value === 'number' && value >= 0 && value <= MOMENT_MAX,
  expected: 'a duration',
};
/** A hash that is compared with the hash of its content later, so only its length is checked here. */
const COMPARED: ColumnKind = {
  is: (value) => typeof value === 'string' && value.length === 64,
  expected: 'a hash',
};
const HASH: ColumnKind = {
  is: (value) => typeof value === 'string' && HASH_PATTERN.test(value),
  expected: 'a hash',
};

function isIntegerFrom(value: unknown, minimum: number): boolean {
  return Number.isSafeInteger(value) && (value as number) >= minimum;
}

function oneOf<Word extends string>(values: Readonly<Record<Word, true>>): ColumnKind {
  return {
    is: (value) => typeof value === 'string' && Object.hasOwn(values, value),
    expected: Object.keys(values).join(', '),
  };
}

function optional({ is, expected }: ColumnKind): ColumnKind {
  return { is: (value) => value === null || value === undefined || is(value), expected };
}

const PURPOSE = oneOf<CallPurpose>({
  act: true,
  repair: true,
  summary: true,
  probe: true,
  reflection: true,
  interview: true,
  speculation: true,
});
const STATUS = oneOf<RunEnd['status']>({
  succeeded: true,
  failed: true,
  ended: true,
  interrupted: true,
  error: true,
});
const VERDICT = oneOf<ProbeRecord['verdict']>({ right: true, wrong: true, unreadable: true });

/** Names of columns, each with its type. */
type ColumnKinds<Row> = readonly (readonly [column: keyof Row & string, kind: ColumnKind])[];

const RUN: ColumnKinds<RunRow> = [
  ['run', NUMBER_FROM_1],
  ['run_id', TEXT],
  ['parent_run', optional(NUMBER_FROM_1)],
  ['parent', optional(TEXT)],
  ['fork_step', optional(NUMBER_FROM_1)],
  ['name', TEXT],
  ['seed', TEXT],
  ['source', NUMBER_FROM_1],
  ['scenario', NUMBER_FROM_1],
  ['versions', TEXT],
  ['controllers', TEXT],
  ['tileset', NUMBER_FROM_1],
  ['kept', NUMBER_FROM_1],
  ['genesis', HASH],
  ['started_at', MOMENT],
  ['status', optional(STATUS)],
  ['steps', COUNT],
  ['chain', HASH],
];

const CALL: ColumnKinds<CallRow> = [
  ['run', NUMBER_FROM_1],
  ['call', NUMBER_FROM_1],
  ['step', NUMBER_FROM_1],
  ['turn', NUMBER_FROM_1],
  ['agent', TEXT],
  ['attempt', NUMBER_FROM_1],
  ['stored_purpose', PURPOSE],
  ['controller', TEXT],
  ['observation', NUMBER_FROM_1],
  ['observed', optional(COMPARED)],
  ['settings', optional(NUMBER_FROM_1)],
  ['frame', optional(NUMBER_FROM_1)],
  ['previous', optional(NUMBER_FROM_1)],
  ['kept', COUNT],
  ['appended', TEXT],
  ['sha256', COMPARED],
  ['started_at', MOMENT],
];

const REPLY: ColumnKinds<CallRow> = [
  ['error', optional(TEXT)],
  ['content', optional(TEXT)],
  ['reasoning', optional(TEXT)],
  ['tool_calls', optional(TEXT)],
  ['finish_reason', optional(TEXT)],
  ['model', optional(TEXT)],
  ['usage', optional(TEXT)],
  ['raw', optional(TEXT)],
  ['adaptations', optional(TEXT)],
  ['latency_ms', optional(DURATION)],
  ['tries', optional(TEXT)],
  ['memory', optional(TEXT)],
  ['reply_sha256', optional(COMPARED)],
];

const STEP: ColumnKinds<StepOutlineRow> = [
  ['run', NUMBER_FROM_1],
  ['step', NUMBER_FROM_1],
  ['turn', NUMBER_FROM_1],
  ['agent', TEXT],
  ['calls', TEXT],
  ['acts', TEXT],
  ['events', TEXT],
  ['state', HASH],
  ['parts', TEXT],
  ['chain', HASH],
  ['finished_at', MOMENT],
  ['rewards', optional(TEXT)],
  ['overrun_ms', optional(COUNT)],
  ['settle_ms', optional(COUNT)],
  ['untimely', optional(TEXT)],
  ['sha256', optional(COMPARED)],
];

const PROBE: ColumnKinds<ProbeRow> = [
  ['call', NUMBER_FROM_1],
  ['step', NUMBER_FROM_1],
  ['turn', NUMBER_FROM_1],
  ['agent', TEXT],
  ['kind', TEXT],
  ['question', TEXT],
  ['options', optional(TEXT)],
  ['expected', TEXT],
  ['answer', TEXT],
  ['verdict', VERDICT],
  ['sha256', optional(HASH)],
];

const OUTSIDE: ColumnKinds<OutsideRow> = [
  ['step', NUMBER_FROM_1],
  ['position', COUNT],
  ['agent', TEXT],
  ['action', TEXT],
  ['args', TEXT],
  ['output', NUMBER_FROM_1],
  ['started_at', MOMENT],
  ['duration_ms', DURATION],
  ['sha256', optional(HASH)],
];

const END: ColumnKinds<EndRow> = [
  ['status', STATUS],
  ['reason', TEXT],
  ['turns', COUNT],
  ['steps', COUNT],
  ['state', HASH],
  ['chain', HASH],
  ['final_state', NUMBER_FROM_1],
  ['ended_at', MOMENT],
];

const SESSION: ColumnKinds<SessionRow> = [
  ['first_step', NUMBER_FROM_1],
  ['versions', TEXT],
  ['controllers', TEXT],
  ['started_at', MOMENT],
  ['ended_at', optional(MOMENT)],
  ['last_step_at', optional(MOMENT)],
];

/**
 * Checks that rows contain only allowed values; each check throws StorageError, naming the log, the row and
 * the column.
 */
export class ColumnChecks {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  run(row: RunRow): void {
    this.#check('a run', row, RUN);
    if ((row.parent_run === null) !== (row.parent === null))
      throw damaged(this.#path, `the run that ${row.run_id} forks is missing`);
    if ((row.parent_run === null) !== (row.fork_step === null))
      throw damaged(this.#path, `the fork ${row.run_id} has no fork step`);
  }

  call(row: CallRow): void {
    this.#check(`call ${row.call}`, row, CALL);
    if (row.replied === null) return;
    this.#check(`the reply to call ${row.call}`, row, REPLY);
    if ((row.error === null) === (row.content === null))
      throw damaged(this.#path, `the reply to call ${row.call} must be either an answer or a failure`);
  }

  step(row: StepOutlineRow): void {
    this.#check(`step ${row.step}`, row, STEP);
  }

  probe(row: ProbeRow): void {
    this.#check(`the probe of call ${row.call}`, row, PROBE);
  }

  outside(row: OutsideRow): void {
    this.#check(`an effect of step ${row.step}`, row, OUTSIDE);
  }

  end(row: EndRow): void {
    this.#check("the run's end", row, END);
  }

  session(row: SessionRow): void {
    this.#check('a session', row, SESSION);
  }

  #check<Row>(label: string, row: Row, columns: ColumnKinds<Row>): void {
    for (const [column, { is, expected }] of columns)
      if (!is(row[column])) throw this.#invalid(label, column, expected);
  }

  #invalid(label: string, column: string, expected: string): StorageError {
    return damaged(this.#path, `${column} of ${label} is invalid: expected ${expected}`);
  }
}

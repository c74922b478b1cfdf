/**
 * Reads calls: those of one step, one by its number, page by page along with the steps, or those outside any
 * step. Each is checked against its hash when read.
 */
import { damaged } from './damaged.js';
import { SELECT_CALL } from './queries.js';
import type { CallMaker } from './read-calls.js';
import type { CallRow } from './read-columns.js';
import type { RequestReader } from './read-requests.js';
import type { CallOutline, LoggedCall, SentCall, StepOutline } from '../trajectory/records.js';
import type { RowValues } from './row-values.js';
import type { Statements } from './statements.js';

/**
 * The number of steps whose calls are read at once, because a statement costs more than the rows of one step.
 */
const PAGE_CALL_STEPS = 16;

/** The run whose rows contain the calls, and the run that they are reported for. */
export interface RunRows {
  run: number;
  runId: string;
}

export interface CallReaderParts {
  rows: Statements;
  requests: RequestReader;
  make: CallMaker;
  values: RowValues;
  /** Turns an SQLite failure into a StorageError, for content that is read later. */
  read: <T>(work: () => T) => T;
}

export class CallReader {
  readonly #parts: CallReaderParts;

  constructor(parts: CallReaderParts) {
    this.#parts = parts;
  }

  ofStep(source: RunRows, step: number): readonly LoggedCall[] {
    return this.#rowsOf(source, step).map((row) => this.#call(source, row));
  }

  outlines(source: RunRows, step: number): readonly CallOutline[] {
    const { read, requests, make } = this.#parts;
    return this.#rowsOf(source, step).map((row) => ({
      call: row.call,
      agent: row.agent,
      attempt: row.attempt,
      purpose: row.acted_as,
      controller: row.controller,
      end: make.callEnd(row),
      text: () => read(() => requests.lastText(source.run, row.call)),
      request: () => read(() => this.#call(source, row).request),
    }));
  }

  /** Null if there is no call up to a step. */
  numbered(source: RunRows, { call, to }: { call: number; to: number }): LoggedCall | null {
    const sql = `${SELECT_CALL('')} AND calls.call = ? AND calls.step <= ?`;
    const [row] = this.#parts.rows.calls(sql, source.run, call, to);
    return row === undefined ? null : this.#call(source, row);
  }

  /** Calls that belong to no step: reflections and interviews. */
  outsideSteps(source: RunRows): readonly LoggedCall[] {
    const sql = `${SELECT_CALL('INDEXED BY calls_beside')} AND purpose IN ('reflection', 'interview') ORDER BY calls.call`;
    return this.#parts.rows.calls(sql, source.run).map((row) => this.#call(source, row));
  }

  /**
   * The calls of consecutive steps, up to `lastStep`. That step must be over, so that no call is added to a
   * step that was read in advance.
   */
  pages(source: RunRows, lastStep: number): (step: StepOutline) => readonly SentCall[] {
    const sql = `${SELECT_CALL('INDEXED BY calls_of_step')} AND step BETWEEN ? AND ? ORDER BY calls.step, calls.call`;
    let [from, to] = [0, 0];
    let rows: readonly CallRow[] = [];
    return ({ step, calls }) => {
      if (step < from || step >= to) {
        [from, to] = [step, Math.min(step + PAGE_CALL_STEPS, lastStep + 1)];
        rows = this.#parts.rows.calls(sql, source.run, from, to - 1);
      }
      const stepRows = rows.filter((row) => row.step === step);
      this.#requireListed(step, calls, stepRows);
      return stepRows.map((row) => this.#sentCall(source, row));
    };
  }

  /** A call that a step lists was made for this step, and must exist. */
  #requireListed(step: number, listed: readonly number[], rows: readonly CallRow[]): void {
    const { checking, path } = this.#parts.values;
    if (checking === 'unchecked') return;
    const missing = listed.find((call) => !rows.some((row) => row.call === call));
    if (missing !== undefined) throw damaged(path, `call ${missing} of step ${step} is missing`);
  }

  #rowsOf({ run }: RunRows, step: number): readonly CallRow[] {
    const sql = `${SELECT_CALL('INDEXED BY calls_of_step')} AND step = ? ORDER BY calls.call`;
    return this.#parts.rows.calls(sql, run, step);
  }

  #call({ run, runId }: RunRows, row: CallRow): LoggedCall {
    const { requests, make } = this.#parts;
    const messages = requests.messages(run, row.call, row);
    return { request: make.request(runId, row, messages), end: make.callEnd(row) };
  }

  #sentCall({ run, runId }: RunRows, row: CallRow): SentCall {
    const { requests, make, read } = this.#parts;
    const request = make.sentRequest(runId, row, {
      read,
      messages: () => requests.messages(run, row.call, row),
      outlines: () => requests.outlines(run, row.call, row),
    });
    return { request, reply: make.reply(row) };
  }
}

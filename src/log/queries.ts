/** The reader's SQL queries: the tables, and the order of rows. Parameters are bound by position. */
import { CALL_COLUMNS, STEP_OUTLINE_COLUMNS } from './read-columns.js';
import type { CallRow } from './read-columns.js';

/** Which steps are read; by default, all of them. */
export interface StepFilter {
  /** First and last step, both included. */
  readonly from?: number;
  readonly to?: number;
  readonly agent?: string;
  /** Whether steps come with the snapshots taken after them; true by default. */
  readonly snapshots?: boolean;
}

/** Columns that tables of older versions lack, with their replacements. */
const ADDED_IN: Readonly<Record<string, number>> = {
  sha256: 2,
  rewards: 3,
  overrun_ms: 3,
  settle_ms: 3,
  untimely: 4,
};
const columnOrNull = (column: string, version: number): string =>
  version >= (ADDED_IN[column] ?? 1) ? column : `NULL AS ${column}`;

const NEWEST_SESSION = (run: '?' | 'runs.run') =>
  `(SELECT max(sitting) FROM sittings WHERE sittings.run = ${run})`;
export const SELECT_RUN = `
  SELECT runs.*, first.versions, first.controllers, first.started_at, parents.run_id AS parent, ends.status,
    coalesce((SELECT max(step) FROM steps WHERE steps.run = runs.run), runs.fork_step - 1, 0) AS steps,
    coalesce(ends.chain, (SELECT chain FROM steps WHERE steps.run = runs.run ORDER BY step DESC LIMIT 1), runs.genesis) AS chain
  FROM runs JOIN sittings AS first ON first.run = runs.run AND first.sitting = 1
  LEFT JOIN runs AS parents ON parents.run = runs.parent_run
  LEFT JOIN ends ON ends.run = runs.run AND ends.sitting = ${NEWEST_SESSION('runs.run')}`;

export const SELECT_END = `SELECT * FROM ends WHERE run = ? AND sitting = ${NEWEST_SESSION('?')}`;

export const SELECT_STEP = `
  SELECT steps.*, snapshots.state AS snapshot
  FROM steps LEFT JOIN snapshots ON snapshots.run = steps.run AND snapshots.step = steps.step
  WHERE steps.run = ?`;
/** Without the state that may be stored with it. */
export const SELECT_STEP_OUTLINE = (version: number) => `
  SELECT ${STEP_OUTLINE_COLUMNS.map((column) => columnOrNull(column, version)).join(', ')} FROM steps WHERE run = ?`;
export const STEP_RANGE = 'AND steps.step BETWEEN ? AND ? ORDER BY steps.step LIMIT ?';

export const SELECT_PROBES = (version: number) => `
  SELECT run, call, step, turn, agent, kind, question, options, expected, answer, verdict, ${version < 2 ? 'NULL AS sha256' : 'probes.sha256'}
  FROM probes JOIN calls USING (run, call) WHERE run = ? AND step BETWEEN ? AND ? ORDER BY call`;

export const LAST_CALL = 'SELECT max(call) AS call FROM calls WHERE run = ? AND step BETWEEN ? AND ?';

export const SELECT_SNAPSHOT =
  'SELECT step, state FROM snapshots WHERE run = ? AND step BETWEEN ? AND ? ORDER BY step DESC LIMIT 1';
export const SELECT_FIRST_STATE = 'SELECT state FROM snapshots WHERE run = ? AND step = 0';

/** The servers' counts, by agent; for a fork, only its own calls. */
export const SELECT_TOKENS = `
  SELECT calls.agent, count(*) AS calls, coalesce(sum(usage ->> 'promptTokens'), 0) AS prompt,
    coalesce(sum(usage ->> 'completionTokens'), 0) AS reply
  FROM replies JOIN calls USING (run, call) WHERE run = ? GROUP BY calls.agent ORDER BY calls.agent`;

export const SELECT_SESSIONS = `
  SELECT sittings.first_step, sittings.versions, sittings.controllers, sittings.started_at, ends.ended_at, (
    SELECT finished_at FROM steps WHERE steps.run = sittings.run AND (next.first_step IS NULL OR step < next.first_step)
    ORDER BY step DESC LIMIT 1
  ) AS last_step_at
  FROM sittings LEFT JOIN ends ON ends.run = sittings.run AND ends.sitting = sittings.sitting
  LEFT JOIN sittings AS next ON next.run = sittings.run AND next.sitting = sittings.sitting + 1
  WHERE sittings.run = ? ORDER BY sittings.sitting`;

/**
 * A speculative call has the purpose `speculation` in its row, because its outcome is unknown when it is
 * sent. If its step lists it, it was the call that acted, and is read as one.
 */
const PURPOSE = `CASE WHEN calls.purpose = 'speculation' AND EXISTS (
    SELECT 1 FROM steps, json_each(steps.calls) WHERE steps.run = calls.run AND steps.step = calls.step AND value = calls.call
  ) THEN 'act' ELSE calls.purpose END AS purpose`;

/** The name of a column in queries of calls, if its own name is ambiguous. */
const CALL_SQL: Partial<Record<keyof CallRow, string>> = {
  run: 'calls.run',
  call: 'calls.call',
  step: 'calls.step',
  purpose: PURPOSE,
  stored_purpose: 'calls.purpose',
  observed: 'blobs.sha256',
  sha256: 'calls.sha256',
  replied: 'replies.call',
  content: 'replies.content',
  reply_sha256: 'replies.sha256',
};

/**
 * Rows without column names (`callRow`). Without the index hint, SQLite would read all of the run's calls to
 * find those of one step.
 */
export const SELECT_CALL = (index: '' | 'INDEXED BY calls_of_step' | 'INDEXED BY calls_beside') => `
  SELECT ${CALL_COLUMNS.map((column: keyof CallRow) => CALL_SQL[column] ?? column).join(', ')}
  FROM calls ${index} LEFT JOIN replies ON replies.run = calls.run AND replies.call = calls.call
  LEFT JOIN blobs ON blobs.blob = calls.observation
  WHERE calls.run = ?`;

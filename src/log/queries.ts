/**
 * The reader's SQL queries: the tables, and the order of rows. Parameters are bound by position. A column
 * that a log of an older version lacks is missing in its rows.
 */

/** Which steps are read; by default, all of them. */
export interface StepFilter {
  /** First and last step, both included. */
  from?: number;
  to?: number;
  agent?: string;
  /** Whether steps come with the snapshots taken after them; true by default. */
  snapshots?: boolean;
}

const NEWEST_SESSION = (run: '?' | 'runs.run') =>
  `(SELECT max(sitting) FROM sittings WHERE sittings.run = ${run})`;
export const SELECT_RUN = `
  SELECT runs.*, first.*, parents.run_id AS parent, ends.status,
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
export const SELECT_STEP_OUTLINE = 'SELECT * FROM steps WHERE run = ?';
export const STEP_RANGE = 'AND steps.step BETWEEN ? AND ? ORDER BY steps.step LIMIT ?';

export const SELECT_PROBES = `
  SELECT probes.*, step, turn, agent
  FROM probes JOIN calls USING (run, call) WHERE run = ? AND step BETWEEN ? AND ? ORDER BY call`;

export const SELECT_OUTSIDE = 'SELECT * FROM outside WHERE run = ? AND step = ? ORDER BY position';

export const LAST_CALL = 'SELECT max(call) AS call FROM calls WHERE run = ? AND step BETWEEN ? AND ?';

export const SELECT_SNAPSHOT =
  'SELECT step, state FROM snapshots WHERE run = ? AND step BETWEEN ? AND ? ORDER BY step DESC LIMIT 1';
export const SELECT_FIRST_STATE = 'SELECT state FROM snapshots WHERE run = ? AND step = 0';

/** The servers' counts, by agent; for a fork, only its own calls. */
export const SELECT_TOKENS = `
  SELECT calls.agent, finish_reason AS finishReason, count(content) AS calls, coalesce(sum(usage ->> 'promptTokens'), 0) AS prompt,
    coalesce(sum(usage ->> 'completionTokens'), 0) AS reply
  FROM replies JOIN calls USING (run, call) WHERE run = ? GROUP BY calls.agent, finish_reason
  ORDER BY calls.agent, finish_reason`;

/** The models as their servers named them in their answers, by agent; for a fork, only in its own calls. */
export const SELECT_ANSWERING = `
  SELECT DISTINCT calls.agent, replies.model
  FROM replies JOIN calls USING (run, call) WHERE run = ? AND replies.model IS NOT NULL
  ORDER BY calls.agent, replies.model`;

export const SELECT_SESSIONS = `
  SELECT sittings.*, ends.ended_at, (
    SELECT finished_at FROM steps WHERE steps.run = sittings.run AND (next.first_step IS NULL OR step < next.first_step)
    ORDER BY step DESC LIMIT 1
  ) AS finished_at
  FROM sittings LEFT JOIN ends ON ends.run = sittings.run AND ends.sitting = sittings.sitting
  LEFT JOIN sittings AS next ON next.run = sittings.run AND next.sitting = sittings.sitting + 1
  WHERE sittings.run = ? ORDER BY sittings.sitting`;

/**
 * A speculative call has the purpose `speculation` in its row, because its outcome is unknown when it is
 * sent. If its step lists it, it was the call that acted, and is read as one.
 */
const PURPOSE = `CASE WHEN calls.purpose = 'speculation' AND EXISTS (
    SELECT 1 FROM steps, json_each(steps.calls) WHERE steps.run = calls.run AND steps.step = calls.step AND value = calls.call
  ) THEN 'act' ELSE calls.purpose END AS acted_as`;

/**
 * For `Statements.calls`. Without the index hint, SQLite would read all of the run's calls to
 * find those of one step.
 */
export const SELECT_CALL = (index: '' | 'INDEXED BY calls_of_step' | 'INDEXED BY calls_beside') => `
  SELECT calls.*, replies.*, blobs.sha256, ${PURPOSE}
  FROM calls ${index} LEFT JOIN replies ON replies.run = calls.run AND replies.call = calls.call
  LEFT JOIN blobs ON blobs.blob = calls.observation
  WHERE calls.run = ?`;

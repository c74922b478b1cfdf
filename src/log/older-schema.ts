/**
 * The tables of versions 1 to 4, as they stand in logs that exist: a log is compared with them text by text,
 * so they never change. Every version adds to the previous one, and a writer adds what an older log lacks
 * without changing a row. These tables are STRICT, and their views need SQLite 3.38.
 */

const HASH = (column: string) => `${column} TEXT NOT NULL CHECK (length(${column}) = 64)`;
const JSON_TEXT = (column: string) => `${column} TEXT NOT NULL CHECK (json_valid(${column}))`;
const BLOB_REFERENCE = (column: string) => `${column} INTEGER NOT NULL REFERENCES blobs (blob)`;
const RUN = 'run INTEGER NOT NULL REFERENCES runs (run)';

const FIRST_VERSION = [
  `CREATE TABLE writer (
  slot INTEGER PRIMARY KEY CHECK (slot = 1),
  token TEXT NOT NULL,
  pid INTEGER NOT NULL,
  process TEXT NOT NULL
) STRICT`,

  `CREATE TABLE blobs (
  blob INTEGER PRIMARY KEY,
  ${HASH('sha256')},
  encoding TEXT NOT NULL CHECK (encoding IN ('plain', 'deflate')),
  bytes INTEGER NOT NULL CHECK (bytes >= 0),
  content ANY NOT NULL
) STRICT`,

  `CREATE TABLE frames (
  frame INTEGER PRIMARY KEY,
  ${HASH('hash')} UNIQUE,
  ${HASH('sha256')},
  width INTEGER NOT NULL CHECK (width > 0),
  height INTEGER NOT NULL CHECK (height > 0),
  png BLOB NOT NULL
) STRICT`,

  `CREATE TABLE runs (
  run INTEGER PRIMARY KEY,
  run_id TEXT NOT NULL UNIQUE,
  parent_run INTEGER REFERENCES runs (run),
  fork_step INTEGER CHECK ((fork_step IS NULL) = (parent_run IS NULL) AND fork_step > 0),
  name TEXT NOT NULL,
  seed TEXT NOT NULL,
  ${BLOB_REFERENCE('source')},
  ${BLOB_REFERENCE('scenario')},
  ${BLOB_REFERENCE('tileset')},
  ${BLOB_REFERENCE('kept')},
  ${HASH('genesis')}
) STRICT`,

  `CREATE TABLE sittings (
  ${RUN},
  sitting INTEGER NOT NULL CHECK (sitting > 0),
  first_step INTEGER NOT NULL CHECK (first_step > 0),
  ${JSON_TEXT('versions')},
  ${JSON_TEXT('controllers')},
  started_at INTEGER NOT NULL,
  PRIMARY KEY (run, sitting)
) STRICT, WITHOUT ROWID`,

  `CREATE TABLE tileset_images (
  ${RUN},
  name TEXT NOT NULL,
  ${BLOB_REFERENCE('content')},
  PRIMARY KEY (run, name)
) STRICT, WITHOUT ROWID`,

  `CREATE TABLE calls (
  ${RUN},
  call INTEGER NOT NULL CHECK (call > 0),
  step INTEGER NOT NULL CHECK (step > 0),
  turn INTEGER NOT NULL CHECK (turn > 0),
  agent TEXT NOT NULL,
  attempt INTEGER NOT NULL CHECK (attempt > 0),
  purpose TEXT NOT NULL
    CHECK (purpose IN ('act', 'repair', 'summary', 'probe', 'reflection', 'interview', 'speculation')),
  controller TEXT NOT NULL,
  ${BLOB_REFERENCE('observation')},
  frame INTEGER REFERENCES frames (frame),
  previous INTEGER CHECK (previous < call),
  kept INTEGER NOT NULL CHECK (kept >= 0 AND (previous IS NOT NULL OR kept = 0)),
  ${JSON_TEXT('appended')},
  settings INTEGER REFERENCES blobs (blob),
  ${HASH('sha256')},
  started_at INTEGER NOT NULL,
  PRIMARY KEY (run, call),
  FOREIGN KEY (run, previous) REFERENCES calls (run, call)
) STRICT, WITHOUT ROWID`,
  `CREATE INDEX calls_of_step ON calls (run, step)`,
  `CREATE INDEX calls_beside ON calls (run, call) WHERE purpose IN ('reflection', 'interview')`,

  `CREATE TABLE replies (
  run INTEGER NOT NULL,
  call INTEGER NOT NULL,
  error TEXT,
  content TEXT,
  reasoning TEXT,
  tool_calls TEXT CHECK (json_valid(tool_calls)),
  finish_reason TEXT,
  model TEXT,
  usage TEXT CHECK (json_valid(usage)),
  raw TEXT,
  adaptations TEXT CHECK (json_valid(adaptations)),
  latency_ms REAL,
  tries TEXT CHECK (json_valid(tries)),
  memory TEXT CHECK (json_valid(memory)),
  sha256 TEXT CHECK (length(sha256) = 64),
  PRIMARY KEY (run, call),
  FOREIGN KEY (run, call) REFERENCES calls (run, call),
  CHECK ((error IS NULL) = (content IS NOT NULL AND sha256 IS NOT NULL))
) STRICT, WITHOUT ROWID`,

  `CREATE TABLE probes (
  run INTEGER NOT NULL,
  call INTEGER NOT NULL,
  kind TEXT NOT NULL,
  question TEXT NOT NULL,
  options TEXT CHECK (json_valid(options)),
  expected TEXT NOT NULL,
  answer TEXT NOT NULL,
  verdict TEXT NOT NULL CHECK (verdict IN ('right', 'wrong', 'unreadable')),
  PRIMARY KEY (run, call),
  FOREIGN KEY (run, call) REFERENCES calls (run, call)
) STRICT, WITHOUT ROWID`,

  `CREATE TABLE outside (
  ${RUN},
  step INTEGER NOT NULL CHECK (step > 0),
  position INTEGER NOT NULL CHECK (position >= 0),
  agent TEXT NOT NULL,
  action TEXT NOT NULL,
  ${JSON_TEXT('args')},
  ${BLOB_REFERENCE('output')},
  started_at INTEGER NOT NULL,
  duration_ms REAL NOT NULL,
  PRIMARY KEY (run, step, position)
) STRICT, WITHOUT ROWID`,

  `CREATE TABLE steps (
  ${RUN},
  step INTEGER NOT NULL CHECK (step > 0),
  turn INTEGER NOT NULL CHECK (turn > 0),
  agent TEXT NOT NULL,
  ${JSON_TEXT('calls')},
  ${JSON_TEXT('acts')},
  ${JSON_TEXT('events')},
  ${HASH('state')},
  ${JSON_TEXT('parts')},
  ${HASH('chain')},
  finished_at INTEGER NOT NULL,
  PRIMARY KEY (run, step)
) STRICT`,
  `CREATE VIEW acts AS
  SELECT run, step, value ->> 'index' AS position, value ->> 'call' AS call,
    nullif(value -> 'reading', 'null') AS reading, nullif(value -> 'intent', 'null') AS intent,
    value -> 'result' AS result, nullif(value -> 'insteadOf', 'null') AS instead_of
  FROM steps, json_each(steps.acts)`,
  `CREATE VIEW events AS
  SELECT run, step, key AS position, value ->> 'kind' AS kind, value ->> 'actor' AS actor,
    value ->> '$.at.x' AS x, value ->> '$.at.y' AS y, value -> 'data' AS data, value -> 'seenBy' AS seen_by
  FROM steps, json_each(steps.events)`,

  `CREATE TABLE snapshots (
  ${RUN},
  step INTEGER NOT NULL CHECK (step >= 0),
  ${BLOB_REFERENCE('state')},
  PRIMARY KEY (run, step)
) STRICT, WITHOUT ROWID`,

  `CREATE TABLE ends (
  run INTEGER NOT NULL,
  sitting INTEGER NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('succeeded', 'failed', 'ended', 'interrupted', 'error')),
  reason TEXT NOT NULL,
  turns INTEGER NOT NULL,
  steps INTEGER NOT NULL,
  ${HASH('state')},
  ${HASH('chain')},
  ${BLOB_REFERENCE('final_state')},
  ended_at INTEGER NOT NULL,
  PRIMARY KEY (run, sitting),
  FOREIGN KEY (run, sitting) REFERENCES sittings (run, sitting)
) STRICT, WITHOUT ROWID`,
];

/**
 * Added by version 2: a hash for each row that had none, and seals for the rows that define a run and its
 * end.
 */
const SECOND_VERSION = [
  `CREATE TABLE seals (
  run INTEGER NOT NULL,
  sitting INTEGER NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('begin', 'end', 'left')),
  ${HASH('sha256')},
  PRIMARY KEY (run, sitting, kind),
  FOREIGN KEY (run, sitting) REFERENCES sittings (run, sitting)
) STRICT, WITHOUT ROWID`,
  // Without a CHECK, for which SQLite would read all rows that are there.
  `ALTER TABLE steps ADD COLUMN sha256 TEXT`,
  `ALTER TABLE outside ADD COLUMN sha256 TEXT`,
  `ALTER TABLE probes ADD COLUMN sha256 TEXT`,
];

/**
 * Added by version 3: how a session was served, who controlled the entities of a served run, how late its
 * ticks were, rewards, and figures. The chain covers none of them: `calls.controller` names the controller,
 * times prove nothing, and rewards and figures follow from the steps.
 */
const THIRD_VERSION = [
  // Without a CHECK, for which SQLite would read all rows that are there.
  `ALTER TABLE steps ADD COLUMN rewards TEXT`,
  `ALTER TABLE steps ADD COLUMN overrun_ms INTEGER`,
  `ALTER TABLE steps ADD COLUMN settle_ms INTEGER`,
  `CREATE VIEW rewards AS
  SELECT run, step, turn, key AS agent, value AS reward
  FROM steps, json_each(steps.rewards -> 'paid')`,
  `CREATE TABLE served (
  run INTEGER NOT NULL,
  sitting INTEGER NOT NULL,
  ${JSON_TEXT('options')},
  PRIMARY KEY (run, sitting),
  FOREIGN KEY (run, sitting) REFERENCES sittings (run, sitting)
) STRICT, WITHOUT ROWID`,
  `CREATE TABLE leases (
  ${RUN},
  position INTEGER NOT NULL CHECK (position > 0),
  sitting INTEGER NOT NULL CHECK (sitting > 0),
  entity TEXT NOT NULL,
  epoch INTEGER NOT NULL CHECK (epoch > 0),
  event TEXT NOT NULL CHECK (event IN ('granted', 'released', 'expired', 'superseded', 'restarted')),
  controller TEXT NOT NULL,
  principal TEXT NOT NULL,
  tick INTEGER NOT NULL CHECK (tick >= 0),
  at INTEGER NOT NULL,
  ${HASH('sha256')},
  PRIMARY KEY (run, position)
) STRICT, WITHOUT ROWID`,
  `CREATE TABLE figures (
  run INTEGER NOT NULL,
  sitting INTEGER NOT NULL,
  version INTEGER NOT NULL CHECK (version > 0),
  ${JSON_TEXT('figures')},
  PRIMARY KEY (run, sitting),
  FOREIGN KEY (run, sitting) REFERENCES sittings (run, sitting)
) STRICT, WITHOUT ROWID`,
];

/**
 * Added by version 4: intents that came at the wrong time, counted with the step that was written next. The
 * chain does not cover them, because they changed nothing.
 */
const FOURTH_VERSION = [
  // Without a CHECK, for which SQLite would read all rows that are there.
  `ALTER TABLE steps ADD COLUMN untimely TEXT`,
  `CREATE VIEW untimely AS
  SELECT run, step, turn, value ->> 'entity' AS entity, value ->> 'reason' AS reason,
    value ->> 'missed' AS missed, value ->> 'count' AS count
  FROM steps, json_each(steps.untimely)`,
];

/** By version, from 1. */
export const OLDER_VERSIONS = [FIRST_VERSION, SECOND_VERSION, THIRD_VERSION, FOURTH_VERSION];

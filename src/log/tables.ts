/**
 * What a log has: its tables, each with the columns of its records (`trajectory/columns.ts`) or columns of its
 * own, its indexes and views. SQL, checks, hashes, the way from records to rows and back (`table.ts`) and the
 * version of the log follow. docs/reference/log.md explains each.
 */
import {
  BLOB,
  BYTES,
  COUNT,
  FROM_0,
  HASH,
  JSON_TEXT,
  KEY,
  NUMBER,
  oneOf,
  OTHERS,
  POSITIVE,
  RUN,
  TEXT,
  withSql,
} from '../trajectory/column-kinds.js';
import * as columns from '../trajectory/columns.js';
import { Table } from './table.js';
import type { BaseVersion } from './table.js';

const OF_SITTING = 'FOREIGN KEY (run, sitting) REFERENCES sittings (run, sitting)';
const OF_CALL = 'FOREIGN KEY (run, call) REFERENCES calls (run, call)';

export const WRITER = new Table('writer', {
  slot: withSql(NUMBER, { sql: 'INTEGER PRIMARY KEY CHECK ($ = 1)' }),
  token: TEXT,
  pid: COUNT,
  process: TEXT,
});

export const BLOBS = new Table('blobs', {
  blob: KEY,
  sha256: HASH,
  encoding: oneOf('plain', 'deflate'),
  bytes: FROM_0,
  // Without an affinity, which would change a text that looks like a number.
  content: withSql(BYTES, {
    sql: "BLOB NOT NULL CHECK (typeof($) IN ('text', 'blob'))",
    firstSql: 'ANY NOT NULL',
  }),
});

export const FRAMES = new Table('frames', {
  frame: KEY,
  hash: withSql(HASH, { after: 'UNIQUE' }),
  sha256: HASH,
  width: POSITIVE,
  height: POSITIVE,
  png: BYTES,
});

export const RUNS = new Table('runs', columns.RUN_COLUMNS, {
  constraints: ['CHECK ((fork_step IS NULL) = (parent_run IS NULL))'],
  firstConstraints: [],
});

export const SITTINGS = new Table('sittings', columns.SESSION_COLUMNS, { key: 'run, sitting' });

export const TILESET_IMAGES = new Table(
  'tileset_images',
  { run: RUN, name: TEXT, content: BLOB },
  { key: 'run, name' },
);

export const CALLS = new Table('calls', columns.CALL_COLUMNS, {
  key: 'run, call',
  constraints: ['FOREIGN KEY (run, previous) REFERENCES calls (run, call)'],
});

export const REPLIES = new Table('replies', columns.REPLY_COLUMNS, {
  key: 'run, call',
  constraints: [OF_CALL, 'CHECK ((error IS NULL) = (content IS NOT NULL AND sha256 IS NOT NULL))'],
});

export const PROBES = new Table('probes', columns.PROBE_COLUMNS, {
  key: 'run, call',
  constraints: [OF_CALL],
});

export const OUTSIDE = new Table('outside', columns.OUTSIDE_COLUMNS, { key: 'run, step, position' });

export const STEPS = new Table('steps', columns.STEP_COLUMNS, { key: 'run, step', hasRowNumbers: true });

export const SNAPSHOTS = new Table(
  'snapshots',
  { run: RUN, step: FROM_0, state: BLOB },
  { key: 'run, step' },
);

export const ENDS = new Table('ends', columns.END_COLUMNS, {
  key: 'run, sitting',
  constraints: [OF_SITTING],
});

export const SEALS = new Table(
  'seals',
  { run: OTHERS, sitting: OTHERS, kind: oneOf('begin', 'end', 'left'), sha256: HASH },
  { since: 2, key: 'run, sitting, kind', constraints: [OF_SITTING] },
);

export const SERVED = new Table('served', columns.SERVED_COLUMNS, {
  since: 3,
  key: 'run, sitting',
  constraints: [OF_SITTING],
});

export const LEASES = new Table('leases', columns.LEASE_COLUMNS, { since: 3, key: 'run, position' });

export const FIGURES = new Table(
  'figures',
  { run: OTHERS, sitting: OTHERS, version: POSITIVE, figures: JSON_TEXT },
  { since: 3, key: 'run, sitting', constraints: [OF_SITTING] },
);

/** A table, view or index. */
interface SchemaObject {
  /** The newest version of the log that added something of it. */
  newest: number;
  /** What a version adds to a log that began with the objects of `base`. */
  ddl(version: number, base: BaseVersion): readonly string[];
}

function index(sql: string): SchemaObject {
  return view(1, `INDEX ${sql}`, `INDEX ${sql}`);
}

/** A view of two texts: with `->` in logs of versions 1 to 4. */
function view(since: number, first: string, sql: string): SchemaObject {
  const ddl = (version: number, base: BaseVersion): readonly string[] =>
    Math.max(since, base) === version ? [`CREATE ${base === 1 ? first : sql}`] : [];
  return { newest: since, ddl };
}

/** A value in JSON. */
const valueAt = (path: string): string => `json_extract(value, '$.${path}')`;

/** In the order in which they are created. */
export const OBJECTS: readonly SchemaObject[] = [
  WRITER,
  BLOBS,
  FRAMES,
  RUNS,
  SITTINGS,
  TILESET_IMAGES,
  CALLS,
  index('calls_of_step ON calls (run, step)'),
  index("calls_beside ON calls (run, call) WHERE purpose IN ('reflection', 'interview')"),
  REPLIES,
  PROBES,
  OUTSIDE,
  STEPS,
  view(
    1,
    `VIEW acts AS
  SELECT run, step, value ->> 'index' AS position, value ->> 'call' AS call,
    nullif(value -> 'reading', 'null') AS reading, nullif(value -> 'intent', 'null') AS intent,
    value -> 'result' AS result, nullif(value -> 'insteadOf', 'null') AS instead_of
  FROM steps, json_each(steps.acts)`,
    `VIEW acts AS
  SELECT run, step, ${valueAt('index')} AS position, ${valueAt('call')} AS call, ${valueAt('reading')} AS reading,
    ${valueAt('intent')} AS intent, ${valueAt('result')} AS result, ${valueAt('insteadOf')} AS instead_of
  FROM steps, json_each(steps.acts)`,
  ),
  view(
    1,
    `VIEW events AS
  SELECT run, step, key AS position, value ->> 'kind' AS kind, value ->> 'actor' AS actor,
    value ->> '$.at.x' AS x, value ->> '$.at.y' AS y, value -> 'data' AS data, value -> 'seenBy' AS seen_by
  FROM steps, json_each(steps.events)`,
    `VIEW events AS
  SELECT run, step, key AS position, ${valueAt('kind')} AS kind, ${valueAt('actor')} AS actor,
    ${valueAt('at.x')} AS x, ${valueAt('at.y')} AS y, ${valueAt('data')} AS data, ${valueAt('seenBy')} AS seen_by
  FROM steps, json_each(steps.events)`,
  ),
  view(
    3,
    `VIEW rewards AS
  SELECT run, step, turn, key AS agent, value AS reward
  FROM steps, json_each(steps.rewards -> 'paid')`,
    `VIEW rewards AS
  SELECT run, step, turn, key AS agent, value AS reward
  FROM steps, json_each(steps.rewards, '$.paid')`,
  ),
  view(
    4,
    `VIEW untimely AS
  SELECT run, step, turn, value ->> 'entity' AS entity, value ->> 'reason' AS reason,
    value ->> 'missed' AS missed, value ->> 'count' AS count
  FROM steps, json_each(steps.untimely)`,
    `VIEW untimely AS
  SELECT run, step, turn, ${valueAt('entity')} AS entity, ${valueAt('reason')} AS reason,
    ${valueAt('missed')} AS missed, ${valueAt('count')} AS count
  FROM steps, json_each(steps.untimely)`,
  ),
  SNAPSHOTS,
  ENDS,
  SEALS,
  SERVED,
  LEASES,
  FIGURES,
];

/** The newest version that added something; a log of an older one has it once a writer has opened it. */
export const NEWEST_ADDITION = Math.max(...OBJECTS.map(({ newest }) => newest));

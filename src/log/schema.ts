/**
 * The storage of records in SQLite. Every table is keyed by run, because a file may have many. A commit costs
 * as much as the pages it touches, so rows go to the end of few tables: contents are blobs under sequential
 * numbers, a step contains its acts and events (views show them as rows), and only frames have an index by
 * hash. Rows are only ever added, except in `writer`, which names the current writer. Any SQLite since 3.31
 * can read and check these tables: none is STRICT (3.37), and no view uses `->` (3.38). A log of an older
 * version keeps its tables. docs/reference/log.md explains each table.
 */
import Database from 'better-sqlite3';
import { LOG_VERSION } from './log-version.js';
import { OLDER_VERSIONS } from './older-schema.js';

/** "orch" in the file's header: distinguishes a log from other SQLite files. */
export const APPLICATION_ID = 0x6f726368;

/** What a column of a type holds. `typeof` stands in the text, because the table itself takes any value. */
const HOLDS = {
  whole: ['INTEGER', (name: string) => `typeof(${name}) = 'integer'`],
  number: ['REAL', (name: string) => `typeof(${name}) = 'real'`],
  text: ['TEXT', (name: string) => `typeof(${name}) = 'text'`],
  json: ['TEXT', (name: string) => `typeof(${name}) = 'text' AND json_valid(${name})`],
  hash: ['TEXT', (name: string) => `typeof(${name}) = 'text' AND length(${name}) = 64`],
  bytes: ['BLOB', (name: string) => `typeof(${name}) = 'blob'`],
  // Without an affinity, which would change a text that looks like a number.
  content: ['BLOB', (name: string) => `typeof(${name}) IN ('text', 'blob')`],
} as const;

interface ColumnRule {
  /** A condition in SQL, beside that of its kind. */
  readonly where?: string;
  readonly references?: string;
  readonly isOptional?: true;
}

/** A column. No CHECK is null: SQLite up to 3.40 reports a row with such a CHECK as damaged. */
function column(name: string, kind: keyof typeof HOLDS, rule: ColumnRule = {}): string {
  const { where, references, isOptional } = rule;
  const [type, holds] = HOLDS[kind];
  const check = [holds(name), ...(where === undefined ? [] : [where])].join(' AND ');
  const words = [
    name,
    type,
    isOptional ? `CHECK (${name} IS NULL OR ${check})` : `NOT NULL CHECK (${check})`,
  ];
  return [...words, ...(references === undefined ? [] : [`REFERENCES ${references}`])].join(' ');
}

const optional = (name: string, kind: keyof typeof HOLDS, where?: string): string =>
  column(name, kind, { isOptional: true, ...(where === undefined ? {} : { where }) });
const blob = (name: string): string => column(name, 'whole', { references: 'blobs (blob)' });
const from = (least: 0 | 1, name: string): string => column(name, 'whole', { where: `${name} >= ${least}` });
const oneOf = (name: string, ...words: readonly string[]): string =>
  column(name, 'text', { where: `${name} IN (${words.map((word) => `'${word}'`).join(', ')})` });
const RUN = column('run', 'whole', { references: 'runs (run)' });
const OWN_RUN = column('run', 'whole');
const OF_SITTING = 'FOREIGN KEY (run, sitting) REFERENCES sittings (run, sitting)';
const OF_CALL = 'FOREIGN KEY (run, call) REFERENCES calls (run, call)';

/** A table with these columns and constraints. */
function table(name: string, ...parts: readonly string[]): string {
  return `CREATE TABLE ${name} (\n  ${parts.join(',\n  ')}\n)`;
}

/** Stored in the order of its primary key, without a number of its own. */
function keyed(name: string, key: string, ...parts: readonly string[]): string {
  return `${table(name, ...parts, `PRIMARY KEY (${key})`)} WITHOUT ROWID`;
}

/** A value in JSON. */
const valueAt = (path: string): string => `json_extract(value, '$.${path}')`;

const TABLES = [
  table(
    'writer',
    'slot INTEGER PRIMARY KEY CHECK (slot = 1)',
    column('token', 'text'),
    column('pid', 'whole'),
    column('process', 'text'),
  ),
  table(
    'blobs',
    'blob INTEGER PRIMARY KEY',
    column('sha256', 'hash'),
    oneOf('encoding', 'plain', 'deflate'),
    from(0, 'bytes'),
    column('content', 'content'),
  ),
  table(
    'frames',
    'frame INTEGER PRIMARY KEY',
    `${column('hash', 'hash')} UNIQUE`,
    column('sha256', 'hash'),
    from(1, 'width'),
    from(1, 'height'),
    column('png', 'bytes'),
  ),
  table(
    'runs',
    'run INTEGER PRIMARY KEY',
    `${column('run_id', 'text')} UNIQUE`,
    `${optional('parent_run', 'whole')} REFERENCES runs (run)`,
    optional('fork_step', 'whole', 'fork_step > 0'),
    column('name', 'text'),
    column('seed', 'text'),
    ...['source', 'scenario', 'tileset', 'kept'].map(blob),
    column('genesis', 'hash'),
    'CHECK ((fork_step IS NULL) = (parent_run IS NULL))',
  ),
  keyed(
    'sittings',
    'run, sitting',
    RUN,
    from(1, 'sitting'),
    from(1, 'first_step'),
    column('versions', 'json'),
    column('controllers', 'json'),
    column('started_at', 'whole'),
  ),
  keyed('tileset_images', 'run, name', RUN, column('name', 'text'), blob('content')),
  keyed(
    'calls',
    'run, call',
    RUN,
    ...['call', 'step', 'turn'].map((name) => from(1, name)),
    column('agent', 'text'),
    from(1, 'attempt'),
    oneOf('purpose', 'act', 'repair', 'summary', 'probe', 'reflection', 'interview', 'speculation'),
    column('controller', 'text'),
    blob('observation'),
    `${optional('frame', 'whole')} REFERENCES frames (frame)`,
    optional('previous', 'whole', 'previous < call'),
    column('kept', 'whole', { where: 'kept >= 0 AND (previous IS NOT NULL OR kept = 0)' }),
    column('appended', 'json'),
    `${optional('settings', 'whole')} REFERENCES blobs (blob)`,
    column('sha256', 'hash'),
    column('started_at', 'whole'),
    'FOREIGN KEY (run, previous) REFERENCES calls (run, call)',
  ),
  `CREATE INDEX calls_of_step ON calls (run, step)`,
  `CREATE INDEX calls_beside ON calls (run, call) WHERE purpose IN ('reflection', 'interview')`,
  keyed(
    'replies',
    'run, call',
    OWN_RUN,
    column('call', 'whole'),
    ...['error', 'content', 'reasoning'].map((name) => optional(name, 'text')),
    optional('tool_calls', 'json'),
    optional('finish_reason', 'text'),
    optional('model', 'text'),
    optional('usage', 'json'),
    optional('raw', 'text'),
    optional('adaptations', 'json'),
    optional('latency_ms', 'number'),
    optional('tries', 'json'),
    optional('memory', 'json'),
    optional('sha256', 'hash'),
    OF_CALL,
    'CHECK ((error IS NULL) = (content IS NOT NULL AND sha256 IS NOT NULL))',
  ),
  keyed(
    'probes',
    'run, call',
    OWN_RUN,
    column('call', 'whole'),
    column('kind', 'text'),
    column('question', 'text'),
    optional('options', 'json'),
    column('expected', 'text'),
    column('answer', 'text'),
    oneOf('verdict', 'right', 'wrong', 'unreadable'),
    optional('sha256', 'hash'),
    OF_CALL,
  ),
  keyed(
    'outside',
    'run, step, position',
    RUN,
    from(1, 'step'),
    from(0, 'position'),
    column('agent', 'text'),
    column('action', 'text'),
    column('args', 'json'),
    blob('output'),
    column('started_at', 'whole'),
    column('duration_ms', 'number'),
    optional('sha256', 'hash'),
  ),
  table(
    'steps',
    RUN,
    from(1, 'step'),
    from(1, 'turn'),
    column('agent', 'text'),
    ...['calls', 'acts', 'events'].map((name) => column(name, 'json')),
    column('state', 'hash'),
    column('parts', 'json'),
    column('chain', 'hash'),
    column('finished_at', 'whole'),
    optional('sha256', 'hash'),
    optional('rewards', 'json'),
    optional('overrun_ms', 'whole'),
    optional('settle_ms', 'whole'),
    optional('untimely', 'json'),
    'PRIMARY KEY (run, step)',
  ),
  `CREATE VIEW acts AS
  SELECT run, step, ${valueAt('index')} AS position, ${valueAt('call')} AS call, ${valueAt('reading')} AS reading,
    ${valueAt('intent')} AS intent, ${valueAt('result')} AS result, ${valueAt('insteadOf')} AS instead_of
  FROM steps, json_each(steps.acts)`,
  `CREATE VIEW events AS
  SELECT run, step, key AS position, ${valueAt('kind')} AS kind, ${valueAt('actor')} AS actor,
    ${valueAt('at.x')} AS x, ${valueAt('at.y')} AS y, ${valueAt('data')} AS data, ${valueAt('seenBy')} AS seen_by
  FROM steps, json_each(steps.events)`,
  `CREATE VIEW rewards AS
  SELECT run, step, turn, key AS agent, value AS reward
  FROM steps, json_each(steps.rewards, '$.paid')`,
  `CREATE VIEW untimely AS
  SELECT run, step, turn, ${valueAt('entity')} AS entity, ${valueAt('reason')} AS reason,
    ${valueAt('missed')} AS missed, ${valueAt('count')} AS count
  FROM steps, json_each(steps.untimely)`,
  keyed('snapshots', 'run, step', RUN, from(0, 'step'), blob('state')),
  keyed(
    'ends',
    'run, sitting',
    OWN_RUN,
    column('sitting', 'whole'),
    oneOf('status', 'succeeded', 'failed', 'ended', 'interrupted', 'error'),
    column('reason', 'text'),
    column('turns', 'whole'),
    column('steps', 'whole'),
    column('state', 'hash'),
    column('chain', 'hash'),
    blob('final_state'),
    column('ended_at', 'whole'),
    OF_SITTING,
  ),
  keyed(
    'seals',
    'run, sitting, kind',
    OWN_RUN,
    column('sitting', 'whole'),
    oneOf('kind', 'begin', 'end', 'left'),
    column('sha256', 'hash'),
    OF_SITTING,
  ),
  keyed('served', 'run, sitting', OWN_RUN, column('sitting', 'whole'), column('options', 'json'), OF_SITTING),
  keyed(
    'leases',
    'run, position',
    RUN,
    from(1, 'position'),
    from(1, 'sitting'),
    column('entity', 'text'),
    from(1, 'epoch'),
    oneOf('event', 'granted', 'released', 'expired', 'superseded', 'restarted'),
    column('controller', 'text'),
    column('principal', 'text'),
    from(0, 'tick'),
    column('at', 'whole'),
    column('sha256', 'hash'),
  ),
  keyed(
    'figures',
    'run, sitting',
    OWN_RUN,
    column('sitting', 'whole'),
    from(1, 'version'),
    column('figures', 'json'),
    OF_SITTING,
  ),
];

/** Creates tables and views in an empty database, within the caller's transaction. */
export function createTables(db: Database.Database, version: number = LOG_VERSION): void {
  db.pragma(`application_id = ${APPLICATION_ID}`);
  const objects = version > OLDER_VERSIONS.length ? TABLES : OLDER_VERSIONS.slice(0, version).flat();
  for (const object of objects) db.exec(object);
  db.pragma(`user_version = ${version}`);
}

/**
 * Adds what a log of an older version lacks, within the caller's transaction. Its tables stay as they are, so
 * that it becomes a log of the newest version that only added something.
 */
export function upgradeTables(db: Database.Database): void {
  const version = tablesVersion(db);
  if (version >= OLDER_VERSIONS.length) return;
  for (const object of OLDER_VERSIONS.slice(version).flat()) db.exec(object);
  db.pragma(`user_version = ${OLDER_VERSIONS.length}`);
}

/** The version of a log's tables, as recorded in its file. */
export function tablesVersion(db: Database.Database): number {
  return Number(db.pragma('user_version', { simple: true }));
}

/** Every schema object as one text each, sorted: two databases with the same list have the same schema. */
export function schemaObjects(db: Database.Database): readonly string[] {
  const rows = db
    .prepare(`SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name`)
    .raw()
    .all();
  return rows.map((row) => JSON.stringify(row));
}

const expected = new Map<number, readonly string[]>();

/** What `schemaObjects` returns for a log of a given version. */
export function expectedObjects(version: number): readonly string[] {
  const known = expected.get(version);
  if (known !== undefined) return known;
  const db = new Database(':memory:');
  createTables(db, version);
  const objects = schemaObjects(db);
  db.close();
  expected.set(version, objects);
  return objects;
}

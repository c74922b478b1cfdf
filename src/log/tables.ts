/**
 * The tables of a log: all that the program knows of their columns stands here, each column once. SQL,
 * checks, hashes, and the way to records and back follow (`table.ts`); docs/reference/log.md explains each.
 */
import { isId } from '../base/ids.js';
import type { CallPurpose } from '../trajectory/records.js';
import * as shapes from './shapes.js';
import { Table } from './table.js';
import type { Column } from './table.js';

/** The furthest moment from 1970 that a date can have, in milliseconds. */
const MOMENT_MAX = 8.64e15;
const HASH_PATTERN = /^[0-9a-f]{64}$/;

const whole =
  (test: (value: number) => boolean = () => true) =>
  (value: unknown): value is number =>
    Number.isSafeInteger(value) && test(value as number);
const text =
  (test: (value: string) => boolean = () => true) =>
  (value: unknown): value is string =>
    typeof value === 'string' && test(value);

const NUMBER = {
  type: 'INTEGER',
  is: whole((value) => value >= 1),
  expected: 'a positive whole number',
} as const;
const POSITIVE = { ...NUMBER, where: '$ >= 1', firstSql: 'INTEGER NOT NULL CHECK ($ > 0)' };
const COUNT = { type: 'INTEGER', is: whole((value) => value >= 0), expected: 'a whole number' } as const;
const FROM_0 = { ...COUNT, where: '$ >= 0' };
const MOMENT = {
  type: 'INTEGER',
  is: whole((value) => Math.abs(value) <= MOMENT_MAX),
  expected: 'a time in milliseconds',
} as const;
const DURATION = {
  type: 'REAL',
  is: (value: unknown): value is number => typeof value === 'number' && value >= 0 && value <= MOMENT_MAX,
  expected: 'a duration',
} as const;
const TEXT = { type: 'TEXT', is: text(), expected: 'text' } as const;
const JSON_TEXT = { ...TEXT, where: 'json_valid($)' };
/** It becomes part of file names and of lines in a terminal. */
const ID = { ...TEXT, is: text(isId), expected: 'a valid id' };
const HASH = {
  ...TEXT,
  where: 'length($) = 64',
  is: text((value) => HASH_PATTERN.test(value)),
  expected: 'a hash',
};
/** Of the row itself, which is compared with it. */
const ROW_HASH = { ...HASH, is: text(({ length }) => length === 64), field: null, isHashed: false as const };
const BYTES = {
  type: 'BLOB',
  is: (value: unknown): value is Uint8Array => value instanceof Uint8Array,
  expected: 'bytes',
} as const;
/** The number of the row. */
const KEY = { ...NUMBER, sql: 'INTEGER PRIMARY KEY', field: null };
const RUN = { ...NUMBER, after: 'REFERENCES runs (run)', field: null };
const BLOB = { ...NUMBER, after: 'REFERENCES blobs (blob)', field: null };
/** Of a row of another table, which a constraint names. */
const OTHERS = { ...NUMBER, field: null };
const OF_SITTING = 'FOREIGN KEY (run, sitting) REFERENCES sittings (run, sitting)';
const OF_CALL = 'FOREIGN KEY (run, call) REFERENCES calls (run, call)';

function optional<V, C extends Column<V>>(column: C & Column<V>) {
  const { is } = column;
  const isOrNull = (value: unknown): value is V | null => value === null || value === undefined || is(value);
  return { ...column, is: isOrNull, isOptional: true };
}

/**
 * Rows without it are as before: in records as well, and in their hash, for which a hashed column names its
 * `group`; null for one that is not hashed.
 */
function later<V, C extends Column<V>>(
  since: number,
  column: C & Column<V>,
  group: C extends { isHashed: false } ? null : string,
) {
  return { ...optional<V, C>(column), since, ifNull: 'absent', ...(group === null ? {} : { group }) };
}

function oneOf<W extends string>(...words: readonly W[]) {
  const is = (value: unknown): value is W => words.some((one) => one === value);
  return { ...TEXT, where: `$ IN (${quoted(words)})`, is, expected: words.join(', ') };
}

function quoted(words: readonly string[]): string {
  return words.map((word) => `'${word}'`).join(', ');
}

export const WRITER = new Table('writer', {
  slot: { ...NUMBER, sql: 'INTEGER PRIMARY KEY CHECK ($ = 1)' },
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
  content: { ...BYTES, sql: "BLOB NOT NULL CHECK (typeof($) IN ('text', 'blob'))", firstSql: 'ANY NOT NULL' },
});

export const FRAMES = new Table('frames', {
  frame: KEY,
  hash: { ...HASH, after: 'UNIQUE' },
  sha256: HASH,
  width: POSITIVE,
  height: POSITIVE,
  png: BYTES,
});

export const RUNS = new Table(
  'runs',
  {
    run: KEY,
    run_id: { ...TEXT, after: 'UNIQUE' },
    parent_run: { ...optional(NUMBER), after: 'REFERENCES runs (run)', field: null },
    fork_step: {
      ...optional(NUMBER),
      where: '$ > 0',
      firstSql: 'INTEGER CHECK (($ IS NULL) = (parent_run IS NULL) AND $ > 0)',
      field: null,
    },
    name: { ...TEXT, field: 'scenario.name' },
    seed: TEXT,
    source: BLOB,
    scenario: BLOB,
    tileset: BLOB,
    kept: BLOB,
    genesis: { ...HASH, field: 'genesisHash' },
  },
  { constraints: ['CHECK ((fork_step IS NULL) = (parent_run IS NULL))'], firstConstraints: [] },
);

export const SITTINGS = new Table(
  'sittings',
  {
    run: RUN,
    sitting: { ...POSITIVE, field: null },
    first_step: POSITIVE,
    versions: { ...JSON_TEXT, json: shapes.versions },
    controllers: { ...JSON_TEXT, json: shapes.records },
    started_at: MOMENT,
  },
  { key: 'run, sitting' },
);

export const TILESET_IMAGES = new Table(
  'tileset_images',
  { run: RUN, name: TEXT, content: BLOB },
  { key: 'run, name' },
);

const PURPOSES = [
  'act',
  'repair',
  'summary',
  'probe',
  'reflection',
  'interview',
  'speculation',
] as const satisfies readonly CallPurpose[];

/** Its hash has the hashes of its contents in place of their numbers: `callHash`. */
export const CALLS = new Table(
  'calls',
  {
    run: RUN,
    call: POSITIVE,
    step: POSITIVE,
    turn: POSITIVE,
    agent: ID,
    attempt: POSITIVE,
    purpose: {
      ...oneOf<CallPurpose>(...PURPOSES),
      firstSql: `TEXT NOT NULL\n    CHECK ($ IN (${quoted(PURPOSES)}))`,
    },
    controller: TEXT,
    observation: BLOB,
    frame: { ...optional(NUMBER), after: 'REFERENCES frames (frame)', field: null },
    previous: { ...optional(NUMBER), where: '$ < call', field: null },
    kept: { ...COUNT, where: '$ >= 0 AND (previous IS NOT NULL OR $ = 0)', field: null },
    appended: { ...JSON_TEXT, field: null },
    settings: optional(BLOB),
    sha256: ROW_HASH,
    started_at: MOMENT,
  },
  { key: 'run, call', constraints: ['FOREIGN KEY (run, previous) REFERENCES calls (run, call)'] },
);

/** A failed call has an error and nothing else. */
export const REPLIES = new Table(
  'replies',
  {
    run: OTHERS,
    call: OTHERS,
    error: optional(TEXT),
    content: optional(TEXT),
    reasoning: optional(TEXT),
    tool_calls: { ...optional(JSON_TEXT), json: shapes.toolCalls, ifNull: [] },
    finish_reason: optional(TEXT),
    model: optional(TEXT),
    usage: { ...optional(JSON_TEXT), json: shapes.usage },
    raw: optional(TEXT),
    adaptations: { ...optional(JSON_TEXT), json: shapes.texts, ifNull: [] },
    latency_ms: { ...optional(DURATION), ifNull: 0 },
    tries: { ...optional(JSON_TEXT), json: shapes.tries, ifNull: [] },
    memory: { ...optional(JSON_TEXT), json: shapes.anything },
    sha256: optional(ROW_HASH),
  },
  {
    key: 'run, call',
    constraints: [OF_CALL, 'CHECK ((error IS NULL) = (content IS NOT NULL AND sha256 IS NOT NULL))'],
  },
);

export const PROBES = new Table(
  'probes',
  {
    run: OTHERS,
    call: NUMBER,
    kind: TEXT,
    question: TEXT,
    options: { ...optional(JSON_TEXT), json: shapes.texts },
    expected: TEXT,
    answer: TEXT,
    verdict: oneOf('right', 'wrong', 'unreadable'),
    sha256: later(2, ROW_HASH, null),
  },
  { key: 'run, call', constraints: [OF_CALL] },
);

/** Its hash has the hash of its output in place of the number. */
export const OUTSIDE = new Table(
  'outside',
  {
    run: RUN,
    step: POSITIVE,
    position: { ...FROM_0, field: null },
    agent: ID,
    action: TEXT,
    args: { ...JSON_TEXT, json: shapes.anything },
    output: BLOB,
    started_at: MOMENT,
    duration_ms: DURATION,
    sha256: later(2, ROW_HASH, null),
  },
  { key: 'run, step, position' },
);

export const STEPS = new Table(
  'steps',
  {
    run: RUN,
    step: POSITIVE,
    turn: POSITIVE,
    agent: ID,
    calls: { ...JSON_TEXT, json: shapes.calls },
    acts: { ...JSON_TEXT, json: shapes.acts, isReplayed: true },
    events: { ...JSON_TEXT, json: shapes.events, isReplayed: true },
    state: { ...HASH, field: 'stateHash' },
    parts: { ...JSON_TEXT, json: shapes.parts },
    chain: HASH,
    finished_at: MOMENT,
    sha256: later(2, ROW_HASH, null),
    rewards: { ...later(3, JSON_TEXT, ''), json: shapes.rewards },
    overrun_ms: { ...later(3, COUNT, 'timing'), field: 'timing.overrunMs' },
    settle_ms: { ...later(3, COUNT, 'timing'), field: 'timing.settleMs' },
    untimely: { ...later(4, JSON_TEXT, 'untimely'), json: shapes.untimely },
  },
  { key: 'run, step', hasRowNumbers: true },
);

export const SNAPSHOTS = new Table(
  'snapshots',
  { run: RUN, step: FROM_0, state: BLOB },
  { key: 'run, step' },
);

export const ENDS = new Table(
  'ends',
  {
    run: OTHERS,
    sitting: OTHERS,
    status: oneOf('succeeded', 'failed', 'ended', 'interrupted', 'error'),
    reason: TEXT,
    turns: COUNT,
    steps: COUNT,
    state: { ...HASH, field: 'stateHash' },
    chain: HASH,
    final_state: BLOB,
    ended_at: MOMENT,
  },
  { key: 'run, sitting', constraints: [OF_SITTING] },
);

export const SEALS = new Table(
  'seals',
  { run: OTHERS, sitting: OTHERS, kind: oneOf('begin', 'end', 'left'), sha256: HASH },
  { since: 2, key: 'run, sitting, kind', constraints: [OF_SITTING] },
);

/** The options with which a session was served, under its seal `begin`. */
export const SERVED = new Table(
  'served',
  { run: OTHERS, sitting: OTHERS, options: { ...JSON_TEXT, json: shapes.serving } },
  { since: 3, key: 'run, sitting', constraints: [OF_SITTING] },
);

export const LEASES = new Table(
  'leases',
  {
    run: RUN,
    position: { ...POSITIVE, field: null },
    sitting: { ...POSITIVE, field: null },
    entity: ID,
    epoch: POSITIVE,
    event: oneOf('granted', 'released', 'expired', 'superseded', 'restarted'),
    controller: TEXT,
    principal: TEXT,
    tick: FROM_0,
    at: MOMENT,
    sha256: ROW_HASH,
  },
  { since: 3, key: 'run, position' },
);

export const FIGURES = new Table(
  'figures',
  { run: OTHERS, sitting: OTHERS, version: POSITIVE, figures: JSON_TEXT },
  { since: 3, key: 'run, sitting', constraints: [OF_SITTING] },
);

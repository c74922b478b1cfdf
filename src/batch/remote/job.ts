/**
 * A run as a job of the queue, and a worker's report when it is done with it. Redis is trusted only to
 * distribute work: a job is checked like any other untrusted data, it can't name a key, a program or a
 * module, and it names its scenario only by a path below the worker's own folder.
 */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { UsageError } from '../../base/errors.js';
import type { PlannedRun } from '../plan.js';
import type { AskedServers } from '../players.js';
import { BUILT_IN_PLAYERS } from '../../scenario/controllers.js';
import { isRunName } from '../store/run-store.js';
import { VARIABLE_NAME } from '../../scenario/variables.js';
import type { ErrorRecord } from '../../base/error-record.js';

export interface QueueJob {
  run: PlannedRun;
  servers: AskedServers;
  /** Whether a step waits until the previous spending has been counted. */
  hasBudget: boolean;
}

export type JobResult =
  /** The log is in the store, from this worker or an earlier one. */
  | { kind: 'published' }
  /** The run was told to stop; its progress is in the store. */
  | { kind: 'left' }
  | { kind: 'failed'; error: ErrorRecord };

const text = z.string().max(10_000);
const name = z.string().max(500);
const count = z.int().min(0);

const modelSchema = z.strictObject({
  baseUrl: text,
  model: text.nullable(),
  apiKeyEnv: z.string().regex(VARIABLE_NAME).nullable(),
  temperature: name,
  topP: name,
  maxTokens: count,
  seed: z.int().nullable(),
  timeoutMs: count,
  retries: count,
  guided: z.enum(['off', 'auto', 'require']),
  server: name.nullable(),
  price: z.strictObject({ prompt: name, reply: name }),
  extra: z.record(name, z.json()),
});

const playerSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.enum([...BUILT_IN_PLAYERS, 'process']) }),
  z.strictObject({
    kind: z.literal('model'),
    spec: modelSchema,
    servers: z.array(z.strictObject({ baseUrl: text, weight: z.number() })),
  }),
]);

const playersSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('own') }),
  playerSchema,
  z.strictObject({
    kind: z.literal('seats'),
    seats: z.record(name, z.strictObject({ name, player: playerSchema })),
  }),
]);

const jobSchema = z.strictObject({
  run: z.strictObject({
    id: z.string().refine(isRunName),
    path: text.refine(isBelow),
    set: z.array(text),
    players: playersSchema,
    maxTurns: count.nullable(),
    cell: z.strictObject({ scenario: name, players: name, switches: z.record(name, name) }),
    seed: name,
    byProgram: z.array(name),
  }),
  servers: z.record(name, text),
  hasBudget: z.boolean(),
});

/** Throws UsageError if the data is not a job. */
export function readJob(data: unknown): QueueJob {
  const { data: job, error } = jobSchema.safeParse(data);
  if (job !== undefined) return job as QueueJob;
  const { path = [], message = '' } = error.issues[0] ?? {};
  throw new UsageError(`the queue has a job that this version can't read: ${path.join('.')}: ${message}`);
}

/**
 * Throws UsageError if workers could not find a scenario, because they look for it below a folder of their
 * own.
 */
export function requireBelow(runs: readonly PlannedRun[]): void {
  const outsideRun = runs.find(({ path }) => !isBelow(path));
  if (outsideRun === undefined) return;
  throw new UsageError(`the scenario ${outsideRun.path} is not below the batch file's folder`, [
    'workers find scenarios by their path from that folder: move the batch file to a parent folder, or the scenario into its folder',
  ]);
}

function isBelow(path: string): boolean {
  return !path.startsWith('/') && !path.includes('\\') && !path.split('/').includes('..');
}

/** The same id for the same run, so that the run is queued only once. */
export function jobId(runId: string): string {
  return `run-${createHash('sha256').update(runId).digest('hex').slice(0, 32)}`;
}

/**
 * `--shard 2/8`, or `--shard auto` in a job array. Slurm and Kubernetes set variables for each job of an
 * array.
 */
import { readdirSync } from 'node:fs';
import { UsageError } from '../../base/errors.js';
import { LIMITS } from '../../base/limits.js';
import { shardFolder } from '../../batch/shard.js';
import type { Shard } from '../../batch/shard.js';

type Variables = Readonly<Record<string, string | undefined>>;

/** Null without the option. Throws UsageError. */
export function shardOf(value: string | undefined, env: Variables): Shard | null {
  if (value === undefined) return null;
  if (value === 'auto') {
    const shard = slurmShard(env) ?? kubernetesShard(env);
    if (shard !== null) return requireValidShard(shard, 'auto');
    throw new UsageError('--shard auto found no job array', [
      'it reads SLURM_ARRAY_TASK_ID and SLURM_ARRAY_TASK_COUNT, or JOB_COMPLETION_INDEX and JOB_COMPLETIONS',
      'without a job array, name the part: --shard 2/8',
    ]);
  }
  const [, index, count] = /^(\d+)\/(\d+)$/.exec(value) ?? [];
  return requireValidShard({ index: Number(index), count: Number(count) }, value);
}

/**
 * Throws UsageError if the batch's folder has parts of another division: every run would be played again. A
 * job array that is submitted again for one of its tasks has only that task.
 */
export function requireSameDivision(folder: string, name: string, shard: Shard | null): void {
  for (const entry of entriesOf(folder)) {
    const [, parts] = /^shard-\d+-of-(\d+)$/.exec(entry) ?? [];
    if (parts === undefined || Number(parts) === shard?.count) continue;
    const requestedPart = shard === null ? 'the whole batch' : shardFolder(shard);
    throw new UsageError(`${name} already has ${entry}, so ${requestedPart} would play its runs again`, [
      `name the part, such as --shard 1/${parts}`,
      'or choose another folder with --out',
    ]);
  }
}

/** A folder that can't be read is reported when its logs are opened. */
function entriesOf(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** An array may begin at any number and have steps (`--array=10-50:10`). */
function slurmShard(env: Variables): Shard | null {
  const { SLURM_ARRAY_TASK_ID: id, SLURM_ARRAY_TASK_COUNT: count } = env;
  if (id === undefined || count === undefined) return null;
  const { SLURM_ARRAY_TASK_MIN: min = '1', SLURM_ARRAY_TASK_STEP: step = '1' } = env;
  return { index: (Number(id) - Number(min)) / Number(step) + 1, count: Number(count) };
}

/** Kubernetes gives a pod its index, but not the number of pods: the manifest sets that. */
function kubernetesShard(env: Variables): Shard | null {
  const { JOB_COMPLETION_INDEX: index, JOB_COMPLETIONS: count } = env;
  if (index === undefined) return null;
  if (count === undefined)
    throw new UsageError('JOB_COMPLETION_INDEX is set, but JOB_COMPLETIONS is not', [
      "set JOB_COMPLETIONS in the env of the container to the Job's `spec.completions`",
    ]);
  return { index: Number(index) + 1, count: Number(count) };
}

function requireValidShard({ index, count }: Shard, value: string): Shard {
  const isWhole = Number.isSafeInteger(index) && Number.isSafeInteger(count);
  if (isWhole && index >= 1 && index <= count && count <= LIMITS.batchShards) return { index, count };
  if (value !== 'auto' && isWhole && count >= 1 && count <= LIMITS.batchShards)
    throw new UsageError(`there is no shard ${index} of ${count}`, [
      `shards are numbered from 1 to ${count}`,
    ]);
  const actual = value === 'auto' ? ` (the job array says ${index} of ${count})` : `, not "${value}"`;
  throw new UsageError(
    `--shard takes K/N: shard K of N shards, where N is at most ${LIMITS.batchShards}${actual}`,
    ['--shard 2/8 plays the second of eight parts'],
  );
}

/** `batch --shard`: the parts of a batch together are the batch, each run is in one of them, and job arrays say which. */
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { LIMITS } from '../../src/base/limits.js';
import { isInShard } from '../../src/batch/shard.js';
import { shardOf } from '../../src/cli/options/shard-option.js';
import { LogReader } from '../../src/log/reader.js';
import { corridor } from '../orchestrator/two-agents.js';
import { orchestrate } from '../support/captured-io.js';
import { temporaryFolder } from '../support/folder.js';

const IDS = Array.from({ length: 1000 }, (_, i) => `crypt-${i}`);
const shards = (count: number) => Array.from({ length: count }, (_, i) => ({ index: i + 1, count }));

describe('a shard', () => {
  it.each([1, 2, 7, 8, 64])('is one of %d, and each run is in one of them', (count) => {
    for (const id of IDS) expect(shards(count).filter((shard) => isInShard(id, shard))).toHaveLength(1);
  });

  it('has about as many runs as any other', () => {
    const sizes = shards(8).map((shard) => IDS.filter((id) => isInShard(id, shard)).length);
    // The mean is 125, and 40 are almost four standard deviations.
    for (const size of sizes) expect(Math.abs(size - 125)).toBeLessThan(40);
  });
});

describe('--shard', () => {
  const slurm = (id: string, more: Record<string, string> = {}) =>
    shardOf('auto', {
      SLURM_ARRAY_TASK_ID: id,
      SLURM_ARRAY_TASK_COUNT: '5',
      SLURM_ARRAY_TASK_MIN: '0',
      ...more,
    });

  it('is nothing, or a part that is named', () => {
    expect(shardOf(undefined, {})).toBeNull();
    expect(shardOf('2/8', {})).toEqual({ index: 2, count: 8 });
  });

  it('reads the arrays of Slurm, wherever they begin', () => {
    expect(slurm('0')).toEqual({ index: 1, count: 5 });
    expect(slurm('4')).toEqual({ index: 5, count: 5 });
    const stepped = { SLURM_ARRAY_TASK_MIN: '10', SLURM_ARRAY_TASK_STEP: '10' };
    expect(slurm('30', stepped)).toEqual({ index: 3, count: 5 });
  });

  it('reads indexed Jobs of Kubernetes', () => {
    const env = { JOB_COMPLETION_INDEX: '0', JOB_COMPLETIONS: '3' };
    expect(shardOf('auto', env)).toEqual({ index: 1, count: 3 });
    expect(() => shardOf('auto', { JOB_COMPLETION_INDEX: '0' })).toThrow('JOB_COMPLETIONS is not');
  });

  it.each(['0/4', '5/4', '9/8'])('has no shard %s', (value) => {
    expect(() => shardOf(value, {})).toThrow(`there is no shard ${value.replace('/', ' of ')}`);
  });

  it.each(['1/0', '-1/4', '1.5/4', '2', '', 'a/b', `1/${LIMITS.batchShards + 1}`])('refuses %s', (value) => {
    expect(() => shardOf(value, {})).toThrow(/--shard takes .*, not "/);
    expect(() => shardOf(value, {})).toThrow(`not "${value}"`);
  });

  it('refuses an array with gaps, and none', () => {
    expect(() => slurm('7')).toThrow('the job array says 8 of 5');
    expect(() => shardOf('auto', {})).toThrow('found no job array');
  });
});

describe('the shards of a batch', () => {
  const cwd = temporaryFolder();
  const on = (...args: readonly string[]) => orchestrate(args, { cwd });
  const logsIn = (folder: string): readonly string[] =>
    existsSync(join(cwd, folder))
      ? readdirSync(join(cwd, folder), { recursive: true, encoding: 'utf8' })
          .filter((name) => name.endsWith('.sqlite'))
          .map((name) => join(folder, name))
      : [];
  const runsIn = (folder: string) =>
    logsIn(folder)
      .flatMap((log) => {
        const reader = new LogReader(join(cwd, log));
        const runs = reader.runs().map(({ runId }) => `${runId} ${reader.end(runId)?.chain}`);
        reader.close();
        return runs;
      })
      .toSorted();

  beforeAll(async () => {
    writeFileSync(join(cwd, 'corridor.yaml'), corridor('max: 2'));
    writeFileSync(
      join(cwd, 'few.yaml'),
      'scenarios: [corridor.yaml]\nmodels: { random: { controller: random } }\nseeds: 10\n',
    );
    expect((await on('batch', 'few.yaml', '--out', 'whole', '--quiet')).code).toBe(0);
  });

  it('together are the batch, with the same chains', async () => {
    for (const index of [1, 2, 3])
      expect((await on('batch', 'few.yaml', '--out', 'parts', '--shard', `${index}/3`, '--quiet')).code).toBe(
        0,
      );
    expect(runsIn('whole')).toHaveLength(10);
    expect(runsIn('parts')).toEqual(runsIn('whole'));
    expect(readdirSync(join(cwd, 'parts')).toSorted()).toEqual([
      'shard-1-of-3',
      'shard-2-of-3',
      'shard-3-of-3',
    ]);
    const report = await on('report', ...logsIn('parts'), '--json');
    expect(report.code).toBe(0);
  });

  it('are not divided in another way', async () => {
    for (const words of [['--shard', '1/1'], ['--shard', '2/4', '--resume'], ['--resume']]) {
      const { code, err } = await on('batch', 'few.yaml', '--out', 'parts', '--quiet', ...words);
      expect([code, err]).toEqual([
        2,
        expect.stringContaining('parts already has shard-1-of-3, so ') as string,
      ]);
      expect(err).toContain('--shard 1/3');
    }
    expect(runsIn('parts')).toEqual(runsIn('whole'));
    const again = await on('batch', 'few.yaml', '--out', 'parts', '--quiet', '--shard', '2/3', '--resume');
    expect(again.code).toBe(0);
  });

  it('may be empty', { tags: ['long'] }, async () => {
    const empty = Array.from({ length: 40 }, (_, i) => i + 1);
    const codes = await Promise.all(
      empty.map(
        async (index) =>
          (await on('batch', 'few.yaml', '--out', 'empty', '--shard', `${index}/40`, '--quiet')).code,
      ),
    );
    expect(new Set(codes)).toEqual(new Set([0]));
    expect(runsIn('empty')).toEqual(runsIn('whole'));
  });
});

/**
 * A worker whose disk is full gives its runs back, and another worker plays them. Needs dist/, redis-server, and the right to mount a small disk.
 * @module-tag long
 */
import { copyFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { LogReader } from '../../src/log/reader.js';
import { ROOT, runProgram, startProgram } from '../support/children.js';
import { temporaryFolder } from '../support/folder.js';
import { NO_REDIS, startRedis } from '../support/redis-server.js';
import { withSmallDisk } from '../support/small-disk.js';

const cwd = temporaryFolder();
const RUNS = 2;

function chainsIn(folder: string): readonly string[] {
  const names = readdirSync(join(cwd, folder)).filter((name) => name.endsWith('.sqlite'));
  const chains = names.flatMap((name) => {
    const reader = new LogReader(join(cwd, folder, name));
    const found = reader.runs().map(({ runId }) => `${runId} ${reader.end(runId)?.chain}`);
    reader.close();
    return found;
  });
  return chains.toSorted();
}

it('a worker whose disk is full says so and ends, and its runs are played by another one', async ({
  skip,
}) => {
  const redis = (await startRedis()) ?? skip(NO_REDIS);
  copyFileSync(join(ROOT, 'scenarios', 'crypt.yaml'), join(cwd, 'crypt.yaml'));
  const models = 'models: { scripted: { controller: scripted } }';
  writeFileSync(
    join(cwd, 'few.yaml'),
    `scenarios: [crypt.yaml]\n${models}\nseeds: ${RUNS}\nparallel: ${RUNS}\n`,
  );
  const at = ['--queue', redis.url, '--store', 'store'];
  // Longer than this test may take: the runs go back at once, not when they are missed.
  const lock = ['--lock', '600'];
  const disk = join(cwd, 'disk');
  // Room for the beginning of a run, not for its end.
  const isMounted = await withSmallDisk(disk, '1m', async () => {
    const batch = startProgram(['batch', 'few.yaml', ...at, '--quiet'], { cwd });
    const full = await startProgram(['worker', ...at, ...lock], { cwd, env: { TMPDIR: disk } }).ended;
    expect(full.code, full.err).toBe(3);
    expect(full.err).toMatch(/can't write the log .*: the disk is full/);
    expect(full.err).toMatch(/hint: free space on that disk, or choose another folder with TMPDIR/);
    const kept = resolve(cwd, /the logs of the played runs are kept in (\S+)/.exec(full.err)?.[1] ?? '');
    expect(kept.startsWith(disk)).toBe(true);
    expect(readdirSync(kept).some((name) => name.endsWith('.sqlite'))).toBe(true);
    expect(chainsIn('store')).toEqual([]);
    const other = startProgram(['worker', ...at, ...lock], { cwd });
    const { code, err } = await batch.ended;
    other.process.kill('SIGINT');
    await other.ended;
    expect([code, err]).toEqual([0, '']);
    return true;
  });
  await redis.kill();
  if (isMounted === null) return skip('no disk can be mounted');
  await runProgram(['batch', 'few.yaml', '--out', 'calm', '--quiet'], { cwd });
  expect(chainsIn('store')).toEqual(chainsIn('calm'));
  expect(chainsIn('store')).toHaveLength(RUNS);
  expect(readdirSync(join(cwd, 'store')).filter((name) => name.includes('.other-'))).toEqual([]);
});

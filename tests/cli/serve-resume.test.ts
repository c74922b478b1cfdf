/** `serve LOG --resume`: a served run goes on as it was served, and one that has ended is refused before a port is announced. */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { known } from '../../src/base/assert.js';
import { main } from '../../src/cli/main.js';
import { LogReader } from '../../src/log/reader.js';
import { playRemotely } from '../../src/serve/client/remote-agent.js';
import { scriptedPlayer } from '../../src/serve/client/scripted-player.js';
import { WorldClient } from '../../src/serve/client/world-client.js';
import { scriptedController } from '../../src/worlds/scripted-controller.js';
import { capturedIo, orchestrate } from '../support/captured-io.js';
import { ROOT } from '../support/children.js';
import { temporaryFolder } from '../support/folder.js';

const KEEPERS = join(ROOT, 'scenarios/two-keepers.yaml');
const never = new AbortController().signal;

/** `serve` in this process, until it is interrupted. */
async function serving(words: readonly string[]) {
  const { io, out, err, interrupt } = capturedIo();
  const ended = main(['serve', ...words, '--listen', '127.0.0.1:0'], io);
  await expect.poll(() => out() + err()).toMatch(/serving (\S+),|✗|error/);
  const address = known(/serving (\S+),/.exec(out())?.[1], `an address in ${out()}${err()}`);
  return {
    out,
    client: new WorldClient({ address, token: null }),
    end: async () => {
      interrupt();
      return await ended;
    },
  };
}

/** Both keepers play until the turn. */
async function play(client: WorldClient, turns: number): Promise<void> {
  await Promise.all(
    ['miner', 'monk'].map(async (entity) => {
      const leaving = new AbortController();
      const lease = await client.acquire({ run: '', entity, controller: 'scripted' }, never);
      const onAck = ({ tick }: { tick: bigint }): void => {
        if (Number(tick) >= turns) leaving.abort();
      };
      const player = scriptedPlayer(scriptedController(), entity);
      await playRemotely({ client, lease, player, onAck }, leaving.signal).catch(() => undefined);
    }),
  );
}

function read<T>(log: string, from: (reader: LogReader, runId: string) => T): T {
  const reader = new LogReader(log);
  try {
    return from(reader, known(reader.runs()[0], 'a run').runId);
  } finally {
    reader.close();
  }
}

it('a run goes on as it was served, and options that are given win', async () => {
  const log = join(temporaryFolder(), 'run.sqlite');
  const first = await serving([
    KEEPERS,
    '--out',
    log,
    '--pace',
    'lockstep',
    '--window',
    '5000',
    '--ttl',
    '1500',
    '--wait',
    'all',
    '--staleness',
    '2',
  ]);
  await play(first.client, 3);
  expect(await first.end()).toBe(130);
  expect(read(log, (reader, runId) => reader.serving(runId))).toEqual({
    pace: 'lockstep',
    periodMs: 0,
    windowMs: 5000,
    ttlMs: 1500,
    waitFor: 2,
    staleness: 2,
    own: [],
  });
  const turn = read(
    log,
    (reader, runId) => known(reader.step(runId, reader.runs()[0]?.steps ?? 0), 'a step').turn,
  );

  const again = await serving([log, '--resume']);
  expect(again.out()).toContain('lockstep, at most 5000 ms a tick');
  expect(again.out()).toContain(`continuing with turn ${turn + 1}`);
  const world = await again.client.world('', never);
  expect([world.leaseTtl?.seconds, world.leaseTtl?.nanos, world.staleness]).toEqual([1n, 500_000_000, 2]);
  await again.end();

  const other = await serving([log, '--resume', '--pace', 'clock', '--tick', '200', '--staleness', '0']);
  expect(other.out()).toContain('a tick every 200 ms, which accepts intents for 100 ms');
  expect((await other.client.world('', never)).staleness).toBe(0);
  await other.end();

  const last = await serving([log, '--resume', '--pace', 'lockstep', '--wait', 'all']);
  const waits = await last.client.acquire({ run: '', entity: 'miner', controller: 'one' }, never);
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(Number((await last.client.world('', never)).tick)).toBe(0);
  await last.client.release(waits);
  await last.end();

  const shown = await orchestrate(['show', log]);
  expect(shown.out).toContain(`next  orchestrate serve ${log} --resume`);
  const resumed = await orchestrate(['resume', log]);
  expect([resumed.code, resumed.err]).toEqual([
    2,
    expect.stringContaining(`orchestrate serve ${log} --resume`),
  ]);
  const verified = await orchestrate(['verify', log]);
  expect(verified.code, verified.out + verified.err).toBe(0);
});

it('a run that waited for its first tick waits for as many again', async () => {
  const log = join(temporaryFolder(), 'run.sqlite');
  const first = await serving([KEEPERS, '--out', log, '--pace', 'lockstep', '--wait', 'all', '--ttl', '300']);
  await first.end();
  const again = await serving([log, '--resume']);
  const lease = await again.client.acquire({ run: '', entity: 'miner', controller: 'one' }, never);
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect(Number((await again.client.world('', never)).tick)).toBe(0);
  await again.client.release(lease).catch(() => undefined);
  await again.end();
});

it('refuses a run that has ended, and options that the log answers, before a port is announced', async () => {
  const log = join(temporaryFolder(), 'run.sqlite');
  await orchestrate(['run', KEEPERS, '--controller', 'scripted', '--out', log]);
  const ended = await orchestrate(['serve', log, '--resume', '--listen', '127.0.0.1:0']);
  expect([ended.code, ended.out]).toEqual([2, '']);
  expect(ended.err).toMatch(/the run \S+ has ended: succeeded/);
  expect(ended.err).toContain(`orchestrate show ${log}`);
  expect(ended.err).toContain(`orchestrate fork ${log} --at STEP`);
  const seeded = await orchestrate(['serve', log, '--resume', '--seed', '1']);
  expect([seeded.code, seeded.err]).toEqual([2, expect.stringContaining('leave out --seed')]);
});

it('goes on with the only served run that has not ended, or the one that is named', async () => {
  const log = join(temporaryFolder(), 'run.sqlite');
  const begin = async (): Promise<string> => {
    const first = await serving([KEEPERS, '--out', log, '--pace', 'lockstep', '--wait', '0']);
    const { run } = await first.client.world('', never);
    await first.end();
    return run;
  };
  await orchestrate(['run', KEEPERS, '--controller', 'scripted', '--out', log, '--quiet']);
  const one = await begin();
  const only = await serving([log, '--resume']);
  expect(only.out()).toContain(`run ${one}`);
  await only.end();

  const other = await begin();
  const unnamed = await orchestrate(['serve', log, '--resume', '--listen', '127.0.0.1:0']);
  expect([unnamed.code, unnamed.out]).toEqual([2, '']);
  expect(unnamed.err).toContain('has 3 runs: choose one with FILE#RUN-ID');
  expect(unnamed.err).toContain(`${log}#${other}`);
  for (const run of [one, other]) {
    const shown = await orchestrate(['show', `${log}#${run}`]);
    expect(shown.out).toContain(`serve ${log}#${run} --resume`);
    const named = await serving([`${log}#${run}`, '--resume']);
    expect(named.out()).toContain(`run ${run}`);
    await named.end();
  }
});

it('names the run where the log holds others', async () => {
  const folder = temporaryFolder();
  const log = join(folder, 'run.sqlite');
  const begin = async (...words: readonly string[]) => {
    const one = await serving([KEEPERS, '--out', log, '--pace', 'lockstep', '--wait', '0', ...words]);
    const { run } = await one.client.world('', never);
    await one.end();
    return { run, out: one.out() };
  };
  expect((await begin()).out).toMatch(/watch it: orchestrate view \S+\/run\.sqlite\n/);
  const second = await begin();
  expect(second.out).toContain(`view ${log}#${second.run}\n`);
  const again = await serving([`${log}#${second.run}`, '--resume']);
  expect(again.out()).toContain(`view ${log}#${second.run}\n`);
  await again.end();
  const many = join(folder, 'many.sqlite');
  const first = await serving([KEEPERS, '--out', many, '--runs', '2', '--wait', '0']);
  const { run } = await first.client.world('', never);
  expect(first.out()).toContain(`view ${many}#${run}\n`);
  await first.end();
});

it('tells a log from a scenario', async () => {
  const log = join(temporaryFolder(), 'run.sqlite');
  await orchestrate(['run', KEEPERS, '--controller', 'scripted', '--out', log, '--quiet']);
  const served = await orchestrate(['serve', log, '--listen', '127.0.0.1:0']);
  expect([served.code, served.err]).toEqual([2, expect.stringContaining(`${log} is a log: add --resume`)]);
  const resumed = await orchestrate(['serve', KEEPERS, '--resume', '--listen', '127.0.0.1:0']);
  expect([resumed.code, resumed.err]).toEqual([
    2,
    expect.stringContaining(`two-keepers.yaml is a scenario: leave out --resume`),
  ]);
});

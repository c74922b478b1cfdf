/**
 * Promise: a served world that is killed (SIGKILL) at named points of its log and at any instant goes on with new epochs. No epoch is given
 * twice, no intent that was acknowledged is lost, nobody decides a tick twice, and the log verifies. Needs the built package.
 */
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { known } from '../../src/base/assert.js';
import { LogReader } from '../../src/log/reader.js';
import { WorldClient } from '../../src/serve/client/world-client.js';
import { Part } from '../../src/serve/gen/orchestrate/world/v1/world_pb.js';
import { orchestrate } from '../support/captured-io.js';
import { startProgram } from '../support/children.js';
import type { Child } from '../support/children.js';
import { temporaryFolder } from '../support/folder.js';
import { TAP, draws } from './lives.js';
import { SIZED, grouped, reached, sizeOf } from '../support/sizes.js';

const ENTITIES = ['miner', 'monk'];
/** Where a tick is: leases are kept, its calls and replies, its steps; and what makes them durable. */
const POINTS = [
  'INSERT leases',
  'INSERT calls',
  'INSERT replies',
  'INSERT steps',
  'COMMIT',
  'BEGIN',
] as const;

interface Acknowledged {
  entity: string;
  tick: number;
  epoch: number;
}

/** What the controllers of a world were told, whatever became of its server meanwhile. */
interface Told {
  acknowledged: Acknowledged[];
  granted: { entity: string; epoch: number }[];
}

/** Plays an entity until the signal: takes it again whenever it is lost, or the server is gone. */
async function hold(address: string, entity: string, told: Told, signal: AbortSignal): Promise<void> {
  const client = new WorldClient({ address, token: null });
  while (!signal.aborted) {
    try {
      const lease = await client.acquire({ run: '', entity, controller: 'tester' }, signal);
      const epoch = Number(lease.epoch);
      told.granted.push({ entity, epoch });
      for await (const { isFinal, tick, attempt } of client.observations(lease, [Part.OFFERS], signal)) {
        if (isFinal) return;
        if (tick === 0n) continue;
        const intent = { intent: { case: 'wait' as const, value: {} }, requestId: '' };
        const to = { tick, attempt, basedOnTick: 0n } as Parameters<WorldClient['submit']>[1];
        const ack = await client.submit(lease, to, intent as Parameters<WorldClient['submit']>[2], signal);
        if (ack.accepted) told.acknowledged.push({ entity, tick: Number(tick), epoch });
      }
    } catch {
      await wait(20);
    }
  }
}

/** The server with what kills it; resolves once it listens, or has ended before. */
async function serve(log: string, listen: string, isFirst: boolean, blow: string | null): Promise<Child> {
  const world = isFirst
    ? ['scenarios/two-keepers.yaml', '--out', log, '--max-turns', '100000', '--wait', 'all']
    : [log, '--resume'];
  const child = startProgram(['serve', ...world, '--listen', listen, '--pace', 'lockstep', '--ttl', '1000'], {
    nodeOptions: ['--import', TAP],
    env: blow === null ? {} : { LOG_TAP_DIE: blow },
  });
  await Promise.race([child.prints(/serving \S+,/).catch(() => undefined), child.ended]);
  return child;
}

it(
  'a world that is killed again and again gives no epoch twice and loses nothing that it acknowledged',
  SIZED,
  async () => {
    const kills = sizeOf('servedKills');
    const log = join(temporaryFolder(), 'served.sqlite');
    const draw = draws('served');
    const told: Told = { acknowledged: [], granted: [] };
    const leaving = new AbortController();
    const first = await serve(log, '127.0.0.1:0', true, null);
    const address = known(/^serving (\S+),/m.exec(first.output())?.[1], 'an address');
    const holders = ENTITIES.map((entity) => hold(address, entity, told, leaving.signal));
    const hasAcknowledged = async (more: number) => {
      for (const intents = told.acknowledged.length + more; told.acknowledged.length < intents;)
        await wait(5);
    };
    await hasAcknowledged(kills);
    await wait(draw(200));
    first.process.kill('SIGKILL');
    await first.ended;
    const done = { named: 0, random: 1 };
    while (done.named + done.random < kills) {
      const isNamed = draw(3) > 0;
      const point = `${draw(2) === 0 ? 'before' : 'after'}|${known(POINTS[draw(POINTS.length)], 'a point')}|${1 + draw(8)}`;
      const child = await serve(log, address, false, isNamed ? point : null);
      if (!isNamed) await wait(draw(1500));
      const late = new AbortController();
      void wait(isNamed ? 8000 : 0, undefined, { signal: late.signal }).then(
        () => child.process.kill('SIGKILL'),
        () => undefined,
      );
      const { signal } = await child.ended;
      late.abort();
      expect(signal, child.output()).toBe('SIGKILL');
      done[isNamed ? 'named' : 'random'] += 1;
    }
    const last = await serve(log, address, false, null);
    await hasAcknowledged(2);
    last.process.kill('SIGTERM');
    await last.ended;
    leaving.abort();
    await Promise.all(holders);

    const reader = new LogReader(log);
    const runId = known(reader.runs()[0], 'a run').runId;
    const grants = reader.leases(runId).filter(({ event }) => event === 'granted');
    const epochsOf = (entity: string) => grants.flatMap((row) => (row.entity === entity ? [row.epoch] : []));
    for (const entity of ENTITIES) {
      const epochs = epochsOf(entity);
      expect(epochs).toEqual(epochs.map((_, i) => i + 1));
      const got = told.granted.flatMap((one) => (one.entity === entity ? [one.epoch] : []));
      expect(new Set(got).size).toBe(got.length);
      expect(got.filter((epoch) => !epochs.includes(epoch))).toEqual([]);
    }
    const steps = [...reader.steps(runId, {})].filter(
      ({ agent, calls }) => ENTITIES.includes(agent) && calls.length > 0,
    );
    const decided = steps.map(({ agent, turn, step }) => {
      const controller = reader.calls(runId, step).at(-1)?.request.controller ?? '';
      return `${agent} ${turn} ${controller.split('#')[1] ?? ''}`;
    });
    const turns = decided.map((one) => one.split(' ').slice(0, 2).join(' '));
    expect(new Set(turns).size).toBe(turns.length);
    const lost = told.acknowledged.filter(
      ({ entity, tick, epoch }) => !decided.includes(`${entity} ${tick} ${epoch}`),
    );
    expect(lost).toEqual([]);
    reader.close();
    const verified = await orchestrate(['verify', log]);
    expect(verified.code, verified.out + verified.err).toBe(0);
    reached(
      'served kill',
      `${grouped(done.named)} kills at named points and ${grouped(done.random)} at any instant: ${grouped(grants.length)} epochs, none twice; ${grouped(told.acknowledged.length)} acknowledged intents, all in the log`,
    );
  },
);

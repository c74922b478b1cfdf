/** Runs that begin as forks of a served run: alike in everything, in one verified file, several at once, and of runs that ended. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { known } from '../../src/base/assert.js';
import { main } from '../../src/cli/main.js';
import { LogReader } from '../../src/log/reader.js';
import { Part } from '../../src/serve/gen/orchestrate/world/v1/world_pb.js';
import type { Observation } from '../../src/serve/gen/orchestrate/world/v1/world_pb.js';
import { capturedIo, orchestrate } from '../support/captured-io.js';
import { temporaryFolder } from '../support/folder.js';
import { clientsOf } from './served.js';
import type { Clients } from './served.js';

const HALL = `
title: Hall
map: |
  #########
  #A..c...#
  #B......#
  #########
legend: { A: { agent: ann }, B: { agent: bob }, c: { thing: coin } }
rooms: { hall: { name: hall, from: [1, 1] } }
things: { coin: { kind: item, name: coin } }
agents:
  - { id: ann, sprite: ranger }
  - { id: bob, sprite: ranger, replies: ['ACTION: WAIT'] }
success: { agent: ann, holds: coin }
rules: { movement: tile }
rewards: { success: 10, step: -0.5, refused: -0.25, unreadable: -1, progress: 1 }
turns: { max: 6 }
`;

async function server(words: readonly string[] = []) {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'hall.yaml'), HALL);
  const { io, out, err, interrupt } = capturedIo({ cwd: folder });
  const serve = ['serve', 'hall.yaml', '--pace', 'lockstep', '--listen', '127.0.0.1:0', '--keep', 'bob'];
  const ended = main([...serve, '--runs', '4', '--out', 'logs/', ...words], io);
  await expect.poll(() => out() + err()).toMatch(/serving (\S+),|error/);
  const [, address, run] = known(/serving (\S+), run (\S+)/.exec(out()), `an address in ${err()}`);
  const close = async (): Promise<void> => {
    interrupt();
    await ended;
  };
  onTestFinished(close);
  const log = join(folder, 'logs', `${known(run, 'a run')}.sqlite`);
  return { ...clientsOf(`http://${known(address, 'an address')}`), run: known(run, 'a run'), log, close };
}

interface Played {
  told: readonly Observation[];
  /** Gives the entity back, and leaves the run as it is. */
  leave: () => void;
}

/** Ann says these words, an attempt each, and is told what comes after them. */
async function play(
  { leases, play: service }: Clients,
  run: string,
  words: readonly string[],
): Promise<Played> {
  const { lease } = await leases.acquireLease({ run, entity: 'ann', controller: 'tester' });
  const away = new AbortController();
  const told: Observation[] = [];
  const parts = [Part.TEXT, Part.FRAME, Part.PROMPT];
  for await (const seen of service.streamObservations({ lease, parts }, { signal: away.signal })) {
    if (seen.tick === 0n && !seen.isFinal) continue;
    told.push(seen);
    const content = words[told.length - 1];
    if (seen.isFinal || content === undefined) break;
    const { tick, attempt } = seen;
    void service.submitIntent({ lease, tick, attempt, intent: { case: 'words', value: { content } } });
  }
  return { told, leave: () => away.abort() };
}

const EAST = 'ACTION: GO east';

/** What has to be the same of two runs that begin alike. */
function perceived({ tick, attempt, text, frame, prompt }: Observation) {
  return { tick, attempt, text: text.map(({ lines }) => lines), frame: frame?.hash, prompt };
}

it('perceive what their run did at that tick, and lie verified in its file', { tags: ['long'] }, async () => {
  const one = await server();
  const first = await play(one, one.run, [EAST, EAST]);
  const fork = await one.worlds.createRun({ fromRun: one.run, fromTick: 2n });
  expect(fork).toMatchObject({ fromRun: one.run, seed: '1', scenario: 'hall' });
  const again = await play(one, fork.run, [EAST, 'ACTION: TAKE coin']);
  expect(again.told.slice(0, 2).map(perceived)).toEqual(first.told.slice(1, 3).map(perceived));
  expect(again.told.at(-1)).toMatchObject({ isFinal: true, terminated: true });
  await one.close();
  const reader = new LogReader(one.log);
  expect(reader.run(fork.run).parent).toEqual({ runId: one.run, step: 4 });
  expect(reader.runs().map(({ status }) => status)).toEqual(['interrupted', 'succeeded']);
  reader.close();
  const { code, out } = await orchestrate(['verify', one.log]);
  expect([code, out.match(/^ok /gm)?.length]).toEqual([0, 2]);
});

it('are played side by side, and end alike where the same was done', async () => {
  const one = await server();
  await play(one, one.run, [EAST]);
  const forks = await Promise.all(
    [1, 2, 3].map(() => one.worlds.createRun({ fromRun: one.run, fromTick: 2n })),
  );
  const words = [EAST, EAST, 'ACTION: TAKE coin'];
  const played = await Promise.all(
    forks.map(({ run }, i) => play(one, run, i === 2 ? ['ACTION: GO south', ...words] : words)),
  );
  expect(played.map(({ told }) => told.at(-1)?.totalReward)).toEqual([11, 11, 10.5]);
  await one.close();
  const reader = new LogReader(one.log);
  const [alike, same, other] = forks.map(({ run }) => reader.end(run)?.chain);
  expect(alike).toBe(same);
  expect(other).not.toBe(alike);
  reader.close();
  expect((await orchestrate(['verify', one.log])).code).toBe(0);
});

it(
  'begin at a tick of a run that ended, also of a fork, with settings of their own',
  { tags: ['long'] },
  async () => {
    const one = await server();
    await play(one, one.run, [EAST, EAST]);
    await one.worlds.stopRun({ run: one.run });
    const fork = await one.worlds.createRun({ fromRun: one.run, fromTick: 3n });
    await play(one, fork.run, ['ACTION: WAIT']);
    await one.worlds.stopRun({ run: fork.run });
    const set = ['turns.max=3'];
    const short = await one.worlds.createRun({ fromRun: fork.run, fromTick: 2n, set });
    const { told } = await play(one, short.run, ['ACTION: WAIT', 'ACTION: WAIT']);
    expect(told.map(({ tick, isFinal, truncated }) => [tick, isFinal, truncated])).toEqual([
      [2n, false, false],
      [3n, false, false],
      [3n, true, true],
    ]);
    await one.close();
    expect((await orchestrate(['verify', one.log])).code).toBe(0);
  },
);

it('are refused where there is no such run or tick, or something would be another', async () => {
  const one = await server();
  await play(one, one.run, [EAST]);
  const refused = async (request: Parameters<typeof one.worlds.createRun>[0]): Promise<string> =>
    one.worlds.createRun(request).then(
      () => 'begun',
      (error: unknown) => String(error),
    );
  const from = { fromRun: one.run };
  expect(await refused({ fromRun: '../hall', fromTick: 1n })).toContain('not started a run "../hall"');
  expect(await refused({ ...from, fromTick: 3n })).toContain('from_tick must be from 1 to 2');
  expect(await refused(from)).toContain('from_tick must be from 1 to 2');
  expect(await refused({ fromTick: 1n })).toContain('from_tick needs from_run');
  expect(await refused({ ...from, fromTick: 1n, seed: '2' })).toContain('leave out scenario and seed');
  const set = ['rules.movement=room'];
  expect(await refused({ ...from, fromTick: 1n, set })).toContain('would change the world');
});

it('tell rewards by name, since the fork began', async () => {
  const one = await server();
  await play(one, one.run, [EAST]);
  const fork = await one.worlds.createRun({ fromRun: one.run, fromTick: 2n });
  const { told } = await play(one, fork.run, ['Hm.', 'ACTION: TAKE coin', EAST, EAST, 'ACTION: TAKE coin']);
  const paid = told.map(({ attempt, reward, rewards }) => [
    attempt,
    reward,
    Object.fromEntries(rewards.map(({ name, amount }) => [name, amount])),
  ]);
  expect(paid).toEqual([
    [1, 0.5, { step: -0.5, progress: 1 }],
    [2, 0, {}],
    [3, 0, {}],
    [1, -0.75, { step: -0.5, refused: -0.25, unreadable: -1, progress: 1 }],
    // On the coin it is as far from having it as beside it.
    [1, -0.5, { step: -0.5 }],
    [0, 10.5, { success: 10, step: -0.5, progress: 1 }],
  ]);
});

/** What holders are told of rewards and endings, and the list of actions by number. */
import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { LogReader } from '../../src/log/reader.js';
import { Part } from '../../src/serve/gen/orchestrate/world/v1/world_pb.js';
import { Earnings } from '../../src/serve/earnings.js';
import type { Observation } from '../../src/serve/gen/orchestrate/world/v1/world_pb.js';
import { servedWorld } from '../support/served-world.js';
import { clientsOf } from './served.js';

const RACE = `title: Race
map: |
  #########
  #A..c...#
  #B..g...#
  #########
legend: { A: { agent: ann }, B: { agent: bob }, c: { thing: coin }, g: { thing: gem } }
rooms: { hall: { name: hall, from: [1, 1] } }
things: { coin: { kind: item, name: coin }, gem: { kind: item, name: gem, sprite: item/coin } }
agents:
  - { id: ann, sprite: ranger, success: { agent: ann, holds: coin } }
  - { id: bob, sprite: ranger }
rewards: { success: 1, step: -0.5, unreadable: -0.25 }
turns: { order: simultaneous, max: 3 }
`;

async function race() {
  return servedWorld(RACE, { waitFor: 2 });
}

type Clients = Awaited<ReturnType<typeof race>>;

/** Says words in each tick, and gives back what it was told. */
async function say({ leases, play }: Clients, entity: string, words: readonly string[]) {
  const { lease } = await leases.acquireLease({ entity, controller: 'tester' });
  const told: Observation[] = [];
  let said = 0;
  for await (const seen of play.streamObservations({ lease, parts: [Part.LEGAL] })) {
    if (seen.tick === 0n && !seen.isFinal) continue;
    told.push(seen);
    if (seen.isFinal) break;
    const { tick, attempt } = seen;
    const intent = { case: 'words' as const, value: { content: words[said++] ?? 'ACTION: WAIT' } };
    await play.submitIntent({ lease, tick, attempt, intent });
  }
  return told;
}

it('come with the next tick; who has an outcome of its own gets its last message at once', async () => {
  const world = await race();
  const [ann, bob] = await Promise.all([
    say(world, 'ann', ['ACTION: GO TO coin', 'ACTION: TAKE coin']),
    say(world, 'bob', ['Hm.']),
  ]);
  expect(ann.map(({ tick, reward, isFinal }) => [tick, reward, isFinal])).toEqual([
    [1n, 0, false],
    [2n, -0.5, false],
    [3n, 0.5, true],
  ]);
  expect(ann.at(-1)).toMatchObject({ terminated: true, truncated: false, totalReward: 0 });
  // Two observations in the first tick: the second follows from what could not be read.
  expect(bob.map(({ tick, attempt, reward }) => [tick, attempt, reward])).toEqual([
    [1n, 1, 0],
    [1n, 2, 0],
    [2n, 1, -0.75],
    [3n, 1, -0.5],
    [3n, 0, -0.5],
  ]);
  expect(bob.at(-1)).toMatchObject({ terminated: false, truncated: true, totalReward: -1.75 });
});

it('number all actions in one order, and say which of them would be accepted now', async () => {
  const world = await race();
  const { actions } = await world.worlds.listActions({ entity: 'ann' });
  const said = actions.map(({ action, args }) =>
    [action, ...Object.values(args).map(({ value }) => value.value)].join(' '),
  );
  expect(said[0]).toBe('WAIT');
  expect(said).toContain('TAKE coin');
  expect(new Set(said).size).toBe(said.length);
  const [ann] = await Promise.all([say(world, 'ann', ['ACTION: GO TO coin']), say(world, 'bob', [])]);
  const legal = ann.map((seen) => seen.legal.map((number) => said[number]));
  expect(legal[0]).toEqual(expect.arrayContaining(['WAIT', 'GO coin', 'LOOK coin']));
  expect(legal[0]).not.toContain('TAKE coin');
  expect(legal[1]).toContain('TAKE coin');
});

it('offer no free action once those of the turn are used up: each would be refused', async () => {
  const world = await servedWorld(RACE, { waitFor: 1, set: ['turns.max=1', 'turns.free_acts=1'] });
  const { lease } = await world.leases.acquireLease({ entity: 'ann', controller: 'tester' });
  const parts = [Part.OFFERS, Part.FORMS, Part.LEGAL];
  const { actions } = await world.worlds.listActions({ entity: 'ann' });
  const isFree = (action = ''): boolean => world.run.opened.environment.actions.get(action)?.cost === 'free';
  const offered: boolean[][] = [];
  for await (const seen of world.play.streamObservations({ lease, parts })) {
    if (seen.isFinal) break;
    const { tick, attempt } = seen;
    if (tick === 0n) continue;
    const told = [seen.offers, seen.forms, seen.legal.map((number) => actions[number])];
    offered.push(told.map((list) => list.some((one) => isFree(one?.action))));
    const action = attempt === 1 ? 'LOOK' : 'WAIT';
    await world.play.submitIntent({ lease, tick, attempt, intent: { case: 'call', value: { action } } });
  }
  expect(offered).toEqual([
    [true, true, true],
    [false, false, false],
  ]);
  const reader = new LogReader(world.log);
  const [, call] = reader.calls(world.run.record.runId, 1);
  // The prompt is the scenario's.
  expect(call?.request.observation.offered.some(({ action }) => isFree(action))).toBe(true);
  reader.close();
});

it('are told again for the tick that was open when the server went', () => {
  const before = new Earnings([
    { agent: 'ann', rewards: { paid: { ann: 1 } } },
    { agent: 'world', rewards: { paid: { ann: 0.5 } } },
    { agent: 'ann', rewards: { paid: { ann: 2 } } },
    { agent: 'world', rewards: { paid: { ann: 0.25 } } },
  ]);
  expect(before.takeUnreported('ann')).toEqual({ reward: 2.25, byName: [], total: 3.75 });
  expect(before.nothingNew('ann')).toEqual({ reward: 0, byName: [], total: 3.75 });
});

it('of a step are paid only where somebody decided', async () => {
  const one = await servedWorld(RACE, { waitFor: 1 });
  await say(one, 'ann', []);
  await one.run.ended;
  const reader = new LogReader(one.log);
  const steps = [...reader.steps(one.run.record.runId)];
  reader.close();
  const paid = (agent: string) =>
    steps.filter((step) => step.agent === agent).map((step) => step.rewards?.paid);
  expect(paid('ann')).toEqual([{ ann: -0.5 }, { ann: -0.5 }, { ann: -0.5 }]);
  expect(paid('bob')).toEqual([{}, {}, {}]);
});

it('only who may see everything is told the numbers of legal actions, which count hidden things too', async () => {
  const hash = createHash('sha256').update('ann').digest();
  const tokens = [{ hash, principal: { name: 'ann', roles: ['agent' as const], entities: null } }];
  const one = await servedWorld(RACE, { tokens });
  const { leases, play } = clientsOf(one.address, 'grpc', 'ann');
  const { lease } = await leases.acquireLease({ entity: 'ann', controller: 'tester' });
  const first = async (parts: Part[]) => {
    for await (const seen of play.streamObservations({ lease, parts })) return seen.entity;
    return null;
  };
  await expect(first([Part.LEGAL])).rejects.toThrow('does not have the role viewer');
  expect(await first([Part.OFFERS])).toBe('ann');
});

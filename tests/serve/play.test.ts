/** Whole runs over a real port: what clients of every protocol do is what the log holds, and the log stands without them. */
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { Code, ConnectError } from '@connectrpc/connect';
import { runScenario } from '../../src/assembly/run-scenario.js';
import { stageOpener } from '../../src/assembly/stage.js';
import { LIMITS } from '../../src/base/limits.js';
import { LogReader } from '../../src/log/reader.js';
import { verifyRun } from '../../src/replay/verify.js';
import type { VerifiedRun } from '../../src/replay/verify.js';
import { ErrorInfoSchema } from '../../src/serve/gen/google/rpc/error_details_pb.js';
import {
  Control,
  Direction,
  Part,
  Reason,
  RunState,
} from '../../src/serve/gen/orchestrate/world/v1/world_pb.js';
import type { IntentAck, Observation } from '../../src/serve/gen/orchestrate/world/v1/world_pb.js';
import { playRemotely } from '../../src/serve/client/remote-agent.js';
import { scriptedPlayer } from '../../src/serve/client/scripted-player.js';
import { WorldClient } from '../../src/serve/client/world-client.js';
import { scriptedController } from '../../src/worlds/scripted-controller.js';
import { MODULES } from '../../src/worlds/registry.js';
import { ROOT } from '../support/children.js';
import { servedWorld } from '../support/served-world.js';
import { clientsOf } from './served.js';
import type { Clients, Wire } from './served.js';

const ROOM = `
title: Two in a room
map: |
  ########
  #a....b#
  #......#
  ########
legend: { a: { agent: ann }, b: { agent: bob } }
agents: [{ id: ann, sprite: knight, tags: [player] }, { id: bob, sprite: wizard, tags: [npc] }]
rules: { movement: tile }
turns: { max: 4 }
`;

const BEDROOM = `
title: A bedroom
map: |
  ########
  #a..b.c#
  ########
legend:
  a: { agent: ann }
  b: { agent: bob, thing: bed }
  c: { agent: cat }
agents: [{ id: ann, sprite: knight }, { id: bob, sprite: wizard }, { id: cat, sprite: bard }]
things: { bed: { kind: furniture, sprite: furniture/bed, restful: true, blocking: false } }
rules: { movement: tile }
turns: { max: 4 }
`;

async function verified(log: string): Promise<VerifiedRun> {
  const reader = new LogReader(log);
  try {
    const [only] = reader.runs();
    const opener = stageOpener({ modules: MODULES, seats: {} } as never);
    return await verifyRun(reader, only?.runId ?? '', opener);
  } finally {
    reader.close();
  }
}

/** Plays an entity to the end of the run: what each observation is answered with, and what came of it. */
async function play(
  { leases, play: service }: Clients,
  entity: string,
  answer: (observation: Observation) => object | null,
): Promise<readonly IntentAck[]> {
  const { lease } = await leases.acquireLease({ entity, controller: 'tester' });
  const acks: IntentAck[] = [];
  for await (const observation of service.streamObservations({ lease })) {
    if (observation.isFinal) break;
    if (observation.tick === 0n) continue;
    const { tick, attempt } = observation;
    const intent = answer(observation);
    if (intent !== null) acks.push(await service.submitIntent({ lease, tick, attempt, ...intent }));
  }
  return acks;
}

const WAIT = { intent: { case: 'wait', value: {} } } as const;
const move = (direction: Direction) => ({ intent: { case: 'move', value: { direction } } }) as const;

describe('a served run', () => {
  it('of remote scripted agents is the run that they play in one process, to the last hash', async () => {
    const path = join(ROOT, 'scenarios/two-keepers.yaml');
    const local = await runScenario(path);
    const { run, address, log } = await servedWorld(path, { waitFor: 2 });
    const signal = new AbortController().signal;
    await Promise.all(
      run.served.map(async (entity) => {
        const client = new WorldClient({ address, token: null });
        const lease = await client.acquire({ run: '', entity, controller: 'scripted' }, signal);
        const player = scriptedPlayer(scriptedController(), entity);
        await playRemotely({ client, lease, player, onAck: () => undefined }, signal);
      }),
    );
    const end = await run.ended;
    expect([end.status, end.chain]).toEqual([local.end.status, local.end.chain]);
    expect(await verified(log)).toMatchObject({ status: 'succeeded', difference: null, steps: end.steps });
  });

  it('with an entity that nobody ever held verifies, and says so of each of its turns', async () => {
    const world = await servedWorld(ROOM);
    const acks = await play(world, 'ann', () => move(Direction.E));
    expect(acks.every(({ accepted }) => accepted)).toBe(true);
    await world.run.ended;
    const reader = new LogReader(world.log);
    const { runId } = world.run.record;
    const bobs = [...reader.steps(runId, { agent: 'bob' })];
    expect(bobs.map(({ calls, acts }) => [calls.length, acts.at(-1)?.insteadOf?.code])).toEqual(
      Array.from({ length: 4 }, () => [0, 'uncontrolled']),
    );
    expect(reader.leases(runId).map(({ entity, epoch, event }) => [entity, epoch, event])).toContainEqual([
      'ann',
      1,
      'granted',
    ]);
    reader.close();
    expect(await verified(world.log)).toMatchObject({ difference: null, steps: 12 });
  });

  it('shows bodies that nobody controls: idle, or asleep on a bed, until they act', async () => {
    const world = await servedWorld(BEDROOM);
    const seen: string[] = [];
    const bobs = (observation: Observation): void => {
      const bob = observation.facts?.bodies.find(({ entity }) => entity === 'bob');
      const cat = observation.facts?.bodies.find(({ entity }) => entity === 'cat');
      seen.push(`${bob?.status} ${cat?.status}`);
    };
    let bob: Promise<unknown> = Promise.resolve();
    await play(world, 'ann', (observation) => {
      bobs(observation);
      // From the next turn on somebody decides for bob.
      if (observation.tick === 2n) bob = play(world, 'bob', () => WAIT);
      return WAIT;
    });
    await bob;
    expect(seen).toEqual(['awake awake', 'asleep idle', 'asleep idle', 'awake idle']);
    const scene = JSON.parse((await world.viewers.getViewerSnapshot({})).sceneJson) as {
      things: readonly { id: string; sprite: string }[];
    };
    expect(scene.things.filter(({ sprite }) => sprite.startsWith('fx/'))).toEqual([
      expect.objectContaining({ id: 'cat-idle', sprite: 'fx/idle' }),
    ]);
    expect(await verified(world.log)).toMatchObject({ difference: null });
  });

  it.each<Wire>(['grpc', 'grpc-web', 'json'])('is played over %s', { tags: ['long'] }, async (wire) => {
    const world = await servedWorld(ROOM);
    const acks = await play(clientsOf(world.address, wire), 'ann', () => WAIT);
    expect(acks.map(({ accepted, action }) => [accepted, action])).toEqual(
      Array.from({ length: 4 }, () => [true, 'WAIT']),
    );
  });

  it('tells how many more may fail, whatever they fail at', async () => {
    const set = ['turns.max=1', 'turns.attempts=4', 'turns.refusals=2'];
    const world = await servedWorld(ROOM, { set });
    const words = { intent: { case: 'words', value: { content: 'I would rather not.' } } } as const;
    const north = {
      intent: { case: 'call', value: { action: 'GO', args: { direction: text('north') } } },
    } as const;
    const answers = [words, north, words, north];
    const acks = await play(world, 'ann', () => answers.shift() ?? WAIT);
    expect(acks.map(({ attemptsLeft }) => attemptsLeft)).toEqual([2, 1, 1, 0]);
  });

  it('tells unreadable, refused and free apart, as the log does', async () => {
    const world = await servedWorld(ROOM, { set: ['turns.max=1', 'turns.free_acts=1', 'turns.attempts=4'] });
    const answers = [
      { intent: { case: 'words', value: { content: 'I would rather not.' } } },
      // A command, but of something that she does not perceive.
      { intent: { case: 'call', value: { action: 'TAKE', args: { thing: text('crown') } } } },
      { intent: { case: 'call', value: { action: 'GO', args: { direction: text('north') } } } },
      { intent: { case: 'call', value: { action: 'LOOK', args: {} } } },
      move(Direction.E),
    ];
    const acks = await play(world, 'ann', () => answers.shift() ?? WAIT);
    expect(acks.map(({ accepted, reason, attemptsLeft }) => [accepted, reason, attemptsLeft])).toEqual([
      [false, Reason.UNREADABLE, 3],
      [false, Reason.UNREADABLE, 2],
      [false, Reason.ILLEGAL_ACTION, 1],
      [true, Reason.FREE_ACT, 1],
      [true, Reason.UNSPECIFIED, 1],
    ]);
    await world.run.ended;
    const reader = new LogReader(world.log);
    const [step] = [...reader.steps(world.run.record.runId, { agent: 'ann' })];
    const logged = step?.acts.map(({ intent, result }) => [
      intent?.action ?? '',
      result.ok,
      result.ok ? '' : result.problem.code,
    ]);
    expect(logged?.map(([action, ok]) => [action, ok])).toEqual([
      ['', false],
      ['', false],
      ['GO', false],
      ['LOOK', true],
      ['GO', true],
    ]);
    expect(acks.map(({ action, accepted, problem }) => [action, accepted, problem])).toEqual(logged);
    reader.close();
  });

  it('settles a tick without whoever is late, and says late', async () => {
    const pace = { kind: 'clock', periodMs: 120, windowMs: 60 } as const;
    const world = await servedWorld(ROOM, { pace, waitFor: 1 });
    const acks = await play(world, 'ann', () => null);
    expect(acks).toEqual([]);
    await world.run.ended;
    const reader = new LogReader(world.log);
    const steps = [...reader.steps(world.run.record.runId, { agent: 'ann' })];
    expect(steps.map(({ acts }) => acts.at(-1)?.insteadOf?.code)).toEqual(
      Array.from({ length: 4 }, () => 'late'),
    );
    reader.close();
    expect(await verified(world.log)).toMatchObject({ difference: null });
  });

  it(
    'says late, not decided, while the tick goes on for those who act afterwards',
    { tags: ['long'] },
    async () => {
      const pace = { kind: 'clock', periodMs: 3000, windowMs: 100 } as const;
      const world = await servedWorld(ROOM, { pace, waitFor: 2, set: ['turns={max: 1, order: sequential}'] });
      const { lease } = await world.leases.acquireLease({ entity: 'ann', controller: 'tester' });
      await world.leases.acquireLease({ entity: 'bob', controller: 'tester' });
      const stream = world.play.streamObservations({ lease })[Symbol.asyncIterator]();
      await stream.next();
      await stream.next();
      await new Promise((resolve) => setTimeout(resolve, 400));
      expect(world.run.tick).toBe(1);
      const ack = await world.play.submitIntent({ lease, tick: 1n, attempt: 1, ...WAIT });
      expect(ack).toMatchObject({ accepted: false, reason: Reason.LATE_TICK, tick: 1n });
      await world.run.ended;
      const reader = new LogReader(world.log);
      const [step] = [...reader.steps(world.run.record.runId, { agent: 'ann' })];
      expect(step?.acts.at(-1)?.insteadOf?.code).toBe('late');
      reader.close();
    },
  );

  it('takes no intent for another tick or attempt than the one that is open', async () => {
    const world = await servedWorld(ROOM);
    const { lease } = await world.leases.acquireLease({ entity: 'ann', controller: 'tester' });
    const stream = world.play.streamObservations({ lease })[Symbol.asyncIterator]();
    await stream.next();
    const { value } = await stream.next();
    expect((value as Observation).tick).toBe(1n);
    const at = (tick: bigint, attempt: number) =>
      world.play.submitIntent({ lease, tick, attempt, ...WAIT }).then(({ reason }) => reason);
    expect(await at(0n, 1)).toBe(Reason.LATE_TICK);
    expect(await at(2n, 1)).toBe(Reason.EARLY_TICK);
    expect(await at(1n, 2)).toBe(Reason.OTHER_ATTEMPT);
    const stale = await world.play.submitIntent({ lease, tick: 1n, basedOnTick: 5n, ...WAIT });
    expect(stale.reason).toBe(Reason.STALE_OBSERVATION);
    const twice = { lease, tick: 1n, attempt: 1, requestId: 'x', ...WAIT };
    const [one, other] = await Promise.all([world.play.submitIntent(twice), world.play.submitIntent(twice)]);
    expect([one.accepted, other.accepted]).toEqual([true, true]);
    expect(await at(1n, 1)).toBe(Reason.LATE_TICK);
    await expect(world.play.submitIntent({ ...twice, tick: 2n, attempt: 7 })).rejects.toThrow(
      'different content',
    );
  });

  it('acknowledges an intent once it is in the log', async () => {
    const pace = { kind: 'clock', periodMs: 500, windowMs: 400 } as const;
    const world = await servedWorld(ROOM, { pace, set: ['turns.max=1'] });
    const { lease } = await world.leases.acquireLease({ entity: 'ann', controller: 'tester' });
    const stream = world.play.streamObservations({ lease })[Symbol.asyncIterator]();
    await stream.next();
    await stream.next();
    const stepsOf = (): number => {
      const reader = new LogReader(world.log);
      const { steps } = reader.runs()[0] ?? { steps: 0 };
      reader.close();
      return steps;
    };
    expect(stepsOf()).toBe(0);
    const { accepted } = await world.play.submitIntent({ lease, tick: 1n, attempt: 1, ...WAIT });
    expect([accepted, stepsOf() > 0]).toEqual([true, true]);
  });

  it('is paused while nobody controls an entity, and says so', async () => {
    const { leases, worlds, play: service } = await servedWorld(ROOM);
    const { lease } = await leases.acquireLease({ entity: 'ann', controller: 'tester' });
    await expect.poll(() => worlds.getWorld({})).toMatchObject({ state: RunState.RUNNING, reason: '' });
    await service.submitIntent({ lease, tick: 1n, ...WAIT });
    await leases.releaseLease({ lease });
    const paused = { state: RunState.PAUSED, reason: 'nobody controls an entity' };
    await expect.poll(() => worlds.getWorld({})).toMatchObject(paused);
  });

  it('is paused once everybody who is controlled has finished', async () => {
    const { leases, worlds, play: service } = await servedWorld(ROOM);
    const ann = await leases.acquireLease({ entity: 'ann', controller: 'tester' });
    const done = { intent: { case: 'call', value: { action: 'DONE', args: {} } } } as const;
    expect((await service.submitIntent({ lease: ann.lease, tick: 1n, ...done })).accepted).toBe(true);
    const paused = { state: RunState.PAUSED, reason: 'nobody controls an entity' };
    await expect.poll(() => worlds.getWorld({})).toMatchObject({ ...paused, tick: 1n });
    const { entities } = await worlds.listEntities({});
    expect(entities.map(({ entity, control }) => [entity, control])).toEqual([
      ['ann', Control.OUT],
      ['bob', Control.FREE],
    ]);
    // Whoever comes later still plays.
    const bob = await leases.acquireLease({ entity: 'bob', controller: 'tester' });
    const { accepted } = await service.submitIntent({ lease: bob.lease, tick: bob.firstTick, ...WAIT });
    expect(accepted).toBe(true);
  });

  it('hears what was said, with its marks, on one line', async () => {
    const world = await servedWorld(ROOM, { waitFor: 2, set: ['rules.speech.radius=8'] });
    const answers = [
      { intent: { case: 'say', value: { text: 'a "mark", a \\ slash,\n\ttwo lines', channel: 'local' } } },
    ];
    const heard: string[] = [];
    const bob = play(world, 'bob', ({ events }) => {
      for (const { event } of events) if (event.case === 'heard') heard.push(event.value.text);
      return WAIT;
    });
    await Promise.all([play(world, 'ann', () => answers.shift() ?? WAIT), bob]);
    expect(heard).toEqual(['a "mark", a \\ slash, two lines']);
  });

  it('goes on for a waiting holder when the lease before it is taken over', async () => {
    const world = await servedWorld(ROOM);
    const first = await world.leases.acquireLease({ entity: 'ann', controller: 'slow' });
    const stream = world.play.streamObservations({ lease: first.lease })[Symbol.asyncIterator]();
    await stream.next();
    await stream.next();
    const request = { entity: 'ann', controller: 'next', supersedeEpoch: first.epoch };
    const second = await world.leases.acquireLease(request);
    expect([second.epoch, second.firstTick]).toEqual([2n, 2n]);
    const old = { lease: first.lease, tick: 1n, attempt: 1, ...WAIT };
    expect(await reasonOf(world.play.submitIntent(old))).toBe('LEASE_SUPERSEDED');
    for await (const { tick, attempt, isFinal } of world.play.streamObservations({ lease: second.lease })) {
      if (isFinal) break;
      if (tick > 0n) await world.play.submitIntent({ lease: second.lease, tick, attempt, ...WAIT });
    }
    const end = await world.run.ended;
    expect(end.turns).toBe(4);
    expect(await verified(world.log)).toMatchObject({ difference: null });
  });
});

describe('who missed ticks', () => {
  it('is told them again from the log, as they were told', async () => {
    const world = await servedWorld(ROOM, { set: ['turns.max=80'] });
    const parts = [Part.FACTS, Part.TEXT, Part.FRAME, Part.OFFERS];
    const { lease } = await world.leases.acquireLease({ entity: 'ann', controller: 'tester' });
    const told: Observation[] = [];
    for await (const seen of world.play.streamObservations({ lease, parts })) {
      if (seen.tick === 0n) continue;
      if (seen.tick === 70n) break;
      told.push(seen);
      const { tick, attempt } = seen;
      await world.play.submitIntent({ lease, tick, attempt, ...move(tick % 2n ? Direction.E : Direction.W) });
    }
    const again: Observation[] = [];
    for await (const seen of world.play.streamObservations({ lease, parts, afterTick: 66n })) {
      if (seen.tick > 0n) again.push(seen);
      if (seen.tick === 70n) break;
    }
    expect(again.map(({ tick, isPast }) => [tick, isPast])).toEqual([
      [67n, true],
      [68n, true],
      [69n, true],
      [70n, false],
    ]);
    const contents = (list: readonly Observation[]) =>
      list.map(({ tick, facts, text, frame, offers }) => ({ tick, facts, text, frame, offers }));
    expect(contents(again.slice(0, 3))).toEqual(contents(told.slice(66)));
    const old = world.play.streamObservations({ lease, afterTick: 5n })[Symbol.asyncIterator]();
    expect(await reasonOf(old.next())).toBe('RESUME_TOO_OLD');
  });
});

describe('the leases of a log', () => {
  it.each([
    ['changed', `UPDATE leases SET controller = 'somebody else'`, 'was altered'],
    ['missing', 'DELETE FROM leases WHERE position = 1', 'was altered'],
  ])('are damaged where one is %s, and verify says so', async (_what, sql, words) => {
    const world = await servedWorld(ROOM, { set: ['turns.max=1'], waitFor: 2 });
    const { lease } = await world.leases.acquireLease({ entity: 'bob', controller: 'tester' });
    await world.leases.releaseLease({ lease });
    await Promise.all([play(world, 'ann', () => WAIT), play(world, 'bob', () => WAIT)]);
    await world.run.ended;
    await world.close();
    const db = new Database(world.log);
    db.exec(sql);
    db.close();
    await expect(verified(world.log)).rejects.toThrow(words);
  });
});

describe('the API', () => {
  it('refuses with a code and a reason', async () => {
    const { leases, worlds, play: service } = await servedWorld(ROOM, { own: ['bob'] });
    const acquire = (change: object) =>
      reasonOf(leases.acquireLease({ entity: 'ann', controller: 'tester', ...change }));
    expect(await acquire({ entity: 'nobody' })).toBe('ENTITY_NOT_FOUND');
    expect(await acquire({ entity: 'bob' })).toBe('NOT_CONTROLLABLE');
    expect(await acquire({ controller: '' })).toBe('FIELD_INVALID');
    expect(await acquire({ controller: 'two\nlines' })).toBe('FIELD_INVALID');
    expect(await acquire({ controller: 'x'.repeat(LIMITS.controllerNameCharacters + 1) })).toBe(
      'FIELD_INVALID',
    );
    expect(await acquire({ worldVersion: 'grid-0' })).toBe('VERSION_MISMATCH');
    expect(await acquire({ run: 'other' })).toBe('RUN_NOT_FOUND');
    expect(await acquire({ controller: 'x'.repeat(LIMITS.controllerNameCharacters) })).toBe('none');
    expect(await acquire({})).toBe('LEASE_HELD');
    expect(await reasonOf(service.submitIntent({ lease: 'guessed', tick: 1n, ...WAIT }))).toBe(
      'LEASE_EXPIRED',
    );
    const { lease } = await leases.acquireLease({ entity: 'ann', controller: 'tester', supersedeEpoch: 1n });
    const submit = (change: object) =>
      reasonOf(service.submitIntent({ lease, tick: 9n, ...WAIT, ...change }));
    expect(await submit({ epoch: 2n, entity: 'ann' })).toBe('none');
    expect(await submit({ epoch: 1n })).toBe('EPOCH_CHANGED');
    expect(await submit({ entity: 'bob' })).toBe('FIELD_INVALID');
    expect(await reasonOf(worlds.createRun({}))).toBe('RATE_LIMITED');
  });

  it('lists entities by tags and control', async () => {
    const { worlds, leases } = await servedWorld(ROOM);
    const names = async (request: object) =>
      (await worlds.listEntities(request)).entities.map(({ entity }) => entity);
    expect(await names({})).toEqual(['ann', 'bob']);
    expect(await names({ tags: ['npc'] })).toEqual(['bob']);
    const first = await worlds.listEntities({ pageSize: 1 });
    expect(await names({ pageSize: 1, pageToken: first.nextPageToken })).toEqual(['bob']);
    await leases.acquireLease({ entity: 'ann', controller: 'tester' });
    const [ann] = (await worlds.listEntities({})).entities;
    expect([ann?.controller, ann?.epoch]).toEqual(['tester', 1n]);
  });

  it('begins and stops runs of its scenario, each with a world of its own', async () => {
    const { worlds, leases, play: service, world } = await servedWorld(ROOM, { runs: 2 });
    const second = await worlds.createRun({ seed: '9', set: ['turns.max=1'] });
    expect([second.seed, second.state]).toEqual(['9', RunState.WAITING]);
    expect(await reasonOf(worlds.createRun({}))).toBe('RATE_LIMITED');
    const [first] = world.runs;
    const run = first?.record.runId ?? '';
    expect((await worlds.listRuns({})).worlds.map(({ run: id }) => id)).toEqual([run, second.run]);
    // Without a name the newest is meant; a lease is of one run.
    const { lease, run: held } = await leases.acquireLease({ entity: 'ann', controller: 'tester' });
    expect(held).toBe(second.run);
    for await (const { tick, attempt, isFinal } of service.streamObservations({ lease })) {
      if (isFinal) break;
      if (tick > 0n) await service.submitIntent({ lease, tick, attempt, ...WAIT });
    }
    const states = async () => (await worlds.listRuns({})).worlds.map(({ state }) => state);
    expect(await states()).toEqual([RunState.WAITING, RunState.ENDED]);
    expect((await worlds.stopRun({ run })).state).toBe(RunState.INTERRUPTED);
    expect(await reasonOf(leases.acquireLease({ run, entity: 'ann', controller: 'late' }))).toBe('RUN_ENDED');
    expect((await worlds.createRun({})).state).toBe(RunState.WAITING);
  });

  it('asks for a token where the server has some, and for a role where one is needed', async () => {
    const { readTokens } = await import('../../src/serve/identity.js');
    const { createHash } = await import('node:crypto');
    const hash = (token: string): string => createHash('sha256').update(token).digest('hex');
    const text = `# who may ask\n${hash('a')} ann-program agent ann\n${hash('v')} watcher viewer\n`;
    const { address } = await servedWorld(ROOM, { tokens: readTokens(text, 'tokens.txt') });
    const asked = (token: string | undefined, entity: string) =>
      reasonOf(clientsOf(address, 'grpc', token).leases.acquireLease({ entity, controller: 'tester' }));
    expect(await asked(undefined, 'ann')).toBe('TOKEN_MISSING');
    expect(await asked('wrong', 'ann')).toBe('TOKEN_UNKNOWN');
    expect(await asked('v', 'ann')).toBe('ROLE_MISSING');
    expect(await asked('a', 'bob')).toBe('ROLE_MISSING');
    expect(await asked('a', 'ann')).toBe('none');
    const snapshot = clientsOf(address, 'grpc', 'a').viewers.getViewerSnapshot({});
    expect(await reasonOf(snapshot)).toBe('ROLE_MISSING');
  });

  it('asks for the role with a lease too: its secret does not replace the token', async () => {
    const { readTokens } = await import('../../src/serve/identity.js');
    const { createHash } = await import('node:crypto');
    const hash = (token: string): string => createHash('sha256').update(token).digest('hex');
    const text = `${hash('a')} ann-program agent ann\n${hash('b')} bob-program agent bob\n${hash('v')} watcher viewer\n`;
    const { address } = await servedWorld(ROOM, { tokens: readTokens(text, 'tokens.txt') });
    const clientsFor = (token: string) => clientsOf(address, 'grpc', token);
    const { lease } = await clientsFor('a').leases.acquireLease({ entity: 'ann', controller: 'tester' });
    for (const token of ['b', 'v']) {
      const { leases, play: service } = clientsFor(token);
      const stream = service.streamObservations({ lease })[Symbol.asyncIterator]();
      const calls = [
        leases.renewLease({ lease }),
        leases.releaseLease({ lease }),
        service.submitIntent({ lease, tick: 1n, ...WAIT }),
        service.readCommand({ lease, line: 'WAIT' }),
        stream.next(),
      ];
      for (const call of calls) expect(await reasonOf(call)).toBe('ROLE_MISSING');
    }
    expect(await reasonOf(clientsFor('a').leases.renewLease({ lease }))).toBe('none');
  });

  it('answers no page of another site', async () => {
    const { address } = await servedWorld(ROOM);
    const ask = (headers: Record<string, string>) =>
      fetch(`${address}/orchestrate.world.v1.WorldService/GetWorld`, {
        method: 'POST',
        body: '{}',
        headers: { 'content-type': 'application/json', ...headers },
      }).then(({ status }) => status);
    expect(await ask({})).toBe(200);
    expect(await ask({ origin: address })).toBe(200);
    expect(await ask({ origin: 'https://example.org' })).toBe(403);
  });

  it('sends what was asked for, and the frame that the log holds', async () => {
    const world = await servedWorld(ROOM, { set: ['turns.max=1'] });
    const { lease } = await world.leases.acquireLease({ entity: 'ann', controller: 'tester' });
    const parts = [Part.FRAME, Part.PROMPT, Part.TEXT, Part.FACTS_JSON];
    let seen: Observation | null = null;
    for await (const observation of world.play.streamObservations({ lease, parts })) {
      if (observation.isFinal) break;
      if (observation.tick === 0n) continue;
      seen = observation;
      await world.play.submitIntent({ lease, tick: 1n, attempt: 1, ...WAIT });
    }
    await world.run.ended;
    const reader = new LogReader(world.log);
    const [step] = [...reader.steps(world.run.record.runId, { agent: 'ann' })];
    const [call] = reader.calls(world.run.record.runId, step?.step ?? 0);
    expect(seen?.frame?.hash).toBe(call?.request.frameHash);
    const sent = seen?.prompt?.messages.map(({ role, parts: all }) => [role, all.length]);
    expect(sent).toEqual(call?.request.messages.map(({ role, parts: all }) => [role, all.length]));
    expect(JSON.parse(seen?.factsJson ?? '')).toEqual(call?.request.observation.facts);
    expect(seen?.facts).toBeUndefined();
    reader.close();
  });

  it('shows watchers finished steps, by actor, kind and region', async () => {
    const world = await servedWorld(ROOM, { set: ['turns.max=2'] });
    const watched = async (filter: object) => {
      const told: string[] = [];
      for await (const { step, actor, action, events } of world.viewers.streamViewerEvents({ filter }))
        if (step > 0n)
          told.push(
            `${actor} ${action} ${events.map(({ kind, at }) => `${kind} ${at?.x}`).join(', ')}`.trim(),
          );
      return told;
    };
    const region = (x: number) => ({ region: { from: { x, y: 1 }, to: { x, y: 1 } } });
    const watching = [{ actors: ['ann'] }, { kinds: ['moved'] }, region(3), region(6), { kinds: ['gave'] }];
    await expect(watched({ kinds: ['moved', 'move'] })).rejects.toThrow(
      'filter.kinds: no event is called "move"; did you mean moved?',
    );
    const told = Promise.all(watching.map(watched));
    await play(world, 'ann', () => move(Direction.E));
    expect(await told).toEqual([
      ['ann GO moved 2', 'ann GO moved 3'],
      ['ann GO moved 2', 'ann GO moved 3'],
      ['ann GO moved 3'],
      ['bob REST rested 6'],
      [],
    ]);
    expect((await world.worlds.getWorld({})).state).toBe(RunState.ENDED);
  });
});

function text(value: string) {
  return { value: { case: 'text', value } };
}

async function reasonOf(asked: Promise<unknown>): Promise<string> {
  try {
    await asked;
    return 'none';
  } catch (error) {
    if (!(error instanceof ConnectError)) throw error;
    expect(error.code).not.toBe(Code.Internal);
    return error.findDetails(ErrorInfoSchema)[0]?.reason ?? error.message;
  }
}

/** A client of a served world waits for no server without end, and plays on nothing that it has not checked. */
import { connect } from 'node:net';
import { join } from 'node:path';
import { create } from '@bufbuild/protobuf';
import { expect, it } from 'vitest';
import { LIMITS } from '../../src/base/limits.js';
import { UsageError } from '../../src/base/errors.js';
import { main } from '../../src/cli/main.js';
import { playRemotely } from '../../src/serve/client/remote-agent.js';
import type { Player } from '../../src/serve/client/remote-agent.js';
import { scriptedPlayer } from '../../src/serve/client/scripted-player.js';
import { WorldClient, usageError } from '../../src/serve/client/world-client.js';
import {
  LeaseSchema,
  ObservationSchema,
  WaitSchema,
  WorldSchema,
} from '../../src/serve/gen/orchestrate/world/v1/world_pb.js';
import { scriptedController } from '../../src/worlds/scripted-controller.js';
import { capturedIo } from '../support/captured-io.js';
import { ROOT } from '../support/children.js';
import { LEASE, answering, begun, closeLater, framed, messages, tcp } from '../support/strange-server.js';
import type { Answer } from '../support/strange-server.js';
import { servedWorld } from '../support/served-world.js';

const KEEPERS = join(ROOT, 'scenarios/two-keepers.yaml');
/** Of a client whose server says nothing: it is used up. */
const SHORT = { patienceMs: 300 };
/** Of one whose server says something at first, on a machine that may be busy. */
const LONGER = { patienceMs: 3000 };

const clientOf = (address: string, patience: { patienceMs?: number } = {}): WorldClient =>
  new WorldClient({ address, token: null, ...patience });

async function failure(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return 'none';
  } catch (error) {
    return String(usageError(error));
  }
}

const { signal } = new AbortController();

it('a server that accepts connections and says nothing is given up', async () => {
  const address = await tcp(() => undefined);
  expect(await failure(clientOf(address, SHORT).world('', signal))).toContain('did not answer within 0.3 s');
});

it('a server that sends data before its headers is given up', async () => {
  const [settings, data] = [
    Buffer.from('000000040000000000', 'hex'),
    Buffer.from('0000010000000000017b', 'hex'),
  ];
  const address = await tcp((socket) =>
    socket.once('data', () => socket.write(Buffer.concat([settings, data]))),
  );
  expect(await failure(clientOf(address, SHORT).world('', signal))).toContain("can't be reached");
});

it(
  'a server that stops in the middle of a stream is noticed by its silence',
  { tags: ['long'] },
  async () => {
    const world = await servedWorld(KEEPERS);
    const { hostname, port } = new URL(world.address);
    let isStopped = false;
    const address = await tcp((socket) => {
      const inner = connect(Number(port), hostname);
      closeLater(() => inner.destroy());
      socket.pipe(inner);
      inner.on('error', () => undefined);
      inner.on('data', (bytes: Buffer) => isStopped || socket.write(bytes));
    });
    const client = clientOf(address, LONGER);
    const lease = await client.acquire({ run: '', entity: 'monk', controller: 'test' }, signal);
    const reading = (async () => {
      for await (const seen of client.observations(lease, [], signal)) isStopped ||= seen.tick > 0n;
    })();
    expect(await failure(reading)).toContain("can't be reached");
    expect(isStopped).toBe(true);
  },
);

it('a stream that ends without its last message is an error', async () => {
  const { address } = await answering({ StreamObservations: messages(framed(ObservationSchema, {})) });
  const player = scriptedPlayer(scriptedController(), 'monk');
  const lease = create(LeaseSchema, LEASE);
  const played = playRemotely({ client: clientOf(address), lease, player, onAck: () => undefined }, signal);
  expect(await failure(played)).toContain('ended the stream of observations before the run was over');
});

const FIRST = framed(ObservationSchema, {});

it.each([
  ['none', ''],
  ['cut off', '{{'],
])('an agent whose facts are %s ends at once, although nothing follows them', async (_, factsJson) => {
  const seen = framed(ObservationSchema, { tick: 1n, attempt: 1, factsJson });
  const { asked, address } = await answering({
    GetWorld: messages(framed(WorldSchema, { run: 'r' })),
    StreamObservations: begun(FIRST, seen),
  });
  const { io, err } = capturedIo({});
  const words = ['--world', address, '--entity', 'monk', '--controller', 'scripted'];
  expect(await main(['agent', ...words], io)).toBe(2);
  expect(err()).toContain("the served world sent a facts_json that can't be read");
  expect(asked).toContain('ReleaseLease');
});

it('an agent whose model refuses ends at once, although its world waits', async () => {
  const world = await servedWorld(KEEPERS);
  const client = clientOf(world.address);
  const lease = await client.acquire({ run: '', entity: 'monk', controller: 'test' }, signal);
  const player: Player = { parts: [], answer: () => Promise.reject(new UsageError('no such key')) };
  const played = playRemotely({ client, lease, player, onAck: () => undefined }, signal);
  expect(await failure(played)).toContain('no such key');
});

it('an intent that is refused ends the agent, unless the run is over', { tags: ['long'] }, async () => {
  const playing = async (...more: readonly Buffer[]) => {
    const seen = framed(ObservationSchema, { tick: 1n, attempt: 1 });
    let answer: (() => void) | null = null;
    const { address } = await answering({
      StreamObservations: (stream) => {
        begun(FIRST, seen)(stream);
        answer = () => more.length > 0 && stream.write(Buffer.concat(more));
      },
      SubmitIntent: (stream) => {
        stream.respond({ 'content-type': 'application/grpc', 'grpc-status': '3', 'grpc-message': 'no' });
        stream.end();
        setTimeout(() => answer?.(), 500);
      },
    });
    const intent = { case: 'wait' as const, value: create(WaitSchema) };
    const player: Player = { parts: [], answer: () => Promise.resolve(intent) };
    const [client, lease] = [clientOf(address), create(LeaseSchema, LEASE)];
    return failure(playRemotely({ client, lease, player, onAck: () => undefined }, signal));
  };
  expect(await playing(framed(ObservationSchema, { isFinal: true }))).toBe('none');
  expect(await playing()).toContain('refused the request: no');
});

it('a lease of a thousand years is renewed as the longest of this program would be', async () => {
  const { asked, address } = await answering({});
  const over = new AbortController();
  const ttl = { seconds: 31_536_000_000n };
  clientOf(address).keepAlive(create(LeaseSchema, { ...LEASE, ttl }), () => undefined, over.signal);
  await new Promise((resolve) => setTimeout(resolve, 200));
  over.abort();
  expect(asked).toEqual([]);
});

it.each([
  ['none', '', 'facts_json'],
  ['a list', '[]', 'facts_json'],
  ['cut off', '{"self":', 'facts_json'],
  ['of no world', '{"self": {}, "window": {}}', 'facts'],
])('facts that are %s are named, not a mistake of this program', async (_, factsJson, named) => {
  const player = scriptedPlayer(scriptedController(), 'monk');
  const answered = player.answer(create(ObservationSchema, { tick: 1n, factsJson }), signal);
  await expect(answered).rejects.toThrow(UsageError);
  await expect(answered).rejects.toThrow(named);
});

it('a message that is larger than any that a world sends is refused', async () => {
  const head = Buffer.alloc(5);
  head.writeUInt32BE(LIMITS.servedMessageBytes + 1, 1);
  // It never comes: the length alone is refused.
  const GetWorld: Answer = (stream) => {
    stream.respond({ 'content-type': 'application/grpc' });
    stream.write(head);
  };
  const { address } = await answering({ GetWorld });
  expect(await failure(clientOf(address).world('', signal))).toContain('refused');
});

it('an agent whose lease has expired acquires a new one and plays on', { tags: ['long'] }, async () => {
  const world = await servedWorld(KEEPERS, { waitFor: 2 });
  const { io, out } = capturedIo({});
  const play = (entity: string) =>
    main(['agent', '--world', world.address, '--entity', entity, '--controller', 'scripted'], io);
  const monk = play('monk');
  await expect.poll(out).toContain('playing monk (lease 1)');
  // As after a pause: the server knows the lease no more, and the agent learns it when it renews or acts.
  const held = world.run.leases.currentLease('monk');
  if (held === null) throw new Error('the monk is not held');
  world.run.release(held.secret);
  const miner = play('miner');
  expect(await Promise.all([monk, miner])).toEqual([0, 0]);
  expect(out()).toContain('playing monk (lease 2)');
});

it('a world is known by its title on one line', async () => {
  const title = 'a\u001b[2J\nb';
  const { address } = await answering({
    GetWorld: messages(framed(WorldSchema, { title, run: 'r' })),
    StreamObservations: messages(framed(ObservationSchema, { isFinal: true, reason: 'done' })),
  });
  const { io, out } = capturedIo({});
  await main(['agent', '--world', address, '--entity', 'monk', '--controller', 'scripted'], io);
  expect(out()).not.toContain('\u001b');
  expect(out().split('\n')[0]).toContain('run r');
});

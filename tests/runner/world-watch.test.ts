/** The runner's watch of its world: a server that is silent, or that ends the list of entities before the run, ends it in words. */
import { expect, it } from 'vitest';
import { WorldWatch } from '../../src/cli/play/world-watch.js';
import { WorldClient, usageError } from '../../src/serve/client/world-client.js';
import {
  Control,
  EntityEventSchema,
  RunState,
  WorldSchema,
} from '../../src/serve/gen/orchestrate/world/v1/world_pb.js';
import { answering, begun, framed, messages } from '../support/strange-server.js';
import type { Answer } from '../support/strange-server.js';

const KNIGHT = framed(EntityEventSchema, { entity: { entity: 'knight', control: Control.FREE } });

/** A minute passes with each wait. */
const fastClock = () => {
  let now = 0;
  return { monotonicMs: () => now, sleep: () => Promise.resolve(void (now += 60_000)) };
};

/** The entities that were reported, what happened to the world, and how the watch ended. */
async function watched(answers: Readonly<Record<string, Answer>>) {
  const { address } = await answering(answers);
  const [entities, events]: [string[], string[]] = [[], []];
  const watch = new WorldWatch({
    client: new WorldClient({ address, token: null, patienceMs: 1000 }),
    run: 'r',
    clock: fastClock(),
    onEvent: ({ kind }) => events.push(kind),
    signal: new AbortController().signal,
  });
  const end = await watch.follow({ update: ({ id }) => entities.push(id) }).then(
    () => 'over',
    (error: unknown) => String(usageError(error)),
  );
  return { entities, events, end };
}

const world = (state: RunState): Answer => messages(framed(WorldSchema, { run: 'r', state }));

it('a server that says nothing any more is given up in words', async () => {
  const { events, end } = await watched({ WatchEntities: begun(), GetWorld: () => undefined });
  expect(events).toEqual(['world-gone']);
  expect(end).toContain("UsageError: the served world can't be reached: it did not answer within 1 s");
});

it.each([
  ['waits', RunState.WAITING],
  ['is in progress', RunState.RUNNING],
  ['is paused', RunState.PAUSED],
])('a list of entities that ends while the run %s is an error', async (_, state) => {
  const { entities, end } = await watched({ WatchEntities: messages(KNIGHT), GetWorld: world(state) });
  expect(entities).toEqual(['knight']);
  expect(end).toContain(
    'UsageError: the served world ended the list of its entities before the run was over',
  );
});

it.each([
  ['over', world(RunState.SUCCEEDED)],
  ['over, and its server gone', (stream) => stream.session?.destroy()],
] satisfies [string, Answer][])('the list ends well with a run that is %s', async (_, GetWorld) => {
  const { entities, end } = await watched({ WatchEntities: messages(KNIGHT), GetWorld });
  expect([entities, end]).toEqual([['knight'], 'over']);
});

it('the end of the run is heard although a program ended before it and finds the world gone', async () => {
  let endList = (): void => undefined;
  const { address } = await answering({
    WatchEntities: (stream) => {
      stream.respond({ 'content-type': 'application/grpc' }, { waitForTrailers: true });
      stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
      stream.write(KNIGHT);
      endList = () => void stream.end();
    },
    GetWorld: (stream) =>
      stream.respond({ 'content-type': 'application/grpc', 'grpc-status': '14' }, { endStream: true }),
  });
  const backs: Promise<string>[] = [];
  // Otherwise a watch that misses the end would wait for good.
  const waiting = AbortSignal.timeout(10_000);
  const watch = new WorldWatch({
    client: new WorldClient({ address, token: null, patienceMs: 1000 }),
    run: 'r',
    // Time passes only where waiting ends.
    clock: {
      monotonicMs: () => 0,
      sleep: (_, signal) => new Promise((resolve) => signal.addEventListener('abort', () => resolve())),
    },
    onEvent: ({ kind }) => {
      if (kind === 'world-gone') endList();
    },
    signal: waiting,
  });
  // What the runner does where a program has ended.
  const update = (): void => {
    const back = watch.gate.back().then(
      () => 'back',
      () => 'not waited for',
    );
    backs.push(back);
  };
  await watch.follow({ update });
  expect(waiting.aborted).toBe(false);
  expect(await Promise.all(backs)).toEqual(['not waited for']);
});

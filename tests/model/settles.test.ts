/**
 * Every call settles: servers that behave as none should, over real sockets, and each call of the client ends within its time, in an answer only where
 * one came, in words otherwise, with no socket left that would keep the process.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ModelError } from '../../src/base/errors.js';
import { LIMITS } from '../../src/base/limits.js';
import { examineServer } from '../../src/model/doctor.js';
import type { KnownPicture } from '../../src/model/finding.js';
import { serverKeys } from '../../src/model/keys.js';
import { openChatModel } from '../../src/model/openai.js';
import { nodeTransport } from '../../src/model/transport.js';
import type { Dependencies } from '../../src/model/dependencies.js';
import { SIZED, grouped, reached, sizeOf } from '../support/sizes.js';
import { fastClock } from '../support/virtual-clock.js';
import { NEVER, specification, tinyPng, words } from './harness.js';
import { hostOdd } from './odd-server-host.js';
import type { OddRequests } from './odd-server-host.js';
import { oddServers } from './odd-servers.js';
import type { Delivery, OddServer } from './odd-servers.js';

/** The client's time goes so much faster: a limit of 8 s is over after 400 ms. */
const TIMES = 20;
const TIMEOUT_MS = 8000;
/** A call that takes longer hangs, however busy the machine is. */
const HANGS_MS = 20_000;
/** As many at once: floods among them share one loop. */
const AT_ONCE = 24;

const PICTURE: KnownPicture = {
  png: tinyPng(),
  frameHash: 'f'.repeat(64),
  question: 'What is it?',
  accepted: ['grey'],
};
/** More than sockets hold, for servers that answer before they have read all. */
const LONG = 'x'.repeat(6_000_000);

interface Called {
  name: string;
  requests: OddRequests;
  /** The answer, or nothing where it tells of failures without an exception. */
  run: (baseUrl: string, dependencies: Dependencies) => Promise<unknown>;
  /** Whether an answer shows that one was delivered. */
  isJudged: boolean;
}

const spec = (baseUrl: string) => specification(baseUrl, { timeoutMs: TIMEOUT_MS, retries: 0, model: 'm' });

function chat(name: string, text: string): Called {
  return {
    name,
    requests: 'POST',
    isJudged: true,
    run: (baseUrl, dependencies) =>
      openChatModel(spec(baseUrl), dependencies).complete([words('user', text)], NEVER),
  };
}

const CALLS: readonly Called[] = [
  chat('a chat', 'Turn 1.'),
  chat('a chat of a long request', LONG),
  {
    name: 'the list of models',
    requests: 'GET',
    isJudged: true,
    run: (baseUrl, dependencies) => openChatModel(spec(baseUrl), dependencies).models(NEVER),
  },
  {
    name: 'the examination',
    requests: 'all',
    isJudged: false,
    run: (baseUrl, dependencies) => examineServer(spec(baseUrl), dependencies, PICTURE, NEVER),
  },
  {
    name: 'the examination of a server that lists models',
    requests: 'POST',
    isJudged: false,
    run: (baseUrl, dependencies) => examineServer(spec(baseUrl), dependencies, PICTURE, NEVER),
  },
  {
    name: 'the wait for a server',
    requests: 'all',
    isJudged: false,
    run: (baseUrl, dependencies) =>
      openChatModel(spec(baseUrl), dependencies).answers(LIMITS.probeTimeoutMs, NEVER),
  },
];

type Settled = 'answered' | 'refused' | 'threw' | 'hangs';

async function settled(call: Promise<unknown>): Promise<readonly [Settled, string]> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const hang = new Promise<readonly [Settled, string]>((resolve) => {
    timer = setTimeout(() => resolve(['hangs', '']), HANGS_MS);
  });
  const end = call.then(
    () => ['answered', ''] as const,
    (error: unknown) => [error instanceof ModelError ? 'refused' : 'threw', String(error)] as const,
  );
  return Promise.race([end, hang]).finally(() => clearTimeout(timer));
}

function wrong(how: Settled, said: string, delivers: Delivery, isJudged: boolean): readonly string[] {
  if (how === 'hangs' || how === 'threw') return [`${how} ${said}`];
  if (!isJudged || delivers === 'either') return [];
  const isRight = (how === 'answered') === (delivers === 'whole');
  return isRight ? [] : [`${how} where the answer is ${delivers} ${said}`];
}

interface Played {
  broken: readonly string[];
  /** A good answer was given up: this machine may have been busy. */
  isDoubtful: boolean;
}

async function played(odd: OddServer, called: Called, times: number): Promise<Played> {
  const host = await hostOdd(odd, called.requests);
  const transport = nodeTransport();
  try {
    const dependencies = {
      keys: serverKeys(() => undefined, {}),
      clock: fastClock(times),
      random: () => 0,
      transport,
    };
    const [how, said] = await settled(called.run(host.baseUrl, dependencies));
    const found = wrong(how, said, odd.delivers, called.isJudged);
    const left = (await isSoon(() => host.kept() === 0)) ? [] : [`${host.kept()} sockets keep the process`];
    transport.close();
    const open = (await isSoon(() => host.open() === 0)) ? [] : [`${host.open()} sockets are open`];
    const broken = [...found, ...left, ...open].map((what) => `${called.name}: ${odd.name}: ${what}`);
    return { broken, isDoubtful: broken.length === 1 && how === 'refused' && said.includes('took too long') };
  } finally {
    transport.close();
    await host.close();
  }
}

async function isSoon(isSo: () => boolean): Promise<boolean> {
  for (let i = 0; i < 500 && !isSo(); i++) await new Promise((resolve) => setTimeout(resolve, 10));
  return isSo();
}

/** What is not as it must be. What may be this machine's fault is played again by itself, and slower. */
async function allBroken(plays: readonly (readonly [OddServer, Called])[]): Promise<readonly string[]> {
  const left = [...plays];
  const doubtful: (typeof left)[number][] = [];
  const found: string[] = [];
  const work = async (): Promise<void> => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) {
      const { broken, isDoubtful } = await played(...next, TIMES);
      if (isDoubtful) doubtful.push(next);
      else found.push(...broken);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  for (const one of doubtful) found.push(...(await played(...one, 1)).broken);
  return found;
}

const unhandled: unknown[] = [];
const note = (reason: unknown): void => void unhandled.push(reason);
beforeAll(() => void process.on('unhandledRejection', note));
afterAll(() => void process.off('unhandledRejection', note));

describe('a call that nobody waits for any more', () => {
  const isSilent = (odd: OddServer) => /nothing, for ever|102 again|body: half/.test(odd.name);
  const silent = oddServers(0, 0).filter(isSilent);

  it.each(silent)('leaves no connection: $name', async (odd) => {
    for (const called of CALLS.slice(0, 2)) expect((await played(odd, called, TIMES)).broken).toEqual([]);
  });
});

describe('every call settles', () => {
  const servers = oddServers(sizeOf('oddServers'), 32);

  it('within its time, whatever the server does', SIZED, async () => {
    const plays = servers.flatMap((odd, i) => {
      const others = [CALLS[(i % (CALLS.length - 1)) + 1]];
      return [CALLS[0], ...others].flatMap((called) =>
        called === undefined ? [] : [[odd, called] as const],
      );
    });
    expect(await allBroken(plays)).toEqual([]);
    expect(unhandled).toEqual([]);
    reached(
      'every call settles',
      `${grouped(servers.length)} servers, ${grouped(plays.length)} calls, 0 hang`,
    );
  });
});

/** A world through the Model Context Protocol, by the official client over a real port: what it is told is what the log holds, and its seat is its own. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { stageOpener } from '../../src/assembly/stage.js';
import { systemClock } from '../../src/model/dependencies.js';
import { TURN_AROUND_MS } from '../../src/mcp/seat.js';
import { LogReader } from '../../src/log/reader.js';
import { agentPlayers } from '../../src/trajectory/player-names.js';
import { verifyRun } from '../../src/replay/verify.js';
import type { VerifiedRun } from '../../src/replay/verify.js';
import { MODULES } from '../../src/worlds/registry.js';
import { ROOT } from '../support/children.js';
import type { Served } from '../serve/served.js';
import { servedWorld } from '../support/served-world.js';
import { fastClock } from '../support/virtual-clock.js';
import { ROOM, harness, observeUntil, playOut, textOf } from './harness.js';
import type { Era } from './harness.js';

const ERAS: readonly Era[] = ['2026', '2025'];
const TWO_KEEPERS = join(ROOT, 'scenarios/two-keepers.yaml');
/** Both have all the time of the world, and its 45 s are half a second. */
const patient = {
  waitFor: 2,
  clock: fastClock(100),
  pace: { kind: 'lockstep', periodMs: 0, windowMs: 1e9 },
  ttlMs: 1e9,
} as const;
const alone = { own: ['bob'] };

async function verified(log: string): Promise<VerifiedRun> {
  const reader = new LogReader(log);
  try {
    const [only] = reader.runs();
    return await verifyRun(reader, only?.runId ?? '', stageOpener({ modules: MODULES }));
  } finally {
    reader.close();
  }
}

/** What the log says of one agent: the player, the calls' last messages, and how often its entity was leased. */
function logged({ log, run: { record } }: Served, agent: string) {
  const reader = new LogReader(log);
  const { runId } = record;
  const leases = reader.leases(runId).filter(({ entity }) => entity === agent);
  const steps = [...reader.steps(runId, { agent })];
  const calls = steps.flatMap(({ step }) => reader.calls(runId, step));
  const player = agentPlayers(reader.sessions(runId), agent, leases);
  reader.close();
  return { player, steps, calls, granted: leases.filter(({ event }) => event === 'granted').length };
}

describe('a harness', () => {
  it.each(ERAS)(
    'has a tool for each action of its scope, under its name, with what it takes (%s)',
    async (era) => {
      const { address } = await servedWorld(ROOM, { ...alone, set: ['rules.go_to=false'] });
      const { client } = await harness(address, 'ann', { era });
      const { tools } = await client.listTools();
      const names = tools.map(({ name }) => name);
      expect(names.slice(0, 1)).toEqual(['observe']);
      expect(names).toEqual(expect.arrayContaining(['go', 'speak', 'wait', 'look']));
      const go = tools.find(({ name }) => name === 'go');
      expect(go?.inputSchema).toMatchObject({ required: ['direction'], additionalProperties: false });
      expect(Object.keys(go?.inputSchema.properties ?? {})).toEqual(['direction', 'turn']);
      expect(client.getInstructions()).toContain('The tool observe shows what you perceive');
    },
  );

  it.each(ERAS)(
    'is told what any agent is told, picture included, and the log holds the same (%s)',
    async (era) => {
      const world = await servedWorld(ROOM, alone);
      const ann = await harness(world.address, 'ann', { era });
      const told = [
        await ann.call('observe'),
        await ann.call('go', { direction: 'south' }),
        await ann.call('wait'),
      ];
      for (let turn = 3; turn <= 4; turn++) told.push(await ann.call('wait'));
      expect(textOf(told.at(-1) ?? { content: [] })).toBe('The run is over: ended. the 4 turns are over');
      // The rules stand before the first observation, since some clients show their model nothing but results.
      const rules = told[0]?.content.shift();
      expect(told.every((result) => result.structuredContent === undefined)).toBe(true);
      await world.run.ended;
      const { calls, player } = logged(world, 'ann');
      expect(player).toBe('mcp:test-harness/1.2');
      const sent = calls.map(({ request: { messages } }) =>
        (messages.at(-1)?.parts ?? []).map((part) =>
          part.kind === 'text' ? part.text : Buffer.from(part.png).toString('base64'),
        ),
      );
      expect(
        told
          .slice(0, 4)
          .map(({ content }) =>
            content.map((block) =>
              block.type === 'text' ? block.text : block.type === 'image' ? block.data : '',
            ),
          ),
      ).toEqual(sent);
      expect(sent[0]).toHaveLength(2);
      expect(rules).toMatchObject({ type: 'text', text: expect.stringContaining('You are Ann.') as string });
      expect(await verified(world.log)).toMatchObject({ difference: null, status: 'ended' });
      expect(world.faults).toEqual([]);
    },
  );

  it('is refused in the words of any agent, and what can not be read counts as an attempt', async () => {
    const world = await servedWorld(ROOM, { ...alone, set: ['agents.0.protocol=tools', 'turns.max=2'] });
    const ann = await harness(world.address, 'ann');
    await ann.use('observe');
    // An error is one text: some clients show their model no more of it, and pictures in one are refused by an API.
    expect(await ann.call('go', { direction: 'north' })).toMatchObject({
      isError: true,
      content: [
        {
          type: 'text',
          text: expect.stringMatching(
            /^Refused: .*wall.*\nIt is still turn 1; one attempt is left\.$/,
          ) as string,
        },
      ],
    });
    // The second refusal of two attempts: the turn is lost. The present has not been seen yet.
    expect(await ann.call('go', { direction: 'upwards', speed: [[1]] })).toMatchObject({
      isError: true,
      content: [
        {
          text: expect.stringMatching(
            /^Refused: .*\nThat was the last attempt: turn 1 is played, and you waited\. Call observe\.$/,
          ) as string,
        },
      ],
    });
    expect(await ann.use('wait')).toBe('Nothing was done: you have not seen this turn yet. Call observe.');
    expect(await ann.use('observe')).toMatch(/Turn 2\.[^]*Turn 1 was lost/);
    expect(await ann.use('wait')).toContain('The run is over');
    const { steps } = logged(world, 'ann');
    expect(
      steps[0]?.acts.map(({ intent, result, insteadOf }) => [
        intent?.action ?? null,
        result.ok,
        insteadOf?.code ?? null,
      ]),
    ).toEqual([
      ['GO', false, null],
      [null, false, null],
      ['WAIT', true, 'bad-argument'],
    ]);
    const bob = await servedWorld(ROOM, alone);
    const plain = await harness(bob.address, 'ann');
    await plain.use('observe');
    expect(await plain.call('go', { direction: 'upwards' })).toMatchObject({ isError: true });
    expect(await plain.use('wait')).toContain('Turn 2.');
    expect(logged(bob, 'ann').steps[0]?.acts).toHaveLength(1);
  });

  it('may write the name of a tool in capitals; another name is no call, and costs nothing', async () => {
    const world = await servedWorld(ROOM, { ...alone, set: ['agents.0.protocol=tools'] });
    const ann = await harness(world.address, 'ann');
    await ann.use('OBSERVE');
    await expect(ann.use('FLY')).rejects.toThrow(/there is no tool "FLY"; the tools are observe, /);
    expect(await ann.use('GO', { direction: 'south' })).toContain('x 1, y 2');
    expect(logged(world, 'ann').steps[0]?.acts).toMatchObject([{ intent: { action: 'GO' } }]);
  });

  it('with whole replies writes them in the format of its agent', async () => {
    const world = await servedWorld(ROOM, alone);
    const ann = await harness(world.address, 'ann?reply&model=qwen3-vl');
    expect((await ann.client.listTools()).tools.map(({ name }) => name)).toEqual(['observe', 'act']);
    expect(ann.client.getInstructions()).toContain('ACTION:');
    await ann.use('observe');
    expect(await ann.use('act', { reply: 'I step down.\nACTION: GO south' })).toContain('x 1, y 2');
    const { calls } = logged(world, 'ann');
    const reply = { content: 'I step down.\nACTION: GO south', model: 'qwen3-vl' };
    expect(calls[0]?.end).toMatchObject({ reply });
  });

  it('two of them play two-keepers to its end', async () => {
    const world = await servedWorld(TWO_KEEPERS, { waitFor: 2 });
    const monk = await harness(world.address, 'monk', { name: 'codex', era: '2025' });
    const miner = await harness(world.address, 'miner', { name: 'claude-code' });
    let lever: string | undefined;
    const ends = await Promise.all([
      playOut(monk, (text) => {
        const read = /Only the (\w+ lever) opens/.exec(text);
        return read === null
          ? ['read', { thing: 'inscription' }]
          : ['speak', { text: `Use the ${read[1]}.` }];
      }),
      playOut(miner, (text) => {
        lever ??= /said [^]*Use the (\w+ lever)/.exec(text)?.[1];
        if (lever === undefined) return ['wait'];
        if (text.includes('vault gate (open)')) return ['go', { direction: 'east' }];
        return text.includes(`USE ${lever}`) ? ['use', { thing: lever }] : ['go', { target: lever }];
      }),
    ]);
    expect(ends.map((text) => /The run is over.*/.exec(text)?.[0])).toEqual(
      Array(2).fill('The run is over: succeeded. The miner is in the vault.'),
    );
    expect([logged(world, 'monk').player, logged(world, 'miner').player]).toEqual([
      'mcp:codex/1.2',
      'mcp:claude-code/1.2',
    ]);
    expect(await verified(world.log)).toMatchObject({ difference: null, status: 'succeeded' });
  });
});

describe('a seat', () => {
  it.each(ERAS)(
    'belongs to who calls, not to a connection: a client for each call plays on (%s)',
    async (era) => {
      const world = await servedWorld(ROOM, alone);
      const calls = [['observe'], ['go', { direction: 'south' }], ['wait'], ['wait'], ['wait']] as const;
      const texts: string[] = [];
      for (const [tool, args] of calls) {
        const one = await harness(world.address, 'ann', { era });
        texts.push(await one.use(tool, args));
        await one.client.close();
      }
      expect(texts.map((text) => /Turn \d|over/.exec(text)?.[0])).toEqual([
        'Turn 1',
        'Turn 2',
        'Turn 3',
        'Turn 4',
        'over',
      ]);
      const { granted, steps } = logged(world, 'ann');
      expect([granted, steps.filter(({ calls: { length } }) => length === 0)]).toEqual([1, []]);
    },
  );

  it('acts on nothing that its client has not seen, and only once in a turn', async () => {
    const world = await servedWorld(ROOM, { waitFor: 2 });
    const [ann, bob] = [await harness(world.address, 'ann'), await harness(world.address, 'bob')];
    expect(await ann.call('go', { direction: 'south' })).toMatchObject({
      isError: true,
      content: [{ text: 'Nothing was done: you have not seen this turn yet. Call observe.' }],
    });
    await Promise.all([observeUntil(bob, /Turn 1/), observeUntil(ann, /Turn 1/)]);
    const acting = ann.use('go', { direction: 'south' });
    const again = ann.use('go', { direction: 'east' });
    const next = await bob.use('wait');
    expect(next).toContain('Turn 2');
    const results = await Promise.all([acting, again]);
    expect(
      results.filter((text) => text.startsWith('Nothing was done: you have already decided')),
    ).toHaveLength(1);
    expect(logged(world, 'ann').steps).toMatchObject([
      { acts: [{ intent: { action: 'GO', args: { direction: 'south' } } }] },
    ]);
  });

  it('plays one turn by calls that are sent together, also where the others take no time', async () => {
    let held: (() => void)[] | null = null;
    const clock = {
      ...systemClock,
      sleep: (ms: number, signal: AbortSignal) =>
        held === null || ms !== TURN_AROUND_MS
          ? systemClock.sleep(ms, signal)
          : new Promise<void>((resolve) => held?.push(resolve)),
    };
    const world = await servedWorld(ROOM, { ...alone, clock });
    const ann = await harness(world.address, 'ann');
    await ann.use('observe');
    const waiting: (() => void)[] = (held = []);
    const untilWaiting = async (count: number) => {
      while (waiting.length < count) await new Promise((resolve) => setTimeout(resolve, 5));
    };
    const first = ann.use('wait');
    await untilWaiting(1);
    // Turn 2 has begun, and its observation has not been sent yet: the second call can't answer it.
    expect(await ann.use('wait')).toContain('you have not seen this turn yet');
    held = null;
    for (const release of waiting) release();
    expect(await first).toContain('Turn 2.');
    expect(world.run.tick).toBe(2);
  });

  it('keeps the name of who plays, whoever of the same identity only asks what there is', async () => {
    const world = await servedWorld(ROOM, alone);
    const player = await harness(world.address, 'ann', { name: 'player', era: '2025' });
    await player.use('observe');
    const inspector = await harness(world.address, 'ann', { name: `${'x'.repeat(194)}😀`, era: '2025' });
    await inspector.client.listTools();
    expect(await player.use('wait')).toContain('Turn 2.');
    expect(logged(world, 'ann')).toMatchObject({ player: 'mcp:player/1.2', granted: 1 });
    // A name is cut between characters: half of one would damage the log.
    await inspector.use('observe');
    expect(await observeUntil(inspector, /Turn/)).toContain('Turn');
    await player.client.close();
    await inspector.use('wait');
    expect((await verified(world.log)).difference).toBeNull();
    expect(logged(world, 'ann').player).toContain('x'.repeat(194));
  });

  it('says within 45 s that the others have not decided, tells progress meanwhile, and loses nothing', async () => {
    const world = await servedWorld(ROOM, {
      ...patient,
    });
    const [ann, bob] = [await harness(world.address, 'ann'), await harness(world.address, 'bob')];
    const progress: (string | undefined)[] = [];
    const waiting = await ann.client.callTool(
      { name: 'observe', arguments: {} },
      { onprogress: ({ message }) => progress.push(message) },
    );
    expect(textOf(waiting as never)).toBe(
      'The run has not begun yet: it waits for its other players. Call observe again.',
    );
    expect(progress).toContain('waiting for the others');
    await Promise.all([observeUntil(bob, /Turn 1/), observeUntil(ann, /Turn 1/)]);
    expect(await ann.use('go', { direction: 'south' })).toBe(
      'The others have not decided yet. Call observe again.',
    );
    await bob.use('wait');
    expect(await observeUntil(ann, /Turn 2/)).toContain('x 1, y 2');
  });

  it.each(ERAS)('loses nothing by a call that is cancelled or whose client dies (%s)', async (era) => {
    const world = await servedWorld(ROOM, patient);
    const [ann, bob] = [await harness(world.address, 'ann', { era }), await harness(world.address, 'bob')];
    const cancel = new AbortController();
    const waiting = ann.client.callTool({ name: 'observe', arguments: {} }, { signal: cancel.signal });
    cancel.abort();
    await expect(waiting).rejects.toThrow();
    await Promise.all([observeUntil(bob, /Turn 1/), observeUntil(ann, /Turn 1/)]);
    // It dies after it has acted: its act counts, and a new process goes on.
    const params = { name: 'go', arguments: { direction: 'south' } };
    const lost = new Promise((resolve) => {
      ann.client.callTool(params, { onprogress: resolve }).then(resolve, resolve);
    });
    await lost;
    await ann.client.close();
    await bob.use('wait');
    const next = await harness(world.address, 'ann');
    expect(await observeUntil(next, /Turn 2/)).toContain('x 1, y 2');
    expect(logged(world, 'ann')).toMatchObject({ granted: 1 });
  });

  it.each(ERAS)(
    'does nothing by a call that is repeated because its answer was lost, if it names its turn (%s)',
    async (era) => {
      const world = await servedWorld(ROOM, alone);
      const line = { isCut: false };
      const ann = await harness(world.address, 'ann', {
        era,
        fetch: async (url, init) => {
          const answer = await fetch(url, init);
          if (!line.isCut) return answer;
          await answer.text();
          throw new TypeError('the connection was lost');
        },
      });
      expect(await ann.use('observe')).toContain('Turn 1.');
      line.isCut = true;
      await expect(ann.use('go', { direction: 'east', turn: 1 })).rejects.toThrow('the connection was lost');
      line.isCut = false;
      expect(await ann.call('go', { direction: 'east', turn: 1 })).toMatchObject({
        isError: true,
        content: [
          { text: 'Nothing was done: it is turn 2, and your call answers another one. Call observe.' },
        ],
      });
      expect(await ann.use('observe')).toMatch(/Turn 2\.[^]*x 2, y 1/);
      expect(await ann.use('go', { direction: 'east', turn: 2 })).toContain('x 3, y 1');
      expect(world.run.tick).toBe(3);
    },
  );

  it.each(ERAS)(
    'tells nothing by a call that was cancelled, so nothing is done on what it would have told (%s)',
    async (era) => {
      const world = await servedWorld(ROOM, patient);
      const [ann, bob] = [await harness(world.address, 'ann', { era }), await harness(world.address, 'bob')];
      const cancel = new AbortController();
      await new Promise<void>((resolve) => {
        const onprogress = (): void => {
          cancel.abort();
          resolve();
        };
        ann.client
          .callTool({ name: 'observe', arguments: {} }, { signal: cancel.signal, onprogress })
          .catch(() => undefined);
      });
      // Sent after the cancellation, and answered after it.
      for (let i = 0; i < 3; i++) await ann.client.listTools();
      await observeUntil(bob, /Turn 1/);
      expect(await ann.use('go', { direction: 'south' })).toContain('you have not seen this turn yet');
      expect(logged(world, 'ann').calls).toEqual([]);
    },
  );

  it('of a client that stalls loses its turn and goes on; one that stays away for long gives its entity back', async () => {
    const clock = fastClock(2000);
    const world = await servedWorld(ROOM, {
      ...alone,
      clock,
      pace: { kind: 'lockstep', periodMs: 0, windowMs: 300_000 },
      set: ['turns.max=100'],
    });
    const ann = await harness(world.address, 'ann', { name: 'sleeper' });
    await observeUntil(ann, /Turn 1/);
    while (world.run.leases.currentLease('ann') !== null)
      await new Promise((resolve) => setTimeout(resolve, 10));
    const other = await harness(world.address, 'ann', { name: 'waker' });
    await observeUntil(other, /Turn/);
    const { player, steps } = logged(world, 'ann');
    expect(player).toBe('mcp:sleeper/1.2 + mcp:waker/1.2');
    expect(steps.some(({ acts }) => acts.at(-1)?.insteadOf?.code === 'late')).toBe(true);
  });

  it('has the rules, the memory and the pictures by number as resources, and the role as a prompt', async () => {
    const { address } = await servedWorld(ROOM, {
      ...alone,
      set: ['agents.0.memory={kind: history, turns_max: 3, turns_kept: 2}'],
    });
    const { client, call } = await harness(address, 'ann');
    const first = await call('observe');
    await call('go', { direction: 'south' });
    const read = async (uri: string) => (await client.readResource({ uri })).contents[0];
    expect(await read('orchestrate://rules')).toMatchObject({
      text: expect.stringContaining('You are') as string,
    });
    expect(await read('orchestrate://memory')).toMatchObject({
      text: expect.stringMatching(/Turn 1\.[^]*GO south/) as string,
    });
    expect(await read('orchestrate://picture/1')).toMatchObject({
      blob: first.content.find(({ type }) => type === 'image')?.['data' as never],
    });
    for (const uri of ['orchestrate://picture/9', 'orchestrate://picture/1/..', 'file:///etc/passwd'])
      await expect(client.readResource({ uri })).rejects.toThrow(/there is no resource/);
    const { messages } = await client.getPrompt({ name: 'role' });
    expect(JSON.stringify(messages)).toContain('Each result shows what you perceive next');
  });
});

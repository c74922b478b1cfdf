/** Agents that the server plays: with `--keep` and a model, it sends its key only where it was allowed, and changes no other agent; agents of the world are kept without being named. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { known } from '../../src/base/assert.js';
import { main } from '../../src/cli/main.js';
import { LogReader } from '../../src/log/reader.js';
import { playRemotely } from '../../src/serve/client/remote-agent.js';
import { scriptedPlayer } from '../../src/serve/client/scripted-player.js';
import { WorldClient } from '../../src/serve/client/world-client.js';
import { Control } from '../../src/serve/gen/orchestrate/world/v1/world_pb.js';
import { scriptedController } from '../../src/worlds/scripted-controller.js';
import { startFakeServer } from '../fake-server/server.mjs';
import type { FakeServer } from '../fake-server/server.mjs';
import { capturedIo, orchestrate } from '../support/captured-io.js';
import { temporaryFolder } from '../support/folder.js';

const SCENARIO = `
title: Two in a room
map: |
  ######
  #a..b#
  ######
legend: { a: { agent: ann }, b: { agent: bob } }
agents: [{ id: ann, sprite: knight }, { id: bob, sprite: wizard }]
turns: { max: 2 }
`;

const folder = temporaryFolder();
writeFileSync(join(folder, 'room.yaml'), SCENARIO);

let server: FakeServer | null = null;
afterEach(async () => {
  await server?.close();
  server = null;
});

async function model(): Promise<FakeServer> {
  server = await startFakeServer({ reply: () => 'ACTION: WAIT', apiKey: 'sk-test-key' });
  return server;
}

const SERVE = ['--pace', 'lockstep', '--listen', '127.0.0.1:0'];

async function serving(
  words: readonly string[],
  env: Readonly<Record<string, string>> = {},
  scenario = 'room.yaml',
) {
  const { io, out, err } = capturedIo({ cwd: folder, env });
  const ended = main(['serve', scenario, ...SERVE, ...words], io);
  await expect.poll(() => out() + err()).toMatch(/serving (\S+),|error/);
  const address = known(/serving (\S+),/.exec(out())?.[1], `an address in ${err()}`);
  return { client: new WorldClient({ address, token: null }), ended, out };
}

const { signal } = new AbortController();

/** The test plays Ann to the end of the run. */
async function playAnn(client: WorldClient): Promise<void> {
  const lease = await client.acquire({ run: '', entity: 'ann', controller: 'scripted' }, signal);
  const player = scriptedPlayer(scriptedController(), 'ann');
  await playRemotely({ client, lease, player, onAck: () => undefined }, signal);
}

async function servedRun(words: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const { client, ended, out } = await serving(words, env);
  await playAnn(client);
  return { code: await ended, out: out() };
}

describe('an agent that the server keeps', () => {
  it('is played by the model that is named, with the key that may go there', async () => {
    const asked = await model();
    const { baseUrl } = asked;
    const log = join(folder, 'kept.sqlite');
    const words = ['--keep', 'bob', '--base-url', baseUrl, '--model', 'fake-vlm', '--out', log];
    const { code, out } = await servedRun([...words, '--key', `OPENAI_API_KEY=${baseUrl}`], {
      OPENAI_API_KEY: 'sk-test-key',
    });
    expect([code, out]).toEqual([0, expect.stringContaining('1 entity to control: ann')]);
    expect(asked.chats).toHaveLength(2);
    const reader = new LogReader(log);
    const { runId } = known(reader.runs()[0], 'a run');
    const { scenario, controllers } = reader.run(runId);
    expect(scenario.agents.map(({ controller }) => controller)).toEqual([
      expect.not.objectContaining({ model: 'command-line' }),
      { kind: 'model', model: 'command-line' },
    ]);
    expect(JSON.stringify(controllers['bob'])).toContain('model:');
    reader.close();
    const verified = await orchestrate(['verify', log]);
    expect(verified.code, verified.err).toBe(0);
  });

  it('is told about without effect where nobody is kept, and a server elsewhere gets no key unasked', async () => {
    const none = await orchestrate(['serve', 'room.yaml', ...SERVE, '--base-url', 'http://127.0.0.1:9'], {
      cwd: folder,
    });
    expect([none.code, none.err]).toEqual([2, expect.stringContaining('--keep AGENT')]);
    const words = [
      '--keep',
      'bob',
      '--set',
      'agents.bob.controller=model',
      '--set',
      'models={main: {base_url: "https://models.example.org/v1"}}',
    ];
    const other = await orchestrate(['serve', 'room.yaml', ...SERVE, ...words], {
      cwd: folder,
      env: { OPENAI_API_KEY: 'sk-test-key' },
    });
    expect([other.code, other.err]).toEqual([
      2,
      expect.stringContaining('the key in OPENAI_API_KEY is not allowed for https://models.example.org'),
    ]);
  });
});

describe('an agent that is part of the world', () => {
  it('is played by the server, and offered to nobody', async () => {
    const log = join(folder, 'world.sqlite');
    const set = ['--set', 'agents.bob.part=world'];
    const { client, ended, out } = await serving([...set, '--wait', 'all', '--out', log]);
    expect(out()).toContain('1 entity to control: ann');
    const entities = await client.listEntities('', signal);
    expect(entities.map(({ entity, control }) => [entity, control])).toEqual([
      ['ann', Control.FREE],
      ['bob', Control.SERVER],
    ]);
    const stranger = client.acquire({ run: '', entity: 'bob', controller: 'stranger' }, signal);
    await expect(stranger).rejects.toThrow('the server plays "bob" itself');
    await playAnn(client);
    expect(await ended).toBe(0);
    const reader = new LogReader(log);
    const { runId } = known(reader.runs()[0], 'a run');
    const steps = [...reader.steps(runId)].filter(({ agent }) => agent === 'bob');
    reader.close();
    expect(steps).toHaveLength(2);
    expect(JSON.stringify(steps)).not.toContain('uncontrolled');
  });

  it('keeps its model, whatever model plays those that are kept beside it', async () => {
    const [asked, own] = [await model(), await startFakeServer({ reply: () => 'ACTION: WAIT' })];
    const scenario = SCENARIO.replace('a..b', 'a.cb')
      .replace('bob }', 'bob }, c: { agent: cid }')
      .replace('sprite: wizard }', 'sprite: wizard, part: world, model: m }, { id: cid, sprite: wizard }');
    const models = `models: { m: { base_url: "${own.baseUrl}", model: fake-vlm } }\n`;
    writeFileSync(join(folder, 'three.yaml'), scenario + models);
    const words = ['--keep', 'cid', '--base-url', asked.baseUrl, '--model', 'fake-vlm'];
    const { client, ended, out } = await serving(
      [...words, '--key', `OPENAI_API_KEY=${asked.baseUrl}`],
      { OPENAI_API_KEY: 'sk-test-key' },
      'three.yaml',
    );
    expect(out()).toContain('1 entity to control: ann');
    await playAnn(client);
    expect(await ended).toBe(0);
    await own.close();
    expect([asked.chats.length, own.chats.length]).toEqual([2, 2]);
  });

  it.each([
    [
      'where the world has no other agent',
      ['--set', 'agents.ann.part=world', '--set', 'agents.bob.part=world'],
    ],
    ['if it only has fixed replies', ['--set', 'agents.bob.replies=["ACTION: WAIT"]']],
  ])('is offered %s', async (_, set) => {
    const { client, ended, out } = await serving(set);
    expect(out()).toContain('2 entities to control: ann, bob');
    await playAnn(client);
    expect(await ended).toBe(0);
  });
});

/** `serve --keep` with a model: the server plays that agent with it, sends its key only where it was allowed, and changes no other agent. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { known } from '../../src/base/assert.js';
import { main } from '../../src/cli/main.js';
import { LogReader } from '../../src/log/reader.js';
import { playRemotely } from '../../src/serve/client/remote-agent.js';
import { scriptedPlayer } from '../../src/serve/client/scripted-player.js';
import { WorldClient } from '../../src/serve/client/world-client.js';
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

const SERVE = ['serve', 'room.yaml', '--pace', 'lockstep', '--listen', '127.0.0.1:0'];

/** Serves a whole run, of which the test plays Ann. */
async function servedRun(words: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const { io, out, err } = capturedIo({ cwd: folder, env });
  const ended = main([...SERVE, ...words], io);
  await expect.poll(() => out() + err()).toMatch(/serving (\S+),|error/);
  const address = known(/serving (\S+),/.exec(out())?.[1], `an address in ${err()}`);
  const client = new WorldClient({ address, token: null });
  const { signal } = new AbortController();
  const lease = await client.acquire({ run: '', entity: 'ann', controller: 'scripted' }, signal);
  const player = scriptedPlayer(scriptedController(), 'ann');
  await playRemotely({ client, lease, player, onAck: () => undefined }, signal);
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
    const none = await orchestrate([...SERVE, '--base-url', 'http://127.0.0.1:9'], { cwd: folder });
    expect([none.code, none.err]).toEqual([2, expect.stringContaining('--keep AGENT')]);
    const words = [
      '--keep',
      'bob',
      '--set',
      'agents.bob.controller=model',
      '--set',
      'models={main: {base_url: "https://models.example.org/v1"}}',
    ];
    const other = await orchestrate([...SERVE, ...words], {
      cwd: folder,
      env: { OPENAI_API_KEY: 'sk-test-key' },
    });
    expect([other.code, other.err]).toEqual([
      2,
      expect.stringContaining('the key in OPENAI_API_KEY is not allowed for https://models.example.org'),
    ]);
  });
});

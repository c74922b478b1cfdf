/** The command `mcp` as a client starts it, by the official client over standard streams. Needs the built package. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect, it } from 'vitest';
import { LogReader } from '../../src/log/reader.js';
import { PROGRAM, ROOT, runProgram } from '../support/children.js';
import { temporaryFolder } from '../support/folder.js';
import { servedWorld } from '../support/served-world.js';
import { ROOM, connected, playOut } from './harness.js';
import type { HarnessOptions } from './harness.js';

const started = (args: readonly string[], options?: HarnessOptions) =>
  connected(
    new StdioClientTransport({
      command: process.execPath,
      args: [PROGRAM, 'mcp', ...args],
      cwd: ROOT,
      stderr: 'ignore',
    }),
    options,
  );

it('serves a scenario and plays it: a harness wins brass-key, and its log verifies, shows and reports with its name', async () => {
  const log = join(temporaryFolder(), 'run.sqlite');
  const ranger = await started(
    ['scenarios/brass-key.yaml', '--as', 'ranger', '--out', log, '--harness-model', 'qwen3-vl'],
    { name: 'my-harness' },
  );
  // The plan of the scenario's own notes: the key lies in the hall, the goblet beyond the door.
  const plan = [
    ['go', { target: 'brass key' }],
    ['take', { thing: 'brass key' }],
    ['go', { target: 'oak door' }],
    ['open', { target: 'oak door' }],
    ['go', { direction: 'east' }],
    ['go', { target: 'silver goblet' }],
    ['take', { thing: 'silver goblet' }],
  ] as const;
  let next = 0;
  const end = await playOut(ranger, () => plan[next++] ?? ['wait']);
  expect(end).toContain('The run is over: succeeded. The ranger has the silver goblet.');
  await ranger.client.close();
  const said = async (...args: string[]) => (await runProgram(args, { cwd: ROOT })).out;
  expect(await said('verify', log)).toContain('ok');
  expect(await said('show', log)).toContain('mcp:my-harness/1.2');
  expect(await said('report', log)).toContain('mcp:my-harness/1.2');
});

/** The room in a file of a new folder, where bob plays himself. */
function roomFile(change = (text: string): string => text): { path: string; log: string } {
  const folder = temporaryFolder();
  const path = join(folder, 'room.yaml');
  writeFileSync(path, change(ROOM.replace('sprite: wizard', 'sprite: wizard, controller: random')));
  return { path, log: join(folder, 'run.sqlite') };
}

/** What a client of 2025 sends first, and then its calls; the last line has no end. */
const linesOf = (...calls: readonly string[]): string =>
  [
    {
      id: 'begin',
      method: 'initialize',
      params: {
        protocolVersion: '2025-06-18',
        capabilities: {},
        clientInfo: { name: 'pipe', version: '1' },
      },
    },
    { method: 'notifications/initialized' },
    { id: 'list', method: 'tools/list' },
    ...calls.map((name) => ({ id: name, method: 'tools/call', params: { name, arguments: {} } })),
  ]
    .map((message) => JSON.stringify({ jsonrpc: '2.0', ...message }))
    .join('\n');

it.each(['2026', '2025'] as const)(
  'begins no run for a client that only asks what there is (%s)',
  async (era) => {
    const { path, log } = roomFile();
    const { client } = await started([path, '--as', 'ann', '--out', log], { era });
    expect(client.getInstructions()).toContain('The tool observe shows what you perceive');
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('go');
    const { contents } = await client.readResource({ uri: 'orchestrate://rules' });
    expect(JSON.stringify(contents)).toContain('You are Ann.');
    expect((await client.getPrompt({ name: 'role' })).messages).toHaveLength(1);
    await expect(client.callTool({ name: 'fly', arguments: {} })).rejects.toThrow('there is no tool');
    await client.close();
    expect(existsSync(log)).toBe(false);
  },
);

// A program that hands calls on sends them over many sockets, on which some come later than the answer to the first.
it('plays one turn for calls that are sent at once, however many', async () => {
  const { path, log } = roomFile();
  const { client } = await started([path, '--as', 'ann', '--out', log]);
  await client.callTool({ name: 'observe', arguments: {} });
  const wait = () => client.callTool({ name: 'wait', arguments: {} });
  const answers = await Promise.all(Array.from({ length: 60 }, wait));
  const refused = answers.filter(({ isError }) => isError === true);
  expect(refused).toHaveLength(59);
  expect(JSON.stringify(refused[0])).toContain('before the answer to your earlier call');
  expect(JSON.stringify(await wait())).toContain('Turn 3.');
  await client.close();
});

it('answers all that was piped to it, although the pipe closes at once', async () => {
  const { path, log } = roomFile();
  const { out, code } = await runProgram(['mcp', path, '--as', 'ann', '--out', log], {
    stdin: linesOf('observe'),
  });
  const answers = out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { id: string; result: unknown });
  expect(answers.map(({ id }) => id)).toEqual(['begin', 'list', 'observe']);
  expect(JSON.stringify(answers[2]?.result)).toContain('Turn 1.');
  // The run is not over, and can go on.
  expect(code).toBe(130);
  const reader = new LogReader(log);
  const [only] = reader.runs();
  expect(reader.leases(only?.runId ?? '').map(({ controller }) => controller)).toContain('mcp:pipe/1');
  reader.close();
});

it('ends the run as interrupted when nobody reads its answers any more', async () => {
  const { path, log } = roomFile();
  const child = spawn(process.execPath, [PROGRAM, 'mcp', path, '--as', 'ann', '--out', log], {
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const ended = once(child, 'exit');
  child.stdin.on('error', () => undefined);
  child.stdin.write(`${linesOf('observe')}\n`);
  for await (const line of createInterface({ input: child.stdout }))
    if (line.includes('"id":"observe"')) break;
  child.stdout.destroy();
  // Its input stays open.
  child.stdin.write(`${linesOf('wait')}\n`);
  expect((await ended)[0]).toBe(130);
  const reader = new LogReader(log);
  expect(reader.runs().map(({ status }) => status)).toEqual(['interrupted']);
  reader.close();
});

it('leaves no run behind where its port is taken, like serve', async () => {
  const { address } = await servedWorld(ROOM);
  const { path, log } = roomFile();
  const place = ['--listen', new URL(address).host, '--out', log];
  const ends = await Promise.all([
    runProgram(['serve', path, ...place]),
    runProgram(['mcp', path, '--as', 'ann', ...place], { stdin: linesOf('observe') }),
  ]);
  for (const { code, err } of ends) {
    expect(code).toBe(2);
    expect(err).toMatch(/^error: can't listen on/);
  }
  expect(existsSync(log)).toBe(false);
});

it(
  'plays an entity of a served world, where another process of the same client goes on',
  { tags: ['long'] },
  async () => {
    const world = await servedWorld(join(ROOT, 'scenarios/two-keepers.yaml'), { waitFor: 1 });
    const address = new URL(world.address).host;
    const first = await started(['--world', address, '--as', 'monk']);
    expect(await first.use('observe')).toContain('Turn 1.');
    await first.client.close();
    const second = await started(['--world', address, '--as', 'monk'], { era: '2025' });
    expect(await second.use('read', { thing: 'inscription' })).toContain('green lever');
    const reader = new LogReader(world.log);
    expect(reader.leases(world.run.record.runId)).toHaveLength(1);
    reader.close();
  },
);

it('says what is wrong before a client waits for it', { tags: ['long'] }, async () => {
  const failed = async (...args: string[]) => (await runProgram(['mcp', ...args], { cwd: ROOT })).err;
  expect(await failed('--as', 'ranger')).toContain('mcp needs a scenario to serve and play, or --world');
  expect(await failed('scenarios/brass-key.yaml', '--as', 'rangr')).toMatch(
    /there is no entity "rangr"[^]*ranger/,
  );
  // Whom the server plays is not given away, nor is an agent of the world.
  const { path } = roomFile((text) => text.replace('controller: random', 'controller: random, part: world'));
  expect(await failed(path, '--as', 'bob')).toMatch(/"bob" is played by the server itself[^]*can play ann\n/);
  const { address } = await servedWorld(ROOM, { own: ['bob'] });
  const { host } = new URL(address);
  expect(await failed('--world', host, '--as', 'bob')).toMatch(
    /"bob" is played by the server itself[^]*can play ann\n/,
  );
  expect(await failed('--world', host, '--as', 'bab')).toMatch(/no entity "bab"[^]*the entities: ann\n/);
  expect(await failed('--world', '127.0.0.1:1', '--as', 'ranger')).toContain("can't be reached");
  expect(await failed('scenarios/brass-key.yaml', '--as', 'ranger', '--run', 'x')).toContain(
    '--run has no effect',
  );
});

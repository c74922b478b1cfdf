/** The command `mcp` as a client starts it, by the official client over standard streams. Needs the built package. */
import { join } from 'node:path';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect, it } from 'vitest';
import { LogReader } from '../../src/log/reader.js';
import { PROGRAM, ROOT, runProgram } from '../support/children.js';
import { temporaryFolder } from '../support/folder.js';
import { servedWorld } from '../support/served-world.js';
import { connected, playOut } from './harness.js';
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
  expect(await failed('--world', '127.0.0.1:1', '--as', 'ranger')).toContain("can't be reached");
  expect(await failed('scenarios/brass-key.yaml', '--as', 'ranger', '--run', 'x')).toContain(
    '--run has no effect',
  );
});

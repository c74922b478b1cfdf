/**
 * Other clients than TypeScript's: Python's official one, and the inspector's command line, which starts a process for each call.
 * @module-tag long
 */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, expect, it } from 'vitest';
import { readersPython } from '../../scripts/lib/python-readers.mjs';
import { LogReader } from '../../src/log/reader.js';
import type { Served } from '../serve/served.js';
import { servedWorld } from '../support/served-world.js';
import { ROOM } from './harness.js';

const run = promisify(execFile);
const PYTHON = readersPython();
const INSPECTOR = fileURLToPath(new URL('inspector', import.meta.url));
const CLI = `${INSPECTOR}/node_modules/@modelcontextprotocol/inspector/cli/build/cli.js`;

function holders({ log, run: { record } }: Served): readonly string[] {
  const reader = new LogReader(log);
  const granted = reader.leases(record.runId).filter(({ event }) => event === 'granted');
  reader.close();
  return granted.map(({ controller }) => controller);
}

it.skipIf(PYTHON === null)(
  "Python's client plays to the end (node scripts/python-readers.mjs makes it)",
  async () => {
    const world = await servedWorld(ROOM, { own: ['bob'], set: ['turns.max=3'] });
    const client = fileURLToPath(new URL('client.py', import.meta.url));
    const calls = ['observe', 'go={"direction": "south"}', 'wait', 'wait'];
    const { stdout } = await run(PYTHON ?? '', [client, `${world.address}/mcp/ann`, ...calls]);
    const results = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as readonly string[]);
    expect(results.map((texts) => /Turn \d|The run is over/.exec(texts.join('\n'))?.[0])).toEqual([
      'Turn 1',
      'Turn 2',
      'Turn 3',
      'The run is over',
    ]);
    expect(results[0]).toContain('image');
    expect(holders(world)).toEqual(['mcp:mcp/0.1.0']);
  },
);

beforeAll(async () => {
  if (!existsSync(CLI))
    await run('npm', ['ci', '--prefix', INSPECTOR, '--ignore-scripts', '--no-audit', '--no-fund']);
}, 600_000);

it('the inspector keeps its seat, although each of its calls is a process of its own', async () => {
  const world = await servedWorld(ROOM, { own: ['bob'], set: ['turns.max=3'] });
  const called = async (...words: string[]): Promise<string> => {
    const { stdout } = await run(
      process.execPath,
      [CLI, '--cli', `${world.address}/mcp/ann`, '--transport', 'http', ...words],
      { maxBuffer: 1 << 26 },
    );
    return stdout;
  };
  expect(await called('--method', 'tools/list')).toContain('"observe"');
  const call = (tool: string, ...args: string[]) =>
    called('--method', 'tools/call', '--tool-name', tool, ...args);
  expect(await call('observe')).toMatch(/Turn 1\.[^]*"type": "image"/);
  expect(await call('go', '--tool-arg', 'direction=south')).toContain('Turn 2.');
  expect(await call('wait')).toContain('Turn 3.');
  expect(await call('wait')).toContain('The run is over');
  expect(await called('--method', 'resources/read', '--uri', 'orchestrate://rules')).toContain('You are');
  expect(holders(world)).toEqual(['mcp:inspector/0.17.5']);
});

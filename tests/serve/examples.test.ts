/**
 * The examples that play a served world with nothing of ours: JSON over HTTP from Node, curl and Go.
 * @module-tag long
 */
import { spawn, spawnSync } from 'node:child_process';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { ROOT } from '../support/children.js';
import { temporaryFolder } from '../support/folder.js';
import { served } from './served.js';

function run(program: string, words: readonly string[], env: Record<string, string>): Promise<string> {
  const child = spawn(program, words, { env: { PATH: process.env['PATH'] ?? '', ...env } });
  let said = '';
  child.stdout.on('data', (data: Buffer) => (said += data.toString()));
  child.stderr.on('data', (data: Buffer) => (said += data.toString()));
  return new Promise((resolve) => child.once('close', (code) => resolve(`${said}exit ${code}`)));
}

it('an agent of 60 lines plays with fetch alone', async () => {
  const options = { set: ['turns.max=4'] };
  const world = await served(join(ROOT, 'scenarios/crypt.yaml'), temporaryFolder(), options);
  const env = { WORLD_ADDR: world.address, ENTITY_ID: 'knight' };
  const said = await run(process.execPath, [join(ROOT, 'examples/served/agent.mjs')], env);
  expect(said).toMatch(/^T1 [\s\S]*T4 [\s\S]*RUN_STATE_FAILED the 4 turns are over\nexit 0$/);
  await world.close();
});

it('a turn is played with curl', async () => {
  const world = await served(join(ROOT, 'scenarios/crypt.yaml'), temporaryFolder());
  const env = { WORLD_ADDR: world.address.replace('http://', ''), ENTITY_ID: 'wizard' };
  const said = await run('sh', [join(ROOT, 'examples/served/one-turn.sh')], env);
  expect(said).toMatch(/"accepted":true[\s\S]*exit 0$/);
  await world.close();
});

const GO = ['go', '/usr/local/go/bin/go'].find((path) => spawnSync(path, ['version']).status === 0);

const BUILD_MS = 1_800_000;

/** Compiled by itself, because that takes most of a minute where Go has compiled nothing before. */
describe.skipIf(GO === undefined)('an agent in Go', () => {
  const folder = temporaryFolder();
  const agent = join(folder, 'agent');

  beforeAll(async () => {
    const build = ['build', '-C', join(ROOT, 'examples/served/go'), '-o', agent, '.'];
    expect(await run(GO ?? '', build, { HOME: homedir() })).toBe('exit 0');
  }, BUILD_MS);

  it('plays with its standard library alone', async () => {
    const world = await served(join(ROOT, 'scenarios/crypt.yaml'), folder, { set: ['turns.max=4'] });
    const env = { WORLD_ADDR: world.address.replace('http://', ''), ENTITY_ID: 'knight' };
    const said = await run(agent, [], env);
    expect(said).toMatch(/^T1 GO\n[\s\S]*T4 [\s\S]*RUN_STATE_FAILED the 4 turns are over\nexit 0$/);
    await world.close();
  });
});

/** What `runner` refuses before it starts anything: each message names what the runner's file has, and what mends it. */
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { orchestrate } from '../support/captured-io.js';
import { ROOT } from '../support/children.js';
import { temporaryFolder } from '../support/folder.js';
import { served } from '../serve/served.js';

const KEEPERS = join(ROOT, 'scenarios/two-keepers.yaml');

function folderWith(content: object, mode = 0o755): string {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'runner.yaml'), JSON.stringify(content));
  writeFileSync(join(folder, 'agent.sh'), '#!/bin/sh\n', { mode });
  return folder;
}

const AGENTS = { all: { program: './agent.sh' } };
const WORLD = '127.0.0.1:1';

it('without a server, the message names the key of the file and no option', async () => {
  const { code, err } = await orchestrate(['runner', 'runner.yaml'], {
    cwd: folderWith({ world: WORLD, agents: AGENTS }),
  });
  expect(code).toBe(2);
  expect(err).toContain("the served world can't be reached");
  expect(err).toContain('(world:)');
  expect(err).not.toContain('--world');
});

it.each([
  [64, "the served world can't be reached"],
  [65, 'is not a valid name of an environment variable'],
])('a variable may have a name of 64 characters: %i', async (characters, words) => {
  const variable = 'V'.repeat(characters);
  const all = { ...AGENTS.all, pass_env: [variable] };
  const { code, err } = await orchestrate(['runner', 'runner.yaml'], {
    cwd: folderWith({ world: WORLD, agents: { all } }),
    env: { [variable]: 'set' },
  });
  expect([code, err]).toEqual([2, expect.stringContaining(words)]);
});

it('without a token, the message names the key of the file and no option', async () => {
  const hash = createHash('sha256').update('sesame').digest();
  const principal = { name: 'x', roles: ['agent'] as const, entities: null };
  const world = await served(KEEPERS, temporaryFolder(), { tokens: [{ hash, principal }] });
  try {
    const cwd = folderWith({ world: world.address, agents: AGENTS });
    const { code, err } = await orchestrate(['runner', 'runner.yaml'], { cwd });
    expect(code).toBe(2);
    expect(err).toContain('no token was sent');
    expect(err).toContain('token_env:');
    expect(err).not.toContain('--token-env');
  } finally {
    await world.close();
  }
});

it('any token may run programs: its role is that of an agent or of a viewer alone', async () => {
  const tokens = (['agent', 'viewer'] as const).map((role) => ({
    hash: createHash('sha256').update(role).digest(),
    principal: { name: role, roles: [role], entities: null },
  }));
  const world = await served(KEEPERS, temporaryFolder(), { tokens });
  try {
    const cwd = folderWith({ world: world.address, agents: AGENTS });
    for (const role of ['agent', 'viewer']) {
      const words = ['runner', 'runner.yaml', '--dry-run'];
      const { code, out, err } = await orchestrate(words, { cwd, env: { WORLD_TOKEN: role } });
      expect([code, err]).toEqual([0, '']);
      expect(out).toContain('all (./agent.sh)');
    }
  } finally {
    await world.close();
  }
});

it.each([
  ['batch', "the batch file nope.yaml can't be read"],
  ['runner', "the runner file nope.yaml can't be read"],
])('%s names the kind of a file that is missing', async (command, words) => {
  const { code, err } = await orchestrate([command, 'nope.yaml'], { cwd: temporaryFolder() });
  expect([code, err]).toEqual([2, expect.stringContaining(words)]);
});

it.each([
  [{ agents: [{ id: 'ann' }] }, 'this is a scenario, not a runner file', 'orchestrate serve runner.yaml'],
  [{ scenarios: ['a.yaml'] }, 'this is a batch, not a runner file', 'orchestrate batch runner.yaml'],
])('a file of another kind is named: %j', async (content, words, hint) => {
  const { code, err } = await orchestrate(['runner', 'runner.yaml'], { cwd: folderWith(content) });
  expect([code, err]).toEqual([2, expect.stringContaining(words)]);
  expect(err).toContain(hint);
});

it.each([
  ['#!/usr/bin/no-python\n', 'the interpreter in its first line (#!) is missing: /usr/bin/no-python'],
  ['#!/usr/bin/env -S no-python -u\n', 'the interpreter in its first line (#!) is missing: no-python'],
  ['#!/bin/sh\r\n', 'its first line (#!) ends with a Windows line break (CRLF); use LF'],
  ['#!/usr/bin/env -S A=1 sh -u\n', null],
  ['#! /bin/sh\n', null],
  ['exit 0\n', null],
])('a program whose interpreter is missing is refused before anything starts: %j', async (content, words) => {
  const cwd = folderWith({ world: WORLD, agents: AGENTS });
  writeFileSync(join(cwd, 'agent.sh'), content);
  const env = { PATH: process.env['PATH'] ?? '' };
  const { code, err } = await orchestrate(['runner', 'runner.yaml'], { cwd, env });
  expect(code).toBe(2);
  if (words === null) expect(err).toContain("the served world can't be reached");
  else expect(err).toContain(`programs can't be started: ./agent.sh: ${words}`);
});

it('a program is looked for in the PATH that it is given', async () => {
  const { PATH = '' } = process.env;
  const found = async (own: string) => {
    const agents = { all: { program: 'sh', env: { PATH: own } } };
    const cwd = folderWith({ world: WORLD, agents });
    return (await orchestrate(['runner', 'runner.yaml'], { cwd, env: { PATH } })).err;
  };
  expect(await found('/nowhere')).toContain('sh: no such program in PATH');
  expect(await found(PATH)).toContain("the served world can't be reached");
});

it.each([[[]], [['--dry-run']]])(
  'programs without an executable file are all named before anything starts: %j',
  async (options) => {
    const agents = {
      ...AGENTS,
      nobody: { program: './none.sh' },
      far: { program: 'no-such-program-anywhere' },
    };
    const cwd = folderWith({ world: WORLD, agents, fallback: { program: 'sh' } }, 0o644);
    const env = { PATH: process.env['PATH'] ?? '' };
    const { code, out, err } = await orchestrate(['runner', 'runner.yaml', ...options], { cwd, env });
    expect([code, out]).toEqual([2, '']);
    expect(err).toContain(
      "programs can't be started: ./agent.sh: it is not executable (chmod +x ./agent.sh); ./none.sh: no such file; " +
        'no-such-program-anywhere: no such program in PATH',
    );
    expect(err).not.toContain('sh: no such program');
  },
);

it.each([
  ['{ first_ms: 500, longest_ms: 100 }', 'longest_ms: 100) is shorter than the first (first_ms: 500', 40],
  ['{ longest_ms: 100 }', 'longest_ms: 100) is shorter than the first (first_ms: 250', 25],
  ['{ first_ms: 6000 }', 'longest_ms: 5000) is shorter than the first (first_ms: 6000', 23],
])('waits that get shorter (%s) are refused, with their position', async (restarts, message, column) => {
  const cwd = folderWith({});
  writeFileSync(join(cwd, 'runner.yaml'), `agents: { a: { program: ./agent.sh } }\nrestarts: ${restarts}\n`);
  const { code, err } = await orchestrate(['runner', 'runner.yaml', '--dry-run'], { cwd });
  expect([code, err]).toEqual([2, expect.stringContaining(message)]);
  expect(err).toContain(`runner.yaml:2:${column} error`);
});

/**
 * The built program where packages that only some users need are really not there: it says which, and how to install them. Needs dist/.
 * @module-tag long
 */
import { cpSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { runProgram, ROOT } from '../support/children.js';
import { temporaryFolder } from '../support/folder.js';

const OPTIONAL = ['bullmq', 'ioredis', 'minio'];
const S3 = { AWS_ACCESS_KEY_ID: 'key', AWS_SECRET_ACCESS_KEY: 'secret' };
const home = temporaryFolder();
const program = join(home, 'dist', 'cli', 'main.js');

function link(name: string): void {
  symlinkSync(join(ROOT, 'node_modules', name), join(home, 'node_modules', name));
}

beforeAll(() => {
  for (const name of ['dist', 'package.json'])
    cpSync(join(ROOT, name), join(home, name), { recursive: true });
  for (const name of ['assets', 'schema', 'scenarios']) symlinkSync(join(ROOT, name), join(home, name));
  mkdirSync(join(home, 'node_modules'));
  for (const name of readdirSync(join(ROOT, 'node_modules'))) if (!OPTIONAL.includes(name)) link(name);
});

it(
  'names a missing package and the command that installs it, and everything else works without',
  { tags: ['long'] },
  async () => {
    const on = (words: readonly string[], env = {}) => runProgram(words, { cwd: home, env, program });
    const queue = ['--queue', 'redis://127.0.0.1:1', '--store'];
    const lacks = (name: string, what: string, installed: string) => ({
      code: 2,
      err: expect.stringMatching(
        `${what} needs the package ${name}, which is not installed\n +hint: run npm install ${installed}\n`,
      ) as string,
    });
    expect(await on(['worker', ...queue, 'store'])).toMatchObject(
      lacks('bullmq', 'a queue', 'bullmq ioredis'),
    );
    link('bullmq');
    expect(await on(['worker', ...queue, 'store'])).toMatchObject(
      lacks('ioredis', 'a queue', 'bullmq ioredis'),
    );
    expect(await on(['worker', ...queue, 's3://runs'], S3)).toMatchObject(
      lacks('minio', 'an S3 store', 'minio'),
    );
    const played = await on(['run', 'scenarios/crypt.yaml', '--controller', 'scripted', '--max-turns', '1']);
    expect(played.out, played.err).toMatch(/1 turn, \d+ steps of agents and 1 of the world, chain /);
    link('ioredis');
    expect((await on(['worker', ...queue, 'store'])).err).toContain("can't be reached");
  },
);

/** A project that is begun lies whole in an empty folder, installs, plays and passes its own tests; nothing is ever overwritten. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ownDependency } from '../../src/assembly/own-package.js';
import { orchestrate } from '../support/captured-io.js';
import { temporaryFolder } from '../support/folder.js';

const cwd = temporaryFolder();

const commandsIn = (page: string): readonly string[] =>
  Array.from(page.matchAll(/```sh\n([^`]*)```/g), ([, block = '']) => block.trim().split('\n')).flat();

it(
  'begins a project that installs, plays and passes its tests, without a registry',
  { tags: ['long'] },
  async () => {
    const { code, out } = await orchestrate(['init', 'My Agents'], { cwd });
    expect(code).toBe(0);
    expect(out).toContain('npm install');
    expect(out).toContain(
      `package.json installs orchestrate-vlm from file:${process.cwd()}: this program was started from that folder`,
    );
    const project = join(cwd, 'My Agents');
    expect(readdirSync(project).sort()).toEqual([
      'README.md',
      'package.json',
      'scenario.yaml',
      'throw.mjs',
      'throw.test.mjs',
    ]);
    const manifest = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8')) as object;
    expect(manifest).toMatchObject({
      name: 'my-agents',
      dependencies: { 'orchestrate-vlm': `file:${process.cwd()}` },
    });
    // Nothing that is typed by mistake elsewhere may fetch and run a package of somebody else's.
    expect(readFileSync(join(project, 'README.md'), 'utf8')).not.toMatch(/npx (?!--no orchestrate )/);
    // Each line as a reader would type it; one that exits with another code than 0 throws here.
    const told = commandsIn(readFileSync(join(project, 'README.md'), 'utf8')).map((line) => {
      const typed = line === 'npm install' ? `${line} --offline --no-audit --no-fund` : line;
      return [
        line,
        execFileSync('sh', ['-c', typed], {
          cwd: project,
          encoding: 'utf8',
          stdio: ['ignore', 'pipe', 'ignore'],
        }),
      ] as const;
    });
    expect(told).toEqual([
      ['npm install', expect.anything()],
      ['npm run play', expect.stringContaining('succeeded: Ben has the ball.')],
      ['npm run check', expect.stringContaining('can be won in 3 turns')],
      ['npm test', expect.stringMatching(/fail 0/)],
      [expect.stringContaining('preview'), expect.stringContaining('THROW pebble <north')],
      [
        expect.stringContaining('parse'),
        expect.stringContaining('intent   THROW {"thing": "pebble", "direction": "east"}'),
      ],
      [expect.stringContaining('verify'), expect.anything()],
    ]);
  },
);

describe('a project depends on the very program that begins it', () => {
  let projects = 0;
  /** A program's folder as npm leaves it. */
  const installed = (resolved: unknown): string => {
    projects += 1;
    const packages = join(cwd, String(projects), 'home', 'node_modules');
    mkdirSync(join(packages, 'orchestrate-vlm'), { recursive: true });
    writeFileSync(
      join(packages, '.package-lock.json'),
      JSON.stringify({ packages: { 'node_modules/orchestrate-vlm': { resolved } } }),
    );
    return join(packages, 'orchestrate-vlm');
  };

  it('by its version, where that came from the registry', () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
    const folder = installed(`https://registry.npmjs.org/orchestrate-vlm/-/orchestrate-vlm-${version}.tgz`);
    expect(ownDependency(folder).spec).toBe(`^${version}`);
  });

  it('by the tarball, where it is still there', () => {
    const folder = installed('file:../packed.tgz');
    // Paths are told from the folder of the project that it was installed in.
    const tarball = join(cwd, String(projects), 'packed.tgz');
    expect(ownDependency(folder).spec).toBe(`file:${folder}`);
    writeFileSync(tarball, '');
    expect(ownDependency(folder).spec).toBe(`file:${tarball}`);
  });

  it.each(['git+ssh://git@example.org/agents.git#abc', 'https://example.org/orchestrate-vlm.tgz'])(
    'by its address, %s',
    (address) => expect(ownDependency(installed(address)).spec).toBe(address),
  );

  it('by its folder, where nothing is said of it', () => {
    const folder = installed(undefined);
    expect(ownDependency(folder).spec).toBe(`file:${folder}`);
    expect(ownDependency('/opt/orchestrate').spec).toBe('file:/opt/orchestrate');
  });
});

it('takes the folder that one is in where it is empty', async () => {
  const empty = join(cwd, 'empty');
  mkdirSync(empty);
  expect((await orchestrate(['init'], { cwd: empty })).code).toBe(0);
  expect(readdirSync(empty)).toContain('scenario.yaml');
});

it('refuses a folder that holds something, and a path that is a file', async () => {
  const full = join(cwd, 'full');
  mkdirSync(full);
  writeFileSync(join(full, 'mine.txt'), 'mine');
  const refused = await orchestrate(['init', 'full'], { cwd });
  expect(refused).toMatchObject({ code: 2, out: '' });
  expect(refused.err).toContain('is not empty: it contains mine.txt');
  expect(readdirSync(full)).toEqual(['mine.txt']);
  const file = await orchestrate(['init', 'full/mine.txt'], { cwd });
  expect(file.code).toBe(2);
  expect(readFileSync(join(full, 'mine.txt'), 'utf8')).toBe('mine');
});

/** What all commands share: help with examples, words that are unknown, and hostile text that never reaches a terminal raw. */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as act from '../fake-server/behaviours.mjs';
import { startFakeServer } from '../fake-server/server.mjs';
import { runProgram, startProgram } from '../support/children.js';
import { orchestrate } from '../support/captured-io.js';
import { temporaryFolder } from '../support/folder.js';
import { corridor } from '../orchestrator/two-agents.js';

const folder = temporaryFolder();
const COMMANDS = ['run', 'check', 'preview', 'parse', 'show', 'verify', 'diff', 'reparse', 'doctor'];

describe('help', () => {
  it('lists every command', async () => {
    const { code, out } = await orchestrate(['--help']);
    expect(code).toBe(0);
    for (const name of COMMANDS) expect(out).toContain(`orchestrate ${name}`);
  });

  it.each(COMMANDS)('of %s has examples, and describes every option', async (name) => {
    const { code, out, err } = await orchestrate([name, '--help']);
    expect([code, err]).toEqual([0, '']);
    expect(out).toContain('Examples:');
    expect(out).toContain(`orchestrate ${name}`);
    const [, listed = ''] = out.split(/^Options:$/m);
    const bare = listed
      .split(/^Examples:$/m)[0]
      ?.split('\n')
      .filter((line) => /^\s+--\w/.test(line) && !/--[\w-]+\s{2,}[^\s[]/.test(line));
    expect(bare).toEqual([]);
    expect(out.split('\n').filter((line) => line.length > 100)).toEqual([]);
  });

  it('is short with -h, and --version tells the version', async () => {
    expect((await orchestrate(['run', '-h'])).out).toContain('Examples:');
    expect((await orchestrate(['--version'])).out).toMatch(/^\d+\.\d+\.\d+\n$/);
  });
});

describe('a word that is unknown', () => {
  it.each([
    [['runn', 'x.yaml'], /run/],
    [['shwo', 'a.sqlite'], /show/],
    [['frobnicate'], /frobnicate/],
    [['run', 'x.yaml', '--frame', 'd'], /frames?/],
    [['show', 'a.sqlite', '--steps', '3'], /steps/],
    [['run', 'x.yaml', '--no-such'], /such/],
    [['run', 'scenarios/crypt.yaml', '--protocol', 'xml'], /--protocol takes "command", "json".*, not "xml"/],
    [[], /enter a command/],
  ])('%j is told with what may have been meant, and exits 2', async (args, pattern) => {
    const { code, out, err } = await orchestrate(args);
    expect([code, out]).toEqual([2, '']);
    expect(err).toMatch(/^error: /);
    expect(err).toMatch(pattern);
    expect(err).not.toMatch(/internal error|at .*\.js/);
  });

  it('suggests the nearest command and the nearest option', async () => {
    expect((await orchestrate(['shwo', 'a.sqlite'])).err).toContain('did you mean show?');
    expect((await orchestrate(['run', 'x.yaml', '--max-turn', '3'])).err).toContain(
      'did you mean --max-turns?',
    );
    expect((await orchestrate(['run', 'x.yaml', '--frame', 'd'])).err).toContain('did you mean --frames?');
  });
});

it('a command says which options and files it needs', async () => {
  const needs = async (...args: readonly string[]) => (await orchestrate(args)).err;
  expect(await needs('export', 'a.sqlite')).toMatch(
    /^error: export needs --format and --out\n {2}hint: orchestrate export <log\.\.> --format … --out …\n/,
  );
  expect(await needs('fork', 'a.sqlite')).toContain('fork needs --at\n');
  expect(await needs('ask', 'a.sqlite')).toContain('ask needs a log and a question\n');
});

it.each(['run', 'check', 'preview'])('%s says of a batch that it is one', async (command) => {
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, 'compare.yaml'), 'scenarios: [room.yaml]\nseeds: 3\n');
  const { code, err } = await orchestrate([command, 'compare.yaml'], { cwd });
  expect(code).toBe(2);
  expect(err).toContain('this is a batch, not a scenario\n');
  expect(err).toContain('orchestrate batch compare.yaml plays it\n');
});

describe('words behind --', () => {
  it('are files, also those that begin with a dash', async () => {
    const cwd = temporaryFolder();
    for (const name of ['room.yaml', '-odd.yaml']) writeFileSync(join(cwd, name), corridor());
    const on = (...args: readonly string[]) => orchestrate(args, { cwd });
    expect(await on('check', '--effort', '0', '--', 'room.yaml')).toMatchObject({ code: 0, err: '' });
    const both = await on('check', '--effort', '0', '--', '-odd.yaml', 'room.yaml');
    expect([both.code, both.out]).toEqual([0, expect.stringMatching(/ok -odd\.yaml.*\nok room\.yaml/)]);
    expect(await on('run', '--out', 'a.sqlite', '--quiet', '--', '-odd.yaml')).toMatchObject({ code: 0 });
    expect((await on('check', '--', '--json')).err).toContain('the scenario --json');
    expect((await on('check', '--')).err).toContain('check needs a scenario file');
  });
});

describe('--out with a folder', () => {
  it('makes the file in it, named after what it is made of', async () => {
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, 'room.yaml'), corridor());
    mkdirSync(join(cwd, 'there'));
    const on = async (...args: readonly string[]): Promise<void> => {
      const { code, err } = await orchestrate(args, { cwd });
      expect(code, `${args.join(' ')}: ${err}`).toBe(0);
    };
    await on('run', 'room.yaml', '--out', 'a.sqlite');
    await on('run', 'room.yaml', '--out', 'there');
    await on('run', 'room.yaml', '--out', 'new/below/');
    await on('view', 'a.sqlite', '--out', 'there');
    await on('report', 'a.sqlite', '--out', 'there');
    await on('preview', 'room.yaml', '--out', 'there');
    await on('replay', 'a.sqlite', '--out', 'there');
    await on('replay', 'a.sqlite', '--step', '1', '--out', 'there/');
    const runs = /room-[0-9a-f]{8}\.sqlite/;
    expect(readdirSync(join(cwd, 'there')).toSorted()).toEqual([
      'a-1.png',
      'a.gif',
      'a.html',
      'report.html',
      expect.stringMatching(runs),
      'room.png',
    ]);
    expect(readdirSync(join(cwd, 'new', 'below'))).toEqual([expect.stringMatching(runs)]);
    const blocked = await orchestrate(['run', 'room.yaml', '--out', 'room.yaml/'], { cwd });
    expect(blocked).toMatchObject({
      code: 3,
      err: expect.stringContaining("the folder room.yaml/ can't be created"),
    });
    expect((await orchestrate(['report', 'a.sqlite', '--out', 'there'], { cwd })).err).toContain(
      'already exists',
    );
  });
});

describe('what a server says when it fails', () => {
  it('is told once, with the exit code 4', async () => {
    const server = await startFakeServer({ images: 'any' });
    // Every request, and the question whether the server is there.
    server.next(...Array.from({ length: 20 }, () => act.error(500, 'the GPU fell off')));
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, 'room.yaml'), corridor());
    const words = ['--base-url', server.baseUrl, '--model', 'fake-vlm', '--out', 'a.sqlite'];
    const none = ['--set', 'models.main.retries=0'];
    const { code, out, err } = await orchestrate(['run', 'room.yaml', ...words, ...none], { cwd });
    await server.close();
    expect(code).toBe(4);
    expect(`${out}${err}`.match(/fell off/g)).toHaveLength(1);
    expect(out).toContain('error: the run stopped here');
  });
});

describe('hostile text', () => {
  const ESC = '\u001b';
  const HOSTILE = [
    `${ESC}[2J${ESC}[31mred`,
    `${ESC}]0;title\u0007${ESC}]8;;http://evil\u0007link`,
    'first\rover',
    '\u202Edesrever\u2066',
    '\u009b31mC1',
    'zero\u200Bwidth\uFEFF',
    'tags\u{E0041}',
  ].join(' ');
  /** Everything that a terminal would act on, but for our own line breaks and colours. */
  const RAW =
    /[\u0000-\u0009\u000B-\u001F\u007F-\u009F\u200B-\u200F\u2028-\u202E\u2060-\u206F\uFEFF]|\uDB40[\uDC00-\uDFFF]/;

  const yaml = JSON.stringify;
  const cwd = join(folder, 'hostile');
  mkdirSync(cwd);
  const text = corridor('max: 2')
    .replace('title: Corridor', `title: ${yaml(`Bad ${HOSTILE}`)}`)
    .replace(
      'id: ann,',
      `id: ann, name: ${yaml(`an${ESC}[31mn`)}, persona: ${yaml(HOSTILE)}, replies: [${yaml(
        `${HOSTILE}\nACTION: SPEAK "${HOSTILE.replaceAll('"', '')}"`,
      )}, ${yaml(HOSTILE)}, ${yaml(HOSTILE)}, ${yaml(HOSTILE)}],`,
    )
    .replace('Mind the step.', yaml(HOSTILE));
  writeFileSync(join(cwd, 'hostile.yaml'), text);

  it.each([
    ['run', ['run', 'hostile.yaml', '--out', 'a.sqlite']],
    ['show', ['show', 'a.sqlite']],
    ['show --step', ['show', 'a.sqlite', '--step', '1']],
    ['show --step of a reply that was not understood', ['show', 'a.sqlite', '--step', '4']],
    ['show --json', ['show', 'a.sqlite', '--json']],
    ['check', ['check', 'hostile.yaml']],
    ['preview --messages', ['preview', 'hostile.yaml', '--messages']],
    ['preview --messages --json', ['preview', 'hostile.yaml', '--messages', '--json']],
    ['parse', ['parse', 'hostile.yaml']],
    ['a mistake in it', ['check', 'hostile.yaml', '--set', `turns.max=${HOSTILE}`]],
    ['an unknown agent', ['parse', 'hostile.yaml', '--agent', HOSTILE]],
    ['an unknown command', [HOSTILE]],
    ['an unknown option', ['run', `--${HOSTILE}`]],
    ['an unknown file', ['show', HOSTILE]],
    ['an unknown run', ['show', `a.sqlite#${HOSTILE}`]],
    ['a wrong number', ['show', 'a.sqlite', '--step', HOSTILE]],
  ])('never reaches the terminal raw: %s', async (_, args) => {
    const { out, err } = await orchestrate(args, { cwd, stdin: `${HOSTILE}\nACTION: SPEAK "${HOSTILE}"` });
    expect(`${out}${err}`.length).toBeGreaterThan(0);
    expect(RAW.exec(out)).toBeNull();
    expect(RAW.exec(err)).toBeNull();
  });
});

describe('a closed pipe', () => {
  it.each([
    ['run', ['run', 'scenarios/crypt.yaml', '--out', join(folder, 'pipe.sqlite')]],
    ['--help', ['run', '--help']],
  ])('ends %s quietly', async (_, args) => {
    const child = startProgram(args);
    child.process.stdout?.destroy();
    const { code, err } = await child.ended;
    expect(err).toBe('');
    expect(code).toBe(0);
  });

  it('of errors ends quietly too', async () => {
    const child = startProgram(['nonsense']);
    child.process.stderr?.destroy();
    expect((await child.ended).code).toBe(2);
  });

  it('prints all of a long answer that is read to its end', { tags: ['long'] }, async () => {
    await runProgram(['run', 'scenarios/crypt.yaml', '--quiet', '--out', join(folder, 'long.sqlite')]);
    const { out, code } = await runProgram(['show', join(folder, 'long.sqlite'), '--json']);
    expect(code).toBe(0);
    expect(() => void JSON.parse(out)).not.toThrow();
  });
});

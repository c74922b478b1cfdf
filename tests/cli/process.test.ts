/** `run --process`: programs of the user's as a person uses them, the Python example included. */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { LIMITS } from '../../src/base/limits.js';
import { main } from '../../src/cli/main.js';
import { programOption } from '../../src/cli/options/programs.js';
import { splitWords } from '../../src/base/shell-words.js';
import { LogReader } from '../../src/log/reader.js';
import { capturedIo, orchestrate } from '../support/captured-io.js';
import { temporaryFolder } from '../support/folder.js';
import { corridor } from '../orchestrator/two-agents.js';

const cwd = temporaryFolder();
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const FAKE = join(ROOT, 'tests', 'support', 'fake-agent.mjs');
const env = { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '' };
writeFileSync(join(cwd, 'corridor.yaml'), corridor('max: 2'));
writeFileSync(
  join(cwd, 'declared.yaml'),
  corridor('max: 2').replace('id: ann', 'id: ann, controller: process'),
);

const run = (scenario: string, ...args: readonly string[]) =>
  orchestrate(['run', scenario, ...args], { cwd, env });
const fake = (way: string): string => `ann='${process.execPath}' '${FAKE}' ${way}`;

describe('run --process', () => {
  it('lets a program decide; one that writes no errors leaves no file of them', async () => {
    const { code, out, err } = await run('corridor.yaml', '--process', fake('wait'), '--out', 'a.sqlite');
    expect([code, err]).toEqual([0, '']);
    expect(out).toContain('Ann (process:node');
    const reader = new LogReader(join(cwd, 'a.sqlite'));
    expect(reader.calls(reader.runs()[0]?.runId ?? '', 1)[0]?.request.controller).toMatch(/^process:node/);
    reader.close();
    expect(readdirSync(cwd).filter((name) => name.endsWith('.stderr.txt'))).toEqual([]);
  });

  it('ends with 4 where it is lost, tells its last words, keeps all of them', async () => {
    const { code, err } = await run('corridor.yaml', '--process', fake('always'), '--out', 'b.sqlite');
    expect(code).toBe(4);
    expect(err).toContain('exited with code 7, after 3 restarts');
    expect(err).toContain('its last output on standard error: Traceback: no such luck');
    const [kept = ''] = readdirSync(cwd).filter((name) => name.endsWith('.ann.stderr.txt'));
    expect(readFileSync(join(cwd, kept), 'utf8')).toBe('Traceback: no such luck\n'.repeat(4));
    const shown = (await orchestrate(['show', 'b.sqlite'], { cwd })).out;
    expect(shown).toContain('error');
    expect(shown).toContain('resume b.sqlite --process ann="…"');
  });

  it('keeps LIMITS.programErrorBytes of standard error', async () => {
    const script = join(cwd, 'loud.mjs');
    const bytes = LIMITS.programErrorBytes + 1;
    writeFileSync(
      script,
      `process.stderr.write('x'.repeat(${bytes}));\nawait import(${JSON.stringify(FAKE)});\n`,
    );
    await run('corridor.yaml', '--process', `bob='${process.execPath}' ${script}`, '--out', 'c.sqlite');
    const [kept = ''] = readdirSync(cwd).filter((name) => name.endsWith('.bob.stderr.txt'));
    expect(readFileSync(join(cwd, kept))).toHaveLength(LIMITS.programErrorBytes);
  });

  it('leaves no log where the program can’t be started', async () => {
    const { code, err } = await run('corridor.yaml', '--process', 'ann=no-such-program', '--out', 'd.sqlite');
    expect(code).toBe(4);
    expect(err).toContain(
      "error: the program of ann (no-such-program) can't be started: there is no such program",
    );
    expect(existsSync(join(cwd, 'd.sqlite'))).toBe(false);
  });

  it('is asked for where a scenario wants a program, which it can’t name', async () => {
    const { code, err } = await run('declared.yaml');
    expect(code).toBe(2);
    expect(err).toContain('ann is played by a program, but no program was specified');
    expect(err).toContain('hint: specify it: --process ann="python3 agent.py"');
    expect((await run('declared.yaml', '--process', fake('wait'), '--out', 'e.sqlite')).code).toBe(0);
  });

  it.each([
    [['--process', 'ann'], 'it takes agent="program args…"'],
    [['--process', 'ann='], 'it takes agent="program args…"'],
    [['--process', '=python3'], 'it takes agent="program args…"'],
    [['--process', 'ann="python3'], 'a quotation mark is not closed'],
    [['--process', 'anne=python3'], 'corridor has no agent "anne" for --process'],
    [['--process', 'ann=a', '--human', 'ann'], '--human and --process name ann more than once'],
    [['--process-timeout', String(LIMITS.programReplyMs / 1000 + 1)], 'a whole number from 1 to 3600'],
  ])('refuses %j', async (args, message) => {
    const { code, err } = await run('corridor.yaml', ...args);
    expect(code).toBe(2);
    expect(err).toContain(message);
  });

  it('stops at Ctrl-C though the program hangs', async () => {
    const captured = capturedIo({ cwd, env });
    const out = {
      ...captured.io.out,
      write: (text: string) => text.includes('Ann (process') && setImmediate(twice),
    };
    const twice = (): void => [1, 2].forEach(() => captured.interrupt());
    const hung = main(['run', 'corridor.yaml', '--process', fake('hangs'), '--out', 'f.sqlite'], {
      ...captured.io,
      out,
    });
    expect(await hung).toBe(130);
  });
});

describe('a command as one text', () => {
  it.each([
    ['python3 agent.py', ['python3', 'agent.py']],
    ['  a  \'b c\' "d e"  ', ['a', 'b c', 'd e']],
    ['a"b"\'c\'d', ['abcd']],
    ['"" \'\'', ['', '']],
    ['"a\\"b\\\\c\\d"', ['a"b\\c\\d']],
    ["a\\ b '\\'", ['a b', '\\']],
    ['$HOME * | ; `x`', ['$HOME', '*', '|', ';', '`x`']],
    ['"open', null],
    ["it's", null],
    ['end\\', null],
    ['', []],
  ])('%j', (text, words) => {
    expect(splitWords(text)).toEqual(words);
  });

  it('is split at the first equals sign only', () => {
    expect(programOption('ann=env A=b c')).toEqual({ agent: 'ann', command: ['env', 'A=b', 'c'] });
  });
});

const hasPython = spawnSync('python3', ['--version']).status === 0;

describe('the Python example', () => {
  it.skipIf(!hasPython)(
    'wins the crypt with all three agents (needs python3)',
    { tags: ['long'] },
    async () => {
      const agent = join(ROOT, 'examples', 'python-agent', 'agent.py');
      const programs = ['wizard', 'blacksmith', 'knight'].flatMap((id) => [
        '--process',
        `${id}=python3 '${agent}'`,
      ]);
      const crypt = join(ROOT, 'scenarios', 'crypt.yaml');
      const { code, out, err } = await run(crypt, ...programs, '--out', 'python.sqlite');
      expect([code, err]).toEqual([0, '']);
      expect(out).toContain('succeeded: The crown of Aldric is in safe hands');
    },
  );
});

/** `run`: what it prints, writes and answers, for a person and for a program. */
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import { at } from '../../src/base/assert.js';
import { LogReader } from '../../src/log/reader.js';
import { startFakeServer } from '../fake-server/server.mjs';
import type { FakeServer } from '../fake-server/server.mjs';
import { capturedIo, orchestrate } from '../support/captured-io.js';
import type { CapturedOptions } from '../support/captured-io.js';
import { runProgram } from '../support/children.js';
import { temporaryFolder } from '../support/folder.js';
import { corridor } from '../orchestrator/two-agents.js';
import { main } from '../../src/cli/main.js';

const folder = temporaryFolder();
const scenario = (name: string): string => join(process.cwd(), 'scenarios', `${name}.yaml`);
const KEY = scenario('brass-key');
writeFileSync(join(folder, 'corridor.yaml'), corridor('max: 2'));

/** In a folder of its own. */
function inFolder(name: string, args: readonly string[], options: CapturedOptions = {}) {
  const cwd = join(folder, name);
  mkdirSync(cwd, { recursive: true });
  return orchestrate(args, { cwd, ...options });
}

interface Document {
  run_id: string;
  log: string;
  status: string;
  turns: number;
  steps: number;
  chain_hash: string;
  state_hash: string;
  usage: { calls: number };
}

async function playedAsJson(name: string, args: readonly string[]): Promise<Document> {
  const { out } = await inFolder(name, ['run', ...args, '--json']);
  return JSON.parse(out) as Document;
}

describe('run', () => {
  it('prints a line per step and a summary that says what to do next', async () => {
    const { code, out, err } = await inFolder('plain', ['run', KEY, '--out', 'a.sqlite']);
    expect([code, err]).toEqual([0, '']);
    const lines = out.split('\n');
    expect(lines[0]).toBe('The Brass Key  seed 1 · a.sqlite');
    expect(lines[1]).toBe('ranger (scripted)');
    expect(lines[2]).toMatch(/^  T1  ranger  Thought: I want a closer look /);
    expect(lines[3]).toBe('              GO TO brass key             You went 5 tiles.');
    expect(out).toContain(
      'succeeded: The ranger has the silver goblet.\n7 turns, 7 steps of agents and 6 of the world, chain ',
    );
    expect(out).toContain('log   a.sqlite\nnext  orchestrate show a.sqlite\n');
    expect(out).not.toContain('\u001b');
  });

  it('keeps its log under runs/ unless it is told where', async () => {
    const document = await playedAsJson('default', [KEY]);
    expect(document.log).toBe(join('runs', `${document.run_id}.sqlite`));
    expect(existsSync(join(folder, 'default', document.log))).toBe(true);
  });

  it('finds a name for its log however long that of the scenario is', async () => {
    const name = `${'墓'.repeat(83)}.yaml`;
    writeFileSync(join(folder, name), corridor('max: 1'));
    const { log, steps } = await playedAsJson('long', [join(folder, name)]);
    expect([existsSync(join(folder, 'long', log)), steps]).toEqual([true, 3]);
    expect(log).toMatch(/runs\/墓{66}-\w{8}\.sqlite$/);
  });

  it('answers --json with one document, and people on stderr', async () => {
    const { code, out, err } = await inFolder('json', ['run', KEY, '--json', '--out', 'a.sqlite']);
    expect(code).toBe(0);
    expect(out.trim().split('\n')).toHaveLength(1);
    const document: unknown = JSON.parse(out);
    expect(document).toEqual({
      run_id: expect.stringMatching(/^brass-key-[0-9a-f]{8}$/) as string,
      log: 'a.sqlite',
      status: 'succeeded',
      reason: 'The ranger has the silver goblet.',
      turns: 7,
      steps: 13,
      state_hash: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
      chain_hash: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
      usage: {
        calls: 7,
        wasted_calls: 0,
        latency_ms: 0,
        prompt_tokens: null,
        completion_tokens: null,
        cached_tokens: null,
        image_tokens: null,
        reasoning_tokens: null,
      },
      frames: [],
    });
    expect(err).toContain('The Brass Key');
  });

  it('says what a frame cost, of each model that was asked, and nothing where none was', async () => {
    const frames = async (server: FakeServer, ...more: readonly string[]) => {
      const args = ['run', scenario('crypt'), '--max-turns', '1', '--quiet', '--base-url', server.baseUrl];
      const { out } = await inFolder('frames-cost', [...args, ...more]);
      return out.split('\n').filter((line) => line.startsWith('frame '));
    };
    const [telling, silent] = await Promise.all([
      startFakeServer({ models: ['qwen3-vl'], family: 'qwen3-vl' }),
      startFakeServer({ models: ['qwen3-vl'], usage: 'plain', images: 'any' }),
    ]);
    const guess = "qwen3-vl (guessed from the model's name); a tile is one vision token";
    expect(await frames(telling)).toEqual([
      `frame 480 × 480 pixels: 225 tokens as counted by the server, as expected for ${guess}`,
    ]);
    expect(await frames(silent)).toEqual([`frame 480 × 480 pixels: about 225 tokens of ${guess}`]);
    expect(await frames(silent, '--set', 'render.channel=text')).toEqual([]);
    expect(await frames(silent, '--controller', 'scripted')).toEqual([]);
    const asJson = async (server: FakeServer, ...more: readonly string[]) => {
      const url = ['--base-url', server.baseUrl];
      const args = [scenario('crypt'), '--max-turns', '1', '--json', '--quiet', ...url, ...more];
      const { out } = await inFolder('frames-cost', ['run', ...args]);
      return (JSON.parse(out) as { frames: unknown }).frames;
    };
    const size = { model: 'qwen3-vl', width: 480, height: 480 };
    const cost = { ...size, tokens: 225, family: 'qwen3-vl', reckoned_tokens: 225, tile_is_token: true };
    expect(await asJson(telling)).toEqual([{ ...cost, preset: null }]);
    expect(await asJson(silent)).toEqual([{ ...cost, tokens: null, preset: null }]);
    await Promise.all([telling.close(), silent.close()]);
  });

  it('says nothing but the summary with --quiet', async () => {
    const { out } = await inFolder('quiet', ['run', KEY, '--quiet', '--out', 'a.sqlite']);
    expect(out.split('\n')).toHaveLength(5);
    expect(out).toMatch(/^succeeded: /);
  });

  it('writes a frame for each step that had one, by names that sort in the order of the run', async () => {
    const document = await playedAsJson('frames', [
      scenario('crypt'),
      '--frames',
      'pictures',
      '--out',
      'a.sqlite',
    ]);
    const names = readdirSync(join(folder, 'frames', 'pictures'));
    const reader = new LogReader(join(folder, 'frames', 'a.sqlite'));
    const steps = [...reader.steps(document.run_id)].filter(({ agent }) => agent !== 'world');
    reader.close();
    expect([...names].sort()).toEqual(
      steps.map(
        ({ step, turn, agent }) =>
          `${String(step).padStart(6, '0')}-turn-${String(turn).padStart(4, '0')}-${agent}.png`,
      ),
    );
    const first = readFileSync(join(folder, 'frames', 'pictures', at(names, 0)));
    expect(first.subarray(1, 4).toString()).toBe('PNG');
  });

  it('takes seed, turns and any key from the command line', async () => {
    const plain = await playedAsJson('options', [KEY]);
    const seeded = await playedAsJson('options', [KEY, '--seed', 'other']);
    expect(seeded.chain_hash).not.toBe(plain.chain_hash);
    expect(await playedAsJson('options', [KEY, '--max-turns', '3'])).toMatchObject({
      status: 'failed',
      turns: 3,
    });
    expect(await playedAsJson('options', [KEY, '--set', 'turns.max=2'])).toMatchObject({ turns: 2 });
    expect(await playedAsJson('options', [KEY, '--set', 'seed=other'])).toMatchObject({
      chain_hash: seeded.chain_hash,
    });
    const random = await playedAsJson('options', [KEY, '--controller', 'random', '--max-turns', '4']);
    expect(random.chain_hash).not.toBe(plain.chain_hash);
    expect(await playedAsJson('options', [KEY, '--protocol', 'command'])).toMatchObject({
      chain_hash: plain.chain_hash,
    });
  });

  it.each(['json', 'react', 'tools'])('plays the same in %s', async (protocol) => {
    const plain = await playedAsJson('protocols', [KEY]);
    const other = await playedAsJson('protocols', [KEY, '--protocol', protocol]);
    expect(other.status).toBe('succeeded');
    expect({ turns: other.turns, steps: other.steps }).toEqual({ turns: plain.turns, steps: plain.steps });
  });

  it('plays several scenarios, one log each, and answers with a list', async () => {
    const { code, out } = await inFolder('several', ['run', KEY, scenario('two-keepers'), '--json']);
    const documents = JSON.parse(out) as Document[];
    expect(code).toBe(0);
    expect(documents.map(({ run_id: id }) => id.replace(/-[0-9a-f]{8}$/, ''))).toEqual([
      'brass-key',
      'two-keepers',
    ]);
    expect(new Set(documents.map(({ log }) => log)).size).toBe(2);
  });

  it('puts several runs into one log with --out, which show then lists', async () => {
    await inFolder('one', ['run', KEY, KEY, '--out', 'both.sqlite', '--quiet']);
    const { code, out } = await inFolder('one', ['show', 'both.sqlite']);
    expect(code).toBe(0);
    expect(out.match(/^brass-key-\w+ {2}brass-key, seed/gm)).toHaveLength(2);
    const address = /show (both\.sqlite#\S+)/.exec(out)?.[1] ?? '';
    const asked = await inFolder('one', ['show', 'both.sqlite', '--step', '1']);
    expect([asked.code, asked.err]).toEqual([
      2,
      expect.stringContaining('both.sqlite has 2 runs: choose one'),
    ]);
    expect((await inFolder('one', ['show', address])).code).toBe(0);
    expect((await inFolder('one', ['show', 'both.sqlite#nobody'])).err).toContain('the log has no such run');
  });
});

describe('exit codes of run', () => {
  it('0 where the run succeeded, or ended as planned', async () => {
    expect((await inFolder('codes', ['run', KEY])).code).toBe(0);
    expect((await inFolder('codes', ['run', join(folder, 'corridor.yaml')])).code).toBe(0);
  });

  it('1 where it failed, also when a later one succeeds', async () => {
    const lost = ['run', KEY, '--max-turns', '1'];
    expect((await inFolder('codes', lost)).code).toBe(1);
    expect(
      (await inFolder('codes', ['run', KEY, join(folder, 'corridor.yaml'), '--max-turns', '2'])).code,
    ).toBe(1);
  });

  it.each([
    ['no scenario', ['run']],
    ['no such file', ['run', 'missing.yaml']],
    ['an option that is not there', ['run', KEY, '--max-turn', '3']],
    ['turns that are no number', ['run', KEY, '--max-turns', 'ten']],
    ['no turns', ['run', KEY, '--max-turns', '0']],
    ['half a turn', ['run', KEY, '--max-turns', '1.5']],
    ['a number with an exponent', ['run', KEY, '--max-turns', '1e3']],
    ['turns without a number', ['run', KEY, '--max-turns']],
    ['turns given twice', ['run', KEY, '--max-turns', '1', '--max-turns', '2']],
    ['a seed given twice', ['run', KEY, '--seed', '1', '--seed', '2']],
    ['a controller that is not there', ['run', KEY, '--controller', 'clever']],
    ['a controller and a model', ['run', KEY, '--controller', 'random', '--model', 'm']],
    ['a setting that names nothing', ['run', KEY, '--set', 'turns.maximum=3']],
    ['a setting without a value', ['run', KEY, '--set', 'turns.max']],
    ['--step without a terminal', ['run', KEY, '--step']],
  ])('2 for %s', async (_, args) => {
    const { code, out, err } = await inFolder('codes', args);
    expect(code).toBe(2);
    expect(out).toBe('');
    expect(err).toMatch(/error: /);
    expect(err).not.toContain('internal error');
  });

  it('2 where a file is no log, and the file stays as it was', async () => {
    const path = join(folder, 'no-log.sqlite');
    const text = 'this is no database, and much too long for an empty one'.repeat(9);
    writeFileSync(path, text);
    for (const args of [
      ['run', KEY, '--out', path],
      ['show', path],
    ]) {
      const { code, err } = await inFolder('codes', args);
      expect(code).toBe(2);
      expect(err).toMatch(/^error: .*is not a log: it is not a SQLite database/);
    }
    expect(readFileSync(path, 'utf8')).toBe(text);
    writeFileSync(path, '');
    const empty = await inFolder('codes', ['show', path]);
    expect([empty.code, empty.err]).toEqual([
      2,
      expect.stringContaining('contains no run: the program was stopped before'),
    ]);
  });

  it('3 where the log can not be written', async () => {
    const under = await inFolder('codes', ['run', KEY, '--out', join(folder, 'corridor.yaml', 'a.sqlite')]);
    expect(under.code, under.err).toBe(3);
    const frames = await inFolder('codes', ['run', KEY, '--frames', join(folder, 'corridor.yaml')]);
    expect(frames.code).toBe(3);
    const log = join(folder, 'never.sqlite');
    const refused = await inFolder('codes', ['run', KEY, '--frames', '/proc/frames/here', '--out', log]);
    expect(refused.code).toBe(3);
    expect(refused.err).toContain("frames can't be written to /proc/frames/here");
    expect(existsSync(log)).toBe(false);
  });

  it('3 where a frame can not be written, and the log tells the end', async () => {
    // A folder stands where the third step's picture should.
    mkdirSync(join(folder, 'full', 'pictures', '000003-turn-0002-ranger.png', 'x'), { recursive: true });
    const args = ['run', KEY, '--frames', 'pictures', '--out', 'a.sqlite', '--json'];
    const { code, out, err } = await inFolder('full', args);
    expect(code).toBe(3);
    expect(err).toContain("frames can't be written to");
    expect(JSON.parse(out)).toMatchObject({ status: 'error' });
    const shown = await inFolder('full', ['show', 'a.sqlite']);
    expect(shown.out).toMatch(/error: frames can't be written to .*: it is a folder/);
    expect(readdirSync(join(folder, 'full', 'pictures')).filter((name) => name.endsWith('.part'))).toEqual(
      [],
    );
  });

  it('4 where the server can not be used', async () => {
    const { code, out, err } = await inFolder('codes', [
      'run',
      KEY,
      '--json',
      '--base-url',
      'http://127.0.0.1:9/v1',
      '--set',
      'models.main.retries=0',
    ]);
    expect([code, out]).toEqual([4, '']);
    expect(err).toContain('127.0.0.1:9');
    expect(err).toContain('hint: ');
  });

  it('0 where Ctrl-C comes after the end of the run', { tags: ['long'] }, async () => {
    // Sent when the process has nothing left to do.
    const late = "process.once('beforeExit', () => process.kill(process.pid, 'SIGINT'))";
    const { code, signal } = await runProgram(['run', join(folder, 'corridor.yaml'), '--quiet'], {
      cwd: folder,
      nodeOptions: ['--import', `data:text/javascript,${encodeURIComponent(late)}`],
    });
    expect([code, signal]).toEqual([0, null]);
  });

  it('130 on Ctrl-C, with the log whole up to the step that was played', async () => {
    const cwd = join(folder, 'interrupted');
    mkdirSync(cwd);
    const captured = capturedIo({ cwd });
    const write = captured.io.out.write.bind(captured.io.out);
    const io = {
      ...captured.io,
      out: {
        ...captured.io.out,
        write: (text: string) => {
          write(text);
          if (text.includes('T3')) captured.interrupt();
        },
      },
    };
    const code = await main(['run', KEY, '--out', 'a.sqlite'], io);
    expect(code).toBe(130);
    expect(captured.out()).toContain('interrupted: stopped by the user');
    expect(captured.out()).toContain('next  orchestrate resume a.sqlite\n');
    expect(captured.listeners()).toBe(0);
    const whole = await playedAsJson('interrupted', [KEY]);
    const reader = new LogReader(join(cwd, 'a.sqlite'));
    const run = at(reader.runs(), 0);
    const other = new LogReader(join(cwd, whole.log));
    const steps = [...reader.steps(run.runId)].map(({ chain }) => chain);
    const all = [...other.steps(whole.run_id)].map(({ chain }) => chain);
    reader.close();
    other.close();
    expect(run.status).toBe('interrupted');
    expect(steps.length).toBeLessThan(all.length);
    expect(steps).toEqual(all.slice(0, steps.length));
  });
});

describe('colour', () => {
  const args = ['run', KEY, '--out', 'a.sqlite'];
  it('is there in a terminal, and never with NO_COLOR', async () => {
    const terminal = await inFolder('colour-1', args, { isTerminal: true });
    expect(terminal.out).toContain('\u001b[');
    const none = await inFolder('colour-2', args, { isTerminal: true, env: { NO_COLOR: '1' } });
    expect(none.out).not.toContain('\u001b[3');
    // Who is thinking is told while it lasts, which depends on the machine.
    const lasting = (out: string) => stripVTControlCharacters(out.replaceAll(/[^\n]*\r\u001b\[2?K/g, ''));
    expect(lasting(terminal.out)).toBe(lasting(none.out));
  });

  it('is there with FORCE_COLOR in a pipe, unless it is 0 or NO_COLOR stands', async () => {
    expect((await inFolder('colour-3', args, { env: { FORCE_COLOR: '1' } })).out).toContain('\u001b[');
    expect((await inFolder('colour-4', args, { env: { FORCE_COLOR: '0' } })).out).not.toContain('\u001b');
    const both = await inFolder('colour-5', args, { env: { FORCE_COLOR: '1', NO_COLOR: '1' } });
    expect(both.out).not.toContain('\u001b');
  });

  it.each([40, 80, 120])(
    'leaves no step wider than a terminal of %i columns',
    { tags: ['long'] },
    async (columns) => {
      const { out } = await inFolder(`wide-${columns}`, ['run', scenario('crypt'), '--out', 'a.sqlite'], {
        isTerminal: true,
        columns,
        env: { NO_COLOR: '1' },
      });
      const [steps = ''] = out.split('\n\n');
      const wide = steps.split('\n').filter((line) => Array.from(line).length > columns);
      expect(wide).toEqual([]);
    },
  );
});

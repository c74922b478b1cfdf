/** `show` and `doctor`: what a log holds, what a machine and a server can do. */
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sha256 } from '../../src/base/canonical.js';
import { startFakeServer } from '../fake-server/server.mjs';
import type { FakeServer } from '../fake-server/server.mjs';
import { orchestrate } from '../support/captured-io.js';
import { temporaryFolder } from '../support/folder.js';
import { reseal } from '../replay/changes.js';

const CRYPT = resolve('scenarios/crypt.yaml');
const folder = temporaryFolder();
const on = (args: readonly string[]) => orchestrate(args, { cwd: folder });

beforeAll(async () => {
  await on(['run', join(process.cwd(), 'scenarios', 'two-keepers.yaml'), '--out', 'a.sqlite']);
});

describe('show', () => {
  it('prints each step of a run, as it was told while it played', async () => {
    const { code, out } = await on(['show', 'a.sqlite']);
    expect(code).toBe(0);
    expect(out).toMatch(
      /^Two Keepers {2}seed 3 · scripted · run two-keepers-[0-9a-f]{8}\ndrawn: lever green\n {4}1 {3}T1 {2}monk/,
    );
    expect(out).toContain('“Only the green lever opens the vault gate.');
    expect(out).toContain('heard by miner');
    expect(out).toContain('succeeded: The miner is in the vault.');
  });

  it('with --regret tells what each step cost, and where it cannot tell', { tags: ['long'] }, async () => {
    await on(['run', join(process.cwd(), 'scenarios', 'brass-key.yaml'), '--out', 'key.sqlite']);
    const { code, out } = await on(['show', 'key.sqlite', '--regret']);
    expect(code).toBe(0);
    expect(out).toMatch(
      /^ +T1 {2}ranger {8}(?:nothing|\d turns?) lost \(6 turns to go, then \d+ turns? to go\)\n/,
    );
    expect(out.trimEnd().split('\n').at(-1)).toMatch(/^\d turns? lost in \d+ steps$/);
    const unsure = await on(['show', 'key.sqlite', '--regret', '--effort', '1']);
    expect(unsure.out).toContain("can't tell, then");
    const json: { regret: { before: unknown }[] } = JSON.parse(
      (await on(['show', 'key.sqlite', '--regret', '--json'])).out,
    );
    expect(json.regret[0]).toMatchObject({ turn: 1, agent: 'ranger', before: 6 });
  });

  it('of one agent prints its steps alone', async () => {
    const { out } = await on(['show', 'a.sqlite', '--agent', 'miner']);
    expect(out).not.toMatch(/T\d+ {2}monk/);
    expect(out).toMatch(/T1 {2}miner/);
    const { steps }: { steps: { agent: string }[] } = JSON.parse(
      (await on(['show', 'a.sqlite', '--agent', 'miner', '--json'])).out,
    );
    expect(new Set(steps.map(({ agent }) => agent))).toEqual(new Set(['miner']));
    const nobody = await on(['show', 'a.sqlite', '--agent', 'nobody']);
    expect(nobody.code).toBe(2);
    expect(nobody.err).toContain('monk, miner');
  });

  it('of one step tells picture, text, reply with the accepted span, and result', async () => {
    const { code, out } = await on(['show', 'a.sqlite', '--step', '1']);
    expect(code).toBe(0);
    const picture = /picture: saved as (\S+\.png)/.exec(out)?.[1] ?? '';
    expect(existsSync(join(folder, picture))).toBe(true);
    expect(out).toContain('Turn 1.\nYou are in the cell');
    expect(out).toMatch(/ACTION: ⟦.+⟧\n→ read as label: /);
    expect(out).toMatch(/state [0-9a-f]{64}\nchain [0-9a-f]{64}\n$/);
  });

  it('of one step tells reasoning and tool calls from the words of the reply, also in plain text', async () => {
    const calls = [{ id: 'a', type: 'function', function: { name: 'WAIT', arguments: '{}' } }];
    const server = await startFakeServer({
      reply: ({ index }) =>
        index === 0
          ? { content: null, reasoning: 'ACTION: GO EAST' }
          : { content: '', toolCalls: calls, finishReason: 'tool_calls' },
    });
    const options = ['--base-url', server.baseUrl, '--max-turns', '1', '--set', 'turns.attempts=2'];
    const brassKey = join(process.cwd(), 'scenarios', 'brass-key.yaml');
    await on(['run', brassKey, '--protocol', 'tools', '--out', 'thought.sqlite', ...options]);
    await server.close();
    const { out } = await on(['show', 'thought.sqlite', '--step', '1']);
    expect(out).toMatch(
      /\nReasoning \(not part of the reply\)\nACTION: GO EAST\n\nReply \(stop, .*\)\n\(empty\)\n→ no action\n/,
    );
    expect(out).toMatch(/\nReply \(tool_calls, .*\)\ntool call WAIT \{\}\n→ read as /);
  });

  it('of a step in which nothing happened says so', async () => {
    const quiet = await on(['show', 'a.sqlite', '--agent', 'world', '--json']);
    const { steps } = JSON.parse(quiet.out) as {
      steps: readonly { step: number; events: readonly unknown[] }[];
    };
    const empty = steps.find(({ events }) => events.length === 0)?.step ?? 0;
    const { out } = await on(['show', 'a.sqlite', '--step', String(empty)]);
    expect(out).toContain('What happened\nno visible change\n');
  });

  it('answers --json with the run, or with the step and its calls', async () => {
    const run = JSON.parse((await on(['show', 'a.sqlite', '--json'])).out) as {
      steps: readonly unknown[];
    };
    expect(run).toMatchObject({
      scenario: 'two-keepers',
      seed: '3',
      end: { status: 'succeeded', steps: 11 },
    });
    expect(run.steps).toHaveLength(11);
    const step = JSON.parse((await on(['show', 'a.sqlite', '--step', '2', '--json'])).out) as {
      calls: readonly unknown[];
    };
    expect(step).toMatchObject({ step: 2, agent: 'miner' });
    expect(step.calls[0]).toMatchObject({
      messages: [{ role: 'system' }, { role: 'user', parts: [{ kind: 'text' }, { kind: 'image' }] }],
      picture: expect.stringMatching(/\.png$/) as string,
      end: { kind: 'replied' },
    });
  });

  it.each([
    [['show', 'a.sqlite', '--step', '99'], 2, 'its last step is 11'],
    [['show', 'a.sqlite', '--step', '0'], 2, 'whole number'],
    [['show', 'missing.sqlite'], 2, 'missing.sqlite'],
    [['show', '.'], 2, 'is not a log: it is not a plain file'],
    [['show'], 2, 'show needs a log'],
    [['rnu'], 2, 'there is no command "rnu"\n  hint: did you mean run?'],
    [['nope'], 2, 'there is no command "nope"'],
    [['nope', '--out', 'x'], 2, 'there is no command "nope"'],
    [['show', 'a.sqlite', '--jsn'], 2, 'there is no option --jsn\n  hint: did you mean --json?'],
    [['check', CRYPT, '--without', 'NOPE'], 2, 'there is no action "NOPE"'],
    [['run', CRYPT, '--memories', 'm', '--controller', 'scripted'], 2, 'no agent of crypt has'],
    [['run', CRYPT, '--human'], 2, '--human takes the id of the agent'],
    [['run', CRYPT, '--base-url', 'host:1'], 2, 'did you mean http://host:1/v1?'],
    [['show', process.execPath], 2, 'hint: pass the path of a log, as printed by run'],
    [['show', 'a.sqlite#other'], 2, 'the log has no such run'],
  ])('refuses %j', async (args, code, words) => {
    const ran = await on(args);
    expect(ran.code).toBe(code);
    expect(ran.out).toBe('');
    expect(ran.err).toContain(words);
    expect(ran.err).not.toContain('internal error');
  });
});

describe("a stranger's log", () => {
  /** A copy with something done to it; in a folder of its own. */
  function altered(name: string, sql: string): string {
    mkdirSync(join(folder, name));
    const path = join(name, 'b.sqlite');
    copyFileSync(join(folder, 'a.sqlite'), join(folder, path));
    const db = new Database(join(folder, path));
    db.pragma('foreign_keys = OFF');
    db.exec(sql);
    reseal(db);
    db.close();
    return path;
  }

  it.each([
    ['calls', "UPDATE calls SET agent = 'x/../../../EVIL'"],
    ['steps', "UPDATE steps SET agent = 'x/../../../EVIL'"],
    ['frames', "UPDATE frames SET png = CAST('#!/bin/sh' AS BLOB)"],
    ['sizes', 'UPDATE frames SET width = width + 1'],
  ])('whose %s lie is refused, and writes nothing', async (name, sql) => {
    const path = altered(name, sql);
    const { code, err, out } = await on(['show', path, '--step', '1']);
    expect(code).toBe(3);
    expect(err).toContain('is damaged');
    expect(out).toBe('');
    expect(readdirSync(join(folder, name))).toEqual(['b.sqlite']);
    expect(readdirSync(folder).filter((one) => one.includes('EVIL'))).toEqual([]);
  });

  it('prints one JSON document or none: damage further on is met before anything is printed', async () => {
    const path = altered('late', "UPDATE steps SET agent = 'No Id' WHERE step = 7");
    const { code, out, err } = await on(['show', path, '--json']);
    expect([code, out]).toEqual([3, '']);
    expect(err).toContain('agent of step 7 is invalid: expected a valid id');
  });

  it('with another picture under the hash of its bytes is refused where that is no PNG', async () => {
    const bytes = Buffer.from('#!/bin/sh\n'.repeat(9));
    const path = altered(
      'hashed',
      `UPDATE frames SET png = X'${bytes.toString('hex')}', sha256 = '${sha256(bytes)}'`,
    );
    expect((await on(['show', path, '--step', '1'])).err).toMatch(
      /frame [0-9a-f]{64} is not a PNG of \d+×\d+/,
    );
  });

  it('can not lead pictures elsewhere through links', async () => {
    const path = altered('links', 'SELECT 1');
    mkdirSync(join(folder, 'elsewhere'));
    symlinkSync(join(folder, 'elsewhere'), join(folder, 'links', 'b.frames'));
    const { code, out } = await on(['show', path, '--step', '1']);
    expect(code).toBe(0);
    expect(readdirSync(join(folder, 'elsewhere'))).toEqual([]);
    const apart = dirname(join(folder, /picture: saved as (\S+\.png)/.exec(out)?.[1] ?? ''));
    expect(basename(apart)).toMatch(/^orchestrate-frames-\w{6}$/);
    rmSync(apart, { recursive: true });
  });

  it('can not have a picture written through a link in its place', async () => {
    const path = altered('file-link', 'SELECT 1');
    writeFileSync(join(folder, 'mine.txt'), 'mine');
    mkdirSync(join(folder, 'file-link', 'b.frames'));
    const name = join(folder, 'file-link', 'b.frames', '000001-monk-1.png');
    symlinkSync(join(folder, 'mine.txt'), name);
    const { out } = await on(['show', path, '--step', '1']);
    expect(out).toContain('b.frames/000001-monk-1.png');
    expect(readFileSync(join(folder, 'mine.txt'), 'utf8')).toBe('mine');
    expect(readFileSync(name).subarray(1, 4).toString()).toBe('PNG');
  });
});

describe('doctor', () => {
  let server: FakeServer;
  beforeAll(async () => {
    server = await startFakeServer({ reply: () => 'I can not tell.' });
  });
  afterAll(() => server.close());

  it('examines this machine', async () => {
    const { code, out } = await on(['doctor']);
    expect(code).toBe(0);
    expect(out).toContain('ok    node');
    expect(out).toContain('SQLite writes a log');
    expect(out).toContain('use --base-url to examine a model server');
  });

  it('counts the tiles that a scenario may name', async () => {
    const { tiles }: { tiles: object } = JSON.parse(readFileSync('assets/tileset.json', 'utf8'));
    expect((await on(['doctor'])).out).toContain(`ok    tileset   ${Object.keys(tiles).length} tiles read\n`);
  });

  it('asks a server for its models and shows it one known picture', async () => {
    const { out } = await on(['doctor', '--base-url', server.baseUrl]);
    expect(out).toContain('  ok    frame     480 × 480 pixels: 256 tokens as counted by the server; ');
    expect(out).toContain('fake-vlm');
    expect(out.match(/(ok|warn) +(guided|tools) /g)).toHaveLength(server.chats.length - 1);
    expect(JSON.stringify(server.chats[0]?.body)).toContain('data:image/png;base64,');
  });

  it('answers --json with one document', async () => {
    const { out, err } = await on(['doctor', '--base-url', server.baseUrl, '--json']);
    expect(err).toBe('');
    expect(JSON.parse(out)).toMatchObject({
      version: expect.stringMatching(/^\d/) as string,
      machine: [{ about: 'node', status: 'ok' }, { about: 'log' }, { about: 'tileset' }],
      servers: [{ baseUrl: server.baseUrl }],
    });
  });

  it('exits 4 where the server can not be reached, and says what to try', async () => {
    const { code, out } = await on(['doctor', '--base-url', 'http://127.0.0.1:9/v1']);
    expect(code).toBe(4);
    expect(out).toContain('fail');
    expect(out).toContain('hint: ');
  });

  it('examines the servers that a scenario names', async () => {
    const { code } = await orchestrate(['doctor', join(process.cwd(), 'scenarios', 'crypt.yaml')], {
      cwd: folder,
      env: { VLLM_URL: 'http://127.0.0.1:9/v1' },
    });
    expect(code).toBe(4);
  });

  it('shows another number each time, so that no blind answer passes', async () => {
    const pictures = new Set<string>();
    for (let time = 0; time < 8; time++) {
      const from = server.chats.length;
      await on(['doctor', '--base-url', server.baseUrl]);
      pictures.add(/data:image\/png;base64,[^"]+/.exec(JSON.stringify(server.chats[from]?.body))?.[0] ?? '');
    }
    // Chance alone: that fewer than five of eight differ happens once in some ten million times.
    expect(pictures.size).toBeGreaterThan(4);
    expect(pictures).not.toContain('');
  });
});

/**
 * What must never be written down: a key, the user and password of an address, headers of requests and answers. A careless server repeats them
 * wherever it can; then every byte of every file and everything printed is searched.
 */
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { FORMATS } from '../../src/export/formats/formats.js';
import { startFakeServer } from '../fake-server/server.mjs';
import type { Behaviour, FakeServer } from '../fake-server/server.mjs';
import { corridor } from '../orchestrator/two-agents.js';
import { orchestrate } from '../support/captured-io.js';
import type { Ran } from '../support/captured-io.js';
import { temporaryFolder } from '../support/folder.js';
import { formsOf } from '../support/written-forms.js';

/** All that is planted holds this word, which nothing else does. */
const PLANTED = /canary/i;
const KEY = 'sk-canary/7f3a+9b1c"5d';
const cwd = temporaryFolder();
const printed: string[] = [];
const servers: FakeServer[] = [];
afterAll(() => Promise.all(servers.map((server) => server.close())));

async function on(...args: readonly string[]): Promise<Ran> {
  const ran = await orchestrate(args, { cwd, env: { SERVER_KEY: KEY } });
  printed.push(ran.out, ran.err);
  return ran;
}

/** The key as it was sent, in another spelling of JSON. */
function spelt(text: string, how: 'plain' | 'slashes' | 'escaped'): string {
  if (how === 'plain') return text;
  if (how === 'slashes') return text.replaceAll('/', '\\/');
  const written = JSON.stringify(KEY).slice(1, -1);
  const hex = Array.from(KEY, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return text.replaceAll(written, hex.join(''));
}

/** A good answer that repeats the whole request's head wherever a field may stand, and in its own head. */
function careless(how: 'plain' | 'slashes' | 'escaped'): Behaviour {
  return ({ request, completion, response }) => {
    const copy = structuredClone(completion) as {
      choices: [{ message: Record<string, unknown>; more?: unknown }];
    };
    const sent = String(request.headers.authorization);
    const { message } = copy.choices[0];
    message['content'] =
      `I was told ${sent}.\nACTION: SPEAK "${KEY.replace('"', '')} is not it, ${sent.slice(7, -9)}"`;
    message['content'] = `I was told ${sent}.\nACTION: WAIT`;
    message['reasoning'] = `They sent ${sent}.`;
    message['tool_calls'] = [
      { id: sent, type: 'function', function: { name: sent, arguments: JSON.stringify({ sent }) } },
    ];
    copy.choices[0].more = { headers: request.headers };
    const body = spelt(
      JSON.stringify({ ...copy, model: `m-${sent}`, debug: request.rawHeaders, [sent]: sent }),
      how,
    );
    response.writeHead(200, heads(sent));
    response.end(body);
  };
}

function heads(sent: string): Record<string, string> {
  return {
    'content-type': 'application/json',
    authorization: sent,
    'set-cookie': 'session=canary-cookie',
    'x-request-id': `canary-request-${encodeURIComponent(sent)}`,
    'server-timing': 'canary',
  };
}

const refusing =
  (code: number): Behaviour =>
  ({ request, response }) => {
    const sent = String(request.headers.authorization);
    response.writeHead(code, { ...heads(sent), location: `/login/${encodeURIComponent(KEY)}?token=canary` });
    response.end(spelt(JSON.stringify({ error: { message: `no: ${sent}`, code } }), 'escaped'));
  };

async function serve(...does: readonly Behaviour[]): Promise<FakeServer> {
  const server = await startFakeServer({ apiKey: KEY, images: 'any' });
  servers.push(server);
  server.next(...does);
  return server;
}

function settings(baseUrl: string): readonly string[] {
  const model = {
    base_url: baseUrl,
    model: 'fake-vlm',
    api_key_env: 'SERVER_KEY',
    retries: 1,
    guided: 'off',
  };
  const set = Object.entries(model).map(([field, value]) => `models.m.${field}=${value}`);
  return [...set, 'agents.ann.model=m', 'agents.bob.model=m'].flatMap((one) => ['--set', one]);
}

function leaks(): readonly string[] {
  const files = readdirSync(cwd, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  const found = files.flatMap((path) => formsOf(path).map((text) => [path, text] as const));
  const told = printed.map((text) => ['printed', text] as const);
  return [...found, ...told].flatMap(([place, text]) => {
    const at = text.search(PLANTED);
    return at < 0 ? [] : [`${place}: …${text.slice(Math.max(0, at - 60), at + 30)}`];
  });
}

describe('what a careless server repeats', () => {
  it('is in nothing that is printed or written', async () => {
    writeFileSync(join(cwd, 'corridor.yaml'), corridor('max: 4'));
    const server = await serve(
      careless('plain'),
      refusing(503),
      careless('slashes'),
      careless('escaped'),
      refusing(400),
    );
    const given = ['--key', `SERVER_KEY=${server.baseUrl}`];
    const failed = await on(
      'run',
      'corridor.yaml',
      '--out',
      'a.sqlite',
      ...settings(server.baseUrl),
      ...given,
    );
    expect(failed.code).toBe(4);
    expect(failed.err).toMatch(/no: Bearer \[key\]/);
    server.next(refusing(401));
    expect((await on('resume', 'a.sqlite', ...given)).code).toBe(4);
    server.next(refusing(302));
    expect((await on('resume', 'a.sqlite', '--json', ...given)).code).toBe(4);
    server.next(careless('escaped'));
    expect((await on('resume', 'a.sqlite', ...given)).code).toBe(0);
    expect(server.chats.length).toBeGreaterThan(8);

    for (const words of [
      ['verify', 'a.sqlite'],
      ['show', 'a.sqlite', '--json'],
      ['show', 'a.sqlite', '--step', '2'],
      ['report', 'a.sqlite', '--json'],
      ['report', 'a.sqlite', '--out', 'report.html'],
      ['view', 'a.sqlite', '--out', 'page.html'],
      ['reparse', 'a.sqlite'],
      ['doctor', '--base-url', server.baseUrl, '--api-key-env', 'SERVER_KEY'],
      ...FORMATS.map(({ name }) => ['export', 'a.sqlite', '--format', name, '--out', `as-${name}`]),
    ])
      expect([words.join(' '), (await on(...words)).code, printed.at(-1)]).toEqual([
        words.join(' '),
        // The log holds no pairs.
        words.includes('preference') ? 2 : 0,
        printed.at(-1),
      ]);
    expect(leaks()).toEqual([]);
  });

  it('is an address with a password: refused without a word of it', async () => {
    const { baseUrl } = await serve();
    const secret = baseUrl.replace('http://', 'http://canary-user:canary-password@');
    for (const words of [
      ['run', 'corridor.yaml', '--out', 'b.sqlite', ...settings(secret)],
      ['run', 'corridor.yaml', '--out', 'c.sqlite', ...settings(`${baseUrl}?token=canary`)],
      ['doctor', '--base-url', secret],
      ['run', 'corridor.yaml', '--base-url', secret, '--out', 'd.sqlite'],
    ])
      expect((await on(...words)).code).toBe(2);
    expect(leaks()).toEqual([]);
  });

  it('would be found', () => {
    writeFileSync(join(cwd, 'note.txt'), KEY);
    expect(leaks().join()).toContain('note.txt: …');
  });
});

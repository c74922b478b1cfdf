/**
 * A key goes only where its user sent it: variables × addresses at the client, with a look at where the request would really go; and on the command
 * line a stranger's scenario, log, batch and `.env` that name a key and a server of their own.
 */
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { urlToHttpOptions } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OrchestrateError } from '../../src/base/errors.js';
import { allowedIn } from '../../src/cli/options/allowed-file.js';
import { serverKeys } from '../../src/model/keys.js';
import { openChatModel } from '../../src/model/openai.js';
import type { HttpRequest } from '../../src/model/transport.js';
import { startFakeServer } from '../fake-server/server.mjs';
import type { FakeServer } from '../fake-server/server.mjs';
import { NEVER, TestClock, game, specification } from '../model/harness.js';
import { corridor } from '../orchestrator/two-agents.js';
import { orchestrate } from '../support/captured-io.js';
import type { CapturedOptions } from '../support/captured-io.js';
import { temporaryFolder } from '../support/folder.js';
import { grouped, reached } from '../support/sizes.js';

const folder = temporaryFolder();
const keyOf = (variable: string): string => `canary-of-${variable}`;

const VARIABLES = [
  'OPENAI_API_KEY',
  'OPENROUTER_API_KEY',
  'LAB_KEY',
  'DATABASE_URL',
  'AWS_SECRET_ACCESS_KEY',
  'VLLM_URL',
  'constructor',
  '__proto__',
];

const GIVEN = {
  LAB_KEY: ['http://gpu-box:8000/v1', 'https://lab.example'],
  VLLM_URL: ['http://127.0.0.1:8000'],
};

/** Where each may go, as a connection is made: by hand, not by the program's own reckoning. */
const MAY_GO: Readonly<Record<string, readonly string[]>> = {
  OPENAI_API_KEY: ['https: api.openai.com 443'],
  OPENROUTER_API_KEY: ['https: openrouter.ai 443'],
  LAB_KEY: ['http: gpu-box 8000', 'https: lab.example 443'],
  VLLM_URL: ['http: 127.0.0.1 8000'],
};

const ADDRESSES = [
  'https://api.openai.com/v1',
  'HTTPS://API.OpenAI.com:443/v1',
  'https://api.openai.com/v1/../v2',
  'http://api.openai.com/v1',
  'http://api.openai.com:443/v1',
  'https://api.openai.com:8443/v1',
  'https://api.openai.com./v1',
  'https://api.openai.com.evil.example/v1',
  'https://evil.example/https://api.openai.com/v1',
  'https://evil.example/api.openai.com',
  'https://xapi.openai.com/v1',
  'https://openai.com/v1',
  'https://api.openai.com\\@evil.example/v1',
  'https://api.openai.com%2eevil.example/v1',
  'https://аpi.openai.com/v1',
  'https://api。openai。com/v1',
  'https://openrouter.ai/api/v1',
  'https://openrouter.ai.evil.example/v1',
  'http://gpu-box:8000/v1',
  'http://gpu-box:8000/other/path',
  'https://gpu-box:8000/v1',
  'http://gpu-box:8001/v1',
  'http://gpu-box/v1',
  'http://GPU-BOX:8000/v1',
  'http://xgpu-box:8000/v1',
  'https://lab.example/v1',
  'https://lab.example:443/v1',
  'http://lab.example/v1',
  'http://127.0.0.1:8000/v1',
  'http://127.0.0.1:8001/v1',
  'http://2130706433:8000/v1',
  'http://0x7f.1:8000/v1',
  'http://localhost:8000/v1',
  'http://[::1]:8000/v1',
  'http://[::ffff:127.0.0.1]:8000/v1',
  'http://0.0.0.0:8000/v1',
  'http://localhost.evil.example:8000/v1',
  'http://127.0.0.1.evil.example:8000/v1',
  'https://evil.example/v1',
  'http://169.254.169.254/v1',
];

/** Asks, and keeps what would be sent. */
async function sentTo(variable: string, baseUrl: string): Promise<readonly HttpRequest[] | 'refused'> {
  const sent: HttpRequest[] = [];
  const dependencies = {
    keys: serverKeys(keyOf, GIVEN),
    clock: new TestClock(),
    random: () => 0,
    transport: {
      send: (request: HttpRequest) => {
        sent.push(request);
        return Promise.resolve({ status: 401, headers: {}, body: new Uint8Array() });
      },
      close: () => undefined,
    },
  };
  try {
    const model = openChatModel(specification(baseUrl, { apiKeyEnv: variable }), dependencies);
    await model.prepare(NEVER).catch(() => undefined);
    await model.complete(game(), NEVER);
  } catch (error) {
    if (!(error instanceof OrchestrateError)) throw error;
    if (sent.length === 0) return 'refused';
  }
  return sent;
}

function placeOf({ url }: HttpRequest): string {
  const { protocol, hostname, port } = urlToHttpOptions(new URL(url));
  return `${protocol} ${hostname} ${port || (protocol === 'https:' ? 443 : 80)}`;
}

describe('a key at the client', () => {
  it('goes to the servers that it was given for, and to no other', async () => {
    const wrong: string[] = [];
    const gone = new Set<string>();
    for (const variable of VARIABLES) {
      for (const baseUrl of ADDRESSES) {
        const sent = await sentTo(variable, baseUrl);
        if (sent === 'refused') continue;
        for (const request of sent) {
          const hasKey = JSON.stringify(request.headers).includes('canary');
          const may =
            Object.hasOwn(MAY_GO, variable) && MAY_GO[variable]?.includes(placeOf(request)) === true;
          if (hasKey) gone.add(`${variable} ${placeOf(request)}`);
          if (hasKey && !may) wrong.push(`${variable} went to ${request.url}`);
        }
      }
    }
    expect(wrong).toEqual([]);
    // All that may go does.
    const all = Object.entries(MAY_GO).flatMap(([variable, places]) =>
      places.map((place) => `${variable} ${place}`),
    );
    expect([...gone].sort()).toEqual(all.sort());
    const pairs = VARIABLES.length * ADDRESSES.length;
    reached(
      'secrets',
      `${grouped(pairs)} variables × addresses, no key went to a server that it was not given for`,
    );
  });
});

const KEY = 'sk-canary-9c1f2ab7';
let server: FakeServer;
beforeAll(async () => {
  server = await startFakeServer({ images: 'any' });
});
afterAll(() => server.close());

let made = 0;

function newFolder(): string {
  const cwd = join(folder, String((made += 1)));
  mkdirSync(cwd);
  return cwd;
}

function played(model: string): string {
  const asked = corridor('max: 1').replaceAll(', sprite: figure', ', model: m, sprite: figure');
  return `${asked}models: { m: { model: fake-vlm, retries: 0, ${model} } }\n`;
}

interface Outcome {
  code: number;
  told: string;
  /** What servers were sent as a key. */
  keys: readonly string[];
}

async function on(words: readonly string[], options: CapturedOptions): Promise<Outcome> {
  const before = server.requests.length;
  const { code, out, err } = await orchestrate(words, options);
  const keys = server.requests.slice(before).flatMap(({ headers }) => headers.authorization ?? []);
  return { code, told: out + err, keys: [...new Set(keys)] };
}

const run = (cwd: string, more: readonly string[], options: CapturedOptions): Promise<Outcome> =>
  on(['run', 'scenario.yaml', '--out', `${(made += 1)}.sqlite`, ...more], { cwd, ...options });

describe("a key on the command line, with a stranger's scenario", () => {
  const ELSEWHERE = 'https://collect.example.invalid/v1';

  it.each(['OPENAI_API_KEY', 'DATABASE_URL', 'AWS_SECRET_ACCESS_KEY', 'GH_PAT'])(
    '%s is refused before anything is sent, with what to type',
    async (variable) => {
      const cwd = newFolder();
      writeFileSync(join(cwd, 'scenario.yaml'), played(`api_key_env: ${variable}, base_url: '${ELSEWHERE}'`));
      writeFileSync(join(cwd, 'batch.yaml'), 'scenarios: [scenario.yaml]\n');
      const env = { [variable]: KEY };
      for (const words of [
        ['run', 'scenario.yaml', '--out', 'a.sqlite'],
        ['batch', 'batch.yaml', '--out', 'runs'],
        ['doctor', 'scenario.yaml'],
      ]) {
        const { code, told } = await on(words, { cwd, env });
        expect([words[0], code]).toEqual([words[0], 2]);
        expect(told).toContain(`--key ${variable}=https://collect.example.invalid`);
        expect(told).not.toContain('canary');
      }
      expect(existsSync(join(cwd, 'a.sqlite'))).toBe(false);
    },
  );

  it('on this machine is asked without it, and a refusal says what to type', async () => {
    const cwd = newFolder();
    const strict = await startFakeServer({ images: 'any', apiKey: KEY });
    const scenario = played(`api_key_env: LAB_KEY, base_url: '${strict.baseUrl}'`);
    writeFileSync(join(cwd, 'scenario.yaml'), scenario);
    const without = await run(cwd, [], { env: { LAB_KEY: KEY } });
    expect(without.code).toBe(4);
    expect(without.told).toContain(`--key LAB_KEY=${new URL(strict.baseUrl).origin}`);
    expect(strict.requests.every(({ headers }) => headers.authorization === undefined)).toBe(true);
    const given = await run(cwd, ['--key', `LAB_KEY=${strict.baseUrl}`], { env: { LAB_KEY: KEY } });
    expect(given.code).toBe(0);
    expect(strict.requests.at(-1)?.headers.authorization).toBe(`Bearer ${KEY}`);
    await strict.close();
  });

  it('--base-url gives it the keys that are for any server, and no other that the scenario names', async () => {
    const cwd = newFolder();
    for (const [variable, keys] of [
      ['OPENAI_API_KEY', [`Bearer ${KEY}`]],
      ['VLLM_API_KEY', [`Bearer ${KEY}`]],
      ['OPENROUTER_API_KEY', []],
      ['DATABASE_URL', []],
    ] as const) {
      writeFileSync(join(cwd, 'scenario.yaml'), played(`api_key_env: ${variable}`));
      const ran = await run(cwd, ['--base-url', server.baseUrl], { env: { [variable]: KEY } });
      expect(ran).toMatchObject({ code: 0, keys });
    }
  });

  it("a `.env` of the folder sends no key of the environment's to its own VLLM_URL", async () => {
    const cwd = newFolder();
    writeFileSync(join(cwd, 'scenario.yaml'), played("base_url: '${VLLM_URL}'"));
    const env = { OPENAI_API_KEY: KEY };
    writeFileSync(join(cwd, '.env'), `VLLM_URL=${server.baseUrl}\n`);
    expect(await run(cwd, [], { env })).toMatchObject({ code: 0, keys: [] });
    writeFileSync(join(cwd, '.env'), `VLLM_URL=${ELSEWHERE}\n`);
    expect(await run(cwd, [], { env })).toMatchObject({ code: 2, keys: [] });
    // Both from the one place or the other.
    writeFileSync(join(cwd, '.env'), `VLLM_URL=${server.baseUrl}\nOPENAI_API_KEY=${KEY}\n`);
    expect(await run(cwd, [], {})).toMatchObject({ code: 0, keys: [`Bearer ${KEY}`] });
    const both = { ...env, VLLM_URL: server.baseUrl };
    expect(await run(cwd, [], { env: both })).toMatchObject({ code: 0, keys: [`Bearer ${KEY}`] });
  });

  it("a folder named `.env` is none; anything else that can't be read is reported", async () => {
    const cwd = newFolder();
    writeFileSync(join(cwd, 'scenario.yaml'), corridor('max: 1'));
    mkdirSync(join(cwd, '.env'));
    expect(await run(cwd, [], {})).toMatchObject({ code: 0 });
    rmSync(join(cwd, '.env'), { recursive: true });
    writeFileSync(join(cwd, '.env'), 'A=1\n'.repeat(1_000_000));
    expect(await run(cwd, [], {})).toMatchObject({
      code: 2,
      told: expect.stringContaining(".env can't be read: it has 4000000 bytes") as string,
    });
  });

  it("a stranger's log asks nobody with a key", async () => {
    const cwd = newFolder();
    writeFileSync(join(cwd, 'scenario.yaml'), played(`api_key_env: LAB_KEY, base_url: '${server.baseUrl}'`));
    const env = { LAB_KEY: KEY };
    const given = ['--key', `LAB_KEY=${server.baseUrl}`];
    for (const [verb, ...more] of [
      ['fork', '--at', '1'],
      ['ask', 'Why?', '--step', '1'],
    ] as const) {
      for (const [log, allowed, keys] of [
        [`${verb}.sqlite`, [], []],
        [`${verb}-given.sqlite`, given, [`Bearer ${KEY}`]],
      ] as const) {
        expect(await on(['run', 'scenario.yaml', '--out', log], { cwd })).toMatchObject({
          code: 0,
          keys: [],
        });
        expect(await on([verb, log, ...more, ...allowed], { cwd, env })).toMatchObject({ code: 0, keys });
      }
    }
  });
});

describe('somebody at a terminal', () => {
  const ELSEWHERE = 'http://collect.example.invalid';

  it('is asked once where a key may go, and a yes is kept in their own folder alone', async () => {
    const [cwd, home] = [newFolder(), newFolder()];
    writeFileSync(join(cwd, 'scenario.yaml'), played(`api_key_env: LAB_KEY, base_url: '${ELSEWHERE}/v1'`));
    const env = { LAB_KEY: KEY, HOME: home };
    const kept = join(home, '.config', 'orchestrate', 'allowed.json');
    for (const stdin of ['\n', 'n\n', 'what?\n', '']) {
      const no = await run(cwd, [], { env, stdin, isTyped: true });
      expect(no).toMatchObject({
        code: 2,
        told: expect.stringContaining(`, now and in later runs? [y/N]`) as string,
      });
      expect(existsSync(kept)).toBe(false);
    }
    // The server is nowhere: that it was looked for is all that is wanted.
    const yes = await run(cwd, [], { env, stdin: 'y\n', isTyped: true });
    expect(yes).toMatchObject({ code: 4, told: expect.stringContaining(kept) as string });
    expect(JSON.parse(readFileSync(kept, 'utf8'))).toEqual({ env: [], keys: { LAB_KEY: [ELSEWHERE] } });
    const again = await run(cwd, [], { env });
    expect(again.code).toBe(4);
    expect(again.told).not.toContain('[y/N]');
  });
});

describe('the file of allowances', () => {
  it('lets scenarios read variables and keys go, and is read from the home folder alone', async () => {
    const [cwd, home] = [newFolder(), newFolder()];
    const allowed = { env: ['LAB_URL'], keys: { LAB_KEY: [server.baseUrl] } };
    writeFileSync(join(cwd, 'scenario.yaml'), played("api_key_env: LAB_KEY, base_url: '${LAB_URL}'"));
    const env = { LAB_KEY: KEY, LAB_URL: server.baseUrl };
    for (const place of [cwd, home]) {
      mkdirSync(join(place, '.config', 'orchestrate'), { recursive: true });
      writeFileSync(join(place, '.config', 'orchestrate', 'allowed.json'), JSON.stringify(allowed));
    }
    expect(await run(cwd, [], { env: { ...env, XDG_CONFIG_HOME: '.config' } })).toMatchObject({ code: 2 });
    expect(await run(cwd, [], { env: { ...env, HOME: '.' } })).toMatchObject({ code: 2 });
    const [byHome, byConfig] = [{ HOME: home }, { XDG_CONFIG_HOME: join(home, '.config') }];
    for (const place of [byHome, byConfig])
      expect(await run(cwd, [], { env: { ...env, ...place } })).toMatchObject({
        code: 0,
        keys: [`Bearer ${KEY}`],
      });
  });

  it.each([
    '',
    '[]',
    '{"env": "A"}',
    '{"env": ["A B"]}',
    '{"keys": {"A": ["nowhere"]}}',
    '{"more": []}',
    '{"keys": {"A": "https://a.example"}}',
  ])('holds nothing else: %s', async (text) => {
    const [cwd, home] = [newFolder(), newFolder()];
    writeFileSync(join(cwd, 'scenario.yaml'), corridor('max: 1'));
    mkdirSync(join(home, '.config', 'orchestrate'), { recursive: true });
    writeFileSync(join(home, '.config', 'orchestrate', 'allowed.json'), text);
    const ran = await run(cwd, [], { env: { HOME: home } });
    expect(ran).toMatchObject({
      code: 2,
      told: expect.stringContaining('has no list of allowed variables and keys') as string,
    });
  });
});

describe('a home without the file', () => {
  it.each([
    ['a device, as services have it', '/dev/null'],
    ['that does not exist', '/nonexistent'],
  ])('%s allows nothing and prevents nothing', async (_, home) => {
    const cwd = newFolder();
    writeFileSync(join(cwd, 'scenario.yaml'), corridor('max: 1'));
    expect(await run(cwd, [], { env: { HOME: home } })).toMatchObject({ code: 0 });
  });

  it.skipIf(process.geteuid?.() !== 0)('of another user allows nothing and prevents nothing', () => {
    const home = newFolder();
    mkdirSync(join(home, '.config', 'orchestrate'), { recursive: true });
    writeFileSync(join(home, '.config', 'orchestrate', 'allowed.json'), '{"env": ["LAB_URL"]}');
    chmodSync(home, 0o700);
    const read = () => allowedIn({ env: { HOME: home } });
    expect(read()).toEqual({ env: ['LAB_URL'], keys: {} });
    process.seteuid?.(65_534);
    try {
      expect(() => readFileSync(join(home, '.config'))).toThrow(/EACCES/);
      expect(read()).toEqual({ env: [], keys: {} });
    } finally {
      process.seteuid?.(0);
    }
  });

  it('is reported if something else has its name', async () => {
    const [cwd, home] = [newFolder(), newFolder()];
    writeFileSync(join(cwd, 'scenario.yaml'), corridor('max: 1'));
    mkdirSync(join(home, '.config', 'orchestrate', 'allowed.json'), { recursive: true });
    const ran = await run(cwd, [], { env: { HOME: home } });
    expect(ran.code).toBe(2);
    expect(ran.told).toContain("allowed.json can't be read: it is a folder");
  });
});

describe('the options', () => {
  it.each([
    [['--env', 'A B'], '--env takes the name of a variable'],
    [['--env', `LAB_KEY=${KEY}`], '--env LAB_KEY'],
    [['--key', KEY], '--key takes the name of the variable'],
    [['--key', `LAB_KEY=${KEY}`], '--key LAB_KEY=https://models.example.org'],
    [['--key', 'LAB_KEY=gpu-box:8000'], '--key takes the name'],
    [['--key', '=https://a.example'], '--key takes the name'],
  ])('%s', async (words, told) => {
    const cwd = newFolder();
    writeFileSync(join(cwd, 'scenario.yaml'), corridor('max: 1'));
    const ran = await run(cwd, words, {});
    expect(ran).toMatchObject({ code: 2, told: expect.stringContaining(told) as string });
    expect(ran.told).not.toContain('canary');
  });
});

/**
 * The program as a user runs it, against a server over real HTTP: the same end as with the embedded player, whatever the transport
 * does; whole logs after Ctrl-C; and requests that hold what one agent may know and nothing else.
 */
import { mkdirSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { at, known } from '../../src/base/assert.js';
import { endChain } from '../../src/trajectory/chain.js';
import type { EndContent } from '../../src/trajectory/chain.js';
import { LogReader } from '../../src/log/reader.js';
import { LOG_VERSION } from '../../src/log/log-version.js';
import * as behaviour from '../fake-server/behaviours.mjs';
import { startFakeServer } from '../fake-server/server.mjs';
import type { FakeServer, Options } from '../fake-server/server.mjs';
import { answersOf, messagesIn } from '../support/chat-script.js';
import type { ChatMessage } from '../support/chat-script.js';
import { runProgram, startProgram } from '../support/children.js';
import { temporaryFolder } from '../support/folder.js';
import { play } from '../support/play.js';
import type { Played } from '../support/play.js';
import { verified } from '../replay/support.js';

const folder = temporaryFolder();
const CANARY = 'sk-canary-4f7e1a9b';
let embedded: Played;
let answers: ReturnType<typeof answersOf>;
const servers: FakeServer[] = [];

beforeAll(async () => {
  embedded = await play('scenarios/crypt.yaml');
  answers = answersOf(embedded.sink);
});

afterAll(() => Promise.all(servers.map((server) => server.close())));

async function serve(options: Options = {}): Promise<FakeServer> {
  const server = await startFakeServer({ reply: (request) => answers(request), ...options });
  servers.push(server);
  return server;
}

interface Document {
  run_id: string;
  status: string;
  steps: number;
  state_hash: string;
  chain_hash: string;
  usage: { calls: number; prompt_tokens: number | null };
}

function argumentsFor(server: FakeServer, log: string, ...more: readonly string[]): readonly string[] {
  const out = ['--out', join(folder, log), '--json'];
  return ['run', 'scenarios/crypt.yaml', '--base-url', server.baseUrl, ...out, ...more];
}

/** The chain after each step of a log. */
function chainsIn(log: string): readonly string[] {
  const reader = new LogReader(join(folder, log));
  const chains = [...reader.steps(at(reader.runs(), 0).runId)].map(({ chain }) => chain);
  reader.close();
  return chains;
}

describe('a run over HTTP', () => {
  let server: FakeServer;
  let document: Document;

  beforeAll(async () => {
    server = await serve();
    const ended = await runProgram(argumentsFor(server, 'http.sqlite', '--frames', join(folder, 'frames')));
    expect(ended.err).toContain('succeeded');
    document = JSON.parse(ended.out) as Document;
  });

  it('ends with the state and the chain of the embedded one', () => {
    const { end } = embedded;
    expect(document).toMatchObject({
      status: 'succeeded',
      steps: end.steps,
      state_hash: end.stateHash,
      chain_hash: end.chain,
    });
    expect(document.usage.prompt_tokens).toBeGreaterThan(0);
  });

  it('can be made again from its log alone', { tags: ['long'] }, async () => {
    expect(await verified(join(folder, 'http.sqlite'))).toMatchObject({
      difference: null,
      steps: document.steps,
    });
  });

  it('asked once for each call, with exactly one picture, last', () => {
    expect(server.chats).toHaveLength(document.usage.calls);
    for (const { body } of server.chats) {
      const messages = messagesIn(body);
      expect(messages.flatMap(({ images }) => images)).toHaveLength(1);
      expect(messages.at(-1)?.images).toHaveLength(1);
      expect(messages[0]?.role).toBe('system');
    }
  });

  it('showed three agents three different pictures', () => {
    const first = ['wizard', 'blacksmith', 'knight'].map((agent) => at(requestsOf(server, agent), 0));
    expect(new Set(first.map((messages) => messages.at(-1)?.images[0])).size).toBe(3);
    const files = readdirSync(join(folder, 'frames')).sort().slice(0, 3);
    const pictures = files.map((name) => readFileSync(join(folder, 'frames', name)).toString('base64'));
    expect(first.map((messages) => messages.at(-1)?.images[0]?.split(',')[1])).toEqual(pictures);
  });

  it('put nothing of one agent’s persona or goals into another’s requests', () => {
    const { agents } = embedded.parts.scenario;
    for (const { id } of agents) {
      const sent = JSON.stringify(
        requestsOf(server, id).map((messages) => messages.map(({ texts }) => texts)),
      );
      for (const other of agents.filter((agent) => agent.id !== id)) {
        expect(sent).not.toContain(JSON.stringify(other.persona).slice(1, 40));
        for (const goal of other.goals.map(({ name }) => name)) {
          const isShared = agents.find((agent) => agent.id === id)?.goals.some(({ name }) => name === goal);
          if (isShared !== true) expect(sent).not.toContain(JSON.stringify(goal).slice(1, -1));
        }
      }
    }
  });

  it('told no agent what another one saw first', () => {
    const lines = (agent: string): readonly string[] =>
      at(requestsOf(server, agent), 0).at(-1)?.texts.join('\n').split('\n') ?? [];
    const own = { wizard: 'scroll', blacksmith: 'You are in', knight: 'You are in' };
    expect(lines('wizard').join('\n')).toContain(own.wizard);
    for (const agent of ['blacksmith', 'knight']) expect(lines(agent).join('\n')).not.toContain('scroll');
  });

  it('began each request with the exact text of the one before, but where the past is cut', () => {
    for (const agent of ['wizard', 'blacksmith', 'knight']) {
      const requests = requestsOf(server, agent).map((messages) =>
        messages.map(({ texts }) => texts.join('\n')),
      );
      let kept = 0;
      for (let i = 1; i < requests.length; i++) {
        const before = at(requests, i - 1).slice(0, -1);
        if (JSON.stringify(at(requests, i).slice(0, before.length)) === JSON.stringify(before)) kept += 1;
      }
      expect(requests.length - 1 - kept).toBeLessThanOrEqual(Math.floor(requests.length / 12));
      expect(kept).toBeGreaterThan(requests.length * 0.8);
    }
  });

  it('opened, for every agent, with what preview shows uncalled', { tags: ['long'] }, async () => {
    const fresh = await serve();
    const set = ['--set', 'turns.order=simultaneous', '--set', 'turns.max=1'];
    await runProgram(argumentsFor(fresh, 'first.sqlite', ...set));
    for (const agent of ['wizard', 'blacksmith', 'knight']) {
      const before = fresh.requests.length;
      const words = ['preview', 'scenarios/crypt.yaml', '--agent', agent, '--messages', '--json', ...set];
      const { out } = await runProgram(words);
      const shown = JSON.parse(out) as Record<string, unknown>;
      const sent = at(bodiesOf(fresh, agent), 0);
      // Which model the server has is known only once it is asked.
      expect(shown['model']).toBeNull();
      expect({ ...shown, model: sent['model'] }).toEqual(sent);
      expect(fresh.requests).toHaveLength(before);
    }
  });
});

/** An agent's requests: the system text names it. */
function requestsOf(server: FakeServer, agent: string): readonly (readonly ChatMessage[])[] {
  return bodiesOf(server, agent).map(messagesIn);
}

function bodiesOf(server: FakeServer, agent: string): readonly Record<string, unknown>[] {
  return server.chats
    .map(({ body }) => body as Record<string, unknown>)
    .filter((body) => messagesIn(body)[0]?.texts.join('').includes(`You are the ${agent}.`));
}

describe('a transport that fails now and then', () => {
  it('changes neither state nor chain', { tags: ['long'] }, async () => {
    const server = await serve();
    const { ok } = behaviour;
    server.next(
      behaviour.rateLimited(),
      ok,
      ok,
      behaviour.crashed,
      behaviour.loading,
      ok,
      behaviour.reset,
      ok,
      behaviour.hang,
      ok,
      behaviour.truncatedJson,
    );
    const { code, out } = await runProgram(
      argumentsFor(server, 'retried.sqlite', '--set', 'models.main.timeout_ms=1000'),
    );
    expect(code).toBe(0);
    const document = JSON.parse(out) as Document;
    expect(server.chats.length).toBe(document.usage.calls + 6);
    expect(document).toMatchObject({
      state_hash: embedded.end.stateHash,
      chain_hash: embedded.end.chain,
    });
    const reader = new LogReader(join(folder, 'retried.sqlite'));
    const first = reader.calls(document.run_id, 1)[0]?.end;
    reader.close();
    expect(first?.kind === 'replied' ? first.reply.tries : []).toHaveLength(1);
  });

  it(
    'for good ends the run with exit 4, a document and a log that is whole',
    { tags: ['long'] },
    async () => {
      const server = await serve({ kind: 'vllm' });
      server.next(behaviour.ok, behaviour.ok, behaviour.error(400, 'This model does not support images.'));
      const { code, out, err } = await runProgram(argumentsFor(server, 'refused.sqlite'));
      expect(code).toBe(4);
      expect(err).toContain('This model does not support images.');
      expect(JSON.parse(out)).toMatchObject({ status: 'error', steps: 2 });
      expect(chainsIn('refused.sqlite')).toEqual(embedded.sink.steps.slice(0, 2).map(({ chain }) => chain));
    },
  );
});

describe('Ctrl-C', () => {
  it('ends the run after the step that is being played', { tags: ['long'] }, async () => {
    let arrived: () => void = () => undefined;
    const asked = new Promise<void>((resolve) => (arrived = resolve));
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    const server = await serve({
      reply: async (request) => {
        if (request.index === 10) {
          arrived();
          await released;
        }
        return answers(request);
      },
    });
    const child = startProgram(argumentsFor(server, 'soft.sqlite'));
    await asked;
    child.process.kill('SIGINT');
    await child.prints(/stopping after this step/);
    release();
    const { code, out } = await child.ended;
    expect(code).toBe(130);
    const chains = chainsIn('soft.sqlite');
    const ended = JSON.parse(out) as EndContent & { state_hash: string };
    const last = known(chains.at(-1), 'a chain');
    expect(ended).toMatchObject({
      status: 'interrupted',
      steps: chains.length,
      chain_hash: endChain(LOG_VERSION, last, { ...ended, stateHash: ended.state_hash }),
    });
    expect(chains.length).toBeGreaterThan(9);
    expect(chains).toEqual(embedded.sink.steps.slice(0, chains.length).map(({ chain }) => chain));
    expect(await verified(join(folder, 'soft.sqlite'))).toMatchObject({ difference: null });
  });

  it('twice gives up the pending call', { tags: ['long'] }, async () => {
    const server = await serve();
    server.next(behaviour.ok, behaviour.ok, behaviour.hang);
    const child = startProgram(argumentsFor(server, 'hard.sqlite'));
    await server.stalled();
    child.process.kill('SIGINT');
    await child.prints(/stopping after this step/);
    child.process.kill('SIGINT');
    const { code, out } = await child.ended;
    expect(code).toBe(130);
    expect(JSON.parse(out)).toMatchObject({ status: 'interrupted', steps: 2 });
    expect(chainsIn('hard.sqlite')).toEqual(embedded.sink.steps.slice(0, 2).map(({ chain }) => chain));
  });

  it('before the server has told its model stops at once', async () => {
    const server = await serve({ silentPaths: ['/v1/models'] });
    const child = startProgram(argumentsFor(server, 'early.sqlite'));
    await server.stalled();
    child.process.kill('SIGINT');
    const { code, err } = await child.ended;
    expect(code).toBe(130);
    expect(err).toContain('stopped before the run began');
    expect(err).not.toContain('internal error');
  });
});

describe('place and time', () => {
  it(
    'make no difference: another time zone and another language give the same hashes',
    { tags: ['long'] },
    async () => {
      const env = [
        { TZ: 'Asia/Kathmandu', LANG: 'de_DE.UTF-8', LC_ALL: 'tr_TR.UTF-8' },
        { TZ: 'America/St_Johns', LANG: 'C' },
      ];
      const runs = env.map(async (one, i) => {
        const log = join(folder, `place-${i}.sqlite`);
        const ended = await runProgram(['run', 'scenarios/crypt.yaml', '--json', '--out', log], { env: one });
        return JSON.parse(ended.out) as Document;
      });
      for (const document of await Promise.all(runs)) {
        expect(document.chain_hash).toBe(embedded.end.chain);
        expect(document.state_hash).toBe(embedded.end.stateHash);
      }
    },
  );
});

describe('the key', () => {
  it('is sent to the server and stands nowhere else', { tags: ['long'] }, async () => {
    const cwd = join(folder, 'canary');
    mkdirSync(cwd);
    const env = { OPENAI_API_KEY: CANARY };
    const server = await serve({ apiKey: CANARY });
    const more = ['--set', 'turns.max=2', '--frames', join(cwd, 'frames')];
    const played = await runProgram(argumentsFor(server, 'canary/run.sqlite', ...more), { env });
    expect(played.code).toBe(1);
    expect(server.chats[0]?.headers.authorization).toBe(`Bearer ${CANARY}`);
    const echoing = await serve({ apiKey: CANARY });
    echoing.next(behaviour.saysKey, behaviour.ok, behaviour.echoesKey(401));
    const failed = await runProgram(argumentsFor(echoing, 'canary/failed.sqlite'), { env });
    expect(failed.code).toBe(4);
    const others = await Promise.all([
      runProgram(['doctor', '--base-url', echoing.baseUrl, '--json'], { env }),
      runProgram(['show', join(cwd, 'failed.sqlite'), '--json'], { env }),
      runProgram(['show', join(cwd, 'failed.sqlite'), '--step', '1'], { env }),
      runProgram(['show', join(cwd, 'run.sqlite'), '--step', '1', '--json'], { env }),
    ]);
    const sent = at(server.chats, 0).body as unknown as Record<string, unknown>;
    const { calls } = JSON.parse(at(others, 3).out) as { calls: readonly { settings: object }[] };
    expect({ ...at(calls, 0).settings, messages: sent['messages'] }).toEqual(sent);
    for (const { out, err } of [played, failed, ...others]) expect(out + err).not.toContain(CANARY);
    const files = readdirSync(cwd, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
    expect(files.some(({ name }) => name.endsWith('.png'))).toBe(true);
    for (const { parentPath, name } of files)
      expect(readFileSync(join(parentPath, name)).includes(CANARY), name).toBe(false);
  });

  it('is in no file of a run that was killed', { tags: ['long'] }, async () => {
    const cwd = join(folder, 'killed');
    mkdirSync(cwd);
    const server = await serve({ apiKey: CANARY });
    server.next(behaviour.ok, behaviour.saysKey, behaviour.ok, behaviour.hang);
    const child = startProgram(argumentsFor(server, 'killed/run.sqlite'), {
      env: { OPENAI_API_KEY: CANARY },
    });
    await server.stalled();
    child.process.kill('SIGKILL');
    await child.ended;
    const names = readdirSync(cwd);
    expect(names).toContain('run.sqlite-wal');
    for (const name of names) expect(readFileSync(join(cwd, name)).includes(CANARY), name).toBe(false);
    const shown = await runProgram(['show', join(cwd, 'run.sqlite')]);
    expect(shown.code).toBe(0);
    expect(shown.out).toContain('incomplete: still running, or killed');
    expect(known(shown.out.split('\n')[1], 'a step')).toContain('wizard');
  });
});

/**
 * Guided decoding and repair as a user meets them: options, refusals, warnings, what preview and show print.
 */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { embeddedReply } from '../../src/agent/controllers/embedded-reply.js';
import { requestBody, requestText } from '../../src/cli/text/first-request.js';
import type { FirstRequest } from '../../src/cli/text/first-request.js';
import { withNotices } from '../../src/cli/play/game.js';
import { withGuided } from '../../src/cli/options/overrides.js';
import { MemorySink } from '../../src/trajectory/memory-sink.js';
import { constraintFor } from '../../src/model/constraint.js';
import { defaultModel } from '../../src/scenario/settings.js';
import { startFakeServer } from '../fake-server/server.mjs';
import type { FakeServer, Options } from '../fake-server/server.mjs';
import { corridor } from '../orchestrator/two-agents.js';
import { capturedIo, orchestrate } from '../support/captured-io.js';
import { messagesIn } from '../support/chat-script.js';
import { temporaryFolder } from '../support/folder.js';

const folder = temporaryFolder();
const on = (args: readonly string[]) => orchestrate(args, { cwd: folder });
writeFileSync(join(folder, 'corridor.yaml'), corridor('max: 1'));

let server: FakeServer | null = null;
afterEach(async () => {
  await server?.close();
  server = null;
});

async function served(options: Options): Promise<FakeServer> {
  server = await startFakeServer(options);
  return server;
}

describe('a repair over HTTP', () => {
  it('is the same request with the same picture, and two messages more', async () => {
    const replies = ['I would go east.', 'ACTION: WAIT', 'ACTION: WAIT'];
    const { baseUrl, chats } = await served({ reply: ({ index }) => replies[index] ?? '' });
    const run = await on(['run', 'corridor.yaml', '--base-url', baseUrl, '--out', 'repair.sqlite']);
    expect([run.code, run.err]).toEqual([0, '']);
    const [first = [], second = []] = (server?.chats ?? chats).map(({ body }) => messagesIn(body));
    expect(second.slice(0, -2)).toEqual(first);
    expect(second.at(-2)).toEqual({ role: 'assistant', texts: ['I would go east.'], images: [] });
    expect(second.flatMap(({ images }) => images)).toHaveLength(1);
    const shown = await on(['show', 'repair.sqlite', '--step', '1']);
    expect(shown.out).toContain('attempt 1\n');
    expect(shown.out).toContain('attempt 2, repair\n');
  });
});

describe('--guided', () => {
  it('require plays nothing where the server can not', async () => {
    const { baseUrl } = await served({ kind: 'ollama' });
    const run = await on([
      'run',
      'corridor.yaml',
      '--base-url',
      baseUrl,
      '--guided',
      'require',
      '--out',
      'none.sqlite',
    ]);
    expect(run.code).toBe(2);
    expect(run.err).toContain('guided is `require`, but ');
    expect(run.err).toContain('hint: play with --guided auto');
    expect(server?.chats).toEqual([]);
    expect(existsSync(join(folder, 'none.sqlite'))).toBe(false);
  });

  it('is refused where no model decides', async () => {
    const run = await on(['run', 'corridor.yaml', '--guided', 'auto']);
    expect([run.code, run.err]).toEqual([2, expect.stringContaining('no agent uses a model')]);
  });

  it('knows three words', async () => {
    const run = await on(['run', 'corridor.yaml', '--guided', 'maybe']);
    expect(run.code).toBe(2);
    expect(run.err).toContain('"off", "auto", "require"');
  });

  it('is nothing for a picture', async () => {
    const { code, err } = await on(['preview', 'corridor.yaml', '--guided', 'auto']);
    expect([code, err]).toEqual([2, expect.stringContaining('--guided needs --messages')]);
  });

  it('holds for every model', () => {
    const models = { a: defaultModel(), b: defaultModel() };
    expect(Object.values(withGuided(models, 'auto')).map(({ guided }) => guided)).toEqual(['auto', 'auto']);
    expect(withGuided(models, undefined)).toBe(models);
    expect(Object.values(models).map(({ guided }) => guided)).toEqual(['off', 'off']);
  });
});

describe('preview', () => {
  const form = {
    tools: [{ name: 'GO', description: 'Goes.', parameters: { type: 'object' } }],
    guided: null,
  };
  const words = { tools: [], guided: { regex: 'ACTION: (WAIT|GO)', gbnf: 'root ::= "x"', schema: null } };

  function request(changes: Partial<FirstRequest>): FirstRequest {
    const messages = [{ role: 'user', parts: [{ kind: 'text', text: 'Now.' }] }] as const;
    return { spec: defaultModel(), messages, form: words, constraint: null, ...changes };
  }

  const printed = (changes: Partial<FirstRequest>): string => requestText(request(changes), capturedIo().io);

  it('prints how the reply is guided, where the program is named', () => {
    const spec = { ...defaultModel(), guided: 'auto', server: 'vllm' } as const;
    const constraint = constraintFor('vLLM', words);
    const text = printed({ spec, constraint });
    expect(text).toMatch(/guided\nby structured_outputs.regex\nACTION: \(WAIT\|GO\)\n$/);
    expect(requestBody(request({ spec, constraint }))).toMatchObject({
      structured_outputs: { regex: 'ACTION: (WAIT|GO)' },
    });
  });

  it('prints the form in the language of the server that is named', () => {
    const spec = { ...defaultModel(), guided: 'auto', server: 'llama.cpp' } as const;
    const text = printed({ spec, constraint: constraintFor('llama.cpp', words) });
    expect(text).toMatch(/guided\nby grammar\nroot ::= "x"\n$/);
    const ollama = { ...spec, server: 'ollama' } as const;
    expect(printed({ spec: ollama, constraint: constraintFor('Ollama', words) })).toMatch(
      /guided\nnone: this server cannot guide replies in this protocol\n$/,
    );
  });

  it('says in one line what it can not know, and how to see it', async () => {
    const spec = { ...defaultModel(), guided: 'auto' } as const;
    expect(printed({ spec })).toMatch(
      /guided\ndepends on the server software; .*--set models.main.server=vllm\n$/,
    );
    const words = ['preview', 'corridor.yaml', '--messages', '--guided', 'auto'];
    const named = await on([...words, '--set', 'models.main.server=vllm']);
    expect(named.out).toContain('guided\nby structured_outputs.regex\n');
    expect(printed({})).not.toContain('guided');
  });

  it('prints the tools', () => {
    expect(printed({ form })).toContain('tools\nGO: Goes.\n');
    expect(requestBody(request({ form }))).toMatchObject({
      tools: [{ type: 'function' }],
    });
  });

  it('takes the model of the agent, and the option before its setting', async () => {
    const json = async (...args: readonly string[]): Promise<Record<string, unknown>> => {
      const { out } = await on(['preview', 'corridor.yaml', '--messages', '--json', ...args]);
      return JSON.parse(out) as Record<string, unknown>;
    };
    expect(Object.keys(await json())).not.toContain('structured_outputs');
    expect(await json('--guided', 'off')).toEqual(await json());
  });
});

describe('a warning', () => {
  it('is given once for each thing that a server does', () => {
    const told: string[] = [];
    const sink = withNotices(new MemorySink(), (words) => told.push(words));
    const reply = (...adaptations: readonly string[]): void =>
      sink.reply(
        'r',
        1,
        { kind: 'replied', reply: { ...embeddedReply(''), adaptations }, memory: null },
        false,
      );
    reply();
    reply('system-folded');
    expect(told).toEqual([]);
    reply('unguided');
    reply('unguided', 'system-folded');
    expect(told).toEqual([expect.stringContaining('does not have the form')]);
    reply('guided-dropped');
    reply('guided-dropped');
    expect(told).toHaveLength(2);
  });

  it('leaves what is logged as it was', () => {
    const [plain, wrapped] = [new MemorySink(), new MemorySink()];
    const end = { kind: 'failed', error: 'x' } as const;
    plain.reply('r', 1, end, true);
    withNotices(wrapped, () => undefined).reply('r', 1, end, true);
    expect(wrapped.entries).toEqual(plain.entries);
  });
});

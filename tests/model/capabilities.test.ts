/**
 * Every entry of the table of servers against the fake server's mode of that kind: what the table claims is what the mode does, and what the
 * client makes of it. Each claim is tried on every kind, so that one which is missing in a row is found as well as one too many.
 */
import { afterEach, describe, expect, it } from 'vitest';
import {
  CAPABILITIES,
  constraintWays,
  fieldRemarks,
  kindNamed,
  SERVER_KINDS,
  TRAPS,
} from '../../src/model/capabilities.js';
import type { Capabilities, Trap } from '../../src/model/capabilities.js';
import type { Message as ChatMessage, RequestForm } from '../../src/model/chat.js';
import { constraintFor, fieldsFor } from '../../src/model/constraint.js';
import { memberAt } from '../../src/model/fault.js';
import { openChatModel } from '../../src/model/openai.js';
import { identify, modelsIn } from '../../src/model/server.js';
import type { Transport } from '../../src/model/transport.js';
import { nodeTransport } from '../../src/model/transport.js';
import { SERVER_NAMES } from '../../src/scenario/scenario.js';
import type { ModelSpec } from '../../src/scenario/scenario.js';
import { FIELDS } from '../fake-server/constraints.mjs';
import { DIALECTS, KINDS } from '../fake-server/dialects.mjs';
import { startFakeServer } from '../fake-server/server.mjs';
import type { FakeServer, Options } from '../fake-server/server.mjs';
import { bench, game, NEVER, specification, tinyPng, words } from './harness.js';

const EACH = SERVER_KINDS.map((kind) => [kind, CAPABILITIES[kind]] as const);
const ROWS = EACH.map(([, row]) => row);

let server: FakeServer | null = null;
afterEach(async () => {
  await server?.close();
  server = null;
});

/** The mode of a row, as lenient to a client as the real one: what it does not know it lets pass. */
async function mode({ name }: Capabilities, options: Options = {}): Promise<FakeServer> {
  const lenient = { knownFields: false, explicit: false, images: 'any', bounds: true } as const;
  server = await startFakeServer({ kind: name, ...lenient, reply: () => 'I wait.', ...options });
  return server;
}

function client({ name }: Capabilities, { baseUrl }: FakeServer, changes: Partial<ModelSpec> = {}) {
  return bench(specification(baseUrl, { server: name, retries: 0, ...changes })).model;
}

interface Sent {
  status: number;
  body: unknown;
}

/** As somebody sends it who does not use this client. */
async function sent(fields: object, { baseUrl }: FakeServer): Promise<Sent> {
  const whole = { model: 'fake-vlm', messages: [{ role: 'user', content: 'Now.' }], ...fields };
  const answer = await fetch(`${baseUrl}/chat/completions`, { method: 'POST', body: JSON.stringify(whole) });
  return { status: answer.status, body: await answer.json() };
}

const contentOf = ({ body }: Sent): unknown => memberAt(body, 'choices.0.message.content');

/** Each thing that any row has, once. */
function ofAll<T>(read: (row: Capabilities) => readonly T[]): readonly T[] {
  const all = new Map(ROWS.flatMap((row) => read(row).map((one) => [JSON.stringify(one), one] as const)));
  return [...all.values()];
}

it('has a row for each name that a scenario may say, and the fake server a mode for each', () => {
  expect(ROWS.map(({ name }) => name).toSorted()).toEqual([...SERVER_NAMES].toSorted());
  expect(KINDS.filter((kind) => kind !== 'hosted').toSorted()).toEqual([...SERVER_NAMES].toSorted());
  for (const [kind, { name }] of EACH) expect(kindNamed(name)).toBe(kind);
});

describe.each(EACH)('%s', (kind, row) => {
  it('is recognised, by its paths and by its models', async () => {
    const { baseUrl } = await mode(row);
    const models = modelsIn(await (await fetch(`${baseUrl}/models`)).json()) ?? [];
    expect(models.map(({ owner }) => owner)).toEqual([row.owner]);
    const root = baseUrl.replace(/\/v1$/, '');
    for (const one of ROWS.flatMap(({ name, probe }) => (probe === null ? [] : [{ name, ...probe }]))) {
      const answer = await fetch(`${root}${one.path}`);
      expect([one.path, answer.ok]).toEqual([one.path, one.name === row.name]);
      if (!answer.ok) continue;
      const told: unknown = await answer.json();
      expect(one.signs.some((at) => memberAt(told, at) !== undefined)).toBe(true);
      expect(typeof memberAt(told, one.versionAt)).toBe('string');
    }
    // A host is known by its name alone, so it is asked under that name.
    const address = row.host === null ? baseUrl : row.address;
    const { dependencies } = bench(specification(baseUrl), {}, detour(row.address, baseUrl));
    const found = await identify(address, models, dependencies, NEVER);
    const tellsContext = row.contextAt !== null || row.probe?.isContext === true;
    expect(found).toMatchObject({ kind, contextTokens: tellsContext ? 32768 : null });
    expect(found.version !== null).toBe(row.probe !== null);
  });

  it('is recognised by its owner alone, if it has one of its own', async () => {
    const { baseUrl } = await mode(row, { silentPaths: [] });
    const models = modelsIn(await (await fetch(`${baseUrl}/models`)).json()) ?? [];
    const nothing: Transport = { send: () => Promise.reject(new Error('gone')), close: () => undefined };
    const { dependencies } = bench(specification(baseUrl), {}, nothing);
    const found = await identify(baseUrl, models, dependencies, NEVER);
    expect(found.kind).toBe(row.owner === null ? null : kind);
  });

  it('takes pictures in the forms that it says', async () => {
    const here = await mode(row);
    const base64 = Buffer.from(tinyPng()).toString('base64');
    const forms = { 'data URL': `data:image/png;base64,${base64}`, URL: 'http://pictures/a.png', base64 };
    for (const [form, url] of Object.entries(forms)) {
      const content = [
        { type: 'text', text: 'Now.' },
        { type: 'image_url', image_url: { url } },
      ];
      const { status } = await sent({ messages: [{ role: 'user', content }] }, here);
      expect([form, status]).toEqual([form, row.pictures.some((one) => one === form) ? 200 : 400]);
    }
  });

  it('holds replies by the fields that it says, and by no others', async () => {
    const here = await mode(row);
    for (const way of ofAll(({ constraints }) => constraints)) {
      const isChosen = row.constraints.some(
        ({ at, otherFields }) => at === way.at && isWithin(otherFields, way.otherFields),
      );
      const isOwn = isChosen || row.alsoObeys.includes(way.name);
      const fields = fieldsFor(way, TOLD[way.language]);
      const { status, body } = await sent({ ...fields, ...(way.language === 'tools' ? OFFERED : {}) }, here);
      const content = memberAt(body, 'choices.0.message.content');
      const calls = memberAt(body, 'choices.0.message.tool_calls');
      const isHeld = way.language === 'tools' ? calls !== undefined : content !== 'I wait.';
      expect([way, status, isHeld]).toEqual([way, 200, isOwn]);
    }
  });

  it('has every field of the mode that a form could be said in', () => {
    const languages = Object.values(row.constraints).map(({ language }) => language);
    const known = Object.entries(FIELDS[row.name]).filter(([, language]) => language !== 'choice');
    const told = [...row.constraints.map(({ at }) => at), ...row.alsoObeys];
    for (const [at] of known) expect(told.some((one) => at === one || at.startsWith(`${one}.`))).toBe(true);
    expect(new Set(languages)).toEqual(new Set(known.map(([, language]) => language)));
  });

  it('holds replies of the client, by the best of them', async () => {
    const here = await mode(row);
    for (const form of FORMS) {
      const constraint = constraintFor(kind, form);
      const model = client(row, here, { guided: 'auto' });
      await model.prepare(NEVER);
      const reply = await model.complete(game(), NEVER, form);
      expect(reply.adaptations).toEqual([]);
      const isFree = reply.content === 'I wait.' && reply.toolCalls.length === 0;
      expect([form, isFree]).toEqual([form, constraint === null]);
      expect(model.unguided(form) === null).toBe(constraint !== null);
      expect(openUnguided(row, here).unguided(form)).toBeNull();
    }
  });

  it('takes tools of several shapes where the table says so', async () => {
    const here = await mode(row);
    const tool = { type: 'function', function: { name: 'GO', description: 'Goes.', parameters: CHOICES } };
    const { status } = await sent({ tools: [tool] }, here);
    const way = row.constraints.find(({ language }) => language === 'tools');
    if (way !== undefined) expect(status).toBe(way.isExact === true ? 200 : 400);
    // What the client sends is taken in any case.
    const reply = await client(row, here, { guided: 'auto' }).complete(game(), NEVER, TOOLS);
    expect(reply.finishReason).toMatch(/^(stop|tool_calls)$/);
  });

  it('needs the flag for tools that the table says', async () => {
    const here = await mode(row, { toolParser: false });
    const asked = client(row, here).complete(game(), NEVER, TOOLS);
    if (row.toolsFlag === null) return expect((await asked).content).toBe('I wait.');
    const flag = row.toolsFlag;
    await expect(asked).rejects.toMatchObject({ hints: [expect.stringContaining(`${kind} with ${flag}`)] });
  });

  it('ends a reply by the fields that it says', async () => {
    const here = await mode(row, { reply: () => 'word '.repeat(40) });
    for (const field of ofAll(({ maxTokens }) => maxTokens)) {
      const answer = await sent({ [field]: 5 }, here);
      const isCut = memberAt(answer.body, 'choices.0.finish_reason') === 'length';
      expect([field, isCut]).toEqual([field, row.maxTokens.includes(field)]);
    }
    const reply = await client(row, here, { maxTokens: 5 }).complete(game(), NEVER);
    expect(reply).toMatchObject({ finishReason: 'length', content: 'word word word word word' });
  });

  it('reasons, tells it apart, and is kept from it in the ways that it says', async () => {
    const here = await mode(row, { reply: () => ({ content: 'I wait.', reasoning: 'Hm.' }) });
    for (const off of ofAll(({ thinkingOff }) => thinkingOff)) {
      const message = memberAt((await sent(off, here)).body, 'choices.0.message');
      const isOff = row.thinkingOff.some((one) => JSON.stringify(one) === JSON.stringify(off));
      expect([off, memberAt(message, row.reasoningFields[0] ?? '')]).toEqual([
        off,
        isOff ? undefined : 'Hm.',
      ]);
    }
    expect((await client(row, here).complete(game(), NEVER)).reasoning).toBe('Hm.');
    for (const off of row.thinkingOff)
      expect((await client(row, here, { extra: off }).complete(game(), NEVER)).reasoning).toBeNull();
  });

  it('tells in its usage what the table says', async () => {
    const here = await mode(row);
    const { usage } = await client(row, here).complete(game(), NEVER);
    const { cachedAt, picturesAt, flag } = row.usage;
    expect([usage.cachedTokens === null, usage.imageTokens === null]).toEqual([
      cachedAt === null,
      picturesAt === null,
    ]);
    const told = memberAt((await sent({}, here)).body, 'usage');
    for (const at of ofAll(({ usage: one }) =>
      [one.cachedAt, one.picturesAt].filter((path) => path !== null),
    ))
      expect([at, memberAt(told, at) !== undefined]).toEqual([at, at === cachedAt || at === picturesAt]);
    if (flag !== null) expect(cachedAt ?? picturesAt).not.toBeNull();
  });

  it('says what is wrong where the table says, and the client repeats it', async () => {
    const here = await mode(row);
    const { status, body } = await sent({ model: 'other' }, here);
    expect(status).toBe(404);
    expect(memberAt(body, row.errorAt)).toMatch(/does not exist/);
    const failed = client(row, here, { model: 'other' }).complete(game(), NEVER);
    await expect(failed).rejects.toThrow(/does not have the model \(HTTP 404\): .*`other` does not exist/);
  });

  it('is busy in the way that the table says, and is asked again', async () => {
    const { busy } = DIALECTS[row.name];
    expect(busy.map(({ status }) => status)).toEqual(row.busy.statuses);
    if (busy.length === 0) return;
    const here = await mode(row, { busyEvery: 1 });
    for (const { status, message } of busy) {
      const answer = await sent({}, here);
      expect(answer.status).toBe(row.mayRefuseAs200 ? 200 : status);
      expect(memberAt(answer.body, row.errorAt)).toBe(message);
    }
    await here.close();
    for (const [i, { message }] of busy.entries()) {
      const there = await mode(row, { busyEvery: 1 });
      for (let before = 0; before < i; before++) await sent({}, there);
      const asked = client(row, there).complete(game(), NEVER);
      await expect(asked).rejects.toThrow(new RegExp(`is busy or loading .*${message}`));
      await there.close();
    }
    const sometimes = await mode(row, { busyEvery: 2 });
    const model = client(row, sometimes, { retries: 1 });
    const tries: number[] = [];
    for (const _ of [1, 2, 3]) tries.push((await model.complete(game(), NEVER)).tries.length);
    expect(tries).toEqual([0, 1, 1]);
  });

  it('is started as the table says, where nobody listens', async () => {
    const here = await mode(row);
    await here.close();
    const { port } = new URL(here.baseUrl);
    const line = row.start?.replace('<model>', 'fake-vlm').replace('<port>', port);
    const running = line === undefined ? [] : [`start the server if it is not running, for example: ${line}`];
    const asked = client(row, here).complete(game(), NEVER);
    await expect(asked).rejects.toMatchObject({
      hints: [...running, 'use another address with --base-url http://host:port/v1'],
    });
  });

  it('does with too long a prompt what the table says', async () => {
    const here = await mode(row, { contextTokens: 1000 });
    const long: readonly ChatMessage[] = [words('user', 'word '.repeat(2000))];
    const asked = client(row, here).complete(long, NEVER);
    const { becomes, hint } = row.overlong;
    // Who says something needs no hint.
    expect(hint === null).toBe(becomes === 'refused');
    if (becomes === 'refused') return expect(asked).rejects.toThrow(/refused the request as too long/);
    const { content, usage } = await asked;
    expect(content).toBe(becomes === 'cut' ? 'I wait.' : '');
    expect(usage.promptTokens).toBe(1000);
  });

  it('refuses and ignores the fields that the table says', async () => {
    const here = await mode(row);
    expect(row.refuses).toEqual(DIALECTS[row.name].refused);
    for (const field of ofAll(({ refuses }) => refuses)) {
      const { status } = await sent({ [field]: {} }, here);
      expect([field, status]).toEqual([field, row.refuses.includes(field) ? 400 : 200]);
    }
    const free = contentOf(await sent({}, here));
    for (const field of row.ignores)
      expect([field, contentOf(await sent({ [field]: 'x' }, here))]).toEqual([field, free]);
    const told = fieldRemarks(
      kind,
      Object.fromEntries([...row.refuses, ...row.ignores].map((one) => [one, 1])),
    );
    expect(told.map(({ does }) => does)).toEqual([
      ...row.refuses.map(() => 'refuses'),
      ...row.ignores.map(() => 'ignores'),
    ]);
  });

  it('has the traps that the table says', async () => {
    for (const [trap, isCaught] of Object.entries(TRIED) as [Trap, (typeof TRIED)[Trap]][]) {
      const isIn = await isCaught(row);
      await server?.close();
      expect([trap, isIn]).toEqual([trap, row.traps.includes(trap)]);
    }
  });
});

/** Whether a kind does it. */
const TRIED: Readonly<Record<Trap, (row: Capabilities) => Promise<boolean>>> = {
  'stops-in-reasoning': async (row) => {
    const here = await mode(row, { reply: () => ({ content: 'I wait.', reasoning: 'First; then.' }) });
    const reply = await client(row, here, { extra: { stop: ';' } }).complete(game(), NEVER);
    expect(TRAPS['stops-in-reasoning'].field).toBe('stop');
    return reply.content === '' && reply.finishReason === 'stop';
  },
  'blind-without-projector': async (row) => {
    const here = await mode(row, { images: 'none' });
    const asked = client(row, here).complete(game(), NEVER);
    const told = await asked.then(() => '', String);
    expect(told).toContain('accepts no pictures for this model');
    return /projector/.test(told);
  },
  'answers-in-reasoning': async (row) => {
    const content = '{"action":"LOOK"}';
    const here = await mode(row, { reply: () => ({ content, reasoning: 'Hm.' }) });
    const reply = await client(row, here, { extra: SCHEMA_FIELDS }).complete(game(), NEVER);
    return reply.content === '' && reply.reasoning === content;
  },
  'many-models': async (row) => {
    const here = await mode(row, { models: ['sees', 'blind'] });
    const unnamed = client(row, here, { model: null }).prepare(NEVER);
    await expect(unnamed).rejects.toThrow(/has 2 models, and none was chosen/);
    return row.host !== null;
  },
};

describe('a field that is told of', () => {
  it('is one that others obey and this one does not, or that it is known to refuse or to ignore', () => {
    expect(fieldRemarks('Ollama', { max_completion_tokens: 5, min_p: 1, max_tokens: 5, seed: 1 })).toEqual([
      { field: 'max_completion_tokens', does: 'is not known to support' },
      { field: 'min_p', does: 'ignores' },
    ]);
    const vllm = { guided_choice: ['a'], mm_processor_kwargs: {}, top_k: 5, response_format: {} };
    expect(fieldRemarks('vLLM', vllm)).toEqual([
      { field: 'guided_choice', does: 'ignores' },
      { field: 'mm_processor_kwargs', does: 'refuses' },
    ]);
    // Left out of the request.
    expect(fieldRemarks('Ollama', { max_completion_tokens: null })).toEqual([]);
  });
});

const AN_ACTION = { type: 'object', properties: { action: { enum: ['LOOK'] } }, required: ['action'] };
const TOLD = {
  regex: 'ACTION: LOOK',
  gbnf: 'root ::= "ACTION: LOOK"',
  schema: AN_ACTION,
  tools: 'required',
};
const OFFERED = {
  tools: [
    {
      type: 'function',
      function: { name: 'LOOK', description: 'Looks.', parameters: { type: 'object', properties: {} } },
    },
  ],
};
const CHOICES = { type: 'object', properties: {}, anyOf: [{ required: [] }] };
const SCHEMA_FIELDS: ModelSpec['extra'] = Object.assign(
  {},
  ...constraintWays('OpenRouter')
    .slice(0, 1)
    .map((way) => fieldsFor(way, AN_ACTION)),
);
const TOOLS: RequestForm = {
  tools: [
    {
      name: 'LOOK',
      description: 'Looks.',
      parameters: { type: 'object', properties: {} },
      guidedParameters: { type: 'object', properties: {}, anyOf: [{ properties: {} }] },
    },
  ],
  guided: null,
};
const FORMS: readonly RequestForm[] = [
  { tools: [], guided: { regex: TOLD.regex, gbnf: TOLD.gbnf, schema: null } },
  {
    tools: [],
    guided: {
      regex: '\\{"action":"LOOK"\\}',
      gbnf: 'root ::= "{\\"action\\":\\"LOOK\\"}"',
      schema: AN_ACTION,
    },
  },
  TOOLS,
];

/** With `guided: off` nothing is to be told. */
function openUnguided(row: Capabilities, { baseUrl }: FakeServer) {
  const spec = specification(baseUrl, { server: row.name, guided: 'off' });
  return openChatModel(spec, bench(spec).dependencies);
}

/** What is beside a field is enough of what this kind wants there. */
function isWithin(wanted: object, given: object): boolean {
  return Object.keys(wanted).every((key) => key in given);
}

/** Requests to one address go to another. */
function detour(from: string, to: string): Transport {
  const below = nodeTransport();
  return {
    ...below,
    send: (request, signal) => below.send({ ...request, url: request.url.replace(from, to) }, signal),
    close: () => below.close(),
  };
}

/**
 * Guided decoding on each kind of server: one field, the right one; what happens where the server refuses it, ignores it or has none;
 * and what counts as keeping to it.
 */
import * as fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { UsageError } from '../../src/base/errors.js';
import { LIMITS } from '../../src/base/limits.js';
import { FREE_FORM } from '../../src/model/chat.js';
import type { RequestForm, ChatTool } from '../../src/model/chat.js';
import { CONSTRAINT_FIELDS, SERVER_KINDS } from '../../src/model/capabilities.js';
import { constraintFor } from '../../src/model/constraint.js';
import { satisfiesConstraint } from '../../src/model/guided-check.js';
import type { ModelSpec } from '../../src/scenario/scenario.js';
import * as act from '../fake-server/behaviours.mjs';
import type { Behaviour } from '../fake-server/behaviours.mjs';
import { KINDS } from '../fake-server/dialects.mjs';
import { startFakeServer } from '../fake-server/server.mjs';
import type { FakeServer, Options } from '../fake-server/server.mjs';
import { bench, game, NEVER, specification } from './harness.js';
import type { Bench } from './harness.js';

const SCHEMA = {
  type: 'object',
  properties: { action: { enum: ['WAIT', 'LOOK'] } },
  required: ['action'],
  additionalProperties: false,
};
const WORDS: RequestForm = {
  tools: [],
  guided: {
    regex: '(ACTION: WAIT|ACTION: LOOK)',
    gbnf: 'root ::= "ACTION: WAIT" | "ACTION: LOOK"',
    schema: null,
  },
};
const OBJECT: RequestForm = {
  tools: [],
  guided: { regex: '\\{"action":"(WAIT|LOOK)"\\}', gbnf: 'root ::= "x"', schema: SCHEMA },
};
const WAIT_TOOL: ChatTool = {
  name: 'WAIT',
  description: 'Waits.',
  parameters: { type: 'object', properties: {} },
};
const TOOLS: RequestForm = { tools: [WAIT_TOOL], guided: null };

const A_WORD = /^ACTION: (?:WAIT|LOOK)$/;
const AN_OBJECT = /^\{"action":"(?:WAIT|LOOK)"\}$/;

let server: FakeServer;
let closing: (() => void)[] = [];
afterEach(async () => {
  for (const close of closing) close();
  closing = [];
  await server.close();
});

async function client(options: Options, changes: Partial<ModelSpec>): Promise<Bench> {
  server = await startFakeServer({ reply: () => 'I wait.', ...options });
  const made = bench(specification(server.baseUrl, changes));
  closing.push(() => made.dependencies.transport.close());
  return made;
}

/** What the newest request held of fields that constrain. */
function sentFields(): Readonly<Record<string, unknown>> {
  const body = server.chats.at(-1)?.body ?? {};
  return Object.fromEntries(Object.entries(body).filter(([field]) => CONSTRAINT_FIELDS.includes(field)));
}

describe('a guided request', () => {
  const format = {
    type: 'json_schema',
    json_schema: { name: 'answer', strict: true, schema: SCHEMA },
  };
  it.each([
    ['vllm', WORDS, { structured_outputs: { regex: WORDS.guided?.regex } }, A_WORD],
    ['llama.cpp', WORDS, { grammar: WORDS.guided?.gbnf }, A_WORD],
    ['sglang', WORDS, { regex: WORDS.guided?.regex }, A_WORD],
    ['ollama', OBJECT, { response_format: format }, AN_OBJECT],
    ['lm-studio', OBJECT, { response_format: format }, AN_OBJECT],
    ['hosted', OBJECT, { response_format: format }, AN_OBJECT],
  ] as const)(
    'to %s holds one constraint, and the reply is held to it',
    async (kind, form, fields, content) => {
      const { model } = await client({ kind }, { guided: 'require' });
      await model.prepare(NEVER);
      model.checkForm(form);
      const reply = await model.complete(game(), NEVER, form);
      expect(sentFields()).toEqual(fields);
      expect(reply.content).toMatch(content);
      expect(reply.adaptations).toEqual([]);
    },
  );

  it('is what was told before it was sent', async () => {
    const { model } = await client({}, { guided: 'auto' });
    await model.prepare(NEVER);
    const told = model.settings(WORDS);
    await model.complete(game(), NEVER, WORDS);
    const { messages: _messages, ...sent } = server.chats[0]?.body ?? {};
    expect(told).toEqual(sent);
  });

  it('to OpenRouter asks for a host that knows the field', () => {
    expect(constraintFor('OpenRouter', OBJECT)?.fields).toMatchObject({
      response_format: format,
      provider: { require_parameters: true },
    });
  });

  it.each(['off', 'auto'] as const)(
    'is not made where guided is %s and the server has no way',
    async (guided) => {
      const { model } = await client({ kind: 'ollama' }, { guided });
      const reply = await model.complete(game(), NEVER, WORDS);
      expect(sentFields()).toEqual({});
      expect(reply).toMatchObject({ content: 'I wait.', adaptations: [] });
    },
  );

  it('is not made where guided is off', async () => {
    const { model } = await client({}, { guided: 'off' });
    await model.complete(game(), NEVER, WORDS);
    expect(sentFields()).toEqual({});
  });

  it('goes by the program that the scenario names', async () => {
    const { model } = await client(
      { kind: 'hosted', knownFields: false, constraints: 'ignored' },
      { guided: 'auto', server: 'sglang' },
    );
    await model.prepare(NEVER);
    await model.complete(game(), NEVER, WORDS);
    expect(sentFields()).toEqual({ regex: WORDS.guided?.regex });
  });

  it('finds out the server before the first request', async () => {
    const { model } = await client({ kind: 'llama.cpp' }, { guided: 'auto' });
    await model.complete(game(), NEVER, WORDS);
    expect(sentFields()).toEqual({ grammar: WORDS.guided?.gbnf });
  });

  it('is refused at once where the scenario constrains by itself', async () => {
    await client({}, {});
    for (const field of CONSTRAINT_FIELDS) {
      const spec = specification(server.baseUrl, { guided: 'auto', extra: { [field]: 'x' } });
      expect(() => bench(spec)).toThrow(UsageError);
      expect(() => bench({ ...spec, guided: 'off' })).not.toThrow();
    }
  });
});

describe('auto', () => {
  it.each(KINDS)('plays on without it where %s refuses it, and does not ask again', async (kind) => {
    const named = kind === 'openrouter' ? kind : null;
    const { model } = await client({ kind, constraints: 'refused' }, { guided: 'auto', server: named });
    for (const _ of [1, 2]) {
      const reply = await model.complete(game(), NEVER, OBJECT);
      expect(reply).toMatchObject({ content: 'I wait.', adaptations: ['guided-dropped'] });
    }
    expect(server.chats).toHaveLength(3);
  });

  it('plays on where two requests were refused at once', async () => {
    const { model } = await client({}, { guided: 'auto' });
    await model.prepare(NEVER);
    const waiting: (() => void)[] = [];
    const refusedTogether: Behaviour = (exchange) => {
      waiting.push(() => act.error(400, 'structured_outputs is not supported')(exchange));
      if (waiting.length === 2) for (const refuse of waiting) refuse();
    };
    server.next(refusedTogether, refusedTogether);
    const both = [game(), game()].map((messages) => model.complete(messages, NEVER, WORDS));
    for (const reply of await Promise.all(both)) expect(reply.adaptations).toEqual(['guided-dropped']);
    expect(server.chats).toHaveLength(4);
  });

  it('keeps the constraint where something else was refused', async () => {
    const { model } = await client({}, { guided: 'auto' });
    server.next(act.error(400, 'temperature: Extra inputs are not permitted'));
    await expect(model.complete(game(), NEVER, WORDS)).rejects.toThrow(/temperature/);
    expect((await model.complete(game(), NEVER, WORDS)).adaptations).toEqual([]);
  });

  it('tells of a server that ignores it', async () => {
    const { model } = await client({ constraints: 'ignored' }, { guided: 'auto' });
    const reply = await model.complete(game(), NEVER, WORDS);
    expect(reply).toMatchObject({ content: 'I wait.', adaptations: ['unguided'] });
  });

  it('folds the system text and drops the constraint in one call', async () => {
    const { model } = await client({ system: false, constraints: 'refused' }, { guided: 'auto' });
    const reply = await model.complete(game(), NEVER, WORDS);
    expect(reply.adaptations).toEqual(['system-folded', 'guided-dropped']);
  });
});

describe('require', () => {
  it.each([
    ['Ollama', { kind: 'ollama' } as const, WORDS, /Ollama can't guide/],
    ['a server that does not tell what it is', { kind: 'hosted' } as const, WORDS, /unknown server type/],
    ['a protocol without a form', {}, FREE_FORM, /the protocol has no guided form/],
  ])('is refused before anything is asked of %s', async (_, options, form, words) => {
    const { model } = await client(options, { guided: 'require' });
    await model.prepare(NEVER);
    expect(() => model.checkForm(form)).toThrow(words);
    if (form !== FREE_FORM) await expect(model.complete(game(), NEVER, form)).rejects.toThrow(UsageError);
    expect(server.chats).toEqual([]);
  });

  it('leaves words free that are no action, such as a summary', async () => {
    const { model } = await client({}, { guided: 'require' });
    expect(await model.complete(game(), NEVER)).toMatchObject({ content: 'I wait.', adaptations: [] });
    expect(sentFields()).toEqual({});
  });

  it('does not play on where the server refuses it', async () => {
    const { model } = await client({ constraints: 'refused' }, { guided: 'require' });
    const failed = model.complete(game(), NEVER, WORDS);
    await expect(failed).rejects.toMatchObject({
      message: expect.stringMatching(/structured_outputs.regex is not supported/) as string,
      hints: [expect.stringMatching(/sent as structured_outputs.regex; try --guided auto/)],
    });
    expect(server.chats).toHaveLength(1);
  });

  it('tells of a server that ignores it', async () => {
    const { model } = await client({ constraints: 'ignored' }, { guided: 'require' });
    expect((await model.complete(game(), NEVER, WORDS)).adaptations).toEqual(['unguided']);
  });
});

describe('native tools', () => {
  it('are offered, and a call may come or not', async () => {
    const { model } = await client({}, {});
    await model.complete(game(), NEVER, TOOLS);
    const { name, description, parameters } = WAIT_TOOL;
    expect(server.chats[0]?.body).toMatchObject({
      tools: [{ type: 'function', function: { name, description, parameters } }],
    });
    // Left to itself a server chooses so, and not every one takes the word.
    expect(server.chats[0]?.body).not.toHaveProperty('tool_choice');
  });

  it('leave the choice to the scenario, and are no field where there are none', async () => {
    const { model } = await client({}, { extra: { tool_choice: 'required' } });
    await model.complete(game(), NEVER, TOOLS);
    expect(server.chats[0]?.body).toMatchObject({ tool_choice: 'required' });
    const free = bench(specification(server.baseUrl));
    closing.push(() => free.dependencies.transport.close());
    await free.model.complete(game(), NEVER);
    expect(Object.keys(server.chats[1]?.body ?? {})).not.toContain('tools');
    expect(Object.keys(server.chats[1]?.body ?? {})).not.toContain('tool_choice');
  });

  it('must be called where replies are guided', async () => {
    const { model } = await client({}, { guided: 'require' });
    const reply = await model.complete(game(), NEVER, TOOLS);
    expect(sentFields()).toEqual({ tool_choice: 'required' });
    expect(reply).toMatchObject({ toolCalls: [{ name: 'WAIT', arguments: '{}' }], adaptations: [] });
  });

  it('hold a call’s arguments to their schema where the server wants to be told so', async () => {
    const { model } = await client({}, { guided: 'require' });
    await model.complete(game(), NEVER, TOOLS);
    expect(server.chats[0]?.body).toMatchObject({ tools: [{ function: { name: 'WAIT', strict: true } }] });
    const free = bench(specification(server.baseUrl));
    closing.push(() => free.dependencies.transport.close());
    await free.model.complete(game(), NEVER, TOOLS);
    expect(JSON.stringify(server.chats[1]?.body)).not.toContain('strict');
  });

  it('that were not called, though they must be, are told of', async () => {
    const { model } = await client({ constraints: 'ignored' }, { guided: 'auto' });
    expect((await model.complete(game(), NEVER, TOOLS)).adaptations).toEqual(['unguided']);
  });

  it('can not be demanded of Ollama', async () => {
    const { model } = await client({ kind: 'ollama' }, { guided: 'require' });
    await model.prepare(NEVER);
    expect(() => model.checkForm(TOOLS)).toThrow(/Ollama can't guide/);
  });

  it('that a server needs a flag for are refused with that flag', async () => {
    const { model } = await client({ toolParser: false }, {});
    await expect(model.complete(game(), NEVER, TOOLS)).rejects.toMatchObject({
      hints: [expect.stringMatching(/--enable-auto-tool-choice/)],
    });
  });
});

it('a free request is not constrained anywhere', () => {
  for (const kind of [...SERVER_KINDS, null]) expect(constraintFor(kind, FREE_FORM)).toBeNull();
});

describe('a reply keeps to its form', () => {
  const reply = (content: string, finishReason: string | null = 'stop') => ({
    content,
    toolCalls: [],
    finishReason,
  });
  it.each([
    ['the whole of it', 'regex', WORDS, reply('ACTION: WAIT'), true],
    ['white space around', 'regex', WORDS, reply('\nACTION: WAIT\n'), true],
    ['reasoning before it', 'regex', WORDS, reply('<think>Hm.</think>\n\nACTION: WAIT'), true],
    ['more before it', 'regex', WORDS, reply('So: ACTION: WAIT'), false],
    ['more after it', 'gbnf', WORDS, reply('ACTION: WAIT now'), false],
    ['a line after it', 'regex', WORDS, reply('ACTION: WAIT\nACTION: LOOK'), false],
    ['nothing', 'regex', WORDS, reply(''), false],
    ['cut off, which tells nothing', 'regex', WORDS, reply('ACT', 'length'), true],
    ['an object', 'schema', OBJECT, reply('{ "action": "LOOK" }'), true],
    ['another value', 'schema', OBJECT, reply('{"action":"FLY"}'), false],
    ['a key too many', 'schema', OBJECT, reply('{"action":"LOOK","so":1}'), false],
    ['a key too few', 'schema', OBJECT, reply('{}'), false],
    ['a list', 'schema', OBJECT, reply('["LOOK"]'), false],
    ['no JSON', 'schema', OBJECT, reply('LOOK'), false],
    ['no call', 'tools', TOOLS, reply('WAIT'), false],
    ['a call', 'tools', TOOLS, { ...reply(''), toolCalls: [{ name: 'WAIT', arguments: '' }] }, true],
    [
      'a call of no tool',
      'tools',
      TOOLS,
      { ...reply(''), toolCalls: [{ name: 'FLY', arguments: '' }] },
      false,
    ],
  ] as const)('%s', (_, language, form, given, expected) => {
    expect(satisfiesConstraint(language, form, given)).toBe(expected);
  });

  it('by the words of a schema that forms use', () => {
    const schema = {
      anyOf: [
        { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] },
        { type: 'array', items: { type: ['string', 'null'] } },
        { const: true },
      ],
    };
    const form = { tools: [], guided: { regex: 'x', gbnf: '', schema } };
    const keeps = (value: unknown) => satisfiesConstraint('schema', form, reply(JSON.stringify(value)));
    expect([{ n: 1 }, { n: 1, more: 'x' }, ['a', null], [], true].map(keeps)).not.toContain(false);
    expect([{ n: 1.5 }, { n: '1' }, [1], false, 'a', null, 3].map(keeps)).not.toContain(true);
  });

  it('only within LIMITS.guidedCharacters', () => {
    const form = { tools: [], guided: { regex: 'a*', gbnf: '', schema: null } };
    expect(satisfiesConstraint('regex', form, reply('a'.repeat(LIMITS.guidedCharacters)))).toBe(true);
    expect(satisfiesConstraint('regex', form, reply('a'.repeat(LIMITS.guidedCharacters + 1)))).toBe(false);
  });

  it('or not, whatever text comes', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (content) => {
        for (const [language, form] of [
          ['regex', WORDS],
          ['schema', OBJECT],
          ['tools', TOOLS],
        ] as const)
          expect(typeof satisfiesConstraint(language, form, reply(content))).toBe('boolean');
      }),
    );
  });
});

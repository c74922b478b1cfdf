/** The examination of a server: each finding where it is so, and an end in words where it can't go on. */
import { afterEach, describe, expect, it } from 'vitest';
import { examineServer, verdict } from '../../src/model/doctor.js';
import type { ServerReport } from '../../src/model/doctor.js';
import type { KnownPicture } from '../../src/model/finding.js';
import type { ModelSpec } from '../../src/scenario/scenario.js';
import * as act from '../fake-server/behaviours.mjs';
import { startFakeServer } from '../fake-server/server.mjs';
import type { ChatRequest, FakeServer, Message, Options } from '../fake-server/server.mjs';
import { numberPicture } from '../../src/render/test-picture.js';
import { ownTileset } from '../render/tilesets.js';
import { bench, NEVER, specification, tinyPng } from './harness.js';

const PICTURE: KnownPicture = {
  png: tinyPng(),
  frameHash: 'f',
  question: 'Which digit is in the picture?',
  accepted: ['7', 'seven'],
};

let server: FakeServer;
afterEach(() => server.close());

async function examined(options: Options, changes: Partial<ModelSpec> = {}): Promise<ServerReport> {
  server = await startFakeServer({ reply: () => 'The digit is 7.', ...options });
  return examine(changes);
}

function examine(changes: Partial<ModelSpec> = {}): Promise<ServerReport> {
  const spec = specification(server.baseUrl, changes);
  return examineServer(spec, bench(spec).dependencies, PICTURE, NEVER);
}

function lines(report: ServerReport): readonly string[] {
  return report.findings.map(({ about, status, text }) => `${about} ${status}: ${text}`);
}

function guided(report: ServerReport): readonly string[] {
  return lines(report).filter((line) => line.startsWith('guided'));
}

/** Sees the digit, and calls a tool where it is asked to. */
function ableReply({ text }: ChatRequest): string | Message {
  if (!text.includes('Call the tool')) return 'The digit is 7.';
  const called = { name: 'choose_word', arguments: '{"word":"gravel"}' };
  return { content: null, toolCalls: [{ id: 'a', type: 'function', function: called }] };
}

describe('doctor', () => {
  it('demands a tool call as a game does: vLLM holds the arguments to their schema only where it is told so', async () => {
    await examined({ reply: ableReply });
    const demanded = server.chats.filter(({ body }) => body?.['tool_choice'] === 'required');
    expect(demanded).toMatchObject([{ body: { tools: [{ function: { strict: true } }] } }]);
  });

  it.each([
    ['any', true, 'pictures ok: accepts the 3 pictures that a request of this scenario can have: 768 tokens'],
    ['one', false, '(HTTP 400): At most 1 image(s) may be provided'],
  ] as const)(
    'sends as many pictures as the scenario does; the server takes %s',
    async (images, isUsable, told) => {
      server = await startFakeServer({ reply: ableReply, images, usage: 'details' });
      const spec = specification(server.baseUrl);
      const report = await examineServer(spec, bench(spec).dependencies, { ...PICTURE, atOnce: 3 }, NEVER);
      expect(report.isUsable).toBe(isUsable);
      expect(lines(report).find((line) => line.startsWith('pictures'))).toContain(told);
    },
  );

  it('tells all about a good server', async () => {
    const report = await examined({ reply: ableReply }, { model: null });
    expect(report).toMatchObject({ isUsable: true, model: 'fake-vlm', sees: true });
    expect(lines(report)).toEqual([
      `address ok: ${server.baseUrl} answers`,
      'models ok: 1: fake-vlm',
      'server ok: vLLM 0.33.0',
      'model ok: asking fake-vlm',
      'context ok: 32768 tokens, 400 of them for the answer',
      'sight ok: sees the picture: it answered "The digit is 7."',
      'usage ok: tokens: prompt 275, answer 5, picture 256, cached 0',
      'latency ok: 0 ms',
      'guided ok: structured_outputs.regex is honoured',
      'guided ok: structured_outputs.grammar is honoured',
      'guided ok: structured_outputs.json is honoured',
      'guided ok: tool_choice is honoured',
      'tools ok: the server returns native tool calls',
    ]);
  });

  const NO_PATTERN = 'replies of protocols whose answer is not one JSON object';
  it.each([
    ['llama.cpp', ['grammar', 'json_schema', 'tool_choice'], null],
    ['sglang', ['regex', 'ebnf', 'response_format', 'tool_choice'], null],
    ['ollama', ['response_format'], `${NO_PATTERN} and tool calls`],
    ['lm-studio', ['response_format', 'tool_choice'], NO_PATTERN],
    ['hosted', ['response_format', 'tool_choice'], NO_PATTERN],
  ] as const)(
    'tries what %s has, each with one request, and tells what it has not',
    async (kind, ways, unheld) => {
      const report = await examined({ kind, reply: ableReply });
      const missing =
        unheld === null
          ? []
          : [`guided ok: ${unheld} can't be guided: this server has no request field for that`];
      expect(guided(report)).toEqual([...missing, ...ways.map((way) => `guided ok: ${way} is honoured`)]);
      expect(server.chats).toHaveLength(1 + ways.length + 1);
    },
  );

  it('tells constraints that are ignored or refused from those that hold', async () => {
    const ignoring = await examined({ constraints: 'ignored' });
    expect(guided(ignoring)[0]).toBe(
      'guided warn: structured_outputs.regex is ignored: it answered "The digit is 7."',
    );
    await server.close();
    const refusing = await examined({ constraints: 'refused' });
    expect(guided(refusing)[1]).toMatch(
      /^guided warn: structured_outputs.grammar is refused: .*is not supported by this server/,
    );
    await server.close();
    const cut = await examined({
      constraints: 'ignored',
      reply: () => ({ content: 'The digit is 7.', finishReason: 'length' }),
    });
    expect(guided(cut)[0]).toMatch(/can't be judged: the answer has the finish reason length$/);
    expect([ignoring, refusing, cut].map(({ isUsable }) => isUsable)).toEqual([true, true, true]);
  });

  it('tells how tool calls come back', async () => {
    const tools = (report: ServerReport) => report.findings.find(({ about }) => about === 'tools');
    const asText = await examined({ reply: () => '<tool_call>{"name":"choose_word"}</tool_call>' });
    expect(tools(asText)?.text).toMatch(/^tool calls are returned as text: it answered "<tool_call>/);
    await server.close();
    const never = await examined({});
    expect(tools(never)).toMatchObject({
      status: 'warn',
      text: 'no tool was called: it answered "The digit is 7."',
    });
    await server.close();
    const unready = await examined({ toolParser: false });
    expect(tools(unready)?.text).toMatch(/^tools are refused/);
    expect(tools(unready)?.hints.join()).toMatch(/--enable-auto-tool-choice/);
  });

  it('tries them whatever the scenario has set, and by the program that it names', async () => {
    const extra = { regex: 'x' };
    const report = await examined({ kind: 'sglang', reply: ableReply }, { extra, server: 'sglang' });
    expect(guided(report).map((line) => line.endsWith('is honoured'))).toEqual([true, true, true, true]);
    await server.close();
    const named = await examined(
      { kind: 'hosted', constraints: 'ignored', knownFields: false },
      { server: 'llama.cpp' },
    );
    expect(guided(named)).toHaveLength(3);
  });

  it('names what a plain server does not tell', async () => {
    const report = await examined({ kind: 'llama.cpp', contextTokens: 4200 });
    expect(lines(report)).toContain('server ok: llama.cpp b11434');
    expect(lines(report)).toContain('context warn: 4200 tokens, 400 of them for the answer');
  });

  it.each([
    ['details', '289 tokens as counted by the server, as expected for qwen2.5-vl (guessed'],
    ['plain', 'about 289 tokens of qwen2.5-vl (guessed'],
  ] as const)('says what a frame costs where the server tells %s', async (usage, words) => {
    const model = 'Qwen2.5-VL-7B';
    server = await startFakeServer({ models: [model], family: 'qwen2.5-vl', usage });
    const spec = specification(server.baseUrl, { model });
    const frame = { width: 480, height: 480, tilePixels: 32 };
    const { hash, ...shown } = numberPicture(await ownTileset(), () => 0, frame);
    const picture = { ...shown, frameHash: hash, frame };
    const report = await examineServer(spec, bench(spec).dependencies, picture, NEVER);
    expect(lines(report).find((line) => line.startsWith('frame'))).toBe(
      `frame ok: 480 × 480 pixels: ${words} from the model's name); render.preset=qwen2.5-vl makes a tile one vision token and a frame 225`,
    );
  });

  it('warns of a model that does not see', async () => {
    const report = await examined({ reply: () => 'Sorry, I cannot see any image.' });
    expect(report).toMatchObject({ sees: false, isUsable: true });
    expect(report.findings.find((finding) => finding.about === 'sight')).toMatchObject({ status: 'warn' });
  });

  it('warns of an answer that was cut', async () => {
    const report = await examined({
      reply: () => ({ content: null, reasoning: 'hm', finishReason: 'length' }),
    });
    const sight = report.findings.find((finding) => finding.about === 'sight');
    expect(report.sees).toBeNull();
    expect(sight?.text).toBe(
      'unclear whether it sees the picture: its answer was empty (finish reason: length)',
    );
    expect(sight?.hints.join()).toMatch(/max_tokens/);
  });

  it('fails where pictures are refused', async () => {
    const report = await examined({ images: 'none' });
    expect(report).toMatchObject({ isUsable: false, sees: null });
    expect(lines(report).at(-1)).toMatch(/^sight fail: .*At most 0 image/);
  });

  it('tells of tries that failed', async () => {
    server = await startFakeServer({ reply: () => 'seven' });
    server.next(act.loading);
    expect(lines(await examine())).toContain('latency warn: 0 ms, after 1 failed try: 503 Loading model');
  });

  it('fails at once where nobody listens, the key is wrong, or the model is not there', async () => {
    const locked = await examined({ apiKey: 'other' });
    expect(lines(locked)).toEqual([expect.stringMatching(/^address fail: .*refused access \(HTTP 401\)/)]);
    await server.close();
    expect(lines(await examine())).toEqual([expect.stringMatching(/^address fail: .*does not answer/)]);
    const other = await examined({ models: ['a', 'b'] });
    expect(lines(other).at(-1)).toMatch(/^model fail: .*does not have the model/);
  });

  it('goes on without a list of models where one is named', async () => {
    const report = await examined({ modelList: false });
    expect(report).toMatchObject({ sees: true, isUsable: true });
    expect(lines(report)).toContain('models warn: the server returns no list of models');
    const unnamed = await examine({ model: null });
    expect(unnamed.isUsable).toBe(false);
  });
});

describe('the verdict', () => {
  it.each([
    ['7', true],
    ['It is a **Seven**!', true],
    ['It says 17', null],
    ['', null],
    ['A cat', null],
    ["I can't see the picture", false],
    ['There is no image', false],
    ["I can't see it, but I guess 7", null],
  ])('on %j', (answer, expected) => {
    expect(verdict(answer, PICTURE.accepted)).toBe(expected);
  });
});

/**
 * What a real vLLM is asked, and what has to become of its answers: read on the real server by `npm run test:vllm`, and from the recorded answers by
 * `npm test`.
 */
import { expect } from 'vitest';
import type { JsonObject } from '../../src/base/json.js';
import { ModelError } from '../../src/base/errors.js';
import type { Message, Reply, RequestForm } from '../../src/model/chat.js';
import type { OpenChatModel } from '../../src/model/openai.js';
import type { ModelSpec } from '../../src/scenario/scenario.js';
import { game, NEVER, words } from '../model/harness.js';

export interface Asked {
  /** Of the test and of the file. */
  name: string;
  spec?: Partial<ModelSpec>;
  messages?: readonly Message[];
  form?: RequestForm;
  /** Fields that the client doesn't send. */
  fields?: JsonObject;
}

/** A refusal: the sentence of ours, the server's words, and what to try. */
export interface Provoked extends Asked {
  says: string;
  words: string;
  hint: RegExp;
}

/** An answer that is read. */
export interface Read extends Asked {
  read: (reply: Reply) => void;
}

function picture(png: Uint8Array): Extract<Message['parts'][number], { kind: 'image' }> {
  return { kind: 'image', png, frameHash: 'f'.repeat(64) };
}

function now(...parts: Message['parts']): readonly Message[] {
  return [{ role: 'user', parts: [{ kind: 'text', text: 'Turn 1.' }, ...parts] }];
}

function truePicture(): Uint8Array {
  const image = game()
    .flatMap(({ parts }) => parts)
    .find((part) => part.kind === 'image');
  if (image === undefined) throw new Error('a game without a picture');
  return image.png;
}

const SETTING = 'refused a setting';
const REQUEST = 'refused the request';
const LEAVE_OUT = /to null under extra/;

/** More than eight ways to be refused. */
export const PROVOKED: readonly Provoked[] = [
  {
    name: 'prompt-too-long',
    messages: now({ kind: 'text', text: 'north south '.repeat(12_000) }),
    says: 'refused the request as too long',
    words: 'maximum context length is 16384 tokens',
    hint: /longer context/,
  },
  {
    name: 'two-pictures',
    messages: now(picture(truePicture()), picture(truePicture())),
    says: REQUEST,
    words: 'At most 1 image(s) may be provided in one prompt',
    hint: /limit-mm-per-prompt/,
  },
  {
    name: 'picture-that-is-none',
    messages: now(picture(Buffer.from('no picture'))),
    says: REQUEST,
    words: 'cannot identify image file',
    hint: /gateway/,
  },
  {
    name: 'picture-cut-off',
    messages: now(picture(truePicture().subarray(0, 45))),
    says: REQUEST,
    words: 'Failed to load image',
    hint: /gateway/,
  },
  {
    name: 'unknown-model',
    fields: { model: 'nobody' },
    says: 'does not have the model',
    words: 'The model `nobody` does not exist',
    hint: /tiny-vlm/,
  },
  {
    name: 'two-constraints',
    fields: { structured_outputs: { regex: 'a', choice: ['a'] } },
    says: REQUEST,
    words: 'only use one kind of constraints',
    hint: /your own constraint/,
  },
  {
    name: 'broken-pattern',
    fields: { structured_outputs: { regex: 'a(' } },
    says: REQUEST,
    words: 'unclosed group',
    hint: /your own constraint/,
  },
  {
    name: 'no-tools',
    fields: { tools: [] },
    says: REQUEST,
    words: '`tools` must not be an empty array',
    hint: /--protocol command/,
  },
  {
    name: 'processor-settings',
    // Put in on the way: what this client did not send, it can't leave out.
    fields: { mm_processor_kwargs: { size: { shortest_edge: 65536 } } },
    says: REQUEST,
    words: 'Per-request mm_processor_kwargs are disabled by default',
    hint: /^$/,
  },
  {
    name: 'wrong-type',
    fields: { temperature: 'hot' },
    says: SETTING,
    words: 'Input should be a valid number',
    hint: LEAVE_OUT,
  },
  {
    name: 'messages-of-another-type',
    fields: { messages: 'hello' },
    says: REQUEST,
    words: 'Input should be a valid list',
    // The client's own field, which can't be left out.
    hint: /^$/,
  },
  {
    name: 'beyond-its-range',
    fields: { top_p: 3 },
    says: SETTING,
    words: 'top_p must be in',
    hint: LEAVE_OUT,
  },
  {
    name: 'no-answer-wanted',
    fields: { max_tokens: -1 },
    says: SETTING,
    words: 'max_tokens must be at least 1',
    hint: LEAVE_OUT,
  },
];

const CHOICE = '(ACTION: WAIT|ACTION: LOOK)';
const CHOOSE = {
  name: 'choose_word',
  description: 'Chooses a word.',
  parameters: {
    type: 'object',
    properties: { word: { type: 'string', enum: ['marzipan', 'gravel'] } },
    required: ['word'],
    additionalProperties: false,
  },
};

function counted({ usage }: Reply): void {
  expect(usage.promptTokens).toBeGreaterThan(usage.imageTokens ?? 0);
  expect(usage.imageTokens).toBeGreaterThan(0);
  expect(usage.completionTokens).toBeGreaterThan(0);
}

/** Blocks that the cache keeps on a processor. */
export const BLOCK_TOKENS = 128;
const RULES = Array.from(
  { length: 60 },
  (_, i) => `Rule ${i}: what is written here is the same in every turn.`,
);

export const ANSWERS: readonly Read[] = [
  {
    name: 'cut-off-words',
    spec: { maxTokens: 8 },
    read: (reply) => {
      counted(reply);
      expect(reply).toMatchObject({
        finishReason: 'length',
        toolCalls: [],
        reasoning: null,
        model: 'tiny-vlm',
      });
      expect(reply.usage.completionTokens).toBe(8);
    },
  },
  {
    name: 'held-to-a-pattern',
    spec: { guided: 'require', server: 'vllm' },
    form: { tools: [], guided: { regex: CHOICE, gbnf: 'root ::= "x"', schema: null } },
    read: (reply) => {
      counted(reply);
      expect(reply.content).toMatch(new RegExp(`^${CHOICE}$`));
      expect(reply).toMatchObject({ finishReason: 'stop', adaptations: [] });
    },
  },
  {
    name: 'tool-call',
    // Else a model that knows nothing writes blanks without an end, which JSON allows.
    spec: {
      guided: 'require',
      server: 'vllm',
      temperature: '1',
      extra: { repetition_penalty: { decimal: '1.3' } },
    },
    form: { tools: [CHOOSE], guided: null },
    read: (reply) => {
      counted(reply);
      expect(reply).toMatchObject({ content: '', finishReason: 'tool_calls', adaptations: [] });
      expect(reply.toolCalls.map(({ name }) => name)).toEqual(['choose_word']);
      expect(JSON.parse(reply.toolCalls[0]?.arguments ?? '')).toEqual({
        word: expect.stringMatching(/^(marzipan|gravel)$/),
      });
    },
  },
  {
    name: 'from-the-cache',
    spec: { maxTokens: 8 },
    messages: [words('system', RULES.join('\n')), ...game().slice(1)],
    read: (reply) => {
      counted(reply);
      const cached = reply.usage.cachedTokens ?? 0;
      expect(cached).toBeGreaterThan(0);
      expect(cached % BLOCK_TOKENS).toBe(0);
    },
  },
];

/** Refusals after which the same is asked in another way, and answered. The recorded answer is the refusal. */
export const ADAPTED: readonly Asked[] = [
  { name: 'no-system-role', spec: { maxTokens: 8 }, fields: { chat_template_kwargs: { no_system: true } } },
  { name: 'roles-in-turn', spec: { maxTokens: 8 }, fields: { chat_template_kwargs: { in_turn: true } } },
];

export async function checkProvoked(model: OpenChatModel, row: Provoked): Promise<void> {
  const error: unknown = await ask(model, row).then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof ModelError)) throw new Error(`no refusal: ${String(error)}`);
  expect(error.message).toContain(`${row.says} (HTTP 4`);
  expect(error.message).toContain(row.words);
  expect(error.hints.join('\n')).toMatch(row.hint);
  expect(error.isRetryable).toBe(false);
}

export async function checkAdapted(model: OpenChatModel, row: Asked): Promise<void> {
  const reply = await ask(model, row);
  expect(reply.adaptations).toEqual(['system-folded']);
}

export function ask(model: OpenChatModel, row: Asked): Promise<Reply> {
  return model.complete(row.messages ?? game(), NEVER, row.form);
}

/** The fake server counts as real ones do: tokens, images by family, a prefix cache of whole blocks, and metrics that add up. */
import { afterEach, describe, expect, it } from 'vitest';
import { FAMILIES, frameTokens } from '../../src/model/frame-tokens.js';
import { tinyPng } from '../model/harness.js';
import { IMAGE_FAMILIES, imageTokens } from './image-tokens.mjs';
import { BLOCK_TOKENS, PrefixCache, blockHashes } from './prefix-cache.mjs';
import { startFakeServer } from './server.mjs';
import type { FakeServer, Options } from './server.mjs';
import { promptOf, textOfTokens, textTokens } from './tokens.mjs';

let server: FakeServer;
let isOpen = false;
afterEach(async () => {
  if (isOpen) await server.close();
  isOpen = false;
});

async function serve(options: Options = {}): Promise<void> {
  server = await startFakeServer(options);
  isOpen = true;
}

const WORDS = 'You stand in a hall with one way out. '.repeat(20);

function imagePart(png = tinyPng()): object {
  return {
    type: 'image_url',
    image_url: { url: `data:image/png;base64,${Buffer.from(png).toString('base64')}` },
  };
}

/** A picture of the same size. */
function otherPng(): Uint8Array {
  return tinyPng(11);
}

function body(text: string, changes: object = {}): object {
  const content = [{ type: 'text', text }, imagePart()];
  const messages = [
    { role: 'system', content: WORDS },
    { role: 'user', content },
  ];
  return { model: 'fake-vlm', messages, temperature: 0, top_p: 1, max_tokens: 9, seed: 1, ...changes };
}

interface Answered {
  error?: { message: string };
  choices: readonly [{ message: { content: string | null }; finish_reason: string }];
  usage?: {
    prompt_tokens: number;
    prompt_tokens_details?: {
      cached_tokens: number;
      multimodal_tokens?: { image: number };
      image_tokens?: number;
    };
  };
}

async function posted<T>(path: string, value: object): Promise<T> {
  const url = new URL(path, server.baseUrl);
  return (await (await fetch(url, { method: 'POST', body: JSON.stringify(value) })).json()) as T;
}

function asked(value: object): Promise<Answered> {
  return posted('/v1/chat/completions', value);
}

async function cached(value: object): Promise<number | undefined> {
  return (await asked(value)).usage?.prompt_tokens_details?.cached_tokens;
}

describe('tokens', () => {
  it('stand for their bytes, whatever these are', () => {
    const texts = ['', 'GO NORTH', ' a  b\n\n c', 'naïve 漢字 🙂🙂', '\0\0\0', 'x'.repeat(100), '12345678'];
    for (const text of texts) expect(textOfTokens(textTokens(text))).toBe(text);
    expect(new Set(['\0', '\0\0', '\0\0\0'].map((text) => textTokens(text).join())).size).toBe(3);
  });

  it('of English are about four characters long', () => {
    const share = WORDS.length / textTokens(WORDS).length;
    expect(share).toBeGreaterThan(3);
    expect(share).toBeLessThan(5);
  });

  it('of equal beginnings are equal', () => {
    const message = (content: string) => ({ role: 'user', content });
    const tokens = (words: readonly string[]) => promptOf(words.map(message), undefined, 'gemma-3').tokens;
    const [one, other] = [tokens([WORDS, 'a']), tokens([WORDS, 'b'])];
    const parted = one.findIndex((token, i) => token !== other[i]);
    expect(parted).toBeGreaterThan(tokens([WORDS]).length - 4);
    expect(one.slice(parted + 1)).toEqual(other.slice(parted + 1));
  });

  it('of images are what the program reckons, by rules of their own, from 32 pixels a side', () => {
    expect([...IMAGE_FAMILIES].sort()).toEqual([...FAMILIES].sort());
    const sides = [32, 48, 100, 224, 240, 391, 420, 448, 480, 512, 720, 840, 896, 1000, 1504, 2016];
    for (const family of FAMILIES)
      for (const width of sides)
        for (const height of sides.filter((side) => Math.max(side, width) / Math.min(side, width) < 200))
          expect([family, width, height, imageTokens(family, { width, height })]).toEqual([
            family,
            width,
            height,
            frameTokens(family, width, height),
          ]);
  });

  it('are told by /tokenize as usage counts them, tools among them, and taken back by /detokenize', async () => {
    await serve();
    const tool = { name: 'GO', description: 'x', parameters: { type: 'object', properties: {} } };
    for (const request of [body('now'), body('now', { tools: [{ type: 'function', function: tool }] })]) {
      const told = await posted<{ count: number; max_model_len: number }>('/tokenize', request);
      const { usage } = await asked(request);
      expect(told).toMatchObject({ count: usage?.prompt_tokens, max_model_len: 32768 });
    }
    const { tokens } = await posted<{ tokens: readonly number[] }>('/tokenize', { prompt: 'GO NORTH' });
    expect(await posted('/detokenize', { tokens })).toEqual({ prompt: 'GO NORTH' });
  });

  it('are counted to the last one against the context', async () => {
    await serve();
    const { usage } = await asked(body('now'));
    await server.close();
    const prompt = usage?.prompt_tokens ?? 0;
    await serve({ contextTokens: prompt + 9 });
    expect((await asked(body('now'))).error).toBeUndefined();
    expect((await asked(body('now', { max_tokens: 10 }))).error?.message).toContain(
      `You passed ${prompt} input tokens and requested 10 output tokens`,
    );
  });
});

describe('usage', () => {
  it.each([
    ['vllm', 'details', { cached_tokens: 0, multimodal_tokens: { image: 256 } }],
    ['sglang', 'details', { cached_tokens: 0, image_tokens: 256 }],
    ['vllm', 'plain', undefined],
    ['vllm', undefined, { cached_tokens: 0, multimodal_tokens: { image: 256 } }],
    ['llama.cpp', undefined, { cached_tokens: 0 }],
    ['ollama', undefined, undefined],
  ] as const)('of %s, %s', async (kind, told, details) => {
    await serve({ kind, ...(told === undefined ? {} : { usage: told }) });
    const { usage } = await asked(body('now'));
    expect(usage?.prompt_tokens).toBeGreaterThan(256);
    expect(usage?.prompt_tokens_details).toEqual(details);
  });

  it('is absent where none is told', async () => {
    await serve({ usage: 'none' });
    expect(await asked(body('now'))).not.toHaveProperty('usage');
  });
});

describe('the prefix cache', () => {
  it('spares whole blocks that an earlier prompt began with', async () => {
    await serve();
    expect(await cached(body('one'))).toBe(0);
    const hit = (await cached(body('another'))) ?? 0;
    const system = textTokens(WORDS).length;
    expect(hit % BLOCK_TOKENS).toBe(0);
    expect(hit).toBeGreaterThanOrEqual(system - BLOCK_TOKENS);
    expect(hit).toBeLessThanOrEqual(system + BLOCK_TOKENS);
    expect(server.prompts.map(({ cachedTokens }) => cachedTokens)).toEqual([0, hit]);
  });

  it('misses all that comes after the first difference', async () => {
    await serve();
    const messages = (first: string): object => ({
      messages: [
        { role: 'system', content: `${first} ${WORDS}` },
        { role: 'user', content: [{ type: 'text', text: 'now' }, imagePart()] },
      ],
    });
    await asked(body('', messages('Turn 1.')));
    expect(await cached(body('', messages('Turn 2.')))).toBe(0);
  });

  it('reckons the last token anew, also where the prompt is the same', async () => {
    await serve();
    await asked(body('now'));
    const { usage } = await asked(body('now'));
    const prompt = usage?.prompt_tokens ?? 0;
    expect(usage?.prompt_tokens_details?.cached_tokens).toBe(
      Math.floor((prompt - 1) / BLOCK_TOKENS) * BLOCK_TOKENS,
    );
    const exact = { tokens: textTokens('a b c d e f g h i j k l m n o p'), images: [] };
    expect(exact.tokens).toHaveLength(BLOCK_TOKENS);
    const cache = new PrefixCache(9);
    expect([cache.lookUp(exact, ''), cache.lookUp(exact, '')].map((one) => one.cachedTokens)).toEqual([0, 0]);
  });

  it('tells images apart by their bytes, though their placeholders are the same tokens', () => {
    const prompt = (png: Uint8Array) =>
      promptOf(
        [{ role: 'user', content: [imagePart(png) as Record<string, unknown>] }],
        undefined,
        'gemma-3',
      );
    const [one, other] = [prompt(tinyPng()), prompt(otherPng())];
    expect(one.tokens).toEqual(other.tokens);
    const [ones, others] = [blockHashes(one, ''), blockHashes(other, '')];
    expect(ones).toHaveLength(Math.floor(one.tokens.length / BLOCK_TOKENS));
    expect(ones.filter((hash) => others.includes(hash))).toEqual([]);
  });

  it('is parted by salts, and refuses one that is none', async () => {
    await serve();
    await asked(body('now', { cache_salt: 'a' }));
    expect(await cached(body('now', { cache_salt: 'b' }))).toBe(0);
    expect(await cached(body('now'))).toBe(0);
    expect(await cached(body('now', { cache_salt: 'a' }))).toBeGreaterThan(0);
    for (const salt of ['', 'a/b', 7])
      expect((await asked(body('now', { cache_salt: salt }))).error?.message).toContain('cache_salt');
  });

  it('forgets what was not asked for longest, a prompt from its end', () => {
    const cache = new PrefixCache(4);
    const prompt = (word: string, blocks: number) => ({
      tokens: textTokens(` ${word}`.repeat(blocks * BLOCK_TOKENS + 1)),
      images: [],
    });
    cache.lookUp(prompt('a', 3), '');
    cache.lookUp(prompt('b', 2), '');
    expect(cache.usage).toBe(1);
    expect(cache.lookUp(prompt('a', 3), '').cachedTokens).toBe(2 * BLOCK_TOKENS);
  });
});

describe('what stands beside the answers', () => {
  it('/metrics adds up what was asked, under the names of vLLM', async () => {
    await serve();
    await asked(body('one'));
    await asked(body('two'));
    const response = await fetch(new URL('/metrics', server.baseUrl));
    expect(response.headers.get('content-type')).toMatch(/^text\/plain/);
    const text = await response.text();
    const value = (name: string) =>
      Number(new RegExp(`^vllm:${name}\\{[^}]*\\} (\\S+)$`, 'm').exec(text)?.[1]);
    const sum = (of: (prompt: FakeServer['prompts'][number]) => number) =>
      server.prompts.reduce((total, prompt) => total + of(prompt), 0);
    expect(value('prompt_tokens_total')).toBe(sum(({ tokens }) => tokens));
    expect(value('prefix_cache_queries_total')).toBe(sum(({ tokens }) => tokens));
    expect(value('prefix_cache_hits_total')).toBe(sum(({ cachedTokens }) => cachedTokens));
    expect(value('prefix_cache_hits_total')).toBeGreaterThan(0);
    expect([value('mm_cache_queries_total'), value('mm_cache_hits_total')]).toEqual([2, 1]);
    expect(value('num_requests_running')).toBe(0);
    expect(value('e2e_request_latency_seconds_count')).toBe(2);
    expect(text).toContain('finished_reason="stop"} 2');
    for (const line of text.trimEnd().split('\n'))
      expect(line).toMatch(/^(?:# TYPE vllm:\w+ (?:gauge|counter|histogram)|vllm:\w+\{[^{}]*\} [\d.e-]+)$/);
  });

  it('/health and /version answer, and another kind has no /metrics', async () => {
    await serve();
    const got = async (path: string) => (await fetch(new URL(path, server.baseUrl))).status;
    expect(await Promise.all(['/health', '/version', '/metrics'].map(got))).toEqual([200, 200, 200]);
    await server.close();
    await serve({ kind: 'ollama' });
    expect(await Promise.all(['/health', '/version', '/metrics'].map(got))).toEqual([200, 404, 404]);
  });

  it('fields that no server knows are ignored without a word where they are not refused', async () => {
    await serve({ knownFields: false });
    const { choices } = await asked(body('now', { guided_choice: ['ACTION: GO NORTH'] }));
    expect(choices[0].message.content).toBe('ACTION: WAIT');
  });

  it('a stop string ends the answer, and inside the reasoning leaves none', async () => {
    await serve({ reply: () => 'ACTION: WAIT\nObservation: x' });
    const { choices } = await asked(body('now', { stop: ['\nObservation:'] }));
    expect(choices[0].message.content).toBe('ACTION: WAIT');
    await server.close();
    await serve({ reply: () => ({ content: 'ACTION: WAIT', reasoning: 'Observation: none' }) });
    const thought = await asked(body('now', { stop: 'Observation:' }));
    expect(thought.choices[0]).toMatchObject({ message: { content: null }, finish_reason: 'stop' });
  });

  it('a stream is refused, for the client asks for none', async () => {
    await serve();
    expect((await asked(body('now', { stream: true }))).error?.message).toContain('does not stream');
  });
});

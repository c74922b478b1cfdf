/** The client against a real vLLM: refusals in its own words with what to try, answers of every kind, and its cache. With `--record` what it said is kept. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ModelSpec } from '../../src/scenario/scenario.js';
import { systemDependencies } from '../../src/model/dependencies.js';
import { openChatModel } from '../../src/model/openai.js';
import type { OpenChatModel } from '../../src/model/openai.js';
import { record } from '../fake-server/recorded.mjs';
import { game, NEVER, specification } from '../model/harness.js';
import { ADAPTED, ANSWERS, ask, BLOCK_TOKENS, checkAdapted, checkProvoked, PROVOKED } from './answers.js';
import type { Asked } from './answers.js';
import { Meddler } from './meddler.js';
import { metric, serverUrl, serverVersion } from './real.js';

let meddler: Meddler;
let version = '';
beforeAll(async () => {
  version = await serverVersion();
});
beforeEach(async () => {
  meddler = await Meddler.start(serverUrl());
});
afterEach(() => meddler.close());

function client(row: { spec?: Partial<ModelSpec>; fields?: Asked['fields'] }): OpenChatModel {
  meddler.fields = row.fields ?? {};
  const spec = specification(meddler.baseUrl, { model: 'tiny-vlm', ...row.spec });
  return openChatModel(
    spec,
    systemDependencies(() => undefined),
  );
}

const kept: string[] = [];

/** Keeps the first answer to a chat request since `from`. */
function keep(name: string, from = 0, path = '/v1/chat/completions'): void {
  const answer = meddler.answers.slice(from).find((one) => one.path === path);
  if (answer === undefined) throw new Error(`nothing was answered at ${path}`);
  kept.push(name);
  if (process.env['VLLM_RECORD'] === '1')
    record(name, { server: `vLLM ${version}`, status: answer.status, body: answer.body });
}

describe('vLLM refuses, and its words become a message with what to try', () => {
  it.each(PROVOKED)('$name', async (row) => {
    await checkProvoked(client(row), row);
    keep(row.name);
  });
});

describe('vLLM refuses, and the same is asked in another way', () => {
  it.each(ADAPTED)('$name', async (row) => {
    await checkAdapted(client(row), row);
    keep(row.name);
  });
});

describe('vLLM answers, and is read', () => {
  it.each(ANSWERS.filter(({ name }) => name !== 'from-the-cache'))('$name', async (row) => {
    row.read(await ask(client(row), row));
    keep(row.name);
  });

  it('with its list of models', async () => {
    expect(await client({}).models(NEVER)).toMatchObject([{ id: 'tiny-vlm', contextTokens: 16384 }]);
    keep('models', 0, '/v1/models');
  });
});

describe("vLLM's cache of prefixes", () => {
  it('holds the turn before: the same beginning is read from it, in whole blocks, as its own counters say', async () => {
    const [row] = ANSWERS.filter(({ name }) => name === 'from-the-cache');
    if (row === undefined) throw new Error('no such row');
    const model = client(row);
    const first = await ask(model, row);
    const [hits, asked] = [await metric('prefix_cache_hits'), await metric('prefix_cache_queries')];
    const from = meddler.answers.length;
    // A turn later: the same, an answer and a new turn behind it.
    const later = [...(row.messages ?? []).slice(0, -1), ...game().slice(2)];
    const second = await ask(model, { ...row, messages: later });
    row.read(second);
    keep(row.name, from);
    const cached = second.usage.cachedTokens ?? 0;
    expect(cached).toBeGreaterThanOrEqual(BLOCK_TOKENS);
    expect(cached).toBeLessThan(first.usage.promptTokens ?? 0);
    expect((await metric('prefix_cache_hits')) - hits).toBe(cached);
    expect((await metric('prefix_cache_queries')) - asked).toBe(second.usage.promptTokens);
  });
});

afterAll(() => {
  // All of the recorded answers are recorded anew, or none.
  if (process.env['VLLM_RECORD'] === '1')
    expect(kept.length).toBe(PROVOKED.length + ADAPTED.length + ANSWERS.length + 1);
});

/** What a real vLLM answered, recorded, read again: each file has its outcome, and there is no file without one. */
import { afterEach, describe, expect, it } from 'vitest';
import { recorded, recordedAnswer, recordedNames } from '../fake-server/recorded.mjs';
import { startFakeServer } from '../fake-server/server.mjs';
import type { FakeServer } from '../fake-server/server.mjs';
import type { ModelSpec } from '../../src/scenario/scenario.js';
import type { OpenChatModel } from '../../src/model/openai.js';
import { ADAPTED, ANSWERS, ask, checkAdapted, checkProvoked, PROVOKED } from '../vllm/answers.js';
import { bench, game, NEVER, specification } from './harness.js';

let server: FakeServer;
afterEach(() => server.close());

/** A client whose next request, whatever it says, is answered as the real server answered its own. */
async function client(name: string, changes: Partial<ModelSpec> = {}): Promise<OpenChatModel> {
  server = await startFakeServer({ models: ['tiny-vlm'], knownFields: false });
  server.next(recorded(name));
  return bench(specification(server.baseUrl, { model: 'tiny-vlm', ...changes })).model;
}

describe('a recorded refusal of vLLM becomes a message with what to try', () => {
  it.each(PROVOKED)('$name', async (row) => {
    await checkProvoked(await client(row.name), { ...row, messages: game() });
  });
});

describe('after a recorded refusal of vLLM the same is asked in another way', () => {
  it.each(ADAPTED)('$name', async (row) => {
    await checkAdapted(await client(row.name, row.spec), row);
  });
});

describe('a recorded answer of vLLM is read', () => {
  it.each(ANSWERS)('$name', async (row) => {
    row.read(await ask(await client(row.name, row.spec), row));
  });

  it('with its list of models', async () => {
    const model = await client('models');
    server.nextModels(recorded('models'));
    expect(await model.models(NEVER)).toMatchObject([{ id: 'tiny-vlm', contextTokens: 16384 }]);
  });
});

it('has an outcome for every recorded answer, none of which tells of the machine that it was recorded on', async () => {
  await client('models');
  const known = [...PROVOKED, ...ADAPTED, ...ANSWERS].map(({ name }) => name);
  expect(recordedNames()).toEqual([...known, 'models'].toSorted());
  for (const name of recordedNames()) {
    const text = JSON.stringify(recordedAnswer(name));
    expect(text).toMatch(/^\{"server":"vLLM \d/);
    expect(text).not.toMatch(/\/(?:root|home|tmp|work|Users)\b/);
  }
});

/** Rows of an agent that called tools natively: earlier calls are calls, and what the world told next answers them. */
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startFakeServer } from '../fake-server/server.mjs';
import { orchestrate } from '../support/captured-io.js';
import { temporaryFolder } from '../support/folder.js';
import { parquetRows } from './hyparquet.js';
import { filesIn, jsonLines } from './runs.js';

const cwd = temporaryFolder();
/** What the server's model calls, turn by turn. */
const CALLS = [
  { name: 'GO', arguments: '{"target": "brass-key"}' },
  { name: 'TAKE', arguments: '{"thing": "brass-key"}' },
  { name: 'WAIT', arguments: '{}' },
];
let server: Awaited<ReturnType<typeof startFakeServer>>;

beforeAll(async () => {
  let asked = 0;
  server = await startFakeServer({
    reply: () => {
      const call = CALLS[asked++ % CALLS.length];
      const toolCalls = [{ id: `given-${asked}`, type: 'function', function: call }];
      return { content: null, toolCalls };
    },
  });
  const words = ['--base-url', server.baseUrl, '--protocol', 'tools', '--out', 'native.sqlite', '--quiet'];
  const set = ['--set', 'turns.max=3', '--set', 'agents.ranger.memory={kind: history}'];
  const scenario = join(import.meta.dirname, '../../scenarios/brass-key.yaml');
  const ran = await orchestrate(['run', scenario, ...words, ...set], { cwd });
  expect(ran.err).toBe('');
});

afterAll(() => server.close());

interface OpenAiMessage {
  role: string;
  content?: readonly { type: string; text?: string }[];
  tool_calls?: readonly {
    id: string;
    function: { name: string; arguments: string };
  }[];
  tool_call_id?: string;
}

async function exported(format: string, out = format): Promise<string> {
  const { code, err } = await orchestrate(['export', 'native.sqlite', '--format', format, '--out', out], {
    cwd,
  });
  expect([code, err]).toEqual([0, '']);
  return join(cwd, out);
}

it.each(['openai', 'trl', 'llama-factory', 'llava'])(
  'the card of %s says whether calls are as they were sent',
  async (format) => {
    const card = filesIn(await exported(format, `${format}-card`))['README.md']?.toString() ?? '';
    expect(card.includes('they were sent as text, and are tool calls')).toBe(format !== 'llava');
  },
);

it('openai: each call has its answer, and pictures come after it', async () => {
  const rows = jsonLines(filesIn(await exported('openai'))['train.jsonl']);
  const last = rows.at(-1)?.['messages'] as readonly OpenAiMessage[];
  const turn = ['assistant', 'tool'];
  expect(last.map(({ role }) => role)).toEqual(['system', 'user', ...turn, ...turn, 'user', 'assistant']);
  expect(JSON.stringify(last)).not.toContain('<tool_call>');
  const calls = last.flatMap((message) => message.tool_calls ?? []);
  expect(calls.map((call) => [call.function.name, JSON.parse(call.function.arguments)])).toEqual(
    CALLS.map(({ name, arguments: args }) => [name, JSON.parse(args)]),
  );
  expect(new Set(calls.map(({ id }) => id)).size).toBe(3);
  const answered = last.flatMap((message) => message.tool_call_id ?? []);
  expect(answered).toEqual(calls.slice(0, 2).map(({ id }) => id));
  const results = last.filter(({ role }) => role === 'tool').map(({ content }) => content?.[0]?.text);
  expect(results).toEqual([expect.stringContaining('Turn 2.'), expect.stringContaining('Turn 3.')]);
  expect(last.at(-2)?.content).toEqual([{ type: 'image_url', image_url: expect.anything() }]);
});

it('trl: the same in Parquet, with the tools as JSON', async () => {
  const rows = await parquetRows(await exported('trl'));
  const last = rows.at(-1) as {
    prompt: readonly OpenAiMessage[];
    completion: readonly OpenAiMessage[];
    tools: string;
  };
  const calls = [...last.prompt, ...last.completion].flatMap((message) => message.tool_calls ?? []);
  expect(calls.map((call) => [call.function.name, JSON.parse(call.function.arguments)])).toEqual(
    CALLS.map(({ name, arguments: args }) => [name, JSON.parse(args)]),
  );
  expect(last.completion[0]?.content).toEqual([]);
  const tools = JSON.parse(last.tools) as readonly { function: { name: string } }[];
  expect(tools.map((tool) => tool.function.name)).toContain('WAIT');
  const card = filesIn(join(cwd, 'trl'))['README.md']?.toString() ?? '';
  expect(card).toContain('"tool_calls"');
});

it('llama-factory: calls and results have their own roles', async () => {
  const rows = JSON.parse(String(filesIn(await exported('llama-factory'))['train.json'])) as readonly {
    messages: readonly { role: string; content: string }[];
  }[];
  expect(rows.at(-1)?.messages.map(({ role }) => role)).toEqual([
    'user',
    'function',
    'observation',
    'function',
    'observation',
    'function',
  ]);
});

/** Traces: all that an agent was told and answered in a run, once and in order, held against the log; and read by the packages of those who use them. */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LogReader } from '../../src/log/reader.js';
import type { LoggedCall } from '../../src/trajectory/records.js';
import { startFakeServer } from '../fake-server/server.mjs';
import { orchestrate } from '../support/captured-io.js';
import { temporaryFolder } from '../support/folder.js';
import { PYTHON, readByPython } from './readers.js';
import { filesIn, jsonLines, playInto } from './runs.js';
import { documentsIn, messagesIn, textIn } from './trace-files.js';
import type { Atif } from './trace-files.js';

const cwd = temporaryFolder();
const SCENARIO = join(import.meta.dirname, '../../scenarios/brass-key.yaml');
const FORMATS = ['atif', 'agent-traces'];

let server: Awaited<ReturnType<typeof startFakeServer>>;
/** What the model answers, in order. */
const REPLIES = [
  { content: null, toolCalls: [called('GO', { target: 'brass key' })], reasoning: 'It is near.' },
  { content: null, finishReason: 'content_filter' },
  { content: 'Now I have it.', toolCalls: [called('TAKE', { thing: 'brass key' })] },
  { content: null, toolCalls: [called('FLY', {})] },
  { content: null, toolCalls: [called('WAIT', {})] },
];

function called(name: string, args: object): object {
  return { id: 'given', type: 'function', function: { name, arguments: JSON.stringify(args) } };
}

beforeAll(async () => {
  await playInto(cwd, 'one');
  // Each reply that is refused loses the turn.
  const lost = { ann: ['no idea', 'ACTION: GO EAST'], bob: ['ACTION: GO WEST'] };
  await playInto(cwd, 'lost', { answers: lost, turns: 'max: 3, attempts: 1', seed: '2' });
  let asked = 0;
  server = await startFakeServer({
    reply: () => REPLIES[asked++] ?? 'ACTION: WAIT',
  });
  const words = ['--base-url', server.baseUrl, '--protocol', 'tools', '--out', 'model.sqlite', '--quiet'];
  const set = ['--set', 'turns.max=3', '--set', 'agents.ranger.memory={kind: history}'];
  expect((await orchestrate(['run', SCENARIO, ...words, ...set], { cwd })).err).toBe('');
});

afterAll(() => server.close());

/** A log of a run and of a fork of it. */
async function playForked(name: string): Promise<void> {
  await playInto(cwd, name);
  const reply = ['--at', '4', '--reply', 'ACTION: WAIT', '--quiet'];
  expect((await orchestrate(['fork', `${name}.sqlite`, ...reply], { cwd })).err).toBe('');
}

let outs = 0;

async function exported(logs: readonly string[], format: string, ...words: readonly string[]) {
  const out = `${format}-${outs++}`;
  const args = ['export', ...logs, '--format', format, '--out', out, ...words];
  expect((await orchestrate(args, { cwd })).code).toBe(0);
  return { out, files: filesIn(join(cwd, out)) };
}

async function documents(logs: readonly string[], ...words: readonly string[]) {
  return documentsIn((await exported(logs, 'atif', ...words)).files);
}

/** The calls of an agent that asked it to act, in order. */
function callsOf(log: string, agent: string, run = 0): readonly LoggedCall[] {
  const reader = new LogReader(join(cwd, log));
  const runId = reader.runs()[run]?.runId ?? '';
  const calls = [...reader.steps(runId)].flatMap(({ step }) => reader.calls(runId, step));
  reader.close();
  return calls.filter(({ request }) => request.agent === agent);
}

/** The messages that were new to the agent with each call, without its own. */
function newMessages(calls: readonly LoggedCall[]): readonly string[] {
  const system = calls[0]?.request.messages.filter(({ role }) => role === 'system') ?? [];
  const last = calls.flatMap(({ request }) => request.messages.slice(-1));
  return [...system, ...last].map(({ parts }) =>
    parts.flatMap((part) => (part.kind === 'text' ? [part.text] : [])).join('\n\n'),
  );
}

describe('a trace', () => {
  it.each(['ann', 'bob'])(
    'has what %s was told, each message once, and each of its replies, as the log has them',
    async (agent) => {
      const calls = callsOf('one.sqlite', agent);
      const replies = calls.map(({ end }) => (end?.kind === 'replied' ? end.reply.content : null));
      const { steps = [] } = (await documents(['one.sqlite']))[`train-00001-${agent}.json`] ?? {};
      expect(steps.map(({ step_id: id }) => id)).toEqual(steps.map((_, i) => i + 1));
      expect(steps.filter(({ source }) => source !== 'agent').map(textIn)).toEqual(newMessages(calls));
      expect(steps.flatMap((one) => (one.source === 'agent' ? [one.message] : []))).toEqual(replies);
      const { files } = await exported(['one.sqlite'], 'agent-traces');
      const messages = messagesIn(files[`train-00001-${agent}.jsonl`]);
      const spoken = messages.filter(({ role }) => role === 'assistant');
      expect(spoken.map(({ content }) => content)).toEqual(replies);
      const told = messages.filter(({ role }) => role === 'user' || role === 'system');
      const texts = told.map(({ content }) => content.replace(/\n\n!\[picture\]\([^)]*\)$/, ''));
      expect(texts).toEqual(newMessages(calls));
    },
  );

  it('has refused tries and free acts as replies of their own, each with its result and when it was given', async () => {
    const { steps = [] } = (await documents(['one.sqlite']))['train-00001-ann.json'] ?? {};
    const said = steps.filter(({ source }) => source === 'agent');
    const told = said.slice(1, 4).map(({ tool_calls: calls, observation, extra }) => ({
      called: calls?.map((call) => [call.function_name, call.arguments]),
      result: observation?.results[0]?.content,
      facts: [extra?.orchestrate['attempt'], extra?.orchestrate['ok'], extra?.orchestrate['problem']],
    }));
    // What could not be read called nothing.
    expect(told).toEqual([
      { called: undefined, result: undefined, facts: [1, false, 'unparsable'] },
      { called: undefined, result: undefined, facts: [2, false, 'unknown-action'] },
      {
        called: [['TAKE', { thing: 'coin' }]],
        result: expect.stringContaining('coin'),
        facts: [3, true, undefined],
      },
    ]);
    const asked = callsOf('one.sqlite', 'ann').map(({ request }) => new Date(request.startedAt));
    const times = steps.filter(({ source }) => source === 'user').map(({ timestamp }) => new Date(timestamp));
    expect(times).toEqual(asked);
  });

  it('has calls in the words of the agent, not with ids that it was not told', async () => {
    const words = ['--set', 'turns.max=1', '--out', 'named.sqlite', '--quiet'];
    await orchestrate(['run', SCENARIO, ...words], { cwd });
    const [trace] = Object.values(await documents(['named.sqlite']));
    const said = trace?.steps.find(({ source }) => source === 'agent');
    expect(said?.message).toContain('ACTION: GO TO brass key');
    expect(said?.tool_calls?.[0]).toMatchObject({ function_name: 'GO', arguments: { target: 'brass key' } });
  });

  it('has no wait that the agent did not choose', async () => {
    const { steps = [] } = (await documents(['lost.sqlite']))['train-00001-ann.json'] ?? {};
    const reader = new LogReader(join(cwd, 'lost.sqlite'));
    const acts = [...reader.steps(reader.runs()[0]?.runId ?? '')].flatMap((step) =>
      step.agent === 'ann' ? step.acts : [],
    );
    reader.close();
    const forced = acts.filter(({ call, intent }) => call === null && intent?.action === 'WAIT');
    expect(forced).toHaveLength(1);
    expect(steps.filter(({ source }) => source === 'agent')).toHaveLength(acts.length - forced.length);
    expect(steps.map((step) => [step.source, step.extra?.orchestrate['turn']]).slice(0, 5)).toEqual([
      ['system', undefined],
      ['user', undefined],
      ['agent', 1],
      ['user', undefined],
      ['agent', 2],
    ]);
    expect(steps[2]?.extra?.orchestrate).toMatchObject({ ok: false, settled: false, problem: 'unparsable' });
  });

  it('refers to pictures beside it, those that were sent', async () => {
    const { files } = await exported(['one.sqlite', 'lost.sqlite'], 'atif');
    for (const [log, run] of [
      ['lost.sqlite', '00001'],
      ['one.sqlite', '00002'],
    ] as const)
      for (const agent of ['ann', 'bob']) {
        const { steps = [] } = documentsIn(files)[`train-${run}-${agent}.json`] ?? {};
        const paths = steps.flatMap(({ message }) =>
          typeof message === 'string' ? [] : message.flatMap(({ source }) => source?.path ?? []),
        );
        const isTurn = ({ request }: LoggedCall): boolean => request.purpose === 'act';
        const sent = callsOf(log, agent)
          .filter(isTurn)
          .flatMap(({ request }) => request.messages.at(-1)?.parts ?? [])
          .flatMap((part) => (part.kind === 'image' ? [Buffer.from(part.png)] : []));
        expect(sent.length).toBeGreaterThan(0);
        expect(paths.map((path) => files[path])).toEqual(sent);
      }
  });

  it('says of a player without a model that no model was called', async () => {
    for (const { steps, agent, session_id: id } of Object.values(await documents(['one.sqlite']))) {
      expect([id, agent.model_name]).toEqual(['one-1', undefined]);
      const counts = steps.map(({ source, llm_call_count: count }) => [source === 'agent', count ?? null]);
      expect(counts).toEqual(counts.map(([isAgent]) => [isAgent, isAgent ? 0 : null]));
    }
  });
});

describe("a model's trace", () => {
  it('has its calls, reasoning, tokens and name; a request that nobody answered is no step', async () => {
    const { files } = await exported(['model.sqlite'], 'atif');
    const { agent, steps, final_metrics: totals } = documentsIn(files)['train-00001-ranger.json'] as Atif;
    expect(agent.model_name).toBe('fake-vlm');
    expect(agent.tool_definitions?.map((tool) => tool.function.name)).toContain('GO');
    const said = steps.filter(({ source }) => source === 'agent');
    expect(
      said.map(({ message, reasoning_content: thought, tool_calls: calls, llm_call_count: count }) => [
        message,
        thought,
        calls?.map((call) => [call.function_name, call.arguments]),
        count,
      ]),
    ).toEqual([
      ['', 'It is near.', [['GO', { target: 'brass key' }]], 1],
      ['Now I have it.', undefined, [['TAKE', { thing: 'brass key' }]], 1],
      ['', undefined, [['FLY', {}]], 1],
      ['', undefined, [['WAIT', {}]], 1],
    ]);
    for (const { tool_calls: calls, observation } of said)
      expect(observation?.results.map((one) => one.source_call_id)).toEqual(
        calls?.map((call) => call.tool_call_id),
      );
    const logged = callsOf('model.sqlite', 'ranger').flatMap(({ end }) =>
      end?.kind === 'replied' && end.reply.finishReason !== 'content_filter' ? [end.reply.usage] : [],
    );
    expect(logged).toHaveLength(4);
    expect(said.map(({ metrics }) => metrics)).toMatchObject(
      logged.map((one) => ({ prompt_tokens: one.promptTokens, completion_tokens: one.completionTokens })),
    );
    const sum = (counts: readonly (number | null)[]): number =>
      counts.reduce<number>((total, count) => total + (count ?? 0), 0);
    expect(totals).toMatchObject({
      total_prompt_tokens: sum(logged.map((one) => one.promptTokens)),
      total_cached_tokens: sum(logged.map((one) => one.cachedTokens)),
      total_steps: steps.length,
    });
    const manifest = JSON.parse(String(files['export.json'])) as { left_out: object };
    expect(manifest.left_out).toEqual({ filtered: 1 });
    const card = String(files['README.md']);
    expect(card).toContain('1 request left out because the server gave no answer: 1 filtered');
  });

  it('has results that name their calls, and the arguments as JSON text, for the viewer', async () => {
    const { files } = await exported(['model.sqlite'], 'agent-traces');
    const [header] = jsonLines(files['train-00001-ranger.jsonl']);
    expect(header).toMatchObject({ type: 'session', harness: 'orchestrate' });
    const messages = messagesIn(files['train-00001-ranger.jsonl']);
    const calls = messages.flatMap(({ toolCalls = [] }) => toolCalls);
    expect(calls.map((call) => JSON.parse(call.function.arguments) as object)).toEqual([
      { target: 'brass key' },
      { thing: 'brass key' },
      {},
      {},
    ]);
    expect(messages.flatMap(({ toolCallId }) => toolCallId ?? [])).toEqual(calls.map(({ id }) => id));
    expect(new Set(calls.map(({ id }) => id)).size).toBe(4);
    const said = messages.filter(({ role }) => role === 'assistant');
    expect(said[0]).toMatchObject({ reasoningContent: 'It is near.', model: 'fake-vlm' });
  });
});

describe('traces', () => {
  it('of a fork are whole, and say which steps they share with its parent if that is there, too', async () => {
    await playForked('parent');
    const reader = new LogReader(join(cwd, 'parent.sqlite'));
    const fork = reader.runs()[1]?.runId ?? '';
    reader.close();
    const both = Object.values(await documents(['parent.sqlite']));
    const [alone] = Object.values(await documents([`parent.sqlite#${fork}`]));
    const forked = both.filter(({ session_id: id }) => id === fork);
    expect(forked).toHaveLength(2);
    for (const { steps, extra } of forked) {
      expect(extra.orchestrate).toMatchObject({ forked_from: 'parent-1', forked_at: 4 });
      for (const { is_copied_context: isCopied, extra: facts } of steps)
        if (facts !== undefined) expect(isCopied === true).toBe(Number(facts.orchestrate['step']) < 4);
      expect(steps[0]?.is_copied_context).toBe(true);
    }
    expect(alone?.steps.every(({ is_copied_context: isCopied }) => isCopied === undefined)).toBe(true);
    expect(alone?.steps.map(textIn)).toEqual(forked[0]?.steps.map(textIn));
  });

  it.each(FORMATS)('as %s: a file for each agent that answered, which are the rows', async (format) => {
    const { files } = await exported(['one.sqlite', 'lost.sqlite'], format, '--agent', 'bob');
    const ending = format === 'atif' ? 'json' : 'jsonl';
    const names = ['00001', '00002'].map((run) => `train-${run}-bob.${ending}`);
    const manifest = JSON.parse(String(files['export.json'])) as {
      rows: number;
      files: readonly { name: string; rows: number }[];
    };
    expect(manifest.rows).toBe(2);
    expect(manifest.files.map(({ name, rows }) => [name, rows])).toEqual(names.map((name) => [name, 1]));
    expect(Object.keys(files).filter((name) => name.startsWith('train'))).toEqual(names);
    expect(String(files['README.md'])).toContain('hf upload');
  });

  it('are refused with options that would leave replies out of them', async () => {
    for (const words of [
      ['--ok'],
      ['--turns', '2..'],
      ['--where', 'ok'],
      ['--limit', '3'],
      ['--first-attempt'],
    ]) {
      const args = ['export', 'one.sqlite', '--format', 'atif', '--out', 'refused', ...words];
      const { code, err } = await orchestrate(args, { cwd });
      expect([code, err]).toEqual([2, expect.stringContaining(`--format atif does not support ${words[0]}`)]);
    }
  });

  it('are as they were played, whatever a person made of a reply, and hide texts', async () => {
    await playInto(cwd, 'judged');
    const marks = [
      ['--step', '1', '--correct', 'ACTION: WAIT'],
      ['--step', '2', '--reject', 'no'],
    ];
    for (const words of marks)
      expect((await orchestrate(['mark', 'judged.sqlite', ...words], { cwd })).code).toBe(0);
    const replies = (trace: Atif | undefined) =>
      trace?.steps.filter(({ source }) => source === 'agent').map(({ message }) => message);
    const judged = Object.values(await documents(['judged.sqlite']));
    expect(judged.map(replies)).toEqual(Object.values(await documents(['one.sqlite'])).map(replies));
    for (const format of FORMATS) {
      const { files } = await exported(['judged.sqlite'], format, '--redact', 'coin', '--redact', 'mind');
      const texts = Object.keys(files).filter((name) => name.startsWith('train-00001'));
      for (const name of texts) expect(String(files[name])).not.toMatch(/coin|mind/i);
    }
  });

  it('are the same from several processes', { tags: ['long'] }, async () => {
    await playForked('forked');
    const logs = ['one.sqlite', 'lost.sqlite', 'forked.sqlite'];
    for (const format of FORMATS) {
      const split = ['--split', 'train=1,test=1'];
      const { files: one } = await exported(logs, format, ...split);
      const { files: three } = await exported(logs, format, ...split, '--workers', '3');
      expect(three).toEqual(one);
    }
  });
});

describe.skipIf(PYTHON === null)(
  "read by the consumers' packages (node scripts/python-readers.mjs makes them)",
  { tags: ['long'] },
  () => {
    const LOGS = ['one.sqlite', 'lost.sqlite', 'model.sqlite'];

    it.each(FORMATS)('%s: each trace with its messages, calls and pictures', async (format) => {
      const { out, files } = await exported(LOGS, format);
      const found = await readByPython(format, join(cwd, out));
      expect(found).toHaveLength(5);
      const shown = await Promise.all(
        Object.values(documentsIn((await exported(LOGS, 'atif')).files)).map(async ({ steps }) => ({
          replies: steps.filter(({ source }) => source === 'agent').map(({ message }) => message),
          images: await Promise.all(
            steps.flatMap(({ message }) =>
              typeof message === 'string'
                ? []
                : message.flatMap(({ source }) => (source === undefined ? [] : [pixels(files[source.path])])),
            ),
          ),
        })),
      );
      const read = found.map(({ images, answer }) => {
        const told = JSON.parse(answer) as readonly Readonly<Record<string, unknown>>[];
        const said = told.filter((one) => one['source'] === 'agent' || one['role'] === 'assistant');
        return { replies: said.map((one) => one['text'] ?? one['content']), images };
      });
      expect(read).toEqual(shown);
      expect(found.every(({ marks, images }) => marks > 0 && marks === images.length)).toBe(true);
    });
  },
);

async function pixels(file: Uint8Array | undefined): Promise<string> {
  const rgb = await sharp(file).removeAlpha().toColourspace('srgb').raw().toBuffer();
  return createHash('sha256').update(rgb).digest('hex');
}

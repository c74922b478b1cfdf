/**
 * Records of a made-up run for the log's tests: small, but with every field in use. `play` drives a sink as the loop does:
 * request, reply, step, with a history of messages that grows, and gives back all that it wrote.
 */
import { hashJson, sha256 } from '../../src/base/canonical.js';
import type { Observation } from '../../src/environment/observation.js';
import { endChain, genesis, stepChain, stepContent } from '../../src/trajectory/chain.js';
import type { CallEnd, CallRequest, RunEnd, RunRecord, StepRecord } from '../../src/trajectory/records.js';
import { LOG_VERSION } from '../../src/log/log-version.js';
import type { RunSink } from '../../src/trajectory/sink.js';
import type { Message, Reply } from '../../src/model/chat.js';
import { NO_USAGE } from '../../src/model/chat.js';
import type { Scenario } from '../../src/scenario/scenario.js';

export function sampleScenario(name = 'sample'): Scenario {
  return {
    name,
    title: 'A sample',
    description: '',
    seed: '7',
    environment: 'grid',
    definition: { rows: ['#####', '#...#', '#####'] },
    agents: [],
    models: {},
    turns: {
      order: 'sequential',
      max: 10,
      attempts: 3,
      givenUp: 'wait',
      freeActs: 4,
      repair: true,
      repeats: null,
    },
    budget: { steps: null, tokens: null, seconds: null, cost: null },
    render: {
      tilePixels: 32,
      columns: 15,
      rows: 15,
      tileset: null,
      channel: 'both',
      marks: false,
      legend: false,
      ruler: false,
      skin: 0,
    },
    prompt: { templates: {}, rules: '', offers: true, snapshot: false },
    probes: null,
  };
}

export function sampleRun(runId = 'run-1'): RunRecord {
  const scenario = sampleScenario();
  return {
    runId,
    source: 'name: sample # “as written”\n',
    scenario,
    seed: scenario.seed,
    versions: { program: '0.1.0', log: 2, rules: 1, parser: 1, prompt: 1, render: 1, node: '20.19.0' },
    tileset: { manifest: '{"tiles":[]}', images: { 'tiles.png': samplePng(0) } },
    controllers: { nyla: { name: 'scripted' } },
    kept: { nyla: ['the iron door is locked'] },
    startedAt: 1_790_000_000_000,
    genesisHash: genesis({ scenario, seed: scenario.seed, rules: 1, log: 2 }),
  };
}

/** Only the header of a PNG, which is all that the log looks at. */
export function samplePng(n: number): Uint8Array {
  const bytes = Buffer.alloc(64);
  bytes.write('\u0089PNG\r\n\u001A\n\0\0\0\rIHDR', 'latin1');
  bytes.writeUInt32BE(480, 16);
  bytes.writeUInt32BE(320, 20);
  bytes.writeUInt32BE(n, 40);
  return bytes;
}

export function sampleObservation(turn: number): Observation {
  return {
    agent: 'nyla',
    turn,
    scope: ['GO'],
    sections: [{ id: 'see', lines: [`brass key: ${turn} tiles north`] }],
    offered: [{ action: 'TAKE', slots: { thing: ['brass key'] } }],
    nouns: [{ id: 'key', name: 'brass key', aliases: ['key'], kinds: ['thing'] }],
    facts: { self: { x: turn, y: 2 } },
    scene: null,
  };
}

export function sampleReply(content: string): Reply {
  return {
    content,
    reasoning: 'The key is near.',
    toolCalls: [{ name: 'take', arguments: '{"thing":"key"}' }],
    finishReason: 'stop',
    model: 'qwen',
    usage: { ...NO_USAGE, promptTokens: 812, completionTokens: 9 },
    raw: '{"id":"chat-1","choices":[{"logprobs":{"content":[{"token":"TAKE","logprob":-0.25}]}}]}',
    adaptations: ['system-folded'],
    latencyMs: 12.75,
    tries: [{ problem: '503 overloaded', afterMs: 100.5 }],
  };
}

/** The hash of the newest picture in the messages; null where there is none. */
export function pictureOf(messages: readonly Message[]): string | null {
  const hashes = messages.flatMap(({ parts }) =>
    parts.flatMap((part) => (part.kind === 'image' ? [part.frameHash] : [])),
  );
  return hashes.at(-1) ?? null;
}

export function sampleCall(
  runId: string,
  call: number,
  messages: readonly Message[],
  step = call,
): CallRequest {
  return {
    runId,
    call,
    step,
    turn: step,
    agent: 'nyla',
    attempt: 1,
    purpose: 'act',
    controller: 'model:qwen',
    observation: sampleObservation(step),
    messages,
    settings: { model: 'qwen', stream: false, temperature: 0.2, max_tokens: 400 },
    frameHash: pictureOf(messages),
    startedAt: 1_790_000_000_000 + step,
  };
}

export function sampleStep(runId: string, step: number, calls: readonly number[]): StepRecord {
  return {
    runId,
    step,
    turn: step,
    agent: 'nyla',
    calls,
    acts: [
      {
        index: 0,
        call: calls[0] ?? null,
        reading: {
          ok: true,
          command: { action: 'TAKE', args: { thing: 'brass key' } },
          rung: 'label',
          span: { start: 0, end: 22 },
          words: 'TAKE brass key',
        },
        intent: { agent: 'nyla', action: 'TAKE', args: { thing: 'key' } },
        result: { ok: true, message: 'You took the brass key.', path: [{ x: step, y: 2 }] },
        insteadOf: null,
      },
      {
        index: 1,
        call: null,
        reading: null,
        intent: { agent: 'nyla', action: 'WAIT', args: {} },
        result: { ok: false, problem: { code: 'illegal/blocked', message: 'A wall is there.' } },
        insteadOf: { code: 'unparsable', message: 'No action was found.', details: { length: 3 } },
      },
    ],
    events: [
      {
        kind: 'taken',
        actor: 'nyla',
        at: { x: step, y: 2 },
        data: { thing: 'key' },
        seenBy: ['nyla', 'odo'],
      },
      { kind: 'bell-rang', actor: null, at: null, data: {}, seenBy: [] },
    ],
    stateHash: sha256(`state ${step}`),
    parts: { entities: sha256(`entities ${step}`), terrain: sha256('terrain') },
    chain: sha256('set by play'),
    finishedAt: 1_790_000_000_500 + step,
  };
}

/** After a step, or before the first. */
export function sampleEnd(
  last: StepRecord | null,
  status: RunEnd['status'] = 'succeeded',
  genesisHash = sampleRun().genesisHash,
): RunEnd {
  const [steps, stateHash] = [last?.step ?? 0, last?.stateHash ?? hashJson('state', 0)];
  const content = { status, reason: 'The key was taken.', turns: steps, steps, stateHash };
  return {
    ...content,
    chain: endChain(LOG_VERSION, last?.chain ?? genesisHash, content),
    finalState: { turn: steps },
    endedAt: 1_790_000_001_000,
  };
}

export function textMessage(role: Message['role'], text: string): Message {
  return { role, parts: [{ kind: 'text', text }] };
}

export function turnMessage(step: number, text = `Turn ${step}: you see a brass key.`): Message {
  return {
    role: 'user',
    parts: [
      { kind: 'text', text },
      { kind: 'image', png: samplePng(step), frameHash: sha256(`frame ${step}`) },
    ],
  };
}

export interface Played {
  calls: CallRequest[];
  ends: CallEnd[];
  steps: StepRecord[];
}

/** Plays `count` steps into a sink. The turn's text enters the history as text alone, as in a prompt. */
export function play(sink: RunSink, run: RunRecord, count: number, isRemote: boolean): Played {
  const played: Played = { calls: [], ends: [], steps: [] };
  const history: Message[] = [textMessage('system', 'The rules. '.repeat(40))];
  let chain = run.genesisHash;
  for (let n = 1; n <= count; n++) {
    const text = `Turn ${n}: you see a brass key. ${'It glitters. '.repeat(8)}`;
    const call = sampleCall(run.runId, n, [...history, turnMessage(n, text)]);
    const end: CallEnd = {
      kind: 'replied',
      reply: sampleReply(`ACTION: TAKE brass key ${n}`),
      memory: { n },
    };
    sink.request(call, isRemote);
    sink.reply(run.runId, n, end, isRemote);
    const bare = sampleStep(run.runId, n, [n]);
    chain = stepChain(chain, stepContent(bare, [{ request: call, end }]));
    const step = { ...bare, chain, ...(n % 4 === 0 ? { snapshot: { turn: n } } : {}) };
    sink.step(step);
    history.push(textMessage('user', text), textMessage('assistant', end.reply.content));
    played.calls.push(call);
    played.ends.push(end);
    played.steps.push(step);
  }
  return played;
}

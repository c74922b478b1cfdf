/**
 * Measures the log alone: microseconds per committed step (request, reply, step; one commit each, `synchronous=FULL`) and
 * bytes per step in the finished file, for steps of the size that the grid world makes.
 */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { sha256 } from '../src/base/canonical.js';
import { at } from '../src/base/assert.js';
import type { Observation } from '../src/environment/observation.js';
import type { CallRequest, RunRecord, StepRecord } from '../src/log/records.js';
import type { RunSink } from '../src/log/sink.js';
import { LogWriter } from '../src/log/writer.js';
import type { Message } from '../src/model/chat.js';
import { NO_USAGE } from '../src/model/chat.js';

export interface LogFigures {
  /** Median and 99th percentile over all steps. */
  readonly medianUs: number;
  readonly p99Us: number;
  readonly bytesPerStep: number;
}

/** Writes `steps` steps with growing histories of 40 turns into a log of its own, which it removes. */
export function measureLog(steps = 2000): LogFigures {
  const folder = mkdtempSync(join(tmpdir(), 'orchestrate-bench-'));
  try {
    const path = join(folder, 'bench.sqlite');
    const writer = new LogWriter(path);
    writer.begin(benchRun(), {});
    const history: Message[] = [message('system', 'The rules of the house. '.repeat(100))];
    const times = Array.from({ length: steps }, (_, index) => writeStep(writer, index + 1, history));
    writer.close();
    times.sort((a, b) => a - b);
    return {
      medianUs: at(times, Math.floor(steps / 2)),
      p99Us: at(times, Math.floor(steps * 0.99)),
      bytesPerStep: statSync(path).size / steps,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function writeStep(sink: RunSink, n: number, history: Message[]): number {
  const text = Array.from({ length: 20 }, (_, line) => `${line}: a brass key, ${n * line} tiles north`).join(
    '\n',
  );
  const frameHash = sha256(`frame ${n}`);
  const turn: Message = {
    role: 'user',
    parts: [
      { kind: 'text', text },
      { kind: 'image', png: benchPng(n), frameHash },
    ],
  };
  const call = benchCall(n, [...history, turn], frameHash);
  const content = `The key is near.\nACTION: GO ${n}`;
  const step = benchStep(n);
  const began = performance.now();
  sink.request(call, false);
  const reply = {
    content,
    reasoning: null,
    toolCalls: [],
    finishReason: 'stop',
    model: null,
    usage: NO_USAGE,
    latencyMs: 1,
    tries: [],
  };
  sink.reply('bench', n, { kind: 'replied', reply, memory: null }, false);
  sink.step(step);
  sink.flush();
  const took = (performance.now() - began) * 1000;
  history.push(message('user', text), message('assistant', content));
  if (history.length > 80) history.splice(1, 40);
  return took;
}

function message(role: Message['role'], text: string): Message {
  return { role, parts: [{ kind: 'text', text }] };
}

/** Six kilobytes that don't compress, under a PNG's header: the size of a default frame. */
function benchPng(n: number): Uint8Array {
  const png = Buffer.alloc(6144);
  for (let offset = 0; offset < png.length; offset += 32)
    png.write(sha256(`${n} ${offset}`), offset, 32, 'hex');
  png.writeUInt32BE(480, 16);
  png.writeUInt32BE(480, 20);
  return png;
}

function benchCall(n: number, messages: readonly Message[], frameHash: string): CallRequest {
  return {
    runId: 'bench',
    call: n,
    step: n,
    turn: n,
    agent: 'nyla',
    attempt: 1,
    purpose: 'act',
    controller: 'scripted',
    observation: benchObservation(n),
    messages,
    frameHash,
    startedAt: n,
  };
}

function benchObservation(n: number): Observation {
  const tiles = Array.from({ length: 225 }, (_, tile) => (Math.imul(tile, n) >>> 3) % 3);
  const things = Array.from({ length: 10 }, (_, thing) => ({
    id: `thing-${thing}`,
    name: 'brass key',
    sprite: 'item/key-brass',
    layer: 0,
    x: (n * thing) % 15,
    y: (n + thing) % 15,
  }));
  return {
    agent: 'nyla',
    turn: n,
    sections: [{ id: 'see', lines: things.map((thing) => `${thing.name} at ${thing.x} ${thing.y}`) }],
    offered: [{ action: 'TAKE', slots: { thing: things.map((thing) => thing.name) } }],
    nouns: things.map((thing) => ({ id: thing.id, name: thing.name, aliases: [], kinds: ['thing'] })),
    facts: { self: { x: n, y: n } },
    scene: {
      width: 15,
      height: 15,
      origin: { x: n, y: n },
      legend: ['floor', 'wall', 'door/wood-open'],
      ground: tiles,
      visibility: tiles.map((tile) => (tile === 0 ? 0 : 2)),
      things,
      marks: [],
    },
  };
}

function benchStep(n: number): StepRecord {
  const parts = ['bodies', 'doors', 'ground', 'minds', 'npcs', 'rng', 'things'];
  return {
    runId: 'bench',
    step: n,
    turn: n,
    agent: 'nyla',
    calls: [n],
    acts: [
      {
        index: 0,
        call: n,
        reading: {
          ok: true,
          command: { action: 'GO', args: { to: 'brass key' } },
          rung: 'label',
          span: { start: 17, end: 30 },
          words: 'GO TO brass key',
        },
        intent: { agent: 'nyla', action: 'GO', args: { to: 'key' } },
        result: { ok: true, message: 'You went north.', path: [{ x: n, y: n }] },
        insteadOf: null,
      },
    ],
    events: [{ kind: 'moved', actor: 'nyla', at: { x: n, y: n }, data: { from: n }, seenBy: ['nyla'] }],
    stateHash: sha256(`state ${n}`),
    parts: Object.fromEntries(parts.map((part) => [part, sha256(`${part} ${n}`)])),
    chain: sha256(`chain ${n}`),
    finishedAt: n,
  };
}

function benchRun(): RunRecord {
  return {
    runId: 'bench',
    source: '',
    scenario: {
      name: 'bench',
      title: '',
      description: '',
      seed: '1',
      environment: 'grid',
      definition: {},
      agents: [],
      models: {},
      turns: { order: 'sequential', max: 1, attempts: 1, freeActs: 0 },
      render: {
        tilePixels: 32,
        columns: 15,
        rows: 15,
        tileset: null,
        channel: 'both',
        marks: false,
        ruler: false,
      },
      prompt: { templates: {}, rules: '' },
    },
    seed: '1',
    versions: { program: '0', log: 1, rules: 1, parser: 1, prompt: 1, render: 1, node: '20' },
    tileset: { manifest: '', images: {} },
    controllers: {},
    startedAt: 0,
    genesisHash: sha256('genesis'),
  };
}

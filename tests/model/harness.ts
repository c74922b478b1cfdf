/**
 * What the model tests share: a clock without waiting, a specification, messages with a true picture, a client
 * on a fake server.
 */
import { deflateSync } from 'node:zlib';
import type { Message } from '../../src/model/chat.js';
import { openChatModel } from '../../src/model/openai.js';
import type { OpenChatModel } from '../../src/model/openai.js';
import { originOf, serverKeys } from '../../src/model/keys.js';
import type { ModelClock, Dependencies } from '../../src/model/dependencies.js';
import { nodeTransport } from '../../src/model/transport.js';
import type { Transport } from '../../src/model/transport.js';
import type { ModelSpec } from '../../src/scenario/scenario.js';
import { crc32 } from '../fake-server/png.mjs';

/** Time that passes only in sleeps, which are over at once, and in `expire`. */
export class TestClock implements ModelClock {
  nowMs = 0;
  readonly waitsMs: number[] = [];
  readonly #timers = new Set<() => void>();

  monotonicMs(): number {
    return this.nowMs;
  }

  wallMs(): number {
    return Date.parse('2026-01-01T00:00:00Z') + this.nowMs;
  }

  sleep(delayMs: number): Promise<void> {
    this.waitsMs.push(delayMs);
    this.nowMs += delayMs;
    return Promise.resolve();
  }

  after(delayMs: number, call: () => void): () => void {
    const timer = (): void => {
      this.nowMs += delayMs;
      call();
    };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  /** Lets every limit that is running now run out. */
  expire(): void {
    const due = [...this.#timers];
    this.#timers.clear();
    for (const timer of due) timer();
  }

  get pending(): number {
    return this.#timers.size;
  }
}

export const KEY_VARIABLE = 'TEST_MODEL_KEY';
export const CANARY = 'sk-canary-7f3a9b1c5d';

export function specification(baseUrl: string, changes: Partial<ModelSpec> = {}): ModelSpec {
  return {
    baseUrl,
    model: 'fake-vlm',
    apiKeyEnv: KEY_VARIABLE,
    temperature: '0.2',
    topP: '0.95',
    maxTokens: 400,
    seed: 7,
    timeoutMs: 60_000,
    retries: 2,
    guided: 'off',
    server: null,
    price: { prompt: '0', reply: '0' },
    extra: {},
    ...changes,
  };
}

export interface Bench {
  clock: TestClock;
  dependencies: Dependencies;
  model: OpenChatModel;
}

export function bench(
  spec: ModelSpec,
  env: Record<string, string> = { [KEY_VARIABLE]: CANARY },
  transport: Transport = nodeTransport(),
): Bench {
  const clock = new TestClock();
  const isAddress = originOf(spec.baseUrl) !== null;
  const dependencies: Dependencies = {
    keys: serverKeys((name) => env[name], isAddress ? { [KEY_VARIABLE]: [spec.baseUrl] } : {}),
    clock,
    random: () => 0,
    transport,
  };
  return { clock, dependencies, model: openChatModel(spec, dependencies) };
}

function chunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length, 0);
  frame.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
}

/** A grey picture of 2 × 2 pixels. */
export function tinyPng(grey = 10): Uint8Array {
  const header = Buffer.from([0, 0, 0, 2, 0, 0, 0, 2, 8, 0, 0, 0, 0]);
  const data = deflateSync(Buffer.from([0, grey, 20, 0, 30, 40]));
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', data),
    chunk('IEND', new Uint8Array()),
  ]);
}

export function words(role: Message['role'], text: string): Message {
  return { role, parts: [{ kind: 'text', text }] };
}

/** A request as the game makes it: rules, a past turn, this turn with its picture. */
export function game(): readonly Message[] {
  const image = { kind: 'image', png: tinyPng(), frameHash: 'f'.repeat(64) } as const;
  return [
    words('system', 'You are Ada.'),
    words('user', 'Turn 1.'),
    words('assistant', 'ACTION: WAIT'),
    { role: 'user', parts: [{ kind: 'text', text: 'Turn 2.' }, image] },
  ];
}

export const NEVER = new AbortController().signal;

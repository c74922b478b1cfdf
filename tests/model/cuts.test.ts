/**
 * Whole answers as servers of every kind send them, and event streams that nobody asked for, cut at every byte: what is cut is never taken for an
 * answer, whatever the connection says of it, and what a reply would do is done by the whole one alone.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { at } from '../../src/base/assert.js';
import { serverApi } from '../../src/model/server-api.js';
import { FaultError } from '../../src/model/fault.js';
import type { HttpAnswer, Transport } from '../../src/model/transport.js';
import { nodeTransport } from '../../src/model/transport.js';
import * as act from '../fake-server/behaviours.mjs';
import { SERVER_NAMES } from '../../src/scenario/scenario.js';
import { startFakeServer } from '../fake-server/server.mjs';
import type { FakeServer } from '../fake-server/server.mjs';
import { readCorpus } from '../parse/corpus.js';
import { SIZED, LONG_SIZED, sizeOf } from '../support/sizes.js';
import { bench, CANARY, game, NEVER, specification } from './harness.js';

const RECORDED = sizeOf('cutAnswers');
const LONGEST = 400;

let bodies: readonly Buffer[];
const below = nodeTransport();

/** One of each kind of server in turn, with replies of the corpus. */
beforeAll(async () => {
  const replies = readCorpus('command').filter(({ content }) => content.length < LONGEST);
  const recorded: Buffer[] = [];
  for (const [nth, kind] of SERVER_NAMES.entries()) {
    const share = replies
      .filter((_, i) => i % SERVER_NAMES.length === nth)
      .slice(0, RECORDED / SERVER_NAMES.length);
    const reply = ({ index }: { index: number }) => {
      const { content, finishReason, toolCalls } = at(share, index);
      const calls = toolCalls.map((one, i) => ({ id: `call-${i}`, type: 'function', function: one }));
      return {
        content,
        finishReason,
        reasoning: 'Hm, ¿é€😀?',
        ...(calls.length === 0 ? {} : { toolCalls: calls }),
      };
    };
    const server = await startFakeServer({ kind, reply });
    for (const _ of share) {
      let body: Uint8Array = new Uint8Array();
      const tap: Transport = {
        send: async (request, signal) => {
          const answer = await below.send(request, signal);
          if (request.method === 'POST') body = answer.body;
          return answer;
        },
        close: () => undefined,
      };
      const made = bench(specification(server.baseUrl), {}, tap);
      await made.model.complete(game(), NEVER);
      recorded.push(Buffer.from(body));
    }
    await server.close();
  }
  bodies = recorded;
});

afterAll(() => below.close());

let said: HttpAnswer;
const saying = serverApi(
  'http://127.0.0.1/v1',
  { send: () => Promise.resolve(said), close: () => undefined },
  () => CANARY,
);

/** Whether a body that the connection calls whole is taken for an answer. */
async function isTaken(body: Uint8Array, contentType = 'application/json'): Promise<boolean> {
  said = { status: 200, headers: { 'content-type': contentType }, body };
  try {
    await saying.models(NEVER);
    return true;
  } catch (error) {
    if (error instanceof FaultError) return false;
    throw error;
  }
}

/** The same words as a server would stream them. */
function streamOf(body: Buffer): Buffer {
  const { choices } = JSON.parse(body.toString()) as { choices: [{ message: { content: string } }] };
  const pieces = choices[0].message.content.match(/.{1,40}/gsu) ?? [''];
  const events = pieces.map((content) => ({
    choices: [{ index: 0, delta: { content }, finish_reason: null }],
  }));
  const last = { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] };
  const data = [...events, last].map((event) => `data: ${JSON.stringify(event)}\n\n`);
  return Buffer.from(`${data.join('')}data: [DONE]\n\n`);
}

describe('a cut answer', () => {
  it('is none, wherever it is cut', SIZED, async () => {
    expect(new Set(bodies.map(String)).size).toBe(RECORDED);
    let cuts = 0;
    for (const body of bodies) {
      for (let end = 0; end < body.length; end++) {
        cuts += 1;
        if (await isTaken(body.subarray(0, end))) expect.fail(`taken: ${body.subarray(0, end).toString()}`);
      }
      expect(await isTaken(body)).toBe(true);
    }
    expect(cuts).toBeGreaterThan(RECORDED * 300);
  });

  it('is none where it was streamed unasked, and neither is the whole stream', LONG_SIZED, async () => {
    for (const stream of bodies.map(streamOf))
      for (let end = 0; end <= stream.length; end++)
        if (await isTaken(stream.subarray(0, end), 'text/event-stream')) expect.fail(`taken: ${end}`);
  });
});

describe('over sockets', { tags: ['long'] }, () => {
  let server: FakeServer;
  afterAll(() => server.close());

  it.each([
    ['called whole by its length', (part: Buffer) => act.raw(part)],
    ['shorter than announced', (part: Buffer, whole: Buffer) => announced(part, whole.length)],
    ['in chunks without an end', (part: Buffer) => unended(part)],
  ])('an answer %s acts at no byte', async (_, cut) => {
    server = await startFakeServer();
    const { model, dependencies } = bench(specification(server.baseUrl, { retries: 0 }));
    const whole = at(bodies, 0);
    for (let end = 0; end < whole.length; end += 1) {
      server.next(cut(whole.subarray(0, end), whole));
      await expect(model.complete(game(), NEVER)).rejects.toMatchObject({ name: 'ModelError' });
    }
    dependencies.transport.close();
    await expect.poll(() => server.sockets()).toBe(0);
    await server.close();
  });
});

function announced(part: Buffer, length: number): act.Behaviour {
  return ({ request }) => void request.socket.end(head(`content-length: ${length}`, part));
}

function unended(part: Buffer): act.Behaviour {
  const chunk = part.length === 0 ? '' : `${part.length.toString(16)}\r\n${part.toString('latin1')}\r\n`;
  return ({ request }) =>
    void request.socket.end(head('transfer-encoding: chunked', Buffer.from(chunk, 'latin1')));
}

function head(line: string, body: Buffer): Buffer {
  return Buffer.concat([
    Buffer.from(`HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n${line}\r\n\r\n`),
    body,
  ]);
}

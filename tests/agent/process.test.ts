/** A program as an agent's controller, with real child processes: what it is told, what it may say, and what becomes of it. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { processController } from '../../src/agent/controllers/process.js';
import type { ProcessOptions } from '../../src/agent/controllers/process.js';
import type { Program } from '../../src/agent/controllers/process/program.js';
import { observeLine, readAnswer } from '../../src/agent/controllers/process/wire.js';
import type { Controller, ControllerInput } from '../../src/agent/controller.js';
import { openScenario } from '../../src/assembly/open.js';
import { play } from '../../src/assembly/play.js';
import { localProgram } from '../../src/assembly/local-program.js';
import { known } from '../../src/base/assert.js';
import { ControllerError } from '../../src/base/errors.js';
import type { Json } from '../../src/base/json.js';
import { LIMITS } from '../../src/base/limits.js';
import fc from 'fast-check';
import { MemorySink } from '../../src/trajectory/memory-sink.js';
import type { CallRequest, RunEnd } from '../../src/trajectory/records.js';
import type { Message, Reply } from '../../src/model/chat.js';
import { temporaryFolder } from '../support/folder.js';
import { SIZED, someOf } from '../support/sizes.js';
import { partsFor } from '../support/play.js';
import { PROMPT_VERSION } from '../../src/agent/prompt.js';
import { TurnOrchestrator } from '../../src/orchestrator/turn-orchestrator.js';
import { corridor } from '../orchestrator/two-agents.js';

const FAKE = fileURLToPath(new URL('../support/fake-agent.mjs', import.meta.url));
const folder = temporaryFolder();
const never = new AbortController().signal;

interface FakeOptions extends ProcessOptions {
  /** A second argument; by default a file that counts starts. */
  argument?: string;
  errors?: (chunk: Uint8Array) => void;
}

let files = 0;
function fake(way: string, { argument, errors, ...options }: FakeOptions = {}) {
  const file = argument ?? join(folder, String((files += 1)));
  const command = [process.execPath, FAKE, way, file] as const;
  const env = { ...process.env, SECRET_API_KEY: 'sk-1' };
  const program = localProgram({ command: [...command], env, ...(errors === undefined ? {} : { errors }) });
  const starts = (): number => (existsSync(file) ? readFileSync(file, 'utf8').length : 0);
  return { controller: processController(program, options), starts };
}

/** Plays the corridor with ann on this controller. */
async function played(controller: Controller, turns = 'max: 3') {
  const sink = new MemorySink();
  const parts = await partsFor(corridor(turns), sink, { controllers: { ann: controller } });
  try {
    const end: RunEnd = await new TurnOrchestrator(parts).run({ soft: never, hard: never });
    return { end, sink, replies: repliesIn(sink) };
  } finally {
    await controller.close?.();
  }
}

function requestsIn({ entries }: MemorySink): readonly CallRequest[] {
  const all = entries.flatMap((entry) => (entry.kind === 'request' ? [entry.call] : []));
  return all.filter(({ agent }) => agent === 'ann');
}

function repliesIn(sink: MemorySink): readonly Reply[] {
  const own = requestsIn(sink).map(({ call }) => call);
  return sink.entries.flatMap((entry) =>
    entry.kind === 'reply' && own.includes(entry.call) && entry.end.kind === 'replied'
      ? [entry.end.reply]
      : [],
  );
}

/** What the program of ann wanted to be remembered: the fake `tells` what it heard there. */
function lastMemory(sink: MemorySink): Json {
  const own = requestsIn(sink).map(({ call }) => call);
  const memories = sink.entries.flatMap((entry) =>
    entry.kind === 'reply' && own.includes(entry.call) && entry.end.kind === 'replied'
      ? [entry.end.memory]
      : [],
  );
  return known(memories.at(-1), 'a memory');
}

/** Whether a process still runs; one that has ended and waits to be collected by whoever adopted it does not. */
function isAlive(pid: number): boolean {
  try {
    if (process.platform === 'linux') return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

describe('an agent’s program', () => {
  it('plays: greeted once, asked once a turn, told when it is over', async () => {
    const { controller, starts } = fake('tells');
    const { end, sink, replies } = await played(controller);
    expect([end.status, replies.length, starts()]).toEqual(['ended', 3, 1]);
    const heard = lastMemory(sink) as readonly object[];
    expect(heard[0]).toMatchObject({
      type: 'hello',
      protocol: 1,
      agent: 'ann',
      versions: { prompt: PROMPT_VERSION, parser: 3 },
    });
    expect(heard[0]).toHaveProperty('instructions', expect.stringContaining('ACTION: <command>'));
    expect(heard.map((one) => ('id' in one ? one.id : null))).toEqual([null, 1, 2, 3]);
  });

  it('gets this turn’s frame with a repair call as well', async () => {
    const { controller } = fake('mumbles');
    const { replies, sink } = await played(controller, 'max: 1');
    expect(replies).toHaveLength(2);
    expect(requestsIn(sink).map(({ purpose }) => purpose)).toEqual(['act', 'repair']);
    expect(lastMemory(sink)).toEqual([true, true]);
  });

  it('gets what a model would get: messages, observation, the frame as a PNG', async () => {
    const { sink } = await played(fake('tells').controller, 'max: 1');
    const [, observe] = lastMemory(sink) as unknown as readonly [
      object,
      { frame: { png_base64: string }; messages: readonly object[] },
    ];
    expect(observe).toMatchObject({ type: 'observe', agent: 'ann', turn: 1, attempt: 1, memory: null });
    expect(observe.messages.map((one) => ('role' in one ? one.role : null))).toEqual(['system', 'user']);
    expect(observe).toHaveProperty('observation.offered');
    expect(observe).toHaveProperty('observation.facts.self.id', 'ann');
    expect(observe).not.toHaveProperty('observation.scene');
    const png = Buffer.from(observe.frame.png_base64, 'base64');
    expect(png.subarray(1, 4).toString()).toBe('PNG');
    expect(observe.frame).toMatchObject({ width: png.readUInt32BE(16), height: png.readUInt32BE(20) });
  });

  it('gets the past pictures of its memory apart from the present one, with the message that each is in', () => {
    const png = Buffer.alloc(24);
    const image = (frameHash: string) => ({ kind: 'image', png, frameHash }) as const;
    const text = (words: string) => ({ kind: 'text', text: words }) as const;
    const messages: Message[] = [
      { role: 'user', parts: [text('Turn 1.'), image('a')] },
      { role: 'assistant', parts: [text('ACTION: WAIT')] },
      { role: 'user', parts: [text('Turn 2.'), text('then:'), image('b'), text('now:'), image('c')] },
    ];
    const input = { agent: 'ann', turn: 2, attempt: 1, messages, memory: null, observation: {} };
    const told = JSON.parse(observeLine(1, input as unknown as ControllerInput));
    expect(told.frame.hash).toBe('c');
    expect(told.past_frames).toMatchObject([
      { message: 0, hash: 'a', width: 0, height: 0 },
      { message: 2, hash: 'b' },
    ]);
    expect(told.messages[2]).toEqual({ role: 'user', text: 'Turn 2.\n\nthen:\n\nnow:' });
  });

  it('is logged by its name, the request before the program thinks', async () => {
    const { sink } = await played(fake('wait').controller, 'max: 1');
    expect(requestsIn(sink)[0]?.controller).toMatch(/^process:node/);
    expect(fake('wait').controller.isRemote).toBe(true);
  });

  it('knows nothing of keys in the environment', async () => {
    const { replies } = await played(fake('env').controller, 'max: 1');
    expect(replies[0]?.content).toContain('PATH');
    expect(replies[0]?.content).not.toContain('SECRET');
  });

  it('may have its memory kept by the log, which a new start finds again', async () => {
    const { controller, starts } = fake('forgets');
    const { replies } = await played(controller);
    expect(replies.map(({ content }) => content.split('\n')[0])).toEqual([
      'I remember null',
      'I remember 1',
      'I remember 2',
    ]);
    expect(starts()).toBe(2);
  });
});

describe('a program that dies or hangs', () => {
  it.each(['dies', 'hangs'])('%s: is started again, asked again, and the try is counted', async (way) => {
    const { controller, starts } = fake(way, { replyMs: 1000 });
    const { end, replies } = await played(controller, 'max: 2');
    expect([end.status, starts(), replies.length]).toEqual(['ended', 2, 2]);
    const problem =
      way === 'dies' ? 'the program exited with code 7' : 'the program did not answer within 1 s';
    expect(replies.map(({ tries }) => tries.map((one) => one.problem))).toEqual([[problem], []]);
  });

  // Its output closed, its input closed, half a line, gone with its pipes held open by somebody else: nothing of it ends a wait but the limit.
  it.each(someOf(['mum', 'unplugs', 'half', 'escapes'], 'hangs'))(
    '%s: is started again once its time is over',
    SIZED,
    async (way) => {
      const { controller, starts } = fake(way, { replyMs: 1000 });
      const { replies } = await played(controller, 'max: 1');
      expect(starts()).toBe(2);
      expect(replies[0]?.tries.map(({ problem }) => problem)).toEqual([
        expect.stringMatching(/^the program (did not answer within 1 s|exited with code 7)$/),
      ]);
    },
  );

  it('is given up after so many starts, with its last words', async () => {
    const { controller, starts } = fake('always', { restarts: 2 });
    const failure = await played(controller).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ControllerError);
    expect(failure).toMatchObject({
      exitCode: 4,
      message: expect.stringMatching(
        /^the program of ann \(node.*\) exited with code 7, after 2 restarts$/,
      ) as string,
      hints: expect.arrayContaining([
        'its last output on standard error: Traceback: no such luck',
      ]) as string[],
    });
    expect(starts()).toBe(3);
  });

  it('never gets more starts than LIMITS.programRestarts', async () => {
    const { controller, starts } = fake('always', { restarts: LIMITS.programRestarts + 5 });
    await expect(played(controller)).rejects.toThrow(`after ${LIMITS.programRestarts} restarts`);
    expect(starts()).toBe(LIMITS.programRestarts + 1);
  });

  it('leaves nobody behind, neither itself nor what it started', async () => {
    const { replies } = await played(fake('child').controller, 'max: 1');
    const pids = (replies[0]?.content.split('\n')[0] ?? '').split(' ').map(Number);
    expect(pids).toHaveLength(3);
    // The killed one may take a moment to go.
    await expect.poll(() => pids.filter(isAlive)).toEqual([]);
  });

  it('is killed where it does not go by itself, after LIMITS.programEndMs', { tags: ['long'] }, async () => {
    const { replies } = await played(fake('deaf').controller, 'max: 1');
    expect(isAlive(Number(replies[0]?.content.split('\n')[0]))).toBe(false);
    expect(LIMITS.programEndMs).toBeLessThan(5000);
  });

  it('is not waited for where nothing ends it', { tags: ['long'] }, async () => {
    const immortal: Program = {
      name: 'immortal',
      start: (listener) => ({
        send: (line) => {
          const { type, id } = JSON.parse(line) as { type: string; id: number };
          const answer =
            type === 'hello'
              ? { type: 'ready', protocol: 1 }
              : { type: 'reply', id, content: 'ACTION: WAIT' };
          setImmediate(() => listener.line(JSON.stringify(answer)));
        },
        kill: () => undefined,
        end: () => new Promise<never>(() => undefined),
        lastWords: () => '',
      }),
    };
    const { end } = await played(processController(immortal), 'max: 1');
    expect(end.status).toBe('ended');
  });

  it('is ended by the library’s own `play` too', { tags: ['long'] }, async () => {
    const content = corridor('max: 1');
    const opened = await openScenario({ path: 'corridor.yaml', content, readFile: () => new Uint8Array() });
    const sink = new MemorySink();
    await play(opened, { controllers: { ann: fake('deaf').controller }, sink });
    const [reply] = repliesIn(sink);
    expect(isAlive(Number(reply?.content.split('\n')[0]))).toBe(false);
  });

  it('is waited for no longer than the signal allows', async () => {
    const stop = new AbortController();
    const { controller } = fake('hangs');
    const parts = await partsFor(corridor(), new MemorySink(), {
      controllers: { ann: controller },
      watcher: { thinking: () => setImmediate(() => stop.abort()) },
    });
    const end = await new TurnOrchestrator(parts).run({ soft: never, hard: stop.signal });
    await controller.close?.();
    expect(end.status).toBe('interrupted');
  });
});

describe('a program that says what it must not', () => {
  it.each([
    ['garbage', 'wrote a line that is not a JSON object: "I think I should wait."'],
    ['list', 'wrote a line that is not a JSON object: "[1]"'],
    ['untyped', 'wrote a line whose type is neither "ready" nor "reply"'],
    ['wordless', 'wrote a reply that has no numeric `id` or no string `content`'],
    ['future', 'answered request 2, which was never made'],
  ])('%s: ends the run at once, told in its words', async (way, message) => {
    const { controller, starts } = fake(way);
    const failure = await played(controller).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ControllerError);
    expect(String(failure)).toContain(`the program of ann ${message}`);
    expect(starts()).toBe(1);
  });

  it('but an answer that comes too late, or twice, counts for nothing', async () => {
    const { replies } = await played(fake('stale').controller);
    expect(replies.map(({ content }) => content)).toEqual(['ACTION: WAIT', 'ACTION: WAIT', 'ACTION: WAIT']);
  });

  it('but a byte order mark before a line is none of it', async () => {
    const { replies } = await played(fake('marked').controller, 'max: 1');
    expect(replies.map(({ content }) => content)).toEqual(['ACTION: WAIT']);
  });

  it('may write lines of LIMITS.programLineBytes, and not a byte more', async () => {
    const line = (size: number) => played(fake('line', { argument: String(size) }).controller, 'max: 1');
    expect((await line(LIMITS.programLineBytes)).replies).toHaveLength(1);
    await expect(line(LIMITS.programLineBytes + 1)).rejects.toThrow(
      'wrote a line of more than 4000000 bytes',
    );
    await expect(played(fake('floods', { argument: '9000000' }).controller)).rejects.toThrow(
      'more than 4000000',
    );
  });

  it('may reply with LIMITS.replyBytes, and not a byte more', async () => {
    const long = (size: number) => played(fake('long', { argument: String(size) }).controller, 'max: 1');
    expect((await long(LIMITS.replyBytes)).replies[0]?.content).toHaveLength(LIMITS.replyBytes);
    await expect(long(LIMITS.replyBytes + 1)).rejects.toThrow('wrote a reply of 1000001 bytes');
  });

  it('is read totally: any line gives an answer', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        expect(['ready', 'reply', 'invalid']).toContain(readAnswer(text).kind);
      }),
    );
  });
});

describe('the greeting', () => {
  const introduction = { agent: 'ann', name: 'Ann', instructions: 'Be kind.', briefing: '' };
  const opened = async (controller: Controller): Promise<void> => {
    try {
      await controller.prepare?.(introduction, never);
    } finally {
      await controller.close?.();
    }
  };

  it.each([
    ['mute', 'the program of ann (node) did not report that it was ready within 0.3 s'],
    ['old', 'the program of ann speaks protocol "0", not 1'],
    ['chatty', 'wrote a line that is not a JSON object: "Loading the weights …"'],
    ['refuse', 'the program of ann (node) exited with code 3'],
  ])('%s: the run does not begin', async (way, message) => {
    const { controller, starts } = fake(way, { startMs: way === 'mute' ? 300 : 60_000 });
    const failure = await opened(controller).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ControllerError);
    expect(String(failure)).toContain(message);
    expect(starts()).toBeLessThanOrEqual(1);
  });

  it('is waited for as long as LIMITS.programStartMs allows, replies as LIMITS.programReplyMs', () => {
    expect(LIMITS.programStartMs).toBeLessThan(LIMITS.programReplyMs);
  });

  it.each([
    [['no-such-program-anywhere'], 'there is no such program'],
    [[folder], 'it is not executable'],
  ])('needs a program that can be started: %j', async ([program = '', ...args], message) => {
    const controller = processController(localProgram({ command: [program, ...args] }));
    await expect(opened(controller)).rejects.toThrow(message);
  });

  it('comes with the last LIMITS.programLastWordsCharacters of standard error at most', async () => {
    const script = `process.stderr.write('a'.repeat(${LIMITS.programLastWordsCharacters}) + 'b', () => process.exit(1))`;
    const controller = processController(localProgram({ command: [process.execPath, '-e', script] }));
    const failure = await opened(controller).catch((error: unknown) => error);
    expect(failure).toHaveProperty(
      'hints',
      expect.arrayContaining([
        `its last output on standard error: ${'a'.repeat(LIMITS.programLastWordsCharacters - 1)}b`,
      ]),
    );
  });
});

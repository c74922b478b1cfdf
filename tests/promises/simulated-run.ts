/**
 * A whole run in one process under one seed: the loop, the model's client, a server behind it, the disk below the log and both clocks, with
 * faults that the seed draws: servers that fail, hang or garble, writes that fail or are never told of, processes that vanish, users who stop
 * it, clocks that jump. In: a seed; out: what went wrong, in words. Each session goes on from what the one before left, until the run is over.
 * A request that the server never answers, though it answers others, is lost, and the log says so: the run is then held against one that nothing
 * disturbs and that loses the very same requests.
 */
import { copyFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextRound } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { vi } from 'vitest';
import { known } from '../../src/base/assert.js';
import { sha256 } from '../../src/base/canonical.js';
import { ModelError, OrchestrateError } from '../../src/base/errors.js';
import { WORLD_ID } from '../../src/base/ids.js';
import type { Controller } from '../../src/agent/controller.js';
import { modelController } from '../../src/agent/controllers/model.js';
import { MODULES } from '../../src/worlds/registry.js';
import { openScenario } from '../../src/assembly/open.js';
import type { OpenedScenario } from '../../src/assembly/opened-scenario.js';
import { play, prepare } from '../../src/assembly/play.js';
import { stageOpener } from '../../src/assembly/stage.js';
import { LogReader } from '../../src/log/reader.js';
import { MemorySink } from '../../src/trajectory/memory-sink.js';
import type { RunEnd } from '../../src/trajectory/records.js';
import { LogWriter } from '../../src/log/writer.js';
import { serverKeys } from '../../src/model/keys.js';
import { openChatModel } from '../../src/model/openai.js';
import type { HttpAnswer, HttpRequest, Transport } from '../../src/model/transport.js';
import { TransportError } from '../../src/model/transport.js';
import { ownPast } from '../../src/replay/restored-history.js';
import type { ReplayDifference } from '../../src/replay/difference.js';
import { verifyRun } from '../../src/replay/verify.js';
import { TestClock, specification } from '../model/harness.js';
import { corridor } from '../orchestrator/two-agents.js';
import { embeddedReply } from '../../src/agent/controllers/embedded-reply.js';
import { messagesIn } from '../support/chat-script.js';
import { folderPerFile } from '../support/folder.js';
import { temporaryFolder } from '../support/folder.js';
import type { Played } from '../support/play.js';
import { draws } from './lives.js';
import { tap } from './log-tap.mjs';
import { NOTHING, askedOnce, hasRun, keyOf, look, lossesIn, timesLost } from './stored-run.js';
import type { Stored } from './stored-run.js';

type Draw = (below: number) => number;

const folder = folderPerFile(temporaryFolder);
let files = 0;

function newLog(): string {
  files += 1;
  return join(folder(), `${files}.sqlite`);
}

/** What a process that vanishes leaves. */
function copyOf(path: string): string {
  const copy = newLog();
  for (const suffix of ['', '-wal', '-journal'])
    if (existsSync(path + suffix)) copyFileSync(path + suffix, copy + suffix);
  return copy;
}

const ANSWERS = [
  'ACTION: GO EAST',
  'ACTION: GO WEST',
  'ACTION: GO SOUTH',
  'ACTION: WAIT',
  'ACTION: LOOK',
  'ACTION: READ sign',
  'ACTION: TAKE coin',
  'I think I should go.\nACTION: GO NORTH',
  'hm',
  'ACTION: FLY',
];

const RETRIES = 1;
/** Every session may fail; after so many nothing fails any more, and the run must end. */
const BAD_SESSIONS_MAX = 8;

const VARIANTS: readonly (readonly string[])[] = [
  ['render.channel=text'],
  ['render.channel=text', 'turns.order=simultaneous'],
  ['turns.order=simultaneous'],
  ['render.channel=text', 'turns.repair=true', 'turns.attempts=3'],
  [
    'render.channel=text',
    'probes.every=1',
    'agents.ann.memory.kind=summary',
    'agents.ann.memory.turns_max=2',
    'agents.ann.memory.turns_kept=1',
  ],
  ['render.channel=text', 'agents.ann.memory.kind=notes', 'agents.bob.memory.kind=window'],
  ['render.channel=text', 'turns.speculate.wasted_max=100'],
];

/** The same question gets the same answer, whenever it is asked. */
function answerTo(key: string): string {
  return known(ANSWERS[Number.parseInt(sha256(key).slice(0, 8), 16) % ANSWERS.length], 'an answer');
}

/** Rounds of the event loop that an answer takes. */
function thoughtOf(key: string): number {
  return Number.parseInt(sha256(key).slice(8, 10), 16) % 5;
}

type Whole = Pick<Played, 'sink' | 'end'>;

interface World {
  opened: OpenedScenario;
  /** The run that nothing disturbs, except that its server gave no answer where the log says so (`lossesIn`). */
  whole: (losses: readonly string[]) => Promise<Whole>;
}

const worlds = new Map<number, Promise<World>>();

function worldOf(variant: number): Promise<World> {
  const made = worlds.get(variant) ?? openWorld(known(VARIANTS[variant], 'a variant'));
  worlds.set(variant, made);
  return made;
}

async function openWorld(set: readonly string[]): Promise<World> {
  // What a process does once (it learns what tables a log has) would be drawn for by the first seed alone.
  new LogWriter(newLog()).close();
  const content = corridor('max: 3');
  const readFile = (): Uint8Array => new Uint8Array();
  const opened = await openScenario({ path: 'simulated.yaml', content, readFile }, { set });
  const wholes = new Map<string, Promise<Whole>>();
  const whole = (losses: readonly string[]): Promise<Whole> => {
    const key = losses.join('\n');
    const made = wholes.get(key) ?? playWhole(opened, losses);
    wholes.set(key, made);
    return made;
  };
  return { opened, whole };
}

async function playWhole(opened: OpenedScenario, losses: readonly string[]): Promise<Whole> {
  const undisturbed: Controller = {
    name: 'model:m',
    isRemote: true,
    decide: async ({ agent, turn, attempt, messages, memory }) => {
      const isLost = losses.includes(`${agent}/${turn}/${attempt}`);
      const reply = embeddedReply(isLost ? '' : answerTo(keyOf(messages)));
      return { reply: isLost ? { ...reply, finishReason: 'server-error' } : reply, memory };
    },
    answer: async (messages) => {
      const key = keyOf(messages);
      if (losses.includes(key)) throw new ModelError('lost', { isRetryable: true, isOfRequest: true });
      return embeddedReply(answerTo(key));
    },
  };
  const sink = new MemorySink();
  const end = await play(opened, { controllers: { ann: undisturbed, bob: undisturbed }, sink });
  return { sink, end };
}

/** The process is gone: nothing that would come after happens. */
class Vanished extends Error {
  override readonly name = 'Vanished';
}

const DISK_ERRORS = ['SQLITE_FULL', 'SQLITE_IOERR_WRITE', 'SQLITE_IOERR_FSYNC', 'SQLITE_READONLY'] as const;

export interface Simulated {
  sessions: number;
  faults: number;
  /** Requests that the server never answered, though it answered others. */
  losses: number;
  /** In words; none where the promises held. */
  broken: readonly string[];
}

/** Plays the run of a seed through all its faults. */
export async function simulate(seed: number): Promise<Simulated> {
  const simulation = new Simulation(draws(`simulation-${seed}`));
  try {
    return await simulation.play();
  } finally {
    vi.useRealTimers();
    tap.on = () => undefined;
  }
}

class Simulation {
  readonly #draw: Draw;
  readonly #clock = new TestClock();
  readonly #broken: string[] = [];
  #faults = 0;
  /** By request, how often the server gave no answer. */
  readonly #failedTries = new Map<string, number>();
  /** How often the time was over for all that waited. */
  #expiries = 0;
  #stored: Stored = NOTHING;
  #once: ReadonlySet<string> = new Set();
  /** Where the log lies now: a process that vanishes leaves a copy, so that what it still does harms nobody. */
  #path = newLog();
  #hasVanished = false;
  /** Nothing fails any more. */
  #isCalm = false;

  constructor(draw: Draw) {
    this.#draw = draw;
  }

  async play(): Promise<Simulated> {
    const world = await worldOf(this.#draw(VARIANTS.length));
    let whole = await world.whole([]);
    this.#once = askedOnce(whole.sink);
    vi.useFakeTimers({ toFake: ['Date'], now: 1_700_000_000_000 });
    for (let session = 1; ; session++) {
      this.#isCalm = session > BAD_SESSIONS_MAX;
      const { end, told } = await this.#sit(world);
      const before = this.#stored;
      const losses = lossesIn(this.#path);
      whole = await world.whole(losses);
      this.#once = askedOnce(whole.sink);
      this.#stored = look(this.#path, whole, before);
      this.#broken.push(...this.#stored.faults);
      if (this.#stored.agentSteps < before.agentSteps + told)
        this.#broken.push(
          `${told} steps were told, ${this.#stored.agentSteps - before.agentSteps} are in the log`,
        );
      const isOver = end !== null && end.status !== 'error' && end.status !== 'interrupted';
      if (!isOver && !this.#isCalm) continue;
      if (end?.chain !== whole.end.chain)
        this.#broken.push(`ends with chain ${end?.chain}, not ${whole.end.chain}`);
      for (const [key, times] of timesLost(this.#path))
        if ((this.#failedTries.get(key) ?? 0) + this.#expiries < times)
          this.#broken.push(`${times} times lost, but not as often failed: ${key}`);
      const difference = await differenceIn(this.#path);
      if (difference !== null)
        this.#broken.push(`verify: step ${difference.step} ${difference.part}: ${difference.note}`);
      return { sessions: session, faults: this.#faults, losses: losses.length, broken: this.#broken };
    }
  }

  /** One process's part. `end` is null where there was none. */
  async #sit({ opened }: World): Promise<{ end: RunEnd | null; told: number }> {
    let told = 0;
    let writer: LogWriter | null = null;
    let reader: LogReader | null = null;
    this.#hasVanished = false;
    this.#armDisk();
    try {
      writer = new LogWriter(this.#path);
      reader = hasRun(this.#path) ? new LogReader(this.#path) : null;
      const prepared = await prepare(opened, {
        controllers: this.#controllers(),
        stop: this.#stop(),
        ...goesOn(reader),
      });
      const end = await prepared.play(writer, {
        stepDone: ({ agent }) => void (told += agent === WORLD_ID || this.#hasVanished ? 0 : 1),
      });
      return { end, told };
    } catch (error) {
      if (!(error instanceof OrchestrateError || this.#hasVanished))
        this.#broken.push(`threw ${String(error)}`);
      return { end: null, told };
    } finally {
      reader?.close();
      this.#close(writer);
    }
  }

  #close(writer: LogWriter | null): void {
    try {
      writer?.close();
    } catch (error) {
      if (!(error instanceof OrchestrateError || this.#hasVanished))
        this.#broken.push(`closing threw ${String(error)}`);
    }
    tap.on = () => undefined;
  }

  /** One of the next writes fails, is done and then told as failed, or is the last thing that the process does. */
  #armDisk(): void {
    const kind = this.#isCalm ? 0 : this.#draw(4);
    const when = this.#draw(2) === 0 ? 'before' : 'after';
    const code = known(DISK_ERRORS[this.#draw(DISK_ERRORS.length)], 'a code');
    let left = this.#draw(160);
    tap.on = (now, name) => {
      if (this.#hasVanished) throw new Vanished();
      if (now === 'before' && this.#draw(8) === 0)
        vi.setSystemTime(Date.now() + this.#draw(20_000_000) - 10_000_000);
      if (kind === 0 || now !== when) return;
      left -= 1;
      if (left !== 0) return;
      this.#faults += 1;
      if (kind === 1) throw new Database.SqliteError(`simulated at ${name}`, code);
      this.#path = copyOf(this.#path);
      this.#hasVanished = true;
      throw new Vanished();
    };
  }

  #stop() {
    const [soft, hard] = [new AbortController(), new AbortController()];
    if (!this.#isCalm && this.#draw(5) === 0) {
      const [one, both] = [this.#draw(12), this.#draw(2)];
      this.#onRequest = countdown(one, () => {
        this.#faults += 1;
        soft.abort();
        if (both === 1) hard.abort();
      });
    } else this.#onRequest = () => undefined;
    return { soft: soft.signal, hard: hard.signal };
  }

  #onRequest = (): void => undefined;

  #controllers(): Readonly<Record<string, Controller>> {
    const spec = specification('http://127.0.0.1:1/v1', { apiKeyEnv: null, retries: RETRIES });
    const transport: Transport = {
      send: (request, signal) => this.#serve(request, signal),
      close: () => undefined,
    };
    const keys = serverKeys(() => undefined);
    const dependencies = { keys, clock: this.#clock, random: () => 0.5, transport };
    const controller = modelController('m', openChatModel(spec, dependencies));
    return { ann: controller, bob: controller };
  }

  /** The server: an answer that is a function of the request, or one of its troubles. */
  async #serve({ url, body }: HttpRequest, signal: AbortSignal): Promise<HttpAnswer> {
    if (body === null)
      return answered(url.endsWith('/models') ? 200 : 404, { object: 'list', data: [{ id: 'fake-vlm' }] });
    const sent = messagesIn(JSON.parse(Buffer.from(body).toString()) as Record<string, unknown>);
    const key = JSON.stringify(sent.map(({ texts }) => texts));
    if (this.#stored.replies.has(key) && this.#once.has(key))
      this.#broken.push('a stored reply was asked for again');
    this.#onRequest();
    // Long enough that others may be asked meanwhile.
    for (let left = thoughtOf(key); left > 0; left--) await nextRound();
    const good = completion(answerTo(key));
    const trouble = this.#isCalm ? 99 : this.#draw(28);
    if (trouble < 8) {
      this.#faults += 1;
      this.#failedTries.set(key, (this.#failedTries.get(key) ?? 0) + 1);
    }
    switch (trouble) {
      case 0:
        return answered(500, { error: { message: 'out of memory' } });
      case 1:
        return answered(429, { error: { message: 'slow down' } }, { 'retry-after': '2' });
      case 2:
        throw new TransportError('ECONNRESET', 'the connection was reset');
      case 3:
        throw new TransportError('CUT', 'the answer was cut off');
      case 4:
        return { status: 200, headers: {}, body: Buffer.from('<html>gateway</html>') };
      case 5:
        return answered(503, { error: { message: 'loading' } });
      case 6:
        return this.#neverAnswer(signal);
      case 7:
        return answered(400, { error: { message: 'no' } });
      default:
        return answered(200, good);
    }
  }

  /** Until the client's patience ends. */
  #neverAnswer(signal: AbortSignal): Promise<never> {
    setImmediate(() => {
      this.#expiries += 1;
      this.#clock.expire();
    });
    return new Promise((_resolve, reject) => {
      const give = (): void => reject(new TransportError('ABORTED', 'given up'));
      if (signal.aborted) give();
      else signal.addEventListener('abort', give, { once: true });
    });
  }
}

/** One for all, which keeps the tileset that they share. */
const openStage = stageOpener({ modules: MODULES });

async function differenceIn(path: string): Promise<ReplayDifference | null> {
  const reader = new LogReader(path);
  try {
    const { runId } = known(reader.runs()[0], 'a run');
    return (await verifyRun(reader, runId, openStage)).difference;
  } finally {
    reader.close();
  }
}

function countdown(count: number, then: () => void): () => void {
  let left = count;
  return () => {
    if (left === 0) then();
    left -= 1;
  };
}

function goesOn(reader: LogReader | null) {
  if (reader === null) return {};
  const { runId } = known(reader.runs()[0], 'a run');
  const run = reader.run(runId);
  return {
    goesOn: {
      past: ownPast({ reader, runId, open: (one) => openStage(one).environment }),
      kept: run.kept,
      adopt: ({ versions, controllers, startedAt }: typeof run) => ({
        ...run,
        versions,
        controllers,
        startedAt,
      }),
    },
  };
}

function completion(content: string) {
  return {
    id: 'x',
    object: 'chat.completion',
    created: 0,
    model: 'fake-vlm',
    choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  };
}

function answered(
  status: number,
  value: unknown,
  headers: Readonly<Record<string, string>> = {},
): HttpAnswer {
  return {
    status,
    headers: { 'content-type': 'application/json', ...headers },
    body: Buffer.from(JSON.stringify(value)),
  };
}

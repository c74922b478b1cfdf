/**
 * Plays a small run in which one try meets one fault: at the first turn, in the middle, or at the last attempt. The client, its sockets, the
 * loop and the log are the real ones. In: a row, a place, a time to play in; out: what became of it, and whatever is not as it must be.
 */
import { join } from 'node:path';
import { assert, known } from '../../src/base/assert.js';
import { ModelError } from '../../src/base/errors.js';
import { MODULES } from '../../src/worlds/registry.js';
import { openScenario } from '../../src/assembly/open.js';
import { play } from '../../src/assembly/play.js';
import { stageOpener } from '../../src/assembly/stage.js';
import type { StepRecord } from '../../src/trajectory/records.js';
import { LogReader } from '../../src/log/reader.js';
import { LogWriter } from '../../src/log/writer.js';
import type { ModelClock, Dependencies } from '../../src/model/dependencies.js';
import { serverKeys } from '../../src/model/keys.js';
import { nodeTransport } from '../../src/model/transport.js';
import type { Transport } from '../../src/model/transport.js';
import { verifyRun } from '../../src/replay/verify.js';
import type { VerifiedRun } from '../../src/replay/verify.js';
import * as act from '../fake-server/behaviours.mjs';
import { startFakeServer } from '../fake-server/server.mjs';
import type { ChatRequest, FakeServer } from '../fake-server/server.mjs';
import { corridor } from '../orchestrator/two-agents.js';
import { goOn } from '../support/going-on.js';
import { CANARY, KEY_VARIABLE } from './harness.js';
import type { FaultOutcome, FaultRow } from './fault-rows.js';

export const PLACES = ['first turn', 'middle', 'last attempt'] as const;
export type Place = (typeof PLACES)[number];

/** The time that a run is played in. */
export interface Time {
  clock: ModelClock;
  /** The server has gone silent: nothing more happens before a limit is over. */
  runOut: () => void;
  /** How much longer than its limit a call may take, in the clock's milliseconds. */
  graceMs: number;
}

/**
 * `waited`: no reply could act, and a wait stands in with the reason. `lost`: the server failed at this request and
 * answers others, so it cost an attempt, and the agent was asked the same again.
 */
export type Seen = FaultOutcome | 'waited' | 'lost';

export interface PlayedFault {
  outcome: Seen;
  told: string;
  /** In words; none where all is as it must be. */
  broken: readonly string[];
}

const RETRIES = 2;
const ATTEMPTS = 2;
const TIMEOUT_MS = 60_000;

/** The server's address in the scenario, which is opened once; where the server really listens is another one for each run. */
const NAMED_URL = 'http://127.0.0.1:9/v1';

const MODEL = {
  base_url: NAMED_URL,
  model: 'fake-vlm',
  api_key_env: KEY_VARIABLE,
  timeout_ms: TIMEOUT_MS,
  retries: RETRIES,
  guided: 'off',
};

const SETTINGS: readonly string[] = [
  'render.channel=text',
  `turns.attempts=${ATTEMPTS}`,
  ...Object.entries(MODEL).map(([field, value]) => `models.m.${field}=${value}`),
  ...['ann', 'bob'].map((agent) => `agents.${agent}.model=m`),
];

const openStage = stageOpener({ modules: MODULES });

const ANSWERS: Readonly<Record<string, readonly string[]>> = {
  ann: ['ACTION: WAIT', 'ACTION: GO WEST', 'ACTION: GO EAST'],
  bob: ['ACTION: GO EAST', 'ACTION: WAIT', 'ACTION: GO WEST'],
};

/** By agent and turn, so that another question's answer is told from one's own. */
function answerTo({ system, body }: ChatRequest): string {
  const agent = /\bbob\b/i.exec(system.slice(0, 200)) === null ? 'ann' : 'bob';
  const turns = [...JSON.stringify(body['messages']).matchAll(/turn (\d+)/gi)];
  // The question whether it answers others.
  if (turns.length === 0) return 'OK';
  const turn = Number(turns.at(-1)?.[1]);
  return known(ANSWERS[agent]?.[turn - 1], `an answer for ${agent}, turn ${turn}`);
}

export function expectedOf(row: FaultRow, place: Place): Seen {
  if (place !== 'last attempt') return row.outcome;
  if (row.atLast !== undefined) return row.atLast;
  return { answered: 'answered', retried: 'lost', 'asked again': 'waited', paused: 'paused' }[
    row.outcome
  ] as Seen;
}

type Does = FaultRow['does'];

/** What becomes of the run's tries to chat, one after another; after its end the server answers well. */
function scriptOf(row: FaultRow, place: Place): Does[] {
  if (place === 'first turn') return [row.does];
  if (place === 'middle') return [[act.ok], [act.ok], [act.ok], row.does];
  const once = [...Array.from({ length: RETRIES }, () => [act.loading]), row.does];
  return row.outcome === 'asked again' ? Array.from({ length: ATTEMPTS }, () => once).flat() : once;
}

export interface Whole {
  chain: string;
  intents: readonly string[];
}

export class FaultPlayer {
  readonly #folder: string;
  readonly #opened = openScenario(
    { path: 'faults.yaml', content: corridor('max: 3'), readFile: refuse },
    { set: SETTINGS },
  );
  #runs = 0;
  #whole: Whole | null = null;
  /** The chain of the runs that lost the same attempt to their server. */
  #chainWithLoss: string | null = null;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async play(row: FaultRow, place: Place, time: Time): Promise<PlayedFault> {
    this.#whole ??= wholeOf(await this.#run([], time));
    const run = await this.#run(scriptOf(row, place), time);
    const { outcome, told } = seenOf(run);
    const broken = [...run.broken];
    const whole = this.#whole;
    const isSame =
      outcome === 'retried' || outcome === 'paused' || (outcome === 'answered' && row.isReworded !== true);
    if (isSame && run.chain !== whole.chain)
      broken.push('ends with another chain than the run that nothing disturbed');
    if (outcome === 'lost' && run.chain !== (this.#chainWithLoss ??= run.chain))
      broken.push('ends with another chain than a run that lost the same attempt in another way');
    if (outcome === 'lost' && run.chain === whole.chain) broken.push('does not record what it lost');
    if (outcome !== 'waited' && run.intents.join() !== whole.intents.join())
      broken.push(`other intents: ${run.intents.join()}`);
    if (outcome === 'paused' && run.error?.isRetryable !== (row.outcome !== 'paused'))
      broken.push(`isRetryable is ${String(run.error?.isRetryable)}`);
    return { outcome, told, broken };
  }

  /** To the end; where the server's failure ends it before, it goes on once the server is well. */
  async #run(script: Does[], time: Time): Promise<Run> {
    this.#runs += 1;
    const path = join(this.#folder, `fault-${this.#runs}.sqlite`);
    const broken: string[] = [];
    const transport = nodeTransport();
    let server = await serve(time);
    const dependencies = dependenciesFor(
      time.clock,
      scripted(transport, script, () => server),
    );
    const begunMs = time.clock.monotonicMs();
    const writer = new LogWriter(path);
    const opened = await this.#opened;
    const error = await play(opened, { dependencies, sink: writer, runId: 'faults' }).then(
      () => null,
      modelErrorOnly,
    );
    writer.close();
    const tookMs = time.clock.monotonicMs() - begunMs;
    // The tries, and the question whether the server answers others.
    const limitMs = TIMEOUT_MS * (RETRIES + 2) + time.graceMs;
    if (tookMs > limitMs) broken.push(`took ${tookMs} ms of ${limitMs}`);
    if (error !== null) {
      broken.push(...(await brokenPause(path, error)));
      await server.close();
      server = await serve(time);
      await goOn(path, { dependencies });
    }
    broken.push(...(await leftovers(transport, server)));
    await server.close();
    const { difference } = await verifiedLog(path);
    if (difference !== null) broken.push(`verify: step ${difference.step} ${difference.part}`);
    return { ...read(path), error, broken };
  }
}

interface Run {
  chain: string;
  intents: readonly string[];
  steps: readonly StepRecord[];
  /** Failed tries of the call that had most. */
  tries: readonly { problem: string }[];
  /** Those of a request that the server never answered. */
  lost: readonly { problem: string }[] | undefined;
  error: ModelError | null;
  broken: readonly string[];
}

function wholeOf(run: Run): Whole {
  assert(run.error === null && run.broken.length === 0, `an undisturbed run fails: ${run.broken.join()}`);
  return run;
}

async function serve(time: Time): Promise<FakeServer> {
  const wait = (delayMs: number): Promise<void> => time.clock.sleep(delayMs, NEVER);
  const server = await startFakeServer({ apiKey: CANARY, images: 'none', reply: answerTo, wait });
  void (async () => {
    for (;;) {
      await server.stalled();
      time.runOut();
    }
  })();
  return server;
}

const NEVER = new AbortController().signal;

function dependenciesFor(clock: ModelClock, transport: Transport): Dependencies {
  const env = (name: string): string | undefined => (name === KEY_VARIABLE ? CANARY : undefined);
  const keys = serverKeys(env, { [KEY_VARIABLE]: [NAMED_URL] });
  return { keys, clock, random: () => 0, transport };
}

/** Gives each try to chat its part of the script, and finds the server where it listens. */
function scripted(below: Transport, script: Does[], server: () => FakeServer): Transport {
  return {
    send(request, signal) {
      const does = request.method === 'POST' ? (script.shift() ?? []) : [];
      const url = request.url.replace(NAMED_URL.replace('/v1', ''), server().baseUrl.replace('/v1', ''));
      if (!('kind' in does)) {
        server().next(...does);
        return below.send({ ...request, url }, signal);
      }
      if (does.kind === 'fails') return Promise.reject(does.error);
      return below.send({ ...request, url: does.url(url) }, signal);
    },
    close: () => below.close(),
  };
}

/** A run that stopped must say so in its log, and what there is must be sound. */
async function brokenPause(path: string, error: ModelError): Promise<readonly string[]> {
  const reader = new LogReader(path);
  const { runId } = known(reader.runs()[0], 'a run');
  const end = reader.end(runId);
  reader.close();
  const { difference } = await verifiedLog(path);
  return [
    ...(end?.status === 'error' ? [] : [`the log ends with ${String(end?.status)}`]),
    ...(end !== null && error.message.startsWith(end.reason.replace(/…$/, ''))
      ? []
      : [`the log says ${String(end?.reason)}`]),
    ...(difference === null ? [] : [`verify of the part: step ${difference.step} ${difference.part}`]),
    ...(error.message.includes(CANARY) ? ['the error holds the key'] : []),
  ];
}

async function verifiedLog(path: string): Promise<VerifiedRun> {
  const reader = new LogReader(path);
  try {
    return await verifyRun(reader, known(reader.runs()[0], 'a run').runId, openStage);
  } finally {
    reader.close();
  }
}

async function leftovers(transport: Transport, server: FakeServer): Promise<readonly string[]> {
  transport.close();
  for (let i = 0; i < 1000 && server.sockets() > 0; i++)
    await new Promise((resolve) => setTimeout(resolve, i / 100));
  return server.sockets() === 0 ? [] : [`${server.sockets()} sockets are left`];
}

function read(path: string): Pick<Run, 'chain' | 'intents' | 'steps' | 'tries' | 'lost'> {
  const reader = new LogReader(path);
  try {
    const { runId } = known(reader.runs()[0], 'a run');
    const steps = [...reader.steps(runId)];
    const calls = steps.flatMap(({ step }) => reader.calls(runId, step));
    const lost = calls.flatMap(({ end }) =>
      end?.kind === 'replied' && end.reply.finishReason === 'server-error' ? [end.reply.tries] : [],
    );
    const tries = calls.map(({ end }) => (end?.kind === 'replied' ? end.reply.tries : []));
    return {
      chain: known(steps.at(-1), 'a step').chain,
      intents: steps.flatMap(({ acts }) => acts.slice(-1)).map(({ intent }) => JSON.stringify(intent)),
      steps,
      lost: lost[0],
      tries: known(tries.toSorted((one, other) => other.length - one.length)[0], 'tries'),
    };
  } finally {
    reader.close();
  }
}

function seenOf({ error, steps, tries, lost }: Run): Pick<PlayedFault, 'outcome' | 'told'> {
  if (error !== null) return { outcome: 'paused', told: error.message };
  const acts = steps.flatMap((step) => step.acts);
  const waited = acts.find(({ insteadOf }) => insteadOf !== null);
  if (waited !== undefined) return { outcome: 'waited', told: known(waited.insteadOf, 'why').message };
  if (lost !== undefined) return { outcome: 'lost', told: known(lost.at(-1), 'a try').problem };
  const refused = acts.flatMap(({ result }) => (result.ok ? [] : [result.problem.message]))[0];
  if (refused !== undefined) return { outcome: 'asked again', told: refused };
  const failed = tries.filter(({ problem }) => problem !== '503 Loading model').at(-1) ?? tries[0];
  const isFiller = tries.length === RETRIES && failed?.problem === '503 Loading model';
  if (failed === undefined || isFiller) return { outcome: 'answered', told: '' };
  return { outcome: 'retried', told: failed.problem };
}

function modelErrorOnly(error: unknown): ModelError {
  if (error instanceof ModelError) return error;
  throw error;
}

function refuse(): Uint8Array {
  throw new Error('there is no such file');
}

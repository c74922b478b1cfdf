/**
 * Runs of the built program that are killed at random instants and taken up again until they end. In: a scenario, a fake server that answers
 * each request in the same way whenever it comes, how many kills; out: how the run ended and what was asked. Needs dist/.
 */
import { nextBelow, stream } from '../../src/base/rng.js';
import type { RngState } from '../../src/base/rng.js';
import { LogReader } from '../../src/log/reader.js';
import type { FakeServer } from '../fake-server/server.mjs';
import { startFakeServer } from '../fake-server/server.mjs';
import { startProgram } from './children.js';
import type { Child, Ended } from './children.js';
import type { Chat } from './chat-script.js';

export interface KillOptions {
  scenario: string;
  log: string;
  answer: (chat: Chat) => string;
  /** Of processes; fewer where the run ends before. */
  kills: number;
  /** Of the instants. */
  seed: string;
  signal?: 'SIGKILL' | 'SIGINT';
  /** Further words for every command. */
  words?: readonly string[];
}

export interface Killed {
  ended: Ended;
  /** Processes that were killed before they ended. */
  kills: number;
  /** Requests that reached the server. */
  requests: number;
}

/** A kill strikes up to so long after a request, some of which are answered by then, and some steps written. */
const AFTER_MS = 40;
/** How long the server takes, so that some requests are still open when it strikes. */
const LATENCY_MS = 12;
const REQUESTS_MAX = 4;

/** Plays, kills, resumes, kills … and lets the last process end. */
export async function playWithKills(options: KillOptions): Promise<Killed> {
  const { scenario, log, answer, kills, seed, signal = 'SIGKILL', words = [] } = options;
  let rng: RngState = stream(seed, 'kills');
  const draw = (below: number): number => {
    const { value, state } = nextBelow(rng, below);
    rng = state;
    return value;
  };
  let onRequest: () => void = () => undefined;
  let requests = 0;
  const reply = (chat: Chat): string => {
    requests += 1;
    onRequest();
    return answer(chat);
  };
  const server: FakeServer = await startFakeServer({ reply, latencyMs: LATENCY_MS, images: 'any' });
  const more = ['--base-url', server.baseUrl, '--json', ...words];
  let struck = 0;
  try {
    for (;;) {
      const args = struck === 0 && !hasRun(log) ? ['run', scenario, '--out', log] : ['resume', log];
      const child = startProgram([...args, ...more]);
      if (struck < kills)
        onRequest = killer(child, { after: draw(REQUESTS_MAX), ms: draw(AFTER_MS), signal });
      else onRequest = () => undefined;
      const ended = await child.ended;
      const wasStopped = ended.signal !== null || ended.code === 130;
      if (!wasStopped) return { ended, kills: struck, requests };
      struck += 1;
    }
  } finally {
    await server.close();
  }
}

/** Strikes once, some time after a number of requests. */
function killer(
  { process: child }: Child,
  { after, ms, signal }: { after: number; ms: number; signal: NodeJS.Signals },
): () => void {
  let left = after;
  return () => {
    if (left === 0) setTimeout(() => child.kill(signal), ms);
    left -= 1;
  };
}

function hasRun(log: string): boolean {
  try {
    const reader = new LogReader(log);
    const { length } = reader.runs();
    reader.close();
    return length > 0;
  } catch {
    return false;
  }
}

export interface Calls {
  steps: readonly number[];
  answered: number;
  /** Sent, and never answered. */
  open: number;
  sessions: number;
}

/** What a log of one run holds of steps and calls. */
export function callsIn(log: string): Calls {
  const reader = new LogReader(log);
  try {
    const runId = reader.runs()[0]?.runId ?? '';
    const steps = [...reader.steps(runId)];
    const all = [...new Set(steps.map(({ step }) => step))].flatMap((step) => reader.outlines(runId, step));
    const answered = all.filter(({ end }) => end?.kind === 'replied').length;
    return {
      steps: steps.map(({ step }) => step),
      answered,
      open: all.length - answered,
      sessions: reader.sessions(runId).length,
    };
  } finally {
    reader.close();
  }
}

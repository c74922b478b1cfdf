/**
 * A run's life in processes that are killed: each plays on where the one before was killed, at a named point of its log or at any instant,
 * and after each kill the log is held against the whole run. In: a scenario, a seed, how many kills; out: what struck, and what was asked.
 */
import { known } from '../../src/base/assert.js';
import { nextBelow, stream } from '../../src/base/rng.js';
import { startFakeServer } from '../fake-server/server.mjs';
import { answersOf, messagesIn } from '../support/chat-script.js';
import type { Chat } from '../support/chat-script.js';
import { startProgram } from '../support/children.js';
import type { Ended } from '../support/children.js';
import type { Played } from '../support/play.js';
import { NOTHING, askedOnce, hasRun, look } from './stored-run.js';

/** `--import` of the module that kills at named points. */
export const TAP = new URL('log-tap.mjs', import.meta.url).href;

const POINTS = [
  'BEGIN',
  'COMMIT',
  'INSERT steps',
  'INSERT calls',
  'INSERT replies',
  'INSERT blobs',
  'INSERT frames',
  'INSERT ends',
  'INSERT runs',
  'INSERT sittings',
  'INSERT writer',
  'DELETE writer',
  'CREATE',
  'PRAGMA journal_mode',
  'PRAGMA wal_checkpoint',
] as const;

/** Those that come often enough in each process for a higher number to be met. */
const OFTEN: ReadonlySet<string> = new Set([
  'BEGIN',
  'COMMIT',
  'INSERT calls',
  'INSERT replies',
  'INSERT blobs',
  'INSERT steps',
]);

export interface Life {
  named: number;
  random: number;
  /** Requests that reached the server, and stored replies that were asked for again. */
  requests: number;
  askedAgain: readonly string[];
  /** What a kill had broken, in words; each with the seed to repeat it. */
  faults: readonly string[];
  ended: Ended;
}

export interface LifeOptions {
  scenario: string;
  whole: Played;
  log: string;
  seed: string;
  kills: number;
}

export function draws(seed: string): (below: number) => number {
  let rng = stream(seed, 'kills');
  return (below) => {
    const { value, state } = nextBelow(rng, below);
    rng = state;
    return value;
  };
}

/** What a process is killed by; null: nothing. */
type Blow = { at: string } | { requests: number; ms: number } | null;

function drawBlow(draw: (below: number) => number): NonNullable<Blow> {
  if (draw(3) === 0) return { requests: draw(4) - 1, ms: draw(40) };
  const point = known(POINTS[draw(POINTS.length)], 'a point');
  const occurrence = 1 + (OFTEN.has(point) ? draw(8) : point === 'CREATE' ? draw(20) : 0);
  return { at: `${draw(2) === 0 ? 'before' : 'after'}|${point}|${occurrence}` };
}

/** Plays, is killed, goes on …, and ends. */
export async function live(options: LifeOptions): Promise<Life> {
  const { scenario, whole, log, seed, kills } = options;
  const draw = draws(seed);
  const answer = answersOf(whole.sink);
  const once = askedOnce(whole.sink);
  const counts = { named: 0, random: 0, requests: 0 };
  const askedAgain: string[] = [];
  const faults: string[] = [];
  let stored = NOTHING;
  let onRequest = (): void => undefined;
  const reply = (chat: Chat): string => {
    counts.requests += 1;
    onRequest();
    const key = JSON.stringify(messagesIn(chat.body).map(({ texts }) => texts));
    if (stored.replies.has(key) && once.has(key)) askedAgain.push(key);
    return answer(chat);
  };
  const server = await startFakeServer({ reply, latencyMs: 4, images: 'any' });
  try {
    for (;;) {
      const isLast = counts.named + counts.random >= kills;
      const blow = isLast ? null : drawBlow(draw);
      const words = hasRun(log) ? ['resume', log] : ['run', scenario, '--out', log];
      const child = startProgram([...words, '--base-url', server.baseUrl], {
        nodeOptions: ['--import', TAP],
        env: blow !== null && 'at' in blow ? { LOG_TAP_DIE: blow.at } : {},
      });
      onRequest = striker(blow, () => child.process.kill('SIGKILL'));
      const ended = await child.ended;
      onRequest = () => undefined;
      const next = look(log, whole, stored);
      const told = ended.out.split('\n').filter((line) => /^ *T\d+ {2}/.test(line)).length;
      faults.push(...next.faults.map((fault) => `${fault} (seed ${seed}, ${JSON.stringify(blow)})`));
      if (next.agentSteps < stored.agentSteps + told)
        faults.push(
          `${told} steps told, ${next.agentSteps - stored.agentSteps} in the log (seed ${seed}, ${JSON.stringify(blow)})`,
        );
      stored = next;
      // Also where the run was over before the point came.
      if (ended.signal !== 'SIGKILL') return { ...counts, askedAgain, faults, ended };
      if (blow !== null) counts['at' in blow ? 'named' : 'random'] += 1;
    }
  } finally {
    await server.close();
  }
}

/** Strikes some time after a number of requests; after the process was started, where that is -1. */
function striker(blow: Blow, strike: () => void): () => void {
  if (blow === null || 'at' in blow) return () => undefined;
  let left = blow.requests;
  // From nothing being there to the middle of the run.
  if (left < 0) setTimeout(strike, blow.ms * 30);
  return () => {
    if (left === 0) setTimeout(strike, blow.ms);
    left -= 1;
  };
}

// @ts-check
/** A real vLLM on this machine's processor, on loopback: started, waited for, and ended with all of its processes. */
import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { basename, dirname } from 'node:path';

/** A server of tests that nobody ends any more, say since its starter was killed, ends by itself. */
const LIFE_SECONDS = 3600;
/** A machine whose cores are busy may need longer. */
const START_SECONDS = 300;
const END_SECONDS = 20;

const CONTEXT = '16384';

/**
 * Requests that are answered at once, and those that wait; more are refused with status 503. After such a refusal, vLLM may fail on the next request with the
 * same picture, so a server that is not there for tests needs enough of both.
 * @typedef {{ atOnce: number, waiting: number }} Room
 */

/** Few: tests meet refusals. @type {Room} */
const LITTLE_ROOM = { atOnce: 4, waiting: 8 };

/** As a user would start it, but for what a processor and a test need. @param {string} model @param {number} port @param {Room} room */
function wordsFor(model, port, { atOnce, waiting }) {
  const words = [
    ['-m', 'vllm.entrypoints.openai.api_server'],
    // By its last name, since the server repeats it in its list of models.
    ['--model', basename(model), '--served-model-name', 'tiny-vlm'],
    ['--host', '127.0.0.1', '--port', String(port)],
    ['--dtype', 'float32', '--enforce-eager', '--max-model-len', CONTEXT, '--max-num-seqs', String(atOnce)],
    // A prompt taken in pieces ends the engine where the request has a seed: the generator of a CPU can't be set back.
    ['--max-num-batched-tokens', CONTEXT, '--no-enable-chunked-prefill'],
    ['--limit-mm-per-prompt', '{"image":1,"video":0}', '--enable-prompt-tokens-details'],
    ['--generation-config', 'vllm', '--max-num-queued-reqs', String(waiting)],
    ['--enable-auto-tool-choice', '--tool-call-parser', 'hermes'],
  ];
  return words.flat();
}

const SETTINGS = {
  VLLM_TARGET_DEVICE: 'cpu',
  VLLM_CPU_KVCACHE_SPACE: '1',
  VLLM_CPU_OMP_THREADS_BIND: 'nobind',
  OMP_NUM_THREADS: '1',
  HF_HUB_OFFLINE: '1',
  TRANSFORMERS_OFFLINE: '1',
  VLLM_NO_USAGE_STATS: '1',
  DO_NOT_TRACK: '1',
};

/**
 * @typedef {object} RealServer
 * @property {string} baseUrl  ends in /v1
 * @property {() => Promise<void>} ready  rejects where it ends or does not answer in time
 * @property {() => Promise<void>} end  with all of its processes
 */

/** Starts at once; `log` gets what it prints. @param {import('./vllm-place.mjs').Place} place @param {string} log @param {{ room?: Room, startSeconds?: number }} [options] @returns {Promise<RealServer>} */
export async function startVllm(
  { python, model },
  log,
  { room = LITTLE_ROOM, startSeconds = START_SECONDS } = {},
) {
  const port = await freePort();
  const file = openSync(log, 'w');
  const child = spawn('timeout', [String(LIFE_SECONDS), python, ...wordsFor(model, port, room)], {
    cwd: dirname(model),
    stdio: ['ignore', file, file],
    env: { ...process.env, ...SETTINGS },
    // A group of its own: its engine and worker are processes too.
    detached: true,
  });
  closeSync(file);
  const over = new Promise((resolve) => child.once('close', resolve).once('error', resolve));
  let isOver = false;
  void over.then(() => (isOver = true));
  const signal = (/** @type {NodeJS.Signals} */ name) => signalGroup(child.pid, name);
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    ready: async () => {
      for (const until = Date.now() + startSeconds * 1000; !(await isHealthy(port)); await pause(500)) {
        if (isOver) throw new Error(`vLLM ended before it answered:\n${lastLines(log)}`);
        if (Date.now() > until) throw new Error(`no vLLM after ${startSeconds} s:\n${lastLines(log)}`);
      }
    },
    end: async () => {
      signal('SIGTERM');
      await Promise.race([over, atMost(END_SECONDS * 1000)]);
      // Also what outlived its parent.
      signal('SIGKILL');
      await over;
    },
  };
}

/** @param {number | undefined} leader @param {NodeJS.Signals} name */
function signalGroup(leader, name) {
  if (leader === undefined) return;
  try {
    process.kill(-leader, name);
  } catch {
    // Nobody is left in it.
  }
}

/** @param {number} delayMs @returns {Promise<void>} */
function pause(delayMs) {
  return new Promise((resolve) => setTimeout(resolve, delayMs));
}

/** The same, but no reason for the program to go on. @param {number} delayMs @returns {Promise<void>} */
function atMost(delayMs) {
  return new Promise((resolve) => void setTimeout(resolve, delayMs).unref());
}

/** @param {number} port */
async function isHealthy(port) {
  try {
    const answer = await fetch(`http://127.0.0.1:${port}/health`, { signal: AbortSignal.timeout(5000) });
    return answer.ok;
  } catch {
    return false;
  }
}

/** @returns {Promise<number>} */
function freePort() {
  const server = createServer();
  return new Promise((resolve) =>
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    }),
  );
}

/** @param {string} log */
function lastLines(log) {
  return readFileSync(log, 'utf8').split('\n').slice(-25).join('\n');
}

// @ts-check
/**
 * `npm run test:vllm`: tests/vllm against a real vLLM with a tiny model of random weights, made and started here and ended whatever happens. Needs
 * Python 3.11, some 7 GB of disk and dist/. `--record` writes what the server answers to tests/fixtures/vllm, which `npm test` reads; `--serve` starts
 * the server and no tests; other arguments go to vitest.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { madePlace } from './lib/vllm-place.mjs';
import { startVllm } from './lib/vllm-server.mjs';

const named = process.argv.slice(2);
const rest = named.filter((word) => word !== '--record' && word !== '--serve');
const stop = new AbortController();
for (const name of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']))
  process.on(name, () => stop.abort());

const place = madePlace();
if (stop.signal.aborted) process.exit(130);
const folder = mkdtempSync(join(tmpdir(), 'orchestrate-vllm-'));
const started = Date.now();
const server = await startVllm(place, join(folder, 'vllm.log'));
const stopped = new Promise((resolve) => stop.signal.addEventListener('abort', () => resolve(130)));
try {
  process.exitCode = await Promise.race([stopped, played()]);
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
} finally {
  await server.end();
  rmSync(folder, { recursive: true });
}

/** @returns {Promise<number>} */
async function played() {
  await server.ready();
  console.log(`vLLM answers at ${server.baseUrl} after ${Math.round((Date.now() - started) / 1000)} s`);
  if (named.includes('--serve')) return new Promise(() => undefined);
  const record = named.includes('--record') ? { VLLM_RECORD: '1' } : {};
  // One file at a time: its counters are the server's.
  const words = ['vitest', 'run', '--no-file-parallelism', ...(rest.length > 0 ? rest : ['tests/vllm'])];
  const child = spawn('npx', words, {
    stdio: 'inherit',
    env: { ...process.env, VLLM_BASE_URL: server.baseUrl, ...record },
    signal: stop.signal,
    killSignal: 'SIGTERM',
  });
  return new Promise((resolve) =>
    child.on('close', (code) => resolve(code ?? 1)).on('error', () => resolve(1)),
  );
}

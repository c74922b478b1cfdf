// Measures how busy `batch` keeps a server of 64 slots that takes 200 ms for an answer: 96 runs at once, over real sockets, requests and frames logged. The server is a
// process of its own. Needs `npm run build`; `node scripts/busy-server.mjs [runs at once] [turns]`.
import { spawn } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { main } from '../dist/cli/main.js';
import { processIo } from '../dist/cli/io.js';

const [PARALLEL, TURNS] = [Number(process.argv[2] ?? 96), Number(process.argv[3] ?? 40)];
const [SLOTS, LATENCY_MS] = [64, 200];
const PORT = 8765;
const root = fileURLToPath(new URL('..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'orchestrate-busy-'));

const words = ['--port', PORT, '--images', 'any', '--slots', SLOTS, '--latency', LATENCY_MS, '--quiet'];
const server = spawn(process.execPath, ['tests/fake-server/main.mjs', ...words.map(String)], { cwd: root });
await new Promise((resolve) => server.stdout.once('data', resolve));
try {
  copyFileSync(join(root, 'scenarios', 'crypt.yaml'), join(folder, 'crypt.yaml'));
  const batch = [
    'scenarios: [crypt.yaml]',
    `models: { fake: { base_url: "http://127.0.0.1:${PORT}/v1", model: fake-vlm, timeout_ms: 60000 } }`,
    `seeds: ${PARALLEL}`,
    `max_turns: ${TURNS}`,
    `parallel: ${PARALLEL}`,
  ];
  writeFileSync(join(folder, 'busy.yaml'), `${batch.join('\n')}\n`);
  const document = await measured(['batch', 'busy.yaml', '--json', '--quiet']);
  process.stdout.write(`${document}\n`);
} finally {
  server.kill();
  rmSync(folder, { recursive: true, force: true });
}

/** @param {string[]} args */
async function measured(args) {
  /** @type {string[]} */
  const printed = [];
  const sheet = {
    write: (/** @type {string} */ text) => void printed.push(text),
    writeBytes: () => {},
    isTerminal: false,
    columns: 100,
    rows: 30,
  };
  const io = { ...processIo(), out: sheet, cwd: folder };
  const loop = monitorEventLoopDelay({ resolution: 1 });
  loop.enable();
  const [began, before] = [performance.now(), process.cpuUsage()];
  await main(args, io);
  const seconds = (performance.now() - began) / 1000;
  const { user, system } = process.cpuUsage(before);
  loop.disable();
  const { calls, steps } = JSON.parse(printed.join(''));
  const ideal = (SLOTS * 1000) / LATENCY_MS;
  const rate = calls / seconds;
  return [
    `${PARALLEL} runs at once, ${calls} calls, ${steps} steps in ${seconds.toFixed(1)} s`,
    `${rate.toFixed(0)} calls a second of ${ideal} that the server can answer: ${((100 * rate) / ideal).toFixed(1)} %`,
    `${((user + system) / 1e4 / seconds).toFixed(0)} % of a core, ${((user + system) / 1000 / calls).toFixed(2)} ms a call`,
    `event loop held up: p50 ${(loop.percentile(50) / 1e6).toFixed(1)}, p99 ${(loop.percentile(99) / 1e6).toFixed(1)}, at most ${(loop.max / 1e6).toFixed(1)} ms`,
  ].join('\n');
}

// Measures how busy `batch` keeps a server of 64 slots that takes 200 ms for an answer, with requests and frames logged. By default over real sockets, the server a process of
// its own; with --in-process an own transport answers here, as `PlayOptions.dependencies` lets anybody do, and no byte leaves the process.
// Needs `npm run build`; `node scripts/busy-server.mjs [--in-process] [--server-core N] [runs at once] [turns]`. `taskset -c 0` pins what is measured, --server-core the server (Linux).
import { copyFileSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import Database from 'better-sqlite3';
import { processIo } from '../dist/modules/cli/terminal/io.js';
import { main } from '../dist/modules/cli/main.js';
import { fakeServerProcess } from './lib/fake-server-process.mjs';
import { playInProcess } from './lib/slow-transport.mjs';

const { values, positionals } = parseArgs({
  options: { 'in-process': { type: 'boolean', default: false }, 'server-core': { type: 'string' } },
  allowPositionals: true,
});
const [PARALLEL, TURNS] = [Number(positionals[0] ?? 96), Number(positionals[1] ?? 40)];
const [SLOTS, LATENCY_MS] = [64, 200];
const IDEAL = (SLOTS * 1000) / LATENCY_MS;
const PORT = 8765;
const FIRST_MS = 1000;
/** Looked at so often, and the processor's time so seldom, since asking for it takes 50 µs: a thousand times a second it was a twentieth of the core. */
const [LOOK_MS, PROCESSOR_MS] = [4, 100];
const root = fileURLToPath(new URL('..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'orchestrate-busy-'));

copyFileSync(join(root, 'scenarios', 'crypt.yaml'), join(folder, 'crypt.yaml'));
const batch = [
  'scenarios: [crypt.yaml]',
  `models: { fake: { base_url: "http://127.0.0.1:${PORT}/v1", model: fake-vlm, timeout_ms: 60000 } }`,
  `seeds: ${PARALLEL}`,
  `max_turns: ${TURNS}`,
  `parallel: ${PARALLEL}`,
];
const file = join(folder, 'busy.yaml');
writeFileSync(file, `${batch.join('\n')}\n`);
const server = values['in-process'] ? null : await startServer();
try {
  const measured = await watched(() => (server === null ? inProcess() : overSockets()));
  process.stdout.write(`${report(measured)}\n`);
} finally {
  server?.kill();
  rmSync(folder, { recursive: true, force: true });
}

function startServer() {
  const words = ['--port', PORT, '--images', 'any', '--slots', SLOTS, '--latency', LATENCY_MS];
  return fakeServerProcess(words, values['server-core']);
}

function overSockets() {
  const quiet = { write: () => {}, writeBytes: () => {}, isTerminal: false, columns: 100, rows: 30 };
  const io = { ...processIo(), out: quiet, cwd: folder };
  return main(['batch', 'busy.yaml', '--out', 'runs', '--quiet'], io);
}

function inProcess() {
  return playInProcess(file, { out: join(folder, 'runs'), slots: SLOTS, latencyMs: LATENCY_MS });
}

/** @param {() => Promise<unknown>} work */
async function watched(work) {
  /** @type {{ at: number, cpuMs: number }[]} */
  const clock = [];
  /** By how much each look came later than it was due, and the processor's time since it was last asked for: by no more than either our own work held the loop up. @type {{ at: number, wallMs: number, ownMs: number }[]} */
  const holds = [];
  let last = performance.now();
  const look = () => {
    const [now, at] = [performance.now(), Date.now()];
    const wallMs = Math.max(0, now - last - LOOK_MS);
    last = now;
    const before = clock.at(-1);
    if (before !== undefined && wallMs < LOOK_MS && at - before.at < PROCESSOR_MS) {
      holds.push({ at, wallMs, ownMs: wallMs });
      return;
    }
    const { user, system } = process.cpuUsage();
    const cpuMs = (user + system) / 1000;
    holds.push({ at, wallMs, ownMs: Math.min(wallMs, cpuMs - (before?.cpuMs ?? 0)) });
    clock.push({ at, cpuMs });
  };
  look();
  const looking = setInterval(look, LOOK_MS);
  await work();
  clearInterval(looking);
  look();
  const { user, system } = process.cpuUsage();
  clock.push({ at: Date.now(), cpuMs: (user + system) / 1000 });
  return { clock, holds };
}

/** @typedef {Awaited<ReturnType<typeof watched>>} Watched @param {Watched} watched */
function report({ clock, holds }) {
  const { answers, allFrom, allTo, steps } = logged();
  const [from, to] = [clock[0]?.at ?? 0, clock.at(-1)?.at ?? 0];
  /** @param {string} what @param {number} begin @param {number} end */
  const stretch = (what, begin, end) => {
    const calls = answers.filter((at) => at >= begin && at < end).length;
    const seconds = (end - begin) / 1000;
    const rate = calls / seconds;
    const cpuMs = cpuAt(clock, end) - cpuAt(clock, begin);
    return `${what}: ${calls} calls in ${seconds.toFixed(1)} s, ${rate.toFixed(0)} a second of ${IDEAL}: ${((100 * rate) / IDEAL).toFixed(1)} %; ${(cpuMs / 10 / seconds).toFixed(0)} % of a core, ${(cpuMs / calls).toFixed(2)} ms a call`;
  };
  /** @param {string} what @param {'wallMs' | 'ownMs'} which @param {number} begin */
  const delay = (what, which, begin) => {
    const sorted = holds.flatMap((one) => (one.at < begin ? [] : [one[which]])).toSorted((a, b) => a - b);
    const [p50, p99, most] = [0.5, 0.99, 1].map((share) =>
      (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(1),
    );
    return `event loop held up, ${what}: p50 ${p50}, p99 ${p99}, at most ${most} ms`;
  };
  return [
    `${PARALLEL} runs at once, ${steps} steps, ${values['in-process'] ? 'answered in this process' : 'over sockets'}`,
    stretch('from planning to the last log closed', from, to),
    stretch('without the first second', from + FIRST_MS, to),
    allFrom < allTo
      ? stretch(`while all ${PARALLEL} ask`, allFrom, allTo)
      : `never did all ${PARALLEL} ask: play more turns`,
    delay('by the wall', 'wallMs', 0),
    delay('by the wall, without the first second', 'wallMs', from + FIRST_MS),
    delay('by the processor', 'ownMs', 0),
    delay('by the processor, without the first second', 'ownMs', from + FIRST_MS),
  ].join('\n');
}

/** What the logs tell: when each call was answered, from when until when all runs asked, how many steps there were. */
function logged() {
  const logs = readdirSync(join(folder, 'runs')).filter((name) => name.endsWith('.sqlite'));
  /** @type {number[]} */
  const answers = [];
  let [allFrom, allTo, steps] = [0, Infinity, 0];
  for (const name of logs) {
    const db = new Database(join(folder, 'runs', name), { readonly: true });
    const asked = /** @type {{ from: number, to: number }[]} */ (
      db
        .prepare(
          'SELECT started_at AS "from", started_at + latency_ms AS "to" FROM calls JOIN replies USING (run, call)',
        )
        .all()
    );
    steps += Number(db.prepare('SELECT count(*) FROM steps').pluck().get());
    db.close();
    allFrom = Math.max(allFrom, Math.min(...asked.map(({ from }) => from)));
    allTo = Math.min(allTo, Math.max(...asked.map(({ to }) => to)));
    for (const { to } of asked) answers.push(to);
  }
  return { answers, allFrom, allTo, steps };
}

/** @param {Watched['clock']} clock @param {number} at */
function cpuAt(clock, at) {
  return (clock.find((one) => one.at >= at) ?? clock.at(-1))?.cpuMs ?? 0;
}

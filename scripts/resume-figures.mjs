// Measures how a batch of many half-played runs gets going again: 48 runs of the crypt on the fake server, killed with SIGKILL, then resumed here; when they ask again,
// and how long the event loop is held up meanwhile. Needs `npm run build`; `node scripts/resume-figures.mjs [--server-core N] [seconds until the kill]`.
import { spawn } from 'node:child_process';
import { copyFileSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import Database from 'better-sqlite3';
import { processIo } from '../dist/modules/cli/terminal/io.js';
import { main } from '../dist/modules/cli/main.js';
import { fakeServerProcess } from './lib/fake-server-process.mjs';

const { values, positionals } = parseArgs({
  options: { 'server-core': { type: 'string' } },
  allowPositionals: true,
});
const UNTIL_KILL_S = Number(positionals[0] ?? 40);
const [RUNS, PORT, LOOK_MS] = [48, 8766, 4];
/** What is told of the calls, and how long the holds of the loop are looked at. */
const [AFTER_S, WATCHED_S] = [[2, 5, 10, 15, 20], 12];
const root = fileURLToPath(new URL('..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'orchestrate-resume-'));

copyFileSync(join(root, 'scenarios', 'crypt.yaml'), join(folder, 'crypt.yaml'));
const batch = [
  'scenarios: [crypt.yaml]',
  `models: { fake: { base_url: "http://127.0.0.1:${PORT}/v1", model: fake-vlm, timeout_ms: 60000 } }`,
  `seeds: ${RUNS}`,
  'max_turns: 80',
  `parallel: ${RUNS}`,
];
writeFileSync(join(folder, 'half.yaml'), `${batch.join('\n')}\n`);
const replies = ['WAIT', 'SAY I am looking for the key.', 'GO east', 'GO north'];
const words = ['--port', PORT, '--images', 'any', '--slots', 64, '--latency', 100];
const server = await fakeServerProcess(
  [...words, ...replies.flatMap((reply) => ['--reply', `ACTION: ${reply}`])],
  values['server-core'],
);
try {
  await playUntilKilled();
  const before = count('steps');
  process.stdout.write(`${report(await resumed(), before)}\n`);
} finally {
  server.kill();
  rmSync(folder, { recursive: true, force: true });
}

async function playUntilKilled() {
  const command = [join(root, 'dist', 'cli', 'main.js'), 'batch', 'half.yaml', '--quiet'];
  const child = spawn(process.execPath, command, { cwd: folder, stdio: 'inherit' });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  await Promise.race([sleep(UNTIL_KILL_S * 1000, null, { ref: false }), ended]);
  child.kill('SIGKILL');
  await ended;
}

async function resumed() {
  /** @type {{ at: number, ms: number }[]} */
  const holds = [];
  let last = performance.now();
  const looking = setInterval(() => {
    const now = performance.now();
    holds.push({ at: Date.now(), ms: Math.max(0, now - last - LOOK_MS) });
    last = now;
  }, LOOK_MS);
  const from = Date.now();
  const quiet = { write: () => {}, writeBytes: () => {}, isTerminal: false, columns: 100, rows: 30 };
  await main(['batch', 'half.yaml', '--resume', '--quiet'], { ...processIo(), out: quiet, cwd: folder });
  clearInterval(looking);
  return { from, to: Date.now(), holds };
}

/** @param {Awaited<ReturnType<typeof resumed>>} resumed @param {number} before */
function report({ from, to, holds }, before) {
  const asked = all('SELECT started_at FROM calls WHERE started_at >= ?', from).toSorted((a, b) => a - b);
  const within = AFTER_S.map(
    (s) => `${asked.filter((at) => at < from + s * 1000).length} in the first ${s} s`,
  );
  const held = holds
    .flatMap(({ at, ms }) => (at < from + WATCHED_S * 1000 ? [ms] : []))
    .toSorted((a, b) => a - b);
  const [p50, p99, most] = [0.5, 0.99, 1].map((share) =>
    (held[Math.min(held.length - 1, Math.floor(held.length * share))] ?? 0).toFixed(1),
  );
  return [
    `${RUNS} runs killed after ${before} steps; whole when resumed: ${((to - from) / 1000).toFixed(1)} s for ${count('steps') - before} steps`,
    `first call after ${(((asked[0] ?? to) - from) / 1000).toFixed(1)} s; calls: ${within.join(', ')}`,
    `event loop held up in the first ${WATCHED_S} s: p50 ${p50}, p99 ${p99}, at most ${most} ms`,
  ].join('\n');
}

/** @param {string} table */
function count(table) {
  return all(`SELECT count(*) FROM ${table}`).reduce((sum, one) => sum + one, 0);
}

/** Numbers of all logs. @param {string} sql @param {...number} asked @returns {number[]} */
function all(sql, ...asked) {
  const runs = join(folder, 'runs', 'half');
  return readdirSync(runs)
    .filter((name) => name.endsWith('.sqlite'))
    .flatMap((name) => {
      const db = new Database(join(runs, name), { readonly: true });
      const found = /** @type {number[]} */ (
        db
          .prepare(sql)
          .pluck()
          .all(...asked)
      );
      db.close();
      return found;
    });
}

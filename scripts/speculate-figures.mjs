// Measures what asking ahead (`turns.speculate`) is worth: the time of a turn over real HTTP against a server that takes its time, in calls, for eight agents
// in rooms of their own and in one room; whether the chain is the same; and how many calls were in vain. Needs `npm run build`; nothing else does.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { LogReader } from '../dist/modules/log/reader.js';
import { startFakeServer } from '../tests/fake-server/server.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'orchestrate-ahead-'));
const [AGENTS, TURNS] = [8, 40];
const latencies = process.argv.slice(2).map(Number);

/** Everybody goes to and fro, so that whoever sees another one is shown something else after its step. @param {{ text: string }} request */
function reply({ text }) {
  const turn = Number(/turn (\d+)/i.exec(text)?.[1] ?? 0);
  return turn % 2 === 0 ? 'ACTION: GO NORTH' : 'ACTION: GO SOUTH';
}

/** @param {boolean} isOne */
function scenario(isOne) {
  const ids = Array.from({ length: AGENTS }, (_, i) => `a${i + 1}`);
  const side = isOne ? '.' : '#';
  const row = (/** @type {(i: number) => string} */ of) => `  #${ids.map((_, i) => of(i)).join('')}#`;
  const edge = row(() => (isOne ? '##' : '####'));
  const [first, second] = isOne
    ? [row((i) => `${String.fromCharCode(65 + i)}.`), row(() => '..')]
    : [row((i) => `.${String.fromCharCode(65 + i)}.${side}`), row(() => `...${side}`)];
  const rooms = isOne
    ? `  hall: { area: [1, 1, ${AGENTS * 2}, 2] }`
    : ids.map((id, i) => `  of-${id}: { area: [${1 + i * 4}, 1, 3, 2] }`).join('\n');
  const legend = ids.map((id, i) => `  ${String.fromCharCode(65 + i)}: { agent: ${id} }`).join('\n');
  const agents = ids.map((id) => `  - { id: ${id}, sprite: figure/knight, sight: 15, model: m }`).join('\n');
  const path = join(folder, isOne ? 'one.yaml' : 'own.yaml');
  writeFileSync(
    path,
    `title: Rooms\nseed: 1\nmap: |\n${edge}\n${first}\n${second}\n${edge}\nlegend:\n${legend}\nrooms:\n${rooms}\nmodels: { m: {} }\nagents:\n${agents}\nrules: { movement: tile }\nturns: { max: ${TURNS} }\n`,
  );
  return path;
}

/** @param {string[]} args @returns {Promise<any>} */
function orchestrate(...args) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['dist/cli/main.js', ...args], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let text = '';
    child.stdout.on('data', (chunk) => (text += chunk));
    child.on('close', () => {
      try {
        resolve(JSON.parse(text));
      } catch (error) {
        reject(error);
      }
    });
  });
}

/** @param {string} path @param {string} speculate @param {string} baseUrl */
async function played(path, speculate, baseUrl) {
  const log = join(folder, `${Math.random()}.sqlite`);
  const told = await orchestrate(
    'run',
    path,
    '--base-url',
    baseUrl,
    '--set',
    `turns.speculate=${speculate}`,
    '--out',
    log,
    '--quiet',
    '--json',
  );
  const reader = new LogReader(log);
  const [session] = reader.sessions(told.run_id);
  // The end of a turn is the world's step.
  const ends = [...reader.steps(told.run_id, { agent: 'world' })].map(({ finishedAt }) => finishedAt);
  reader.close();
  const starts = [session?.startedAt ?? 0, ...ends];
  const turns = ends.map((end, i) => end - (starts[i] ?? 0)).toSorted((one, other) => one - other);
  const turnMs = { median: turns[Math.floor(turns.length / 2)] ?? 0, least: turns[0] ?? 0 };
  return { turnMs, chain: told.chain_hash, calls: told.usage.calls, wasted: told.usage.wasted_calls };
}

try {
  for (const latencyMs of latencies.length === 0 ? [200, 1000] : latencies) {
    const server = await startFakeServer({ reply, latencyMs, images: 'any' });
    console.log(`a call takes ${latencyMs} ms; ${AGENTS} agents, ${TURNS} turns`);
    for (const isOne of [false, true]) {
      const path = scenario(isOne);
      const [plain, ahead] = [
        await played(path, 'false', server.baseUrl),
        await played(path, 'true', server.baseUrl),
      ];
      const inCalls = (/** @type {{ median: number, least: number }} */ { median, least }) =>
        `${(median / latencyMs).toFixed(2)} calls (least ${(least / latencyMs).toFixed(2)})`;
      console.log(
        `  ${isOne ? 'in one room      ' : 'in rooms of own'}: the median turn takes ${inCalls(plain.turnMs)} in turn, ${inCalls(ahead.turnMs)} ahead;`,
        `${ahead.calls} calls, ${ahead.wasted} in vain; chains ${plain.chain === ahead.chain ? 'equal' : 'DIFFER'}`,
      );
    }
    await server.close();
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

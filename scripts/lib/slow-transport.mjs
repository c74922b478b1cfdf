// A batch of models whose server is a function in this process: so many requests at a time, each answered after a while, always with a wait. The
// rest is as `orchestrate batch` does it.
import { MODULES } from '../../dist/modules/worlds/registry.js';
import { openScenario } from '../../dist/modules/assembly/open.js';
import { LocalExecutor } from '../../dist/modules/batch/executor.js';
import { planOf } from '../../dist/modules/batch/plan.js';
import { playBatch } from '../../dist/modules/batch/play-batch.js';
import { withPlayers } from '../../dist/modules/batch/players.js';
import { Servers } from '../../dist/modules/batch/servers.js';
import { sharedAdmission } from '../../dist/modules/model/rate-limiter.js';
import { systemDependencies } from '../../dist/modules/model/dependencies.js';
import { openNamedScenario, openScenarioFile } from '../../dist/modules/scenario/folder.js';
import { loadBatch } from '../../dist/modules/scenario/load-batch.js';

/** @param {string} path @param {{ out: string, slots: number, latencyMs: number }} options */
export async function playInProcess(path, { out, slots, latencyMs }) {
  const file = openScenarioFile(path);
  const nothing = () => undefined;
  const spec = loadBatch(file, { variables: nothing, env: [] });
  /** @type {import('../../dist/modules/batch/plan.js').OpenSetup} */
  const open = ({ path: below, set, players, maxTurns }, seed) =>
    openScenario(openNamedScenario(file, below), {
      set,
      ...(seed === null ? {} : { seed }),
      change: (scenario) => {
        const turns = { ...scenario.turns, max: maxTurns ?? scenario.turns.max };
        return withPlayers({ ...scenario, turns }, players);
      },
    });
  const { runs } = await planOf(spec, open);
  const system = systemDependencies(nothing);
  const admission = sharedAdmission(spec.limits, system.clock);
  const dependencies = { ...system, admission, transport: slowTransport(slots, latencyMs) };
  const never = new AbortController().signal;
  const servers = new Servers({
    answers: () => Promise.resolve(true),
    clock: system.clock,
    patienceMs: spec.patienceMs,
    onGone: nothing,
    onBack: nothing,
  });
  const { failures } = await playBatch({
    runs,
    folder: out,
    ledger: new Map(),
    parallel: spec.parallel,
    limits: spec.limits,
    executor: new LocalExecutor({
      open: (run) => open(run, run.seed),
      modules: MODULES,
      play: { dependencies },
      onRemark: nothing,
    }),
    servers,
    stop: { soft: never, hard: never },
    onNews: nothing,
  });
  servers.close();
  for (const error of failures.values()) throw error;
}

/** @param {number} slots @param {number} latencyMs @returns {import('../../dist/modules/model/transport.js').Transport} */
function slowTransport(slots, latencyMs) {
  /** @type {{ came: number, answer: () => void }[]} */
  const waiting = [];
  let busy = 0;
  // A slot passes on at the moment when its answer was due, however late the clock is heard.
  const work = (/** @type {number} */ freed) => {
    const next = busy < slots ? waiting.shift() : undefined;
    if (next === undefined) return;
    busy += 1;
    const due = Math.max(next.came, freed) + latencyMs;
    setTimeout(
      () => {
        busy -= 1;
        next.answer();
        work(due);
      },
      Math.ceil(due - performance.now()),
    );
  };
  return {
    send: ({ url }) =>
      new Promise((resolve) => {
        if (!url.endsWith('/chat/completions')) return resolve(answered(url.endsWith('/models') ? LIST : {}));
        waiting.push({ came: performance.now(), answer: () => resolve(answered(WAIT)) });
        work(0);
      }),
    close: () => {},
  };
}

const LIST = { object: 'list', data: [{ id: 'fake-vlm', object: 'model' }] };
const WAIT = {
  object: 'chat.completion',
  model: 'fake-vlm',
  choices: [{ index: 0, message: { role: 'assistant', content: 'ACTION: WAIT' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 1000, completion_tokens: 4, total_tokens: 1004 },
};

/** @param {object} value */
function answered(value) {
  return {
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: Buffer.from(JSON.stringify(value)),
  };
}

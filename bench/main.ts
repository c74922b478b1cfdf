/**
 * `npm run bench` measures on this machine and prints tables for bench/results/performance.md; `npm run bench -- export [FORMAT…]` those of data sets,
 * `npm run bench -- colours [MANIFEST [CELL]]` what frames of another tileset take,
 * `npm run bench -- deflate [TILE [SET…]]` the settings of zlib for frames, `npm run bench -- growth [STEPS]` what a step takes with many agents and
 * in a long run, `npm run bench -- rates` how many steps a second are played, `npm run bench -- client` what a call costs outside the step,
 * `npm run bench -- served` what a served world costs, `npm run bench -- workers` how fast a batch is in two
 * processes, `npm run bench -- queue [RUNS]` what comes of a batch on a queue whose workers are killed, `npm run bench -- scale` what a batch of a million runs would need, by a simulation.
 */
import { clientReport } from './client.js';
import { coloursReport } from './colours.js';
import { crowdReport } from './crowd.js';
import { deflateReport } from './deflate.js';
import { exportReport } from './export.js';
import { queueReport } from './queue.js';
import { ratesReport } from './rates.js';
import { FULL, report } from './report.js';
import { scaleReport } from './scale.js';
import { servedReport } from './served.js';
import { workersReport } from './workers.js';

const SCENARIO = 'scenarios/crypt.yaml';
const [what, ...words] = process.argv.slice(2);

process.stdout.write(await measured());

function measured(): Promise<string> {
  if (what === 'export') return exportReport(SCENARIO, { runs: 96, rounds: 3, only: words });
  if (what === 'rates') return ratesReport(SCENARIO, { warmUp: 25, rounds: 11, runs: 2 });
  if (what === 'client') return clientReport({ calls: 2000, rounds: 5, atOnce: 64 });
  if (what === 'served') return servedReport({ ticks: 30, worlds: 64, turns: 40, idleMs: 20_000 });
  if (what === 'scale') return Promise.resolve(scaleReport());
  if (what === 'queue') return queueReport(SCENARIO, { runs: Number(words[0] ?? 1000), readers: 2 });
  if (what === 'workers') return workersReport(SCENARIO, { runs: 240, rounds: 2 });
  if (what === 'colours') {
    const [manifest = 'assets/tileset.json', cell] = words;
    return coloursReport(SCENARIO, manifest, { cell: cell === undefined ? null : Number(cell), turns: 100 });
  }
  if (what === 'deflate') return deflateReport(SCENARIO, Number(words[0] ?? 32), words.slice(1));
  if (what === 'growth')
    return crowdReport({
      agents: [1, 4, 16, 64, 256],
      warmUp: 2000,
      rounds: 7,
      // Four turns of the largest: after another run's turn its own work lies in no cache.
      stretch: 4 * 257,
      steps: Number(words[0] ?? 20_000),
      young: 10_000,
    });
  return report(SCENARIO, FULL);
}

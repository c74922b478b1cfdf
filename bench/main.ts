/** `npm run bench` measures on this machine and prints tables for docs/PERFORMANCE.md; `npm run bench -- export [FORMAT…]` those of data sets. */
import { exportReport } from './export.js';
import { FULL, report } from './report.js';

const SCENARIO = 'scenarios/crypt.yaml';
const [what, ...only] = process.argv.slice(2);
const text =
  what === 'export'
    ? await exportReport(SCENARIO, { runs: 48, rounds: 3, only })
    : await report(SCENARIO, FULL);
process.stdout.write(text);

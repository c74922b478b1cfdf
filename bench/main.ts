/** `npm run bench`: measures on this machine and prints tables for docs/PERFORMANCE.md. */
import { FULL, report } from './report.js';

process.stdout.write(await report('scenarios/crypt.yaml', FULL));

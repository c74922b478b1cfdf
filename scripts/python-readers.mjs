/** Makes the virtual environment with the Python readers that the tests of `export` open data sets with. Does nothing where it is there. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { PACKAGES, readersFolder, readersPython } from './lib/python-readers.mjs';

const folder = readersFolder();
if (readersPython() === null) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(dirname(folder), { recursive: true });
  run('python3', ['-m', 'venv', folder]);
  run(join(folder, 'bin', 'python'), [
    '-m',
    'pip',
    'install',
    '--quiet',
    '--disable-pip-version-check',
    ...PACKAGES,
  ]);
  // Told apart from one that was broken off.
  writeFileSync(join(folder, 'whole'), '');
}
console.log(`python readers: ${folder}`);

function run(program, words) {
  const { status, error } = spawnSync(program, words, { stdio: ['ignore', 'inherit', 'inherit'] });
  if (status === 0) return;
  console.error(
    `python readers: ${error?.message ?? `${program} ended with ${status}`}; the tests that need them are skipped`,
  );
  process.exit(1);
}

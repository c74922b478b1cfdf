// The fake server as a process of its own, for scripts that measure: ready when this resolves, ended by its `kill`.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/**
 * `words`: its own options. `core`: which one it is pinned to (Linux), undefined for none.
 * @param {readonly (string | number)[]} words @param {string | undefined} core
 */
export async function fakeServerProcess(words, core) {
  const command = [process.execPath, 'tests/fake-server/main.mjs', ...words.map(String), '--quiet'];
  const [program, ...rest] = core === undefined ? command : ['taskset', '-c', core, ...command];
  const child = spawn(program ?? '', rest, { cwd: root });
  await new Promise((resolve) => child.stdout.once('data', resolve));
  return child;
}

// Draws what the documentation shows of the shipped scenarios, with the program itself: the map of each, and what one agent sees first.
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** @param {string[]} args */
function preview(...args) {
  execFileSync(process.execPath, ['dist/cli/main.js', 'preview', ...args], { cwd: root, stdio: 'inherit' });
}

for (const name of [
  'crypt',
  'brass-key',
  'two-keepers',
  'watchman',
  'lever-gate',
  'door-puzzle',
  'lost-ring',
  'high-water',
]) {
  preview(`scenarios/${name}.yaml`, '--out', `docs/pictures/${name}.png`);
}
preview('scenarios/crypt.yaml', '--agent', 'knight', '--out', 'docs/pictures/crypt-knight.png');

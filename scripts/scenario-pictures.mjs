// Draws what the documentation shows of the shipped scenarios, with the program itself: the map of each, and what one agent sees first.
import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** @param {string[]} args */
function preview(...args) {
  execFileSync(process.execPath, ['dist/cli/main.js', 'preview', ...args], { cwd: root, stdio: 'inherit' });
}

/** The last frame of the built-in player's first turns. @param {string} name @param {number} turns @param {string} out */
function lastFrame(name, turns, out) {
  const folder = mkdtempSync(join(tmpdir(), 'pictures-'));
  const options = ['--max-turns', String(turns), '--frames', folder, '--out', join(folder, 'log.sqlite')];
  // A run that is cut short has failed, as it should.
  spawnSync(process.execPath, ['dist/cli/main.js', 'run', `scenarios/${name}.yaml`, ...options], {
    cwd: root,
  });
  const frames = readdirSync(folder).filter((file) => file.endsWith('.png'));
  copyFileSync(join(folder, frames.toSorted().at(-1) ?? ''), join(root, out));
  rmSync(folder, { recursive: true });
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
  'car-repair',
  'two-robots',
]) {
  preview(`scenarios/${name}.yaml`, '--out', `docs/pictures/${name}.png`);
}
preview('scenarios/crypt.yaml', '--agent', 'knight', '--out', 'docs/pictures/crypt-knight.png');
lastFrame('car-repair', 8, 'docs/pictures/car-repair-rivet.png');

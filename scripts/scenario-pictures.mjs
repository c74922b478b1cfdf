// Draws what the documentation shows of the shipped scenarios, with the program itself: the map of each, and what one agent sees first.
import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';

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

/** A film of a run by the built-in players, the map and what each agent sees. @param {string} name @param {number} seed @param {string} out */
function film(name, seed, out) {
  const folder = mkdtempSync(join(tmpdir(), 'pictures-'));
  const log = join(folder, 'log.sqlite');
  const options = ['--seed', String(seed), '--out', log, '--quiet'];
  for (const args of [
    ['run', `scenarios/${name}.yaml`, ...options],
    ['replay', log, '--view', 'all', '--out', out, '--force'],
  ])
    execFileSync(process.execPath, ['dist/cli/main.js', ...args], { cwd: root, stdio: 'inherit' });
  rmSync(folder, { recursive: true });
}

/** What each of the agents sees first, three in a row. @param {string} scenario @param {readonly string[]} agents @param {string} out */
async function frameSheet(scenario, agents, out) {
  const folder = mkdtempSync(join(tmpdir(), 'pictures-'));
  const files = agents.map((agent) => join(folder, `${agent}.png`));
  for (const [i, file] of files.entries())
    preview(scenario, '--agent', agents[i] ?? '', '--set', 'render.tile=32', '--out', file);
  const { width, height } = await sharp(files[0]).metadata();
  const gap = 8;
  const [columns, rows] = [3, Math.ceil(files.length / 3)];
  await sharp({
    create: {
      width: columns * (width + gap) + gap,
      height: rows * (height + gap) + gap,
      channels: 3,
      background: '#ffffff',
    },
  })
    .composite(
      files.map((input, i) => ({
        input,
        left: gap + (i % columns) * (width + gap),
        top: gap + Math.floor(i / columns) * (height + gap),
      })),
    )
    .png({ compressionLevel: 9, palette: true })
    .toFile(join(root, out));
  rmSync(folder, { recursive: true });
}

for (const name of [
  'crypt',
  'brass-key',
  'two-keepers',
  'watchman',
  'lever-gate',
  'one-glance',
  'door-puzzle',
  'three-keys',
  'lost-ring',
  'high-water',
  'berries',
  'car-repair',
  'two-robots',
]) {
  preview(`scenarios/${name}.yaml`, '--out', `docs/pictures/${name}.png`);
}
preview('scenarios/crypt.yaml', '--agent', 'knight', '--out', 'docs/pictures/crypt-knight.png');
film('two-keepers', 3, 'docs/pictures/two-keepers.gif');
lastFrame('car-repair', 8, 'docs/pictures/car-repair-rivet.png');
await frameSheet(
  'scripts/lib/shared-tiles.yaml',
  ['knight', 'wizard', 'rogue', 'monk', 'bard'],
  'docs/pictures/shared-tiles.png',
);

/**
 * `npm run bench -- colours [MANIFEST [CELL]]`: what a frame takes to draw and to encode with another tileset, for those of more than 256 colours. The
 * scenes are those that the agents of a scenario see at the beginning and while they wander; `first` is the
 * first time that each is drawn, with all tiles that were not seen before.
 */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pick, stream } from '../src/base/rng.js';
import type { Scene } from '../src/environment/scene.js';
import { drawFrame } from '../src/render/draw.js';
import { imageNames } from '../src/render/manifest.js';
import { encodePng, fileSize } from '../src/render/png.js';
import { loadTileset } from '../src/render/tileset.js';
import type { Tileset } from '../src/render/tileset.js';
import { median, microseconds, table } from './figures.js';
import { setUp } from './set-up.js';

/** As text; `cell` is the pixels of a tile's side in the file, the art's own where it is null. */
export async function coloursReport(
  scenario: string,
  manifest: string,
  { cell, turns }: { readonly cell: number | null; readonly turns: number },
): Promise<string> {
  const tileset = await tilesetAt(manifest);
  const scenes = await scenesOf(scenario, turns);
  const pixels = cell ?? tileset.art;
  const draw: number[] = [];
  const encode: number[] = [];
  const both: number[] = [];
  const first: number[] = [];
  const bytes: number[] = [];
  // The first round warms up, makes the tiles' composites and spells them out.
  for (const isCounted of [false, true, true, true])
    for (const scene of scenes) {
      const began = processorUs();
      const frame = drawFrame(scene, tileset, { cell: pixels, ruler: false });
      const drawn = processorUs();
      const png = encodePng(frame);
      const ended = processorUs();
      if (!isCounted) {
        first.push(ended - began);
        continue;
      }
      draw.push(drawn - began);
      encode.push(ended - drawn);
      both.push(ended - began);
      bytes.push(png.length);
    }
  const rows = Object.entries({ draw, encode, both, first, bytes }).map(([name, values]) => [
    name,
    ...[0.1, 0.5, 0.95].map((share) => microseconds(median(values, share))),
  ]);
  const [scene] = scenes;
  const size =
    scene === undefined ? null : fileSize(drawFrame(scene, tileset, { cell: pixels, ruler: false }));
  const about = `${tileset.colours.palette.size} colours, frames of ${size?.width} × ${size?.height} pixels, ${scenes.length} different views of ${scenario}.`;
  return `${table(['', 'p10', 'median', 'p95'], rows)}\n\nMicroseconds of processor time, bytes. ${about}\n`;
}

/** Processor time of this process, which other work on the machine does not stretch. */
export function processorUs(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}

export async function tilesetAt(path: string): Promise<Tileset> {
  const manifest = readFileSync(path, 'utf8');
  const images = imageNames(manifest).map((name) => [name, readFileSync(join(dirname(path), name))]);
  return loadTileset({ manifest, images: Object.fromEntries(images) }, path);
}

/** What the agents see while they take one of the ways that are open, by lot. */
export async function scenesOf(
  path: string,
  turns: number,
  set: readonly string[] = [],
): Promise<readonly Scene[]> {
  const { environment: world } = await setUp(path, '1', undefined, set);
  let state = world.create('1');
  let rng = stream('1', 'bench');
  const scenes = new Map<string, Scene>();
  for (let turn = 0; turn < turns; turn++) {
    for (const agent of world.agents) {
      const { offered, scene } = world.observe(state, agent);
      if (scene !== null) scenes.set(JSON.stringify(scene), scene);
      const ways = offered.find(({ action }) => action === 'GO')?.slots['direction'] ?? [];
      if (ways.length === 0) continue;
      const drawn = pick(rng, ways);
      rng = drawn.state;
      const intent = { agent, action: 'GO', args: { direction: drawn.value } };
      state = world.advance(state, [intent]).state;
    }
    state = world.endTurn(state).state;
  }
  return [...scenes.values()];
}

/**
 * Times of drawing and encoding one default frame, for `npm run bench`: medians over many different frames, since equal ones
 * would flatter every cache. The scenes are windows of 15 × 15 tiles on rooms without end, part lit, part remembered.
 */
import { createHash } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { REMEMBERED, UNKNOWN, VISIBLE, type Scene, type Visibility } from '../src/environment/scene.js';
import { drawFrame } from '../src/render/draw.js';
import { encodePng } from '../src/render/png.js';
import { loadTileset, type TilesetSource } from '../src/render/tileset.js';

export interface RenderTimes {
  /** Microseconds, median. */
  readonly drawUs: number;
  readonly encodeUs: number;
  /** Mean size of the PNG. */
  readonly bytes: number;
  readonly frames: number;
}

const SIDE = 15;
const FRAMES = 64;

export async function benchRender(source: TilesetSource, rounds = 12): Promise<RenderTimes> {
  const tileset = await loadTileset(source);
  const options = { cell: 32, ruler: false } as const;
  const scenes = Array.from({ length: FRAMES }, (_, i) => sceneAt(i * 3, i * 2));
  const draws: number[] = [];
  const encodes: number[] = [];
  let bytes = 0;
  for (let round = 0; round <= rounds; round++)
    for (const scene of scenes) {
      const start = performance.now();
      const frame = drawFrame(scene, tileset, options);
      const middle = performance.now();
      bytes += encodePng(frame).length;
      // The first round warms up.
      if (round === 0) continue;
      encodes.push(performance.now() - middle);
      draws.push(middle - start);
    }
  const frames = draws.length;
  return {
    drawUs: medianUs(draws),
    encodeUs: medianUs(encodes),
    bytes: Math.round(bytes / (frames + FRAMES)),
    frames,
  };
}

function medianUs(milliseconds: readonly number[]): number {
  const sorted = milliseconds.toSorted((a, b) => a - b);
  return Math.round((sorted[Math.floor(sorted.length / 2)] ?? 0) * 1000);
}

/** A window with its top left corner at a place of the world. */
function sceneAt(x: number, y: number): Scene {
  const cells = Array.from({ length: SIDE * SIDE }, (_, i) => ({ x: i % SIDE, y: Math.floor(i / SIDE) }));
  const visibility = cells.map((cell): Visibility => {
    const far = Math.hypot(cell.x - 7, cell.y - 7) + (noise(x + cell.x, y + cell.y, 'fog') % 3);
    return far < 7 ? VISIBLE : far < 9 ? REMEMBERED : UNKNOWN;
  });
  const ground = cells.map((cell, i) => (visibility[i] === UNKNOWN ? -1 : kindAt(x + cell.x, y + cell.y)));
  const sprites = ['item/key-brass', 'figure/knight', 'figure/rat', 'furniture/barrel', 'item/scroll'];
  const things = cells
    .filter((cell, i) => visibility[i] === VISIBLE && noise(x + cell.x, y + cell.y, 'thing') % 12 === 0)
    .map((cell, i) => {
      const sprite = sprites[i % sprites.length] ?? '';
      const layer = sprite.startsWith('figure/') ? 1 : 0;
      return { ...cell, id: `thing-${i}`, name: sprite, sprite, layer };
    });
  const legend = ['floor', 'wall', 'water'];
  return { width: SIDE, height: SIDE, origin: { x, y }, legend, ground, visibility, things, marks: [] };
}

/** Rooms of 8 × 6 tiles with gaps in their walls, some of them with a pool. */
function kindAt(x: number, y: number): number {
  const [column, row] = [x % 9, y % 7];
  if (column === 0 || row === 0) return column === 4 || row === 3 ? 0 : 1;
  const hasPool = noise(Math.floor(x / 9), Math.floor(y / 7), 'pool') % 4 === 0;
  return hasPool && column > 3 && column < 7 && row > 2 && row < 5 ? 2 : 0;
}

function noise(x: number, y: number, salt: string): number {
  return createHash('sha256').update(`${salt} ${x} ${y}`).digest().readUInt32LE(0);
}

/**
 * Every tile of a tileset, enlarged, clear and as remembered, with its name: for whoever draws or chooses art, and for the docs.
 * Tiles that can be seen through lie on the floor, as they would in a scene.
 */
import { createCanvas, type SKRSContext2D } from '@napi-rs/canvas';
import { LIMITS } from '../base/limits.js';
import { REMEMBERED, VISIBLE } from '../environment/scene.js';
import { GROUND, paint, png, setPixel, writeLine } from './canvas.js';
import { EMPTY } from './composites.js';
import type { DrawCell } from './draw-list.js';
import { drawTiles } from './draw.js';
import type { Tileset } from './tileset.js';

const GAP = 8;
const TEXT = 12;
const NAME_PIXELS = 150;

/** A PNG; tiles beyond what LIMITS.previewSidePixels has room for are left out. */
export function contactSheet(tileset: Tileset): Uint8Array {
  const zoom = Math.max(1, Math.floor(48 / tileset.art));
  const tile = tileset.art * zoom;
  const width = Math.max(NAME_PIXELS, 2 * tile + GAP) + GAP;
  const height = tile + TEXT + GAP;
  const columns = Math.max(1, Math.floor(1280 / width));
  const rows = Math.min(
    Math.ceil(tileset.names.length / columns),
    Math.floor(LIMITS.previewSidePixels / height),
  );
  const canvas = createCanvas(columns * width + GAP, rows * height + GAP);
  const context = canvas.getContext('2d');
  paint(context, GROUND, { x: 0, y: 0, width: canvas.width, height: canvas.height });
  for (const [i, name] of tileset.names.slice(0, rows * columns).entries()) {
    const left = GAP + (i % columns) * width;
    const top = GAP + Math.floor(i / columns) * height;
    drawTile(context, tileset, { tile: i, left, top, zoom });
    if (tileset.font !== null)
      writeLine(context, tileset.font, { text: name.slice(0, 25), left, top: top + tile + 2, zoom: 1 });
  }
  return png(canvas);
}

interface Spot {
  readonly tile: number;
  readonly left: number;
  readonly top: number;
  readonly zoom: number;
}

function drawTile(context: SKRSContext2D, tileset: Tileset, { tile, left, top, zoom }: Spot): void {
  const floor = tileset.look('floor').variants[0] ?? EMPTY;
  const tiles = [floor, tile];
  const cells: readonly DrawCell[] = [
    { tiles, visibility: VISIBLE },
    { tiles, visibility: REMEMBERED },
  ];
  const raster = drawTiles({ columns: 2, rows: 1, cells }, tileset, { firstRow: 0, rows: 1, margin: 0 });
  const side = tileset.art * zoom;
  for (const half of [0, 1]) {
    const image = context.createImageData(side, side);
    for (let i = 0; i < side * side; i++) {
      const x = half * tileset.art + Math.floor((i % side) / zoom);
      const y = Math.floor(i / side / zoom);
      setPixel(image.data, i, tileset.colours, raster.indices[y * raster.width + x] ?? 0);
    }
    context.putImageData(image, left + half * (side + GAP), top);
  }
}

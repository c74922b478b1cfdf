/**
 * A whole map as a picture for people: coordinates, names of rooms, ids of things, a title. The tiles are
 * drawn as in a frame and then put on a canvas, which adds a border and labels; none of this is done per step
 * or hashed. `draw.ts` draws an agent's frame.
 */
import { createCanvas, type SKRSContext2D } from '@napi-rs/canvas';
import { LIMITS } from '../base/limits.js';
import type { Scene } from '../environment/scene.js';
import type { Point } from '../environment/space.js';
import { drawList } from './draw-list.js';
import { drawTiles } from './raster.js';
import { PAPER, INK } from './palette.js';
import { textWidth, type Raster, writeText, type TextBox } from './text.js';
import type { Tileset } from './tileset.js';
import type { RgbColour } from './manifest.js';

// For people: plain boxes and bitmap text on a canvas. The text uses the tileset's own
// font, because a canvas would use any font of the machine and blur its edges.

/** The colour around maps and tiles. */
const GROUND: RgbColour = [29, 26, 38];

function paint(context: SKRSContext2D, [r, g, b]: RgbColour, box: TextBox): void {
  context.fillStyle = `rgb(${r},${g},${b})`;
  context.fillRect(box.x, box.y, box.width, box.height);
}

export interface PreviewLabel extends Point {
  /** Text centred over the tile (window coordinates, as for things). */
  text: string;
}

export interface PreviewDrawing {
  /** '' for none. */
  title: string;
  /** Names of rooms: large, centred over the tile. */
  rooms: readonly PreviewLabel[];
  /** Ids of things and bodies: small, under the tile. */
  ids: readonly PreviewLabel[];
}

const TITLE_PIXELS = 28;
const TILE_PIXELS_MAX = 32;

/**
 * A PNG of the whole scene; tiles are smaller on larger maps, so that no side exceeds
 * LIMITS.previewSidePixels.
 */
export function previewMap(scene: Scene, tileset: Tileset, options: PreviewDrawing): Uint8Array {
  const margin = 24;
  const top = margin + (options.title === '' ? 0 : TITLE_PIXELS);
  const available = LIMITS.previewSidePixels - margin - top;
  const cell = Math.min(
    TILE_PIXELS_MAX,
    Math.max(1, Math.floor(available / Math.max(scene.width, scene.height))),
  );
  const canvas = createCanvas(scene.width * cell + 2 * margin, scene.height * cell + top + margin);
  const context = canvas.getContext('2d');
  paint(context, GROUND, { x: 0, y: 0, width: canvas.width, height: canvas.height });
  drawMap(context, scene, tileset, { left: margin, top, cell });
  const pen = { context, tileset, left: margin, top, cell };
  if (options.title !== '')
    writeCentred(pen, options.title, { x: canvas.width / 2, y: margin / 2 + TITLE_PIXELS / 2, zoom: 2 });
  drawCoordinates(pen, scene);
  if (cell >= 16) for (const label of options.ids) writeOver(pen, label, { zoom: 1, shift: 0.9 });
  for (const label of options.rooms) writeOver(pen, label, { zoom: cell >= 16 ? 2 : 1, shift: 0.5 });
  return new Uint8Array(canvas.toBuffer('image/png'));
}

interface PreviewPen {
  context: SKRSContext2D;
  tileset: Tileset;
  left: number;
  top: number;
  /** Pixels of a tile. */
  cell: number;
}

/**
 * Drawn one row of tiles at a time, so that a map of a million tiles is never in memory at full resolution.
 */
function drawMap(
  context: SKRSContext2D,
  scene: Scene,
  tileset: Tileset,
  { left, top, cell }: Pick<PreviewPen, 'left' | 'top' | 'cell'>,
): void {
  const list = drawList(scene, tileset);
  const strip = context.createImageData(scene.width * cell, cell);
  for (let row = 0; row < scene.height; row++) {
    const raster = drawTiles(list, tileset, { firstRow: row, rows: 1, margin: 0 });
    scaleStrip(raster, tileset, cell, strip.data);
    context.putImageData(strip, left, top + row * cell);
  }
}

function scaleStrip(raster: Raster, tileset: Tileset, cell: number, out: Uint8ClampedArray): void {
  const { rgb } = tileset.colours.palette;
  const width = (raster.width / tileset.art) * cell;
  for (let y = 0; y < cell; y++)
    for (let x = 0; x < width; x++) {
      const column = Math.floor(x / cell) * tileset.art + Math.floor(((x % cell) * tileset.art) / cell);
      const line = Math.floor((y * tileset.art) / cell);
      const index = raster.indices[line * raster.width + column] ?? 0;
      const pixel = (y * width + x) * 4;
      out[pixel] = rgb[index * 3] ?? 0;
      out[pixel + 1] = rgb[index * 3 + 1] ?? 0;
      out[pixel + 2] = rgb[index * 3 + 2] ?? 0;
      out[pixel + 3] = 255;
    }
}

/** The column and row of every tile if there is room, otherwise of every fifth, tenth … */
function drawCoordinates(pen: PreviewPen, scene: Scene): void {
  const step = [1, 5, 10, 50, 100].find((each) => each * pen.cell >= 24) ?? 100;
  const right = pen.left + scene.width * pen.cell;
  const bottom = pen.top + scene.height * pen.cell;
  for (let x = 0; x < scene.width; x++) {
    if ((scene.origin.x + x) % step !== 0) continue;
    const middle = pen.left + (x + 0.5) * pen.cell;
    writeCentred(pen, String(scene.origin.x + x), { x: middle, y: pen.top - 10, zoom: 1 });
    writeCentred(pen, String(scene.origin.x + x), { x: middle, y: bottom + 10, zoom: 1 });
  }
  for (let y = 0; y < scene.height; y++) {
    if ((scene.origin.y + y) % step !== 0) continue;
    const middle = pen.top + (y + 0.5) * pen.cell;
    writeCentred(pen, String(scene.origin.y + y), { x: pen.left - 12, y: middle, zoom: 1 });
    writeCentred(pen, String(scene.origin.y + y), { x: right + 12, y: middle, zoom: 1 });
  }
}

function writeOver(
  pen: PreviewPen,
  label: PreviewLabel,
  { zoom, shift }: { zoom: number; shift: number },
): void {
  const x = pen.left + (label.x + 0.5) * pen.cell;
  const y = pen.top + (label.y + shift) * pen.cell;
  writeCentred(pen, label.text, { x, y, zoom, isBoxed: true });
}

/** One line centred at x, y; nothing if the tileset has no font. */
function writeCentred(
  pen: PreviewPen,
  text: string,
  at: { x: number; y: number; zoom: number; isBoxed?: boolean },
): void {
  const { font } = pen.tileset;
  if (font === null) return;
  const width = textWidth(font, text, at.zoom);
  const height = font.height * at.zoom;
  const left = Math.round(Math.max(2, Math.min(pen.context.canvas.width - width - 2, at.x - width / 2)));
  const top = Math.round(at.y - height / 2);
  if (at.isBoxed) {
    pen.context.globalAlpha = 0.75;
    paint(pen.context, PAPER, { x: left - 2, y: top - 2, width: width + 4, height: height + 2 });
    pen.context.globalAlpha = 1;
  }
  const inkWidth = textWidth(font, text, 1);
  const raster = { width: inkWidth, height: font.height, indices: new Uint8Array(inkWidth * font.height) };
  writeText(raster, font, { x: 0, y: 0, text, colour: 1, zoom: 1 });
  for (const [i, ink] of raster.indices.entries()) {
    if (ink === 0) continue;
    const [x, y] = [left + (i % inkWidth) * at.zoom, top + Math.floor(i / inkWidth) * at.zoom];
    paint(pen.context, INK, { x, y, width: at.zoom, height: at.zoom });
  }
}

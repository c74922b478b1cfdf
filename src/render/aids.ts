/**
 * Optional aids drawn over a frame, each a switch of the scenario: marks, which the text repeats, and a ruler
 * with the world's coordinates in a separate margin. They are never dimmed, and use the bitmap font.
 */
import type { Scene } from '../environment/scene.js';
import { fillRect, fittingFont, textWidth, writeText, type Raster } from './text.js';
import type { Tileset } from './tileset.js';

/** Whole pixels per font pixel: one for art of 8 … 31 pixels, two from 32 on. */
function zoomOf(tileset: Tileset): number {
  return Math.max(1, Math.floor(tileset.art / 16));
}

/** The marks of one tile use its corners in this order, so that several can be read. */
const CORNERS = [
  [0, 0],
  [1, 0],
  [0, 1],
  [1, 1],
] as const;

/** `margin`: tiles left free at the top and the left. */
export function drawMarks(raster: Raster, scene: Scene, tileset: Tileset, margin: number): void {
  const used = new Map<number, number>();
  const zoom = zoomOf(tileset);
  for (const mark of scene.marks) {
    if (mark.x < 0 || mark.y < 0 || mark.x >= scene.width || mark.y >= scene.height) continue;
    const cell = mark.y * scene.width + mark.x;
    const count = used.get(cell) ?? 0;
    used.set(cell, count + 1);
    const corner = CORNERS[count % CORNERS.length] ?? CORNERS[0];
    const [left, top] = [(mark.x + margin) * tileset.art, (mark.y + margin) * tileset.art];
    // Dark text on a light box, kept inside the frame if the text is wider than the tile. If there is no room
    // for the tileset's font, numbers use the small digits, so that the thing under the mark stays visible.
    const font = fittingFont(tileset.font, [mark.text], 0);
    const width = textWidth(font, mark.text, zoom) + 2 * zoom;
    // The lowest row of a tall font is for descenders, which labels don't have.
    const height = (font.height > 5 ? font.height + 1 : font.height + 2) * zoom;
    const x = Math.max(0, Math.min(raster.width - width, left + corner[0] * (tileset.art - width)));
    const y = top + corner[1] * (tileset.art - height);
    fillRect(raster, { x, y, width, height }, tileset.colours.ink);
    writeText(raster, font, {
      x: x + zoom,
      y: y + zoom,
      text: mark.text,
      colour: tileset.colours.paper,
      zoom,
    });
  }
}

/** Needs a margin of one tile at the top and the left. */
export function drawRuler(raster: Raster, scene: Scene, tileset: Tileset): void {
  const { art, colours } = tileset;
  fillRect(raster, { x: 0, y: 0, width: raster.width, height: art }, colours.paper);
  fillRect(raster, { x: 0, y: 0, width: art, height: raster.height }, colours.paper);
  const columns = Array.from({ length: scene.width }, (_, x) => String(scene.origin.x + x));
  const rows = Array.from({ length: scene.height }, (_, y) => String(scene.origin.y + y));
  const zoom = zoomOf(tileset);
  const font = fittingFont(tileset.font, [...columns, ...rows], Math.floor(art / zoom));
  const widest = Math.max(...[...columns, ...rows].map((text) => textWidth(font, text, zoom)));
  // If numbers are wider than a tile, only every second, third … column is labelled.
  const interval = Math.max(1, Math.ceil((widest + 1) / art));
  const write = (text: string, column: number, row: number) => {
    const x = column * art + Math.floor((art - textWidth(font, text, zoom)) / 2);
    const y = row * art + Math.floor((art - font.height * zoom) / 2);
    writeText(raster, font, { x, y, text, colour: colours.ink, zoom });
  };
  for (const [i, text] of columns.entries()) if ((scene.origin.x + i) % interval === 0) write(text, i + 1, 0);
  for (const [i, text] of rows.entries()) write(text, 0, i + 1);
}

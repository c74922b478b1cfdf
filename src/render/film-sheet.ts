/**
 * One picture of a film: maps and windows side by side, each under its title, speech in bubbles over them,
 * and lines of text below. Everything is drawn with palette indices and whole pixels, like frames, so a film
 * looks the same on every machine. It is for people: nothing of it is hashed or sent.
 */
import { LIMITS } from '../base/limits.js';
import type { Scene } from '../environment/scene.js';
import { drawBubble } from './bubble.js';
import type { Bubble } from './bubble.js';
import { drawList } from './draw-list.js';
import { newIndices } from './palette.js';
import { drawTiles } from './raster.js';
import { cutWords, wrapWords } from './film-words.js';
import { textWidth, writeText } from './text.js';
import type { TextBox, Raster } from './text.js';
import type { Tileset } from './tileset.js';

export interface Panel {
  title: string;
  scene: Scene;
  bubbles: readonly Bubble[];
}

interface SheetSize {
  width: number;
  height: number;
}

/** The layout; the same for all pictures of a film. */
export interface SheetPlan extends SheetSize {
  /** Pixels; `cell` is a tile's side. */
  panels: readonly (TextBox & { cell: number })[];
  /** Whole pixels per font pixel, for captions; titles and bubbles use fewer in small panels. */
  zoom: number;
  captionTop: number;
  captionLines: number;
}

/** The default size of frames. */
const CELL_MAX = 32;
const GAP = 8;
const LINE_HEIGHT = 9;
/** Room for a panel's name, in the larger of its two sizes. */
const TITLE_HEIGHT = 2 * LINE_HEIGHT;
/** The maximum height of a panel whose tiles can be made smaller. */
const PANELS_HEIGHT_MAX = 900;

/** Scenes of these sizes, in tiles. Each has at least one pixel per tile, whatever the space. */
export function planSheet(
  scenes: readonly { width: number; height: number }[],
  captionLines: number,
  art: number,
): SheetPlan {
  const choices = scenes.map((_, i) => arrangePanels(scenes, i + 1, art));
  const best = choices.reduce((one, other) => (other.area > one.area ? other : one));
  const zoom = zoomFor(best.width);
  const captionTop = best.height;
  const height = captionTop + captionLines * LINE_HEIGHT * zoom + (captionLines === 0 ? 0 : GAP);
  return {
    panels: best.panels,
    zoom,
    captionTop,
    captionLines,
    width: even(best.width),
    height: even(height),
  };
}

/** Film formats require even sides. */
function even(side: number): number {
  return side + (side % 2);
}

interface SheetArrangement extends SheetSize {
  panels: SheetPlan['panels'];
  /** The number of pixels of all scenes: the more, the better they are visible. */
  area: number;
}

/**
 * In the given number of columns; each column is as wide as its widest panel, each row as high as its
 * highest.
 */
function arrangePanels(scenes: readonly SheetSize[], columns: number, art: number): SheetArrangement {
  const rows = Math.ceil(scenes.length / columns);
  const available = {
    width: Math.floor((LIMITS.filmSidePixels - GAP) / columns) - GAP,
    height: Math.floor((PANELS_HEIGHT_MAX - GAP) / rows) - GAP - TITLE_HEIGHT,
  };
  const sizes = scenes.map(({ width, height }) => {
    const cell = cellSize(Math.min(available.width / width, available.height / height), art);
    return { width: width * cell, height: height * cell, cell };
  });
  const widths = trackSizes(sizes, columns, (i) => i % columns, 'width');
  const heights = trackSizes(sizes, rows, (i) => Math.floor(i / columns), 'height');
  const panels = sizes.map((size, i) => {
    const [column, row] = [i % columns, Math.floor(i / columns)];
    const left = GAP + sum(widths.slice(0, column)) + column * GAP;
    const top = GAP + TITLE_HEIGHT + sum(heights.slice(0, row)) + row * (GAP + TITLE_HEIGHT);
    return { ...size, x: left + Math.floor(((widths[column] ?? 0) - size.width) / 2), y: top };
  });
  return {
    panels,
    area: sum(sizes.map(({ width, height }) => width * height)),
    width: sum(widths) + (columns + 1) * GAP,
    height: sum(heights) + rows * (GAP + TITLE_HEIGHT) + GAP,
  };
}

/** The largest size of any panel in a column or row. */
function trackSizes(
  sizes: readonly SheetSize[],
  count: number,
  trackOf: (i: number) => number,
  side: keyof SheetSize,
): readonly number[] {
  return Array.from({ length: count }, (_, track) =>
    Math.max(0, ...sizes.filter((__, i) => trackOf(i) === track).map((size) => size[side])),
  );
}

function sum(list: readonly number[]): number {
  return list.reduce((total, one) => total + one, 0);
}

/** A whole multiple of the art's size if there is room for it. */
function cellSize(available: number, art: number): number {
  const cell = Math.max(1, Math.min(CELL_MAX, Math.floor(available)));
  return cell >= art ? cell - (cell % art) : cell;
}

function zoomFor(pixels: number): number {
  return pixels >= 400 ? 2 : 1;
}

/** `panels` has the same number and sizes as in the plan; captions beyond the plan's lines are left out. */
export function drawSheet(
  plan: SheetPlan,
  { panels, captions }: { panels: readonly Panel[]; captions: readonly string[] },
  tileset: Tileset,
): Raster {
  const { width, height } = plan;
  const raster = { indices: newIndices(tileset.colours.palette, width * height), width, height };
  raster.indices.fill(tileset.colours.paper);
  panels.forEach((panel, i) => {
    const box = plan.panels[i];
    if (box !== undefined) drawPanel(raster, box, { panel, tileset });
  });
  const { font } = tileset;
  if (font === null) return raster;
  const columns = Math.floor((width - 2 * GAP) / (font.width * plan.zoom));
  const lines = captionsIn(captions, columns, plan.captionLines);
  for (const [i, text] of lines.entries())
    writeText(raster, font, {
      x: GAP,
      y: plan.captionTop + i * LINE_HEIGHT * plan.zoom,
      text,
      colour: tileset.colours.ink,
      zoom: plan.zoom,
    });
  return raster;
}

/** One line for each caption; the remaining lines go to captions that are too long, the first ones first. */
export function captionsIn(captions: readonly string[], columns: number, lines: number): readonly string[] {
  const shown = captions.slice(0, lines);
  let spareLines = lines - shown.length;
  return shown.flatMap((caption) => {
    const wrapped = wrapWords(caption, Math.max(1, columns), 1 + spareLines);
    spareLines -= wrapped.length - 1;
    return wrapped;
  });
}

function drawPanel(
  raster: Raster,
  box: SheetPlan['panels'][number],
  { panel, tileset }: { panel: Panel; tileset: Tileset },
): void {
  drawScene(raster, box, { scene: panel.scene, tileset });
  const { font, colours } = tileset;
  if (font === null) return;
  const zoom = zoomFor(box.width);
  const text = cutWords(panel.title, Math.floor(box.width / (font.width * zoom)));
  const x = box.x + Math.floor((box.width - textWidth(font, text, zoom)) / 2);
  writeText(raster, font, { x, y: box.y - LINE_HEIGHT * zoom, text, colour: colours.ink, zoom });
  let floor = box.y + box.height;
  for (const bubble of panel.bubbles)
    floor = drawBubble(raster, { bubble, within: box, cell: box.cell, zoom, floor }, tileset);
}

/** Row by row of tiles, each tile scaled by source = floor(i · art / cell). */
function drawScene(
  raster: Raster,
  { x, y, width, cell }: SheetPlan['panels'][number],
  { scene, tileset }: { scene: Scene; tileset: Tileset },
): void {
  const list = drawList(scene, tileset);
  const { art } = tileset;
  const source = (i: number) => Math.floor(i / cell) * art + Math.floor(((i % cell) * art) / cell);
  const columns = Uint32Array.from({ length: width }, (_, i) => source(i));
  for (let row = 0; row < scene.height; row++) {
    const strip = drawTiles(list, tileset, { firstRow: row, rows: 1, margin: 0 });
    for (let line = 0; line < cell; line++) {
      const from = Math.floor((line * art) / cell) * strip.width;
      const to = (y + row * cell + line) * raster.width + x;
      for (let i = 0; i < width; i++) raster.indices[to + i] = strip.indices[from + (columns[i] ?? 0)] ?? 0;
    }
  }
}

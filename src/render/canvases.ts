/**
 * The bytes that a frame's hash covers, laid out for hashing in memory that is used again: whoever acts by turns sees most of what it saw before, so
 * of a tileset a few frames stay where they were laid, and the next one is laid over the one that it has most tiles in common with. What lies
 * there never leaves this folder: a frame's own indices are made when they are asked for (`draw.ts`).
 */
import { asWords, type Composites, type Pixels } from './composites.js';
import type { Frame } from './frame.js';
import { layCells } from './raster.js';

/** A frame that shows its tiles and nothing else. */
export type TiledFrame = Pick<Frame, 'width' | 'height' | 'art' | 'palette' | 'tiles'>;

interface Canvas {
  /** Told apart by this: frames that begin alike are of one size. */
  readonly head: string;
  /** The head, the palette, the indices. */
  readonly bytes: Uint8Array;
  /** The indices. */
  readonly words: Pixels;
  /** What lies there, row by row. */
  readonly laid: (Pixels | undefined)[];
}

/** About one for each agent; of large frames fewer. */
const CANVASES_MAX = 4;
const BYTES_MAX = 2 ** 20;
const kept = new WeakMap<Composites, Canvas[]>();

/** Head, palette and indices one after the other, valid until the next frame is laid out. For palettes of up to 256 colours. */
export function laidOut(head: string, frame: TiledFrame): Uint8Array {
  const { cells, composites } = frame.tiles;
  const canvases = kept.get(composites) ?? [];
  kept.set(composites, canvases);
  const canvas = canvasFor(canvases, head, frame);
  layCells({ words: canvas.words, columns: frame.width / frame.art, art: frame.art }, cells, canvas.laid);
  return canvas.bytes;
}

/** The one to lay the frame on, which is the first of the list from then on. */
function canvasFor(canvases: Canvas[], head: string, frame: TiledFrame): Canvas {
  const { cells } = frame.tiles;
  let [best, most] = [-1, -1];
  for (const [i, canvas] of canvases.entries()) {
    const alike = canvas.head === head ? inCommon(canvas.laid, cells) : -1;
    if (alike > most) [best, most] = [i, alike];
  }
  const room = Math.min(CANVASES_MAX, 1 + Math.floor(BYTES_MAX / (frame.width * frame.height)));
  const isNew = best < 0 || (2 * most < cells.length && canvases.length < room);
  const canvas = (isNew ? undefined : canvases.splice(best, 1)[0]) ?? newCanvas(head, frame);
  canvases.unshift(canvas);
  canvases.splice(room);
  return canvas;
}

function inCommon(laid: readonly unknown[], cells: readonly unknown[]): number {
  let count = 0;
  for (let i = 0; i < cells.length; i++) if (laid[i] === cells[i]) count++;
  return count;
}

function newCanvas(head: string, { width, height, art, palette }: TiledFrame): Canvas {
  const text = Buffer.from(head);
  const before = text.length + palette.rgb.length;
  // Words begin at every fourth byte of memory.
  const start = Math.ceil(before / 4) * 4;
  const memory = new Uint8Array(start + width * height);
  const bytes = memory.subarray(start - before);
  bytes.set(text);
  bytes.set(palette.rgb, text.length);
  return { head, bytes, words: asWords(memory.subarray(start), art), laid: [] };
}

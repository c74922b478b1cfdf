/**
 * All colours that a tileset's frames can have, computed once: the tiles' own, each of them in shadow, and
 * each of those remembered. Shadow and memory are then tables from index to index, computed with integer
 * arithmetic, so a frame's pixels are the same on every machine. A shadow on a shadow is not darker, because
 * there is only one light.
 */
import { LIMITS } from '../base/limits.js';
import { UsageError } from '../base/errors.js';
import type { Manifest, RgbColour } from './manifest.js';
import type { RgbaImage } from './png-input.js';

/** A pixel of a tile through which the pixel below is visible. */
export const CLEAR = 0xffff_ffff;
/** A pixel of a tile that darkens the pixel below. */
export const SHADE = 0xffff_fffe;

/**
 * The program's own colours, for any tileset: text and its background, and the tile that stands for a missing
 * one.
 */
export const INK: RgbColour = [255, 251, 232];
export const PAPER: RgbColour = [16, 12, 26];
const ALARM: RgbColour = [255, 0, 204];

export interface Palette {
  /** RGB triplets, 3 bytes per colour. */
  rgb: Uint8Array;
  size: number;
}

/** Palette indices, in the narrowest type that holds all of a palette. */
export type Indices = Uint8Array | Uint16Array | Uint32Array;

export function newIndices({ size }: Palette, length: number): Indices {
  if (size <= 0x100) return new Uint8Array(length);
  return size <= 0x1_0000 ? new Uint16Array(length) : new Uint32Array(length);
}

export interface Colours {
  palette: Palette;
  /** Maps an index to the index of the same colour in shadow. */
  shaded: Uint32Array;
  /** Maps an index to the index of the same colour when remembered. */
  remembered: Uint32Array;
  unknown: number;
  ink: number;
  paper: number;
  alarm: number;
}

/** Tiles as pixels that are palette indices, CLEAR or SHADE, in the order of `cells`. */
export interface IndexedTiles {
  colours: Colours;
  tiles: readonly Uint32Array[];
}

/**
 * `cells` are positions in the image, counted row by row in tiles. Throws UsageError if there are too many
 * colours.
 */
export function indexTiles(image: RgbaImage, manifest: Manifest, cells: readonly number[]): IndexedTiles {
  const list = colourList();
  const unknown = list.add(manifest.fog.unknown);
  const [ink, paper, alarm] = [list.add(INK), list.add(PAPER), list.add(ALARM)];
  const programColours = list.size();
  const tiles = cells.map((cell) => {
    const tile = readTile(image, manifest, cell, list);
    // Checked tile by tile, because a photograph has millions of colours.
    if (list.size() - programColours > LIMITS.tilesetColours)
      throw new UsageError(`the tileset ${manifest.name} has more than ${LIMITS.tilesetColours} colours`, [
        'reduce the image to a palette (editors call it "indexed colours") without dithering',
      ]);
    return tile;
  });
  const litCount = list.size();
  const shadeTable = tableOf(list, litCount, (rgb) => shadowedColour(rgb, manifest.shadow));
  const shadedCount = list.size();
  const memoryTable = tableOf(list, shadedCount, (rgb) => rememberedColour(rgb, manifest.fog));
  const shaded = completeTable(shadeTable, list.size());
  const remembered = completeTable(memoryTable, list.size());
  return { colours: { palette: list.palette(), shaded, remembered, unknown, ink, paper, alarm }, tiles };
}

interface ColourList {
  size(): number;
  /** The index of a colour, new or known. */
  add(rgb: RgbColour): number;
  /** As `add`. */
  addChannels(r: number, g: number, b: number): number;
  at(index: number): RgbColour;
  palette(): Palette;
}

function colourList(): ColourList {
  const rgb: number[] = [];
  const indexOf = new Map<number, number>();
  const addChannels = (r: number, g: number, b: number) => {
    const key = r * 65_536 + g * 256 + b;
    const known = indexOf.get(key);
    if (known !== undefined) return known;
    const index = indexOf.size;
    indexOf.set(key, index);
    rgb.push(r, g, b);
    return index;
  };
  return {
    size: () => indexOf.size,
    add: ([r, g, b]) => addChannels(r, g, b),
    addChannels,
    at: (index) => [rgb[index * 3] ?? 0, rgb[index * 3 + 1] ?? 0, rgb[index * 3 + 2] ?? 0],
    palette: () => ({ rgb: Uint8Array.from(rgb), size: indexOf.size }),
  };
}

function readTile(image: RgbaImage, manifest: Manifest, cell: number, list: ColourList): Uint32Array {
  const side = manifest.tile;
  const pixels = new Uint32Array(side * side);
  const left = (cell % manifest.columns) * side;
  const top = Math.floor(cell / manifest.columns) * side;
  for (let y = 0; y < side; y++)
    for (let x = 0; x < side; x++)
      pixels[y * side + x] = readPixel(image, (top + y) * image.width + left + x, manifest.shadow, list);
  return pixels;
}

function readPixel(image: RgbaImage, at: number, shadowColour: Manifest['shadow'], list: ColourList): number {
  const { data } = image;
  const alpha = data[at * 4 + 3] ?? 0;
  const isShade = alpha === shadowColour?.alpha;
  if (alpha < 128 && !isShade) return CLEAR;
  // Without a list of the channels: each start of a run reads 90,000 pixels, most of them before V8 optimises this.
  const r = data[at * 4] ?? 0;
  const g = data[at * 4 + 1] ?? 0;
  const b = data[at * 4 + 2] ?? 0;
  if (isShade && isColour(shadowColour.rgb, r, g, b)) return SHADE;
  return alpha < 128 ? CLEAR : list.addChannels(r, g, b);
}

const isColour = ([red, green, blue]: RgbColour, r: number, g: number, b: number): boolean =>
  r === red && g === green && b === blue;

function tableOf(list: ColourList, count: number, change: (rgb: RgbColour) => RgbColour): number[] {
  return Array.from({ length: count }, (_, index) => list.add(change(list.at(index))));
}

/** Extends a table to the whole palette: colours that only the table itself produced map to themselves. */
function completeTable(table: readonly number[], size: number): Uint32Array {
  return Uint32Array.from({ length: size }, (_, index) => table[index] ?? index);
}

function shadowedColour(rgb: RgbColour, shade: Manifest['shadow']): RgbColour {
  if (shade === null) return rgb;
  const { alpha } = shade;
  const mix = (under: number, over: number) => Math.floor((over * alpha + under * (255 - alpha) + 127) / 255);
  return [mix(rgb[0], shade.rgb[0]), mix(rgb[1], shade.rgb[1]), mix(rgb[2], shade.rgb[2])];
}

/** First towards grey, then towards the colour of the unknown; rounded once, Rec. 709 weights. */
function rememberedColour(rgb: RgbColour, fog: Manifest['fog']): RgbColour {
  const grey = 2126 * rgb[0] + 7152 * rgb[1] + 722 * rgb[2];
  const { desaturatePercent, mixPercent } = fog;
  const mix = (channel: number, unknown: number) => {
    const desaturated = channel * 10_000 * (100 - desaturatePercent) + grey * desaturatePercent;
    return Math.floor(
      (desaturated * mixPercent + unknown * 1_000_000 * (100 - mixPercent) + 50_000_000) / 100_000_000,
    );
  };
  return [mix(rgb[0], fog.unknown[0]), mix(rgb[1], fog.unknown[1]), mix(rgb[2], fog.unknown[2])];
}

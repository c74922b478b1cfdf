/** Tilesets for tests: the project's own, and small ones made of plain colours. */
import { readFileSync } from 'node:fs';
import sharp from 'sharp';
import { loadTileset, type Tileset, type TilesetSource } from '../../src/render/tileset.js';

const ASSETS = new URL('../../assets/', import.meta.url);

export function ownSource(): TilesetSource {
  return {
    manifest: readFileSync(new URL('tileset.json', ASSETS), 'utf8'),
    images: {
      'tileset.png': readFileSync(new URL('tileset.png', ASSETS)),
      'font.png': readFileSync(new URL('font.png', ASSETS)),
    },
  };
}

let own: Promise<Tileset> | undefined;

/** Loaded once per test file. */
export function ownTileset(): Promise<Tileset> {
  return (own ??= loadTileset(ownSource()));
}

export type Rgba = readonly [number, number, number, number];
export type Paint = Rgba | ((x: number, y: number) => Rgba);

/** Tiles of one colour or pattern each, in a row, with a manifest made for them. */
export async function plainSource(
  tiles: Readonly<Record<string, Paint>>,
  more: object = {},
  side = 8,
): Promise<TilesetSource> {
  const paints = Object.values(tiles);
  const width = paints.length * side;
  const data = Buffer.alloc(width * side * 4);
  for (let y = 0; y < side; y++)
    for (let x = 0; x < width; x++) {
      const paint = paints[Math.floor(x / side)] ?? [0, 0, 0, 0];
      data.set(typeof paint === 'function' ? paint(x % side, y) : paint, (y * width + x) * 4);
    }
  const manifest = {
    name: 'plain',
    image: 'plain.png',
    tile: side,
    columns: paints.length,
    tiles: Object.fromEntries(Object.keys(tiles).map((name, index) => [name, { index }])),
    ...more,
  };
  return {
    manifest: JSON.stringify(manifest, null, 1),
    images: { 'plain.png': await rgbaPng(width, side, data) },
  };
}

export function rgbaPng(width: number, height: number, data: Buffer): Promise<Buffer> {
  return sharp(data, { raw: { width, height, channels: 4 } })
    .png()
    .toBuffer();
}

export const SHADOW: Rgba = [0, 0, 0, 128];
const CLEAR: Rgba = [0, 0, 0, 0];

function line(isInk: (x: number, y: number) => boolean, colour: Rgba): Paint {
  return (x, y) => (isInk(x, y) ? colour : CLEAR);
}

/** Small tiles with every rule in use: joins, shores, shadows, variants, doors, bodies. */
export function ruleSource(): Promise<TilesetSource> {
  return plainSource(
    {
      floor: [80, 90, 100, 255],
      pebble: [90, 100, 110, 255],
      water: [0, 0, 200, 255],
      top: [50, 40, 60, 255],
      front: [130, 120, 140, 255],
      n: line((_, y) => y === 0, [255, 0, 0, 255]),
      e: line((x) => x === 7, [0, 255, 0, 255]),
      w: line((x) => x === 0, [255, 255, 0, 255]),
      nw: line((x, y) => x === 0 && y === 0, [255, 255, 255, 255]),
      ne: line((x, y) => x === 7 && y === 0, [255, 255, 255, 255]),
      sw: line((x, y) => x === 0 && y === 7, [255, 255, 255, 255]),
      se: line((x, y) => x === 7 && y === 7, [255, 255, 255, 255]),
      'shadow-n': line((_, y) => y < 2, SHADOW),
      'shadow-w': line((x) => x < 2, SHADOW),
      'shore-n': line((_, y) => y === 0, [200, 200, 255, 255]),
      'shore-e': line((x) => x === 7, [200, 200, 255, 255]),
      'shore-s': line((_, y) => y === 7, [200, 200, 255, 255]),
      'shore-w': line((x) => x === 0, [200, 200, 255, 255]),
      'door/wood-closed': [150, 90, 40, 255],
      'door/wood-open': [60, 40, 20, 255],
      'door/iron-locked': [90, 90, 110, 255],
      'fx/shadow': line((_, y) => y > 5, SHADOW),
      'figure/knight': line((x, y) => x > 1 && x < 6 && y > 0, [220, 220, 230, 255]),
      'item/key': line((x, y) => y === 4 && x > 1, [250, 200, 60, 255]),
    },
    {
      shadow: SHADOW,
      fog: { unknown: [10, 10, 20], rememberedMixPercent: 50, rememberedDesaturatePercent: 35 },
      classes: {
        floor: { kind: 'ground', variants: ['floor'], rare: ['pebble'], rareOneIn: 10 },
        water: {
          kind: 'liquid',
          variants: ['water'],
          shores: { n: 'shore-n', e: 'shore-e', s: 'shore-s', w: 'shore-w' },
        },
        wall: {
          kind: 'wall',
          join: 'wall',
          top: 'top',
          front: 'front',
          edges: { n: 'n', e: 'e', w: 'w' },
          corners: { nw: 'nw', ne: 'ne', sw: 'sw', se: 'se' },
          shadows: { n: 'shadow-n', w: 'shadow-w' },
        },
      },
    },
  );
}

/** Every pixel of its tiles is a colour of its own; `side` 32 gives more than 65,536 with memory and shadow, 8 fewer. */
export async function manyColours(side: number): Promise<Tileset> {
  const kinds = ['floor', 'wall', 'water', 'figure/knight', 'door/wood-closed', 'item/key-brass'];
  const more = Array.from({ length: side === 32 ? 40 : 0 }, (_, i) => `other-${i}`);
  const tiles = [...kinds, ...more].map((name, tile) => {
    const paint = (x: number, y: number) => {
      const n = (tile * side + y) * side + x;
      return [n % 251, (n >> 6) % 253, (n * 7) % 255, name.startsWith('f') && x === y ? 0 : 255] as const;
    };
    return [name, paint] as const;
  });
  return loadTileset(await plainSource(Object.fromEntries(tiles), {}, side));
}

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

/** Tiles of one colour each, in a row, with a manifest made for them. */
export async function plainSource(
  tiles: Readonly<Record<string, Rgba>>,
  more: object = {},
  side = 8,
): Promise<TilesetSource> {
  const names = Object.keys(tiles);
  const width = names.length * side;
  const data = Buffer.alloc(width * side * 4);
  for (let i = 0; i < width * side; i++)
    data.set(tiles[names[Math.floor((i % width) / side)] ?? ''] ?? [], i * 4);
  const png = await sharp(data, { raw: { width, height: side, channels: 4 } })
    .png()
    .toBuffer();
  const manifest = {
    name: 'plain',
    image: 'plain.png',
    tile: side,
    columns: names.length,
    tiles: Object.fromEntries(names.map((name, index) => [name, { index }])),
    ...more,
  };
  return { manifest: JSON.stringify(manifest, null, 1), images: { 'plain.png': png } };
}

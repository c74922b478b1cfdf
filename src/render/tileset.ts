/**
 * A tileset ready for drawing: tiles as palette indices, appearances of the ground, font, and the cache of
 * composites. A manifest's text and the bytes of its images are exactly what the log stores, so a frame can
 * be drawn again from the log alone. The caller reads the files; `imageNames` lists them. A scene may name a
 * tile that the tileset lacks, which is drawn as a conspicuous tile.
 */
import { lookUp } from '../base/look-up.js';
import { known } from '../base/assert.js';
import { counted } from '../base/counted.js';
import { OrchestrateError, UsageError } from '../base/errors.js';
import { assembleTileset, type Tileset } from './assemble.js';
import { child } from './checks.js';
import { imageNames, readManifest, type Manifest } from './manifest.js';
import { decodePng, type RgbaImage } from './png-input.js';
import { readFont } from './text.js';

export type { Tileset } from './assemble.js';

/** The files of a tileset by name, as a run's log stores them. */
export interface TilesetSource {
  manifest: string;
  images: Readonly<Record<string, Uint8Array>>;
}

/**
 * Reads a tileset: its manifest (JSON text) and its images (PNG) by their names in the manifest. `file` is
 * only used in messages. Throws ScenarioError with every mistake of the manifest, UsageError if an image
 * can't be used.
 */
export async function loadTileset(source: TilesetSource, file = 'tileset.json'): Promise<Tileset> {
  const result = await tryTileset(
    source.manifest,
    (name) => {
      const data = lookUp(source.images, name);
      if (data === undefined) throw new UsageError(`the tileset's image ${name} is missing`);
      return data;
    },
    file,
  );
  if (result.ok) return result.tileset;
  throw result.mistakes[0];
}

/**
 * A tileset, or all of its mistakes: first one ScenarioError with those of the manifest, then a UsageError
 * for each image.
 */
export type TriedTileset =
  | { ok: true; tileset: Tileset }
  | { ok: false; mistakes: readonly [OrchestrateError, ...OrchestrateError[]] };

/** Like `loadTileset`, with images from `read`, which throws UsageError if it can't read one. */
export async function tryTileset(
  text: string,
  read: (image: string) => Uint8Array,
  file: string,
): Promise<TriedTileset> {
  const mistakes: OrchestrateError[] = [];
  const collect: CollectMistakes = async (make) => {
    try {
      return await make();
    } catch (error) {
      if (!(error instanceof OrchestrateError)) throw error;
      mistakes.push(error);
      return null;
    }
  };
  const manifest = await collect(() => readManifest(text, file));
  const images = new Map<string, RgbaImage | null>();
  for (const name of imageNames(text)) images.set(name, await collect(() => decodePng(read(name), name)));
  const tileset = manifest === null ? null : await assembleFrom(manifest, images, collect);
  const [first, ...rest] = mistakes;
  return first === undefined
    ? { ok: true, tileset: known(tileset, 'tileset') }
    : { ok: false, mistakes: [first, ...rest] };
}

/** The result of `make`; null if it throws a user's mistake, which is recorded. */
type CollectMistakes = <T>(make: () => T | Promise<T>) => Promise<T | null>;

async function assembleFrom(
  manifest: Manifest,
  images: ReadonlyMap<string, RgbaImage | null>,
  collect: CollectMistakes,
): Promise<Tileset | null> {
  const { font } = manifest;
  const fontImage = font === null ? null : (images.get(font.image) ?? null);
  const tilesetFont =
    font === null || fontImage === null ? null : await collect(() => readFont(fontImage, font));
  const image = images.get(manifest.image) ?? null;
  return image === null
    ? null
    : collect(() => {
        requireTiles(manifest, image);
        return assembleTileset(manifest, image, tilesetFont);
      });
}

function requireTiles({ image: name, tile, columns, tiles }: Manifest, image: RgbaImage): void {
  if (image.width < columns * tile)
    throw new UsageError(
      `the image ${name} is ${counted(image.width, 'pixel')} wide: ${counted(columns, 'column')} of ${tile} pixels ${columns === 1 ? 'needs' : 'need'} ${columns * tile}`,
    );
  const capacity = Math.floor(image.height / tile) * columns;
  for (const [tileName, index] of tiles)
    if (index >= capacity)
      throw new UsageError(
        `the tile "${tileName}" has index ${index}, but ${name} has only ${counted(capacity, 'tile')}`,
      );
}

/**
 * The source, with the font of another tileset if its manifest has none, so that labels can be written in any
 * art.
 */
export function withFont(source: TilesetSource, other: TilesetSource): TilesetSource {
  const ownManifest: unknown = JSON.parse(source.manifest);
  const font = child({ value: JSON.parse(other.manifest), path: [], complaints: [] }, 'font');
  const name = child(font, 'image').value;
  const bytes = typeof name === 'string' ? lookUp(other.images, name) : undefined;
  const lacksFont = typeof ownManifest === 'object' && ownManifest !== null && !('font' in ownManifest);
  if (!lacksFont || bytes === undefined || typeof font.value !== 'object') return source;
  const image = `borrowed-${String(name)}`;
  const manifest = { ...ownManifest, font: { ...font.value, image } };
  return { manifest: `${JSON.stringify(manifest, null, 2)}\n`, images: { ...source.images, [image]: bytes } };
}

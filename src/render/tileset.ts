/**
 * A tileset ready to draw with: tiles as palette indices, ground looks, font, and the cache of composites. In come a manifest's text
 * and the bytes of its images (the log keeps exactly these), so a frame can be drawn again from the log alone. Reading files is the
 * caller's: `imageNames` tells which. A scene may name what the tileset lacks; that is drawn as a loud tile, and
 * `missingSprites` tells it beforehand.
 */
import { counted } from '../base/counted.js';
import { UsageError } from '../base/errors.js';
import { compareText } from '../base/ids.js';
import { assembleTileset, type Tileset } from './assemble.js';
import { child } from './checks.js';
import { readManifest } from './manifest.js';
import { decodePng, type RgbaImage } from './png-input.js';
import { readFont } from './text.js';

export type { Tileset } from './assemble.js';

/** A tileset as files, by name; what a run's log stores. */
export interface TilesetSource {
  readonly manifest: string;
  readonly images: Readonly<Record<string, Uint8Array>>;
}

/**
 * Reads a tileset: its manifest's text (JSON) and its images (PNG) by the names that the manifest gives them. `file` is only said in
 * messages. Throws ScenarioError with every mistake of the manifest, UsageError where an image can't be used.
 */
export async function loadTileset(source: TilesetSource, file = 'tileset.json'): Promise<Tileset> {
  const manifest = readManifest(source.manifest, file);
  const image = await decodeImage(source, manifest.image);
  const rows = Math.floor(image.height / manifest.tile);
  if (image.width < manifest.columns * manifest.tile)
    throw new UsageError(
      `The image ${manifest.image} is ${counted(image.width, 'pixel')} wide; ${counted(manifest.columns, 'column')} of ${manifest.tile} ${manifest.columns === 1 ? 'needs' : 'need'} ${manifest.columns * manifest.tile}.`,
    );
  for (const [name, index] of manifest.tiles)
    if (index >= rows * manifest.columns)
      throw new UsageError(
        `The tile "${name}" has index ${index}, but ${manifest.image} has only ${counted(rows * manifest.columns, 'tile')}.`,
      );
  const font =
    manifest.font === null ? null : readFont(await decodeImage(source, manifest.font.image), manifest.font);
  return assembleTileset(manifest, image, font);
}

function decodeImage(source: TilesetSource, name: string): Promise<RgbaImage> {
  const data = Object.hasOwn(source.images, name) ? source.images[name] : undefined;
  if (data === undefined) throw new UsageError(`The tileset's image ${name} is missing.`);
  return decodePng(data, name);
}

/** The names that a scenario uses: `grounds` may be classes or tiles, `sprites` (of things and bodies) only tiles. */
export interface UsedNames {
  readonly grounds: Iterable<string>;
  readonly sprites: Iterable<string>;
}

/** Those of them that the tileset lacks and would draw as the missing tile; sorted, once each. */
export function missingSprites(tileset: Tileset, { grounds, sprites }: UsedNames): readonly string[] {
  const missing = tileset.sprite('');
  const isLacking = (name: string) => tileset.sprite(name) === missing;
  const lacking = new Set([...sprites].filter(isLacking));
  for (const name of grounds) if (isLacking(name) && !tileset.classes.includes(name)) lacking.add(name);
  return [...lacking].toSorted(compareText);
}

/** The source with the font of another one where its manifest has none, so that labels can be written with any art. */
export function withFont(source: TilesetSource, other: TilesetSource): TilesetSource {
  const own: unknown = JSON.parse(source.manifest);
  const font = child({ value: JSON.parse(other.manifest), path: [], complaints: [] }, 'font');
  const name = child(font, 'image').value;
  const bytes = typeof name === 'string' ? other.images[name] : undefined;
  const lacksFont = typeof own === 'object' && own !== null && !('font' in own);
  if (!lacksFont || bytes === undefined || typeof font.value !== 'object') return source;
  const image = `borrowed-${String(name)}`;
  const manifest = { ...own, font: { ...font.value, image } };
  return { manifest: `${JSON.stringify(manifest, null, 2)}\n`, images: { ...source.images, [image]: bytes } };
}

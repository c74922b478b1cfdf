/**
 * A tileset ready to draw with: tiles as palette indices, ground looks, font, and the cache of composites. In come a manifest's text
 * and the bytes of its images (the log keeps exactly these), so a frame can be drawn again from the log alone. Reading files is the
 * caller's: `imageNames` tells which. A scene may name what the tileset lacks; that is drawn as a loud tile, and
 * `missingSprites` tells it beforehand.
 */
import { counted } from '../base/counted.js';
import { at } from '../base/assert.js';
import { UsageError } from '../base/errors.js';
import { compareText } from '../base/ids.js';
import { child } from './checks.js';
import { asWords, composites, type Composites } from './composites.js';
import { makeLook, NOTHING, type Look, type LookSource } from './looks.js';
import { readManifest, type Manifest } from './manifest.js';
import { CLEAR, indexTiles, SHADE, type Colours } from './palette.js';
import { skinnedClasses } from './skins.js';
import { decodePng, type RgbaImage } from './png-input.js';
import { readFont, type Font } from './text.js';

/** A tileset as files, by name; what a run's log stores. */
export interface TilesetSource {
  readonly manifest: string;
  readonly images: Readonly<Record<string, Uint8Array>>;
}

/** Tiles ready to draw with; made by `loadTileset` and handed on whole. */
export interface Tileset {
  readonly name: string;
  /** Art pixels of a tile's side. */
  readonly art: number;
  readonly colours: Colours;
  /** Names by tile number, for draw lists and contact sheets; the last two are `missing` and `unknown`. */
  readonly names: readonly string[];
  /** Names of the ground classes. */
  readonly classes: readonly string[];
  readonly composites: Composites;
  /** Null where the manifest has no font: then only digits can be written. */
  readonly font: Font | null;
  /** Laid over a cell of which nothing is known. */
  readonly unknownTile: number;
  /** Laid under bodies; NOTHING where there is none. */
  readonly bodyShadow: number;
  /** The shadow that a door throws to the south; NOTHING where there is none. */
  readonly doorShadow: number;
  look(name: string): Look;
  /** How a tile or ground class looks, in the manifest's own words (a class by its first tile, a wall seen from above); null where it says nothing. */
  describe(name: string): string | null;
  /** The same tiles with another look of floors and walls; 0 is the tileset's own. Throws UsageError for others where it has but one. */
  skinned(skin: number): Tileset;
  /** Number of the tile, that of the missing one where there is none. */
  sprite(name: string): number;
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
  return assemble(manifest, image, font);
}

function decodeImage(source: TilesetSource, name: string): Promise<RgbaImage> {
  const data = Object.hasOwn(source.images, name) ? source.images[name] : undefined;
  if (data === undefined) throw new UsageError(`The tileset's image ${name} is missing.`);
  return decodePng(data, name);
}

function assemble(manifest: Manifest, image: RgbaImage, font: Font | null): Tileset {
  // Several names may share a place in the image; the tile is kept once.
  const cells = [...new Set(manifest.tiles.values())].toSorted((a, b) => a - b);
  const { colours, tiles } = indexTiles(image, manifest, cells);
  const side = manifest.tile;
  const missing = tiles.length;
  const all = [...tiles, missingTile(side, colours), new Uint16Array(side * side).fill(colours.unknown)];
  const tileNumber = numbering(manifest, cells);
  const isSeeThrough = (tile: number) => at(all, tile).some((i) => i === CLEAR || i === SHADE);
  const spriteOr = (name: string, otherwise: number) => {
    const found = tileNumber(name);
    return found === NOTHING ? otherwise : found;
  };
  const dressed = (skin: number) => {
    const worn = { ...manifest, classes: skinnedClasses(manifest.classes, manifest.skins, skin) };
    const look = looksOf({ manifest: worn, tileNumber, missing, isSeeThrough });
    return { look, doorShadow: firstShadow(worn, look), describe: (name: string) => description(worn, name) };
  };
  const tileset: Tileset = {
    name: manifest.name,
    art: side,
    colours,
    names: [...firstNames(manifest, cells), 'missing', 'unknown'],
    classes: [...manifest.classes.keys()],
    composites: composites(colours, all, side),
    font,
    unknownTile: spriteOr('fx/unknown', missing + 1),
    bodyShadow: tileNumber('fx/shadow'),
    sprite: (name) => spriteOr(name, missing),
    skinned: (skin) => {
      if (skin !== 0 && manifest.skins.length === 0)
        throw new UsageError(`The tileset "${manifest.name}" has no skins; render.skin must be 0.`);
      return { ...tileset, ...dressed(skin) };
    },
    ...dressed(0),
  };
  return tileset;
}

function description({ classes, descriptions }: Manifest, name: string): string | null {
  const entry = classes.get(name);
  const tile = entry === undefined ? name : (entry.wall?.top ?? entry.variants[0] ?? name);
  return descriptions.get(tile) ?? null;
}

/** From a tile's name to its number, NOTHING for others. */
function numbering(manifest: Manifest, cells: readonly number[]): (name: string) => number {
  const numberOf = new Map(cells.map((cell, number) => [cell, number]));
  return (name) => numberOf.get(manifest.tiles.get(name) ?? NOTHING) ?? NOTHING;
}

/** For each cell the first of its names. */
function firstNames(manifest: Manifest, cells: readonly number[]): readonly string[] {
  const nameOf = new Map<number, string>();
  const sorted = [...manifest.tiles].toSorted((a, b) => compareText(a[0], b[0]));
  for (const [name, cell] of sorted) if (!nameOf.has(cell)) nameOf.set(cell, name);
  return cells.map((cell) => nameOf.get(cell) ?? '');
}

/** Looks by name, each made once. */
function looksOf(source: LookSource): (name: string) => Look {
  const looks = new Map<string, Look>();
  return (name) => {
    const known = looks.get(name);
    if (known !== undefined) return known;
    const made = makeLook(source, name);
    looks.set(name, made);
    return made;
  };
}

function firstShadow(manifest: Manifest, look: (name: string) => Look): number {
  for (const name of manifest.classes.keys()) {
    const shadow = look(name).wall?.shadows.n ?? NOTHING;
    if (shadow !== NOTHING) return shadow;
  }
  return NOTHING;
}

/** A cross in a frame, in a colour that no art would use. */
function missingTile(side: number, colours: Colours): Uint16Array {
  return Uint16Array.from({ length: side * side }, (_, i) => {
    const [x, y] = [i % side, Math.floor(i / side)];
    const isLine = x === 0 || y === 0 || x === side - 1 || y === side - 1 || x === y || x === side - 1 - y;
    return isLine ? colours.alarm : colours.paper;
  });
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

/** Memory for the indices of a frame of `length` pixels, and the same as words. It is not cleared: each pixel must be written. */
export function newIndices(tileset: Tileset, length: number) {
  const isWide = tileset.colours.palette.size > 256;
  const { buffer } = Buffer.allocUnsafeSlow(isWide ? 2 * length : length);
  const indices = isWide ? new Uint16Array(buffer) : new Uint8Array(buffer);
  return { indices, words: asWords(indices, tileset.art) };
}

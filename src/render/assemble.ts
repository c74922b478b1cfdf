/**
 * Makes a tileset from its checked manifest and its decoded images. It uses neither Node nor a decoder, so a
 * browser makes the same tiles from the same manifest; `tileset.ts` reads the files.
 */
import { at } from '../base/assert.js';
import { UsageError } from '../base/errors.js';
import { compareText } from '../base/ids.js';
import { composites, type Composites } from './composites.js';
import { makeAppearance, NOTHING, type TileAppearance, type LookSource } from './tile-appearance.js';
import type { Manifest } from './manifest.js';
import { CLEAR, indexTiles, SHADE, type Colours } from './palette.js';
import type { RgbaImage } from './png-input.js';
import { skinnedClasses } from './skins.js';
import type { Font } from './text.js';

/** Tiles for drawing; get them from `loadTileset` and pass the object on unchanged. */
export interface Tileset {
  name: string;
  /** The side of a tile in pixels of the art. */
  art: number;
  colours: Colours;
  /** Names by tile number, for draw lists and contact sheets; the last two are `missing` and `unknown`. */
  names: readonly string[];
  composites: Composites;
  /** Null if the manifest has no font, in which case only digits can be written. */
  font: Font | null;
  /** The tile that is drawn where nothing is known. */
  unknownTile: number;
  /** The shadow that is drawn below bodies; NOTHING if there is none. */
  bodyShadow: number;
  /** The shadow that a door casts to the south; NOTHING if there is none. */
  doorShadow: number;
  look(name: string): TileAppearance;
  /**
   * The appearance of a tile or ground class, from the manifest (for a class, its first tile; for a wall, as
   * seen from above); null if the manifest has none.
   */
  describe(name: string): string | null;
  /**
   * The same tiles with another skin of floors and walls; 0 is the tileset's own. Throws UsageError for other
   * numbers if it has no skins.
   */
  skinned(skin: number): Tileset;
  /** The tile's number; if there is no such tile, the number of `missing`. */
  sprite(name: string): number;
}

/** `image` and `font` are those that the manifest names. Throws UsageError if there are too many colours. */
export function assembleTileset(manifest: Manifest, image: RgbaImage, font: Font | null): Tileset {
  // Several names may use the same place in the image; the tile is stored once.
  const cells = [...new Set(manifest.tiles.values())].toSorted((a, b) => a - b);
  const { colours, tiles } = indexTiles(image, manifest, cells);
  const side = manifest.tile;
  const missing = tiles.length;
  const all = [...tiles, missingTile(side, colours), new Uint32Array(side * side).fill(colours.unknown)];
  const numberOf = new Map(cells.map((cell, number) => [cell, number]));
  const tileNumber = (name: string) => numberOf.get(manifest.tiles.get(name) ?? NOTHING) ?? NOTHING;
  const isSeeThrough = (tile: number) => at(all, tile).some((i) => i === CLEAR || i === SHADE);
  const spriteOr = (name: string, otherwise: number) => {
    const number = tileNumber(name);
    return number === NOTHING ? otherwise : number;
  };
  const withSkin = (skin: number) => {
    const skinnedManifest = { ...manifest, classes: skinnedClasses(manifest.classes, manifest.skins, skin) };
    const look = appearancesOf({ manifest: skinnedManifest, tileNumber, missing, isSeeThrough });
    return {
      look,
      doorShadow: firstShadow(skinnedManifest, look),
      describe: (name: string) => {
        const entry = skinnedManifest.classes.get(name);
        const tile = entry === undefined ? name : (entry.wall?.top ?? entry.variants[0] ?? name);
        return skinnedManifest.descriptions.get(tile) ?? null;
      },
    };
  };
  const tileset: Tileset = {
    name: manifest.name,
    art: side,
    colours,
    names: [...firstNames(manifest, cells), 'missing', 'unknown'],
    composites: composites(colours, all, side),
    font,
    unknownTile: spriteOr('fx/unknown', missing + 1),
    bodyShadow: tileNumber('fx/shadow'),
    sprite: (name) => spriteOr(name, missing),
    skinned: (skin) => {
      if (skin !== 0 && manifest.skins.length === 0)
        throw new UsageError(`the tileset ${manifest.name} has no skins: render.skin must be 0`);
      return { ...tileset, ...withSkin(skin) };
    },
    ...withSkin(0),
  };
  return tileset;
}

/** For each cell, the first of its names. */
function firstNames(manifest: Manifest, cells: readonly number[]): readonly string[] {
  const nameOf = new Map<number, string>();
  const sorted = [...manifest.tiles].toSorted((a, b) => compareText(a[0], b[0]));
  for (const [name, cell] of sorted) if (!nameOf.has(cell)) nameOf.set(cell, name);
  return cells.map((cell) => nameOf.get(cell) ?? '');
}

/** Appearances by name, each made once. */
function appearancesOf(source: LookSource): (name: string) => TileAppearance {
  const appearances = new Map<string, TileAppearance>();
  return (name) => {
    const known = appearances.get(name);
    if (known !== undefined) return known;
    const appearance = makeAppearance(source, name);
    appearances.set(name, appearance);
    return appearance;
  };
}

function firstShadow(manifest: Manifest, look: (name: string) => TileAppearance): number {
  for (const name of manifest.classes.keys()) {
    const shadow = look(name).wall?.shadows.n ?? NOTHING;
    if (shadow !== NOTHING) return shadow;
  }
  return NOTHING;
}

/** A cross in a frame, in a colour that no art would use. */
function missingTile(side: number, colours: Colours): Uint32Array {
  return Uint32Array.from({ length: side * side }, (_, i) => {
    const [x, y] = [i % side, Math.floor(i / side)];
    const isLine = x === 0 || y === 0 || x === side - 1 || y === side - 1 || x === y || x === side - 1 - y;
    return isLine ? colours.alarm : colours.paper;
  });
}

/**
 * A tileset's manifest: the names of its tiles, and how the tiles of a terrain join. An error lists every
 * mistake with line, column and a suggestion. It contains only names, never a path: `images` are file names
 * without a folder.
 */
import { isRecord } from '../base/json.js';
import { counted } from '../base/counted.js';
import { ScenarioError, type Diagnostic } from '../base/errors.js';
import { LIMITS } from '../base/limits.js';
import {
  readBytes,
  child,
  addMistake,
  readInteger,
  isAbsent,
  readMembers,
  refuseUnknown,
  readText,
  type ManifestFault,
  type CheckedValue,
} from './checks.js';
import { readClasses, readDoors, type ClassEntry } from './classes.js';
import { readSkins, type Skins } from './skins.js';
import { offsetsOf, syntaxErrorOffset, textPlace } from './json-place.js';

/** Red, green, blue in 0 … 255. */
export type RgbColour = readonly [number, number, number];

export interface FontEntry {
  image: string;
  /** The size of a character cell in pixels. */
  width: number;
  height: number;
  columns: number;
  /** One code point per cell, row by row. */
  characters: string;
  /** The character drawn for all others; null: nothing is drawn. */
  missing: string | null;
}

export interface Manifest {
  name: string;
  image: string;
  /** The side of a tile in pixels. */
  tile: number;
  /** The number of tiles in a row of the image. */
  columns: number;
  /** Index of each tile in the image, row by row. */
  tiles: ReadonlyMap<string, number>;
  /** The appearance of a tile, in one line, by its name; not every tile has one. */
  descriptions: ReadonlyMap<string, string>;
  /** The one translucent colour, which darkens the pixels below it; null for none. */
  shadow: { rgb: RgbColour; alpha: number } | null;
  fog: {
    unknown: RgbColour;
    /** How much of a remembered cell is kept when it is mixed with `unknown`, 0 … 100. */
    mixPercent: number;
    /** How far a channel moves towards its luminance before that, 0 … 100. */
    desaturatePercent: number;
  };
  classes: ReadonlyMap<string, ClassEntry>;
  /** Names of the tiles that are doors: walls join to them. */
  doors: ReadonlySet<string>;
  skins: Skins;
  font: FontEntry | null;
}

const KEYS = [
  'name',
  'licence',
  'license',
  'image',
  'tile',
  'columns',
  'tiles',
  'shadow',
  'fog',
  'classes',
  'doors',
  'skins',
  'font',
];
const NAME_MAX = 100;
const DEFAULT_FOG = { unknown: [11, 10, 18] as RgbColour, mixPercent: 50, desaturatePercent: 35 };

/** `file` is only used in messages. Throws ScenarioError. */
export function readManifest(text: string, file: string): Manifest {
  if (new TextEncoder().encode(text).length > LIMITS.tilesetManifestBytes)
    throw manifestError(file, text, [
      { offset: 0, message: `larger than ${LIMITS.tilesetManifestBytes} bytes` },
    ]);
  const complaints: ManifestFault[] = [];
  const root: CheckedValue = { value: parse(text, file), path: [], complaints };
  const manifest = readRoot(root);
  if (complaints.length === 0) return manifest;
  const told = complaints.slice(0, LIMITS.diagnosticsPrinted);
  const offsets = offsetsOf(
    text,
    told.map(({ path }) => path),
  );
  throw manifestError(
    file,
    text,
    told.map((mistake, i) => ({ ...mistake, offset: offsets[i] ?? 0 })),
  );
}

/**
 * The image names in a manifest, even if something else in it is wrong; for callers that read them from disk.
 */
export function imageNames(text: string): readonly string[] {
  const root: CheckedValue = { value: jsonOf(text), path: [], complaints: [] };
  const values = [child(root, 'image').value, child(child(root, 'font'), 'image').value];
  return values.filter((value) => typeof value === 'string').filter(isImageName);
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}

function parse(text: string, file: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw manifestError(file, text, [
      { offset: syntaxErrorOffset(text), message: 'the file is not valid JSON from here on' },
    ]);
  }
}

function manifestError(
  file: string,
  text: string,
  mistakes: readonly { offset: number; message: string; suggestion?: string }[],
): ScenarioError {
  const diagnostics = mistakes.map((mistake): Diagnostic => {
    const { line, column, source } = textPlace(text, mistake.offset);
    const base = {
      severity: 'error',
      file,
      line,
      column,
      message: mistake.message,
      source,
      caret: column,
    } as const;
    return mistake.suggestion === undefined ? base : { ...base, suggestion: mistake.suggestion };
  });
  return new ScenarioError(`${file}: ${counted(mistakes.length, 'mistake')}`, diagnostics);
}

function readRoot(root: CheckedValue): Manifest {
  refuseUnknown(root, KEYS);
  const side = LIMITS.tilesetSidePixels;
  const tiles = readTiles(child(root, 'tiles'));
  const manifest = {
    name: readText(child(root, 'name'), NAME_MAX),
    image: imageName(child(root, 'image')),
    tile: readInteger(child(root, 'tile'), { min: 8, max: LIMITS.frameTilePixels, otherwise: 16 }),
    columns: readInteger(child(root, 'columns'), { min: 1, max: Math.floor(side / 8), otherwise: 1 }),
    tiles,
    descriptions: readDescriptions(child(root, 'tiles')),
    shadow: readShadow(child(root, 'shadow')),
    fog: readFog(child(root, 'fog')),
    classes: readClasses(child(root, 'classes'), tiles),
    doors: readDoors(child(root, 'doors'), tiles),
    font: readFont(child(root, 'font')),
  };
  return { ...manifest, skins: readSkins(child(root, 'skins'), manifest.classes) };
}

function imageName(node: CheckedValue): string {
  const name = readText(node, NAME_MAX);
  if (name !== '' && !isImageName(name))
    addMistake(
      node,
      `"${name}" is not the name of a PNG file next to the manifest`,
      'use a file name such as "tileset.png"',
    );
  return name;
}

function isImageName(name: string): boolean {
  return name.length <= NAME_MAX && /^[A-Za-z0-9][A-Za-z0-9._-]*\.png$/i.test(name);
}

function readTiles(node: CheckedValue): ReadonlyMap<string, number> {
  const tiles = new Map<string, number>();
  const range = { min: 0, max: LIMITS.tilesetTiles - 1, otherwise: 0 };
  for (const [name, entry] of readMembers(node)) {
    if (!/^[\w./-]{1,60}$/.test(name))
      addMistake(
        entry,
        `"${name.slice(0, 80)}" is not a valid tile name`,
        'a tile name has up to 60 letters, digits and _ . / -',
      );
    tiles.set(name, readInteger(child(entry, 'index'), range));
  }
  if (tiles.size === 0 && isRecord(node.value)) addMistake(node, 'the manifest names no tiles');
  if (tiles.size > LIMITS.tilesetTiles) addMistake(node, `more than ${LIMITS.tilesetTiles} tiles`);
  return tiles;
}

function readDescriptions(tiles: CheckedValue): ReadonlyMap<string, string> {
  const descriptions = new Map<string, string>();
  if (!isRecord(tiles.value)) return descriptions;
  for (const [name, entry] of readMembers(tiles)) {
    const description = child(entry, 'desc');
    if (!isAbsent(description))
      descriptions.set(name, readText(description, LIMITS.tilesetDescriptionCharacters));
  }
  return descriptions;
}

function readShadow(node: CheckedValue): Manifest['shadow'] {
  if (isAbsent(node)) return null;
  const [r = 0, g = 0, b = 0, alpha = 0] = readBytes(node, 4);
  return { rgb: [r, g, b], alpha };
}

function readFog(node: CheckedValue): Manifest['fog'] {
  if (isAbsent(node)) return DEFAULT_FOG;
  refuseUnknown(node, ['unknown', 'rememberedMixPercent', 'rememberedDesaturatePercent']);
  const [r = 0, g = 0, b = 0] = readBytes(child(node, 'unknown'), 3);
  const percent = { min: 0, max: 100, otherwise: 0 };
  return {
    unknown: [r, g, b],
    mixPercent: readInteger(child(node, 'rememberedMixPercent'), percent),
    desaturatePercent: readInteger(child(node, 'rememberedDesaturatePercent'), percent),
  };
}

function readFont(node: CheckedValue): FontEntry | null {
  if (isAbsent(node)) return null;
  refuseUnknown(node, ['image', 'cell', 'lineHeight', 'columns', 'characters', 'missing']);
  const [width = 1, height = 1] = readBytes(child(node, 'cell'), 2);
  if (width < 3 || width > 32 || height < 5 || height > 32)
    addMistake(child(node, 'cell'), 'a character cell must be from 3×5 to 32×32 pixels');
  const missing = child(node, 'missing');
  return {
    image: imageName(child(node, 'image')),
    width,
    height,
    columns: readInteger(child(node, 'columns'), { min: 1, max: 1024, otherwise: 1 }),
    characters: readText(child(node, 'characters'), 4096),
    missing: isAbsent(missing) ? null : readText(missing, 2),
  };
}

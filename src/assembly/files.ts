/**
 * Files that are read for the user: a tileset, a `.env`, a reply. Everything that a scenario names lies
 * under its own folder; that is checked by the loader, here the real disk is behind it.
 */
import { readFileSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { UsageError } from '../base/errors.js';
import { systemWords } from '../base/system-words.js';
import { imageNames, readManifest } from '../render/manifest.js';
import { loadTileset, withFont } from '../render/tileset.js';
import type { Tileset, TilesetSource } from '../render/tileset.js';
import type { SpriteNames } from '../scenario/world.js';

const OWN_TILESET = fileURLToPath(new URL('../../assets/tileset.json', import.meta.url));

export interface LoadedTileset {
  readonly source: TilesetSource;
  readonly tileset: Tileset;
  /** What a scenario may name. */
  readonly sprites: SpriteNames;
}

/** The project's own tileset. */
export function ownTileset(): Promise<LoadedTileset> {
  return readTileset(basename(OWN_TILESET), (name) => readBytes(resolve(dirname(OWN_TILESET), name)));
}

/**
 * A tileset by its manifest's path, as `read` understands it; its images stand beside it. Where it has no font it borrows the one of
 * `lender`, so that labels can be written with any art.
 */
export async function readTileset(
  path: string,
  read: (path: string) => Uint8Array,
  lender?: LoadedTileset,
): Promise<LoadedTileset> {
  const text = new TextDecoder().decode(read(path));
  const folder = path.slice(0, path.lastIndexOf('/') + 1);
  const images = Object.fromEntries(imageNames(text, path).map((name) => [name, read(`${folder}${name}`)]));
  const found = { manifest: text, images };
  const source = lender === undefined ? found : withFont(found, lender.source);
  const { tiles, classes } = readManifest(source.manifest, path);
  const sprites = { tiles: new Set(tiles.keys()), classes: new Set(classes.keys()) };
  return { source, tileset: await loadTileset(source, path), sprites };
}

/** A tileset as a log holds it. Throws UsageError or ScenarioError where it can't be used. */
export async function loggedTileset(source: TilesetSource): Promise<LoadedTileset> {
  const { tiles, classes } = readManifest(source.manifest, 'the log');
  const sprites = { tiles: new Set(tiles.keys()), classes: new Set(classes.keys()) };
  return { source, tileset: await loadTileset(source, 'the log'), sprites };
}

export function readText(path: string): string {
  return new TextDecoder().decode(readBytes(path));
}

/** UsageError in the user's words where the file can't be read. */
export function readBytes(path: string): Uint8Array {
  try {
    return readFileSync(path);
  } catch (error) {
    throw new UsageError(`${path} can't be read: ${systemWords(error)}`, hintFor(error));
  }
}

function hintFor(error: unknown): readonly string[] {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
    ? ['check the path; it is taken from the folder you are in']
    : [];
}

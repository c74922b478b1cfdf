/**
 * Reads tilesets: the built-in one from `assets/`, a scenario's through the loader's `readFile`, which
 * allows only files below the scenario's folder, and a log's from its record.
 */
import { basename, dirname, join, resolve } from 'node:path';
import { ScenarioError, UsageError } from '../base/errors.js';
import type { OrchestrateError } from '../base/errors.js';
import { systemWords } from '../base/system-words.js';
import { PACKAGE_FOLDER } from '../package/folders.js';
import { imageNames, readManifest } from '../render/manifest.js';
import { loadTileset, tryTileset, withFont } from '../render/tileset.js';
import type { Tileset, TilesetSource } from '../render/tileset.js';
import { siblingPath } from '../scenario/files.js';
import type { ScenarioFile } from '../scenario/files.js';
import { SKIN_AT, TILESET_AT } from '../scenario/own-tileset.js';
import type { ScenarioFindings } from '../scenario/report.js';
import type { SpriteNames } from '../scenario/world.js';
import { readBytes } from './files.js';

const BUILT_IN_TILESET = join(PACKAGE_FOLDER, 'assets', 'tileset.json');

export interface LoadedTileset {
  source: TilesetSource;
  tileset: Tileset;
  /** Names that a scenario may use. */
  sprites: SpriteNames;
}

let builtIn: Promise<LoadedTileset> | null = null;

/** The built-in tileset, read once and shared by everything in this process. */
export function builtInTileset(): Promise<LoadedTileset> {
  builtIn ??= readBuiltInTileset();
  return builtIn;
}

async function readBuiltInTileset(): Promise<LoadedTileset> {
  const read = (name: string) => readBytes(resolve(dirname(BUILT_IN_TILESET), name));
  const manifest = new TextDecoder().decode(read(basename(BUILT_IN_TILESET)));
  const images = Object.fromEntries(imageNames(manifest).map((name) => [name, read(name)]));
  const source = { manifest, images };
  const tileset = await loadTileset(source, basename(BUILT_IN_TILESET));
  return { source, tileset, sprites: spritesOf(manifest, null) };
}

/**
 * The tileset that a scenario names, by the path of its manifest, which the loader has already read; its
 * images are next to it. Null if it can't be used: then all its mistakes are reported, those of the manifest
 * at their position, and those of its images where the scenario names the tileset. A tileset without a font
 * borrows that of `lender`, so that labels can be drawn in any art.
 */
export async function namedTileset(
  path: string,
  file: ScenarioFile,
  { findings, skin, lender }: { findings: ScenarioFindings; skin: number; lender: LoadedTileset },
): Promise<LoadedTileset | null> {
  const manifest = new TextDecoder().decode(file.readFile(path));
  const images: Record<string, Uint8Array> = {};
  const read = (name: string): Uint8Array => (images[name] = readImage(file, path, name));
  const shownPath = siblingPath(file.path, path);
  const attempt = await tryTileset(manifest, read, shownPath);
  if (!attempt.ok) {
    // The scenario's own mistakes come first, because files are printed in the order in which they were
    // named.
    const sortedMistakes = attempt.mistakes.toSorted((a, b) => rank(a) - rank(b));
    for (const mistake of sortedMistakes) reportMistake(mistake, findings);
    return null;
  }
  const source = { manifest, images };
  checkSkin(attempt.tileset, skin, findings);
  const sourceWithFont = withFont(source, lender.source);
  const tileset = sourceWithFont === source ? attempt.tileset : await loadTileset(sourceWithFont, shownPath);
  return { source: sourceWithFont, tileset, sprites: spritesOf(manifest, path) };
}

/** Reported if the scenario chooses a skin of a tileset without skins. */
function checkSkin(tileset: Tileset, skin: number, findings: ScenarioFindings): void {
  try {
    tileset.skinned(skin);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    findings.error(SKIN_AT, error.message, 'remove `render.skin`');
  }
}

function readImage(file: ScenarioFile, manifest: string, image: string): Uint8Array {
  const path = manifest.slice(0, manifest.lastIndexOf('/') + 1) + image;
  try {
    return file.readFile(path);
  } catch (error) {
    throw new UsageError(
      `the image ${path} of the tileset ${manifest} can't be read: ${systemWords(error)}`,
      ["the image must be a plain file next to the manifest, in the scenario's folder or below it"],
    );
  }
}

function rank(mistake: OrchestrateError): number {
  return mistake instanceof ScenarioError ? 1 : 0;
}

function reportMistake(mistake: OrchestrateError, findings: ScenarioFindings): void {
  if (mistake instanceof ScenarioError) findings.list.push(...mistake.diagnostics);
  else findings.error(TILESET_AT, mistake.message, mistake.hints[0]);
}

/** A tileset as a log stores it. Throws UsageError or ScenarioError if it can't be used. */
export async function loggedTileset(source: TilesetSource): Promise<LoadedTileset> {
  const tileset = await loadTileset(source, 'the log');
  return { source, tileset, sprites: spritesOf(source.manifest, 'the log') };
}

/** For a manifest without mistakes. `path` as in `SpriteNames`. */
function spritesOf(text: string, path: string | null): SpriteNames {
  const { tiles, classes, descriptions } = readManifest(text, path ?? basename(BUILT_IN_TILESET));
  return { tiles: new Set(tiles.keys()), classes: new Set(classes.keys()), descriptions, manifest: path };
}

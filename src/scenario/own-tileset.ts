/**
 * The tileset that a scenario names, as far as the loader needs it: its names. Its pictures, and the rest of
 * its manifest, are checked when drawing; mistakes in those are reported at the same position.
 */
import { z } from 'zod';
import { LIMITS } from '../base/limits.js';
import { readNamed } from './files.js';
import type { ScenarioFile } from './files.js';
import type { MistakeReport } from './report.js';
import type { SpriteNames } from './world.js';

/** Where a scenario names its tileset. */
export const TILESET_AT: readonly string[] = ['render', 'tileset'];
/** Where it chooses one of the tileset's skins. */
export const SKIN_AT: readonly string[] = ['render', 'skin'];

export interface OwnTileset {
  /**
   * The manifest's path as the scenario names it; null if no manifest could be read there, which is reported.
   */
  readonly manifest: string | null;
  /** Null if no names of tiles could be read from the manifest. */
  readonly sprites: SpriteNames | null;
}

const UNREAD: OwnTileset = { manifest: null, sprites: null };

const record = z.record(z.string(), z.unknown());
const manifestSchema = z.object({ image: z.unknown(), tiles: z.unknown(), classes: z.unknown() }).partial();

/** Reads the names. JSON that is not a manifest is reported; one with mistakes is used as far as possible. */
export function readOwnTileset(file: ScenarioFile, path: string, report: MistakeReport): OwnTileset {
  const text = readNamed(file, path, { at: TILESET_AT, report, bytesMax: LIMITS.tilesetBytes });
  if (text === undefined) return UNREAD;
  const json = jsonOf(text);
  if (json === undefined) return { manifest: path, sprites: null };
  const { image, tiles, classes } = manifestSchema.safeParse(json).data ?? {};
  if (image === undefined && tiles === undefined) {
    report.error(
      TILESET_AT,
      `${path} is not a tileset's manifest`,
      'a manifest is JSON with image, tile, columns and tiles',
    );
    return UNREAD;
  }
  const named = record.safeParse(tiles);
  if (!named.success) return { manifest: path, sprites: null };
  return {
    manifest: path,
    sprites: { tiles: namesIn(named.data), classes: namesIn(record.safeParse(classes).data), manifest: path },
  };
}

function namesIn(entries: Readonly<Record<string, unknown>> = {}): ReadonlySet<string> {
  return new Set(Object.keys(entries));
}

/** Undefined if it is not a manifest. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

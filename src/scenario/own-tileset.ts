/**
 * The tileset that a scenario names, as far as the loader needs it: its names. Its pictures, and the rest of
 * its manifest, are checked when drawing; mistakes in those are reported at the same position.
 */
import { z } from 'zod';
import { LIMITS } from '../base/limits.js';
import { readNamedFile } from './files.js';
import type { ScenarioFile } from './files.js';
import type { MistakeReport } from './report.js';
import type { SpriteNames } from './world.js';
import { parsedJson } from '../base/json.js';

/** Where a scenario names its tileset. */
export const TILESET_AT: readonly string[] = ['render', 'tileset'];
/** Where it chooses one of the tileset's skins. */
export const SKIN_AT: readonly string[] = ['render', 'skin'];

export interface OwnTileset {
  /**
   * The manifest's path as the scenario names it; null if no manifest could be read there, which is reported.
   */
  manifest: string | null;
  /** Null if no names of tiles could be read from the manifest. */
  sprites: SpriteNames | null;
}

const NO_TILESET: OwnTileset = { manifest: null, sprites: null };

const recordSchema = z.record(z.string(), z.unknown());
const describedSchema = z.object({ desc: z.string() });
const manifestSchema = z.object({ image: z.unknown(), tiles: z.unknown(), classes: z.unknown() }).partial();

/** Reads the names. JSON that is not a manifest is reported; one with mistakes is used as far as possible. */
export function readOwnTileset(file: ScenarioFile, path: string, report: MistakeReport): OwnTileset {
  const text = readNamedFile(file, path, { at: TILESET_AT, report, bytesMax: LIMITS.tilesetBytes });
  if (text === undefined) return NO_TILESET;
  const manifest = parsedJson(text);
  if (manifest === undefined) return { manifest: path, sprites: null };
  const { image, tiles, classes } = manifestSchema.safeParse(manifest).data ?? {};
  if (image === undefined && tiles === undefined) {
    report.error(
      TILESET_AT,
      `${path} is not a tileset's manifest`,
      'a manifest is JSON with image, tile, columns and tiles',
    );
    return NO_TILESET;
  }
  const tileRecord = recordSchema.safeParse(tiles);
  if (!tileRecord.success) return { manifest: path, sprites: null };
  return {
    manifest: path,
    sprites: {
      tiles: keySet(tileRecord.data),
      classes: keySet(recordSchema.safeParse(classes).data),
      // Those that are text; anything else is reported when drawing.
      descriptions: new Map(
        Object.entries(tileRecord.data).flatMap(([name, tile]) => {
          const described = describedSchema.safeParse(tile);
          return described.success ? [[name, described.data.desc] as const] : [];
        }),
      ),
      manifest: path,
    },
  };
}

function keySet(entries: Readonly<Record<string, unknown>> = {}): ReadonlySet<string> {
  return new Set(Object.keys(entries));
}

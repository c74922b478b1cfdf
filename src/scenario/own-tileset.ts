/**
 * The tileset that a scenario names, as far as the loader needs it: which names it offers. Its pictures, and what else its manifest says, are
 * for whoever draws with them; mistakes in those are told at the same place, which is why it is named here.
 */
import { z } from 'zod';
import { LIMITS } from '../base/limits.js';
import { readNamed } from './files.js';
import type { ScenarioFile } from './files.js';
import type { MistakeReport } from './report.js';
import type { SpriteNames } from './world.js';

/** Where a scenario names its tileset. */
export const TILESET_AT: readonly string[] = ['render', 'tileset'];
/** Where it chooses one of its skins. */
export const SKIN_AT: readonly string[] = ['render', 'skin'];

export interface OwnTileset {
  /** The manifest's path as the scenario names it; null where no manifest could be read there, which is told. */
  readonly manifest: string | null;
  /** Null where the manifest names no tiles that could be read. */
  readonly sprites: SpriteNames | null;
}

const UNREAD: OwnTileset = { manifest: null, sprites: null };

const record = z.record(z.string(), z.unknown());
const manifestSchema = z.object({ image: z.unknown(), tiles: z.unknown(), classes: z.unknown() }).partial();

/** Reads the names. JSON that is no manifest at all is told; one with mistakes is taken as far as it goes. */
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

/** Undefined where it is none. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

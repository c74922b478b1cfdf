/**
 * The painter of a run: scenes in, sent PNGs out, as the scenario requires. A recently painted frame is
 * reused, because an agent that does not move sees the same.
 */
import type { Painter } from '../orchestrator/run-context.js';
import { drawFrame } from '../render/draw.js';
import { encodePng } from '../render/png.js';
import type { Tileset } from '../render/tileset.js';
import type { Scenario } from '../scenario/scenario.js';

/** Frames as the scenario wants them; null for a text-only run. */
export function framePainter(scenario: Scenario, tileset: Tileset): Painter | null {
  if (scenario.render.channel === 'text') return null;
  const skinned = tileset.skinned(scenario.render.skin);
  // By the hash of their pixels, oldest first.
  const files = new Map<string, Uint8Array>();
  return {
    paint: (scene, isGrey = scenario.render.blank ?? false) => {
      const { tilePixels: cell, ruler } = scenario.render;
      const frame = drawFrame(scene, skinned, { cell, ruler, blank: isGrey });
      const png = files.get(frame.hash) ?? encodePng(frame);
      files.set(frame.hash, png);
      const [oldest] = files.keys();
      if (files.size > PICTURES_KEPT && oldest !== undefined) files.delete(oldest);
      return { png, hash: frame.hash };
    },
    describe: (name) => skinned.describe(name),
  };
}

/** Frames stored as files, reused because an agent that does not move sees the same. */
const PICTURES_KEPT = 64;

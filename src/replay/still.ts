/**
 * The world after a step as one picture: the whole map, one agent's view, or several side by side, without
 * text below.
 */
import { UsageError } from '../base/errors.js';
import { drawSheet, planSheet } from '../render/film-sheet.js';
import type { Raster } from '../render/text.js';
import { panelsOf, scenesAt } from './film.js';
import type { FilmSource } from './film.js';

/** Throws UsageError if the environment draws nothing. */
export function drawStill(source: FilmSource, viewers: readonly (string | null)[], step: number): Raster {
  const scenes = scenesAt(source, viewers, step);
  if (scenes === null) throw new UsageError('this environment has no picture');
  const panels = panelsOf(source, { viewers }, scenes);
  return drawSheet(planSheet(scenes, 0, source.tileset.art), { panels, captions: [] }, source.tileset);
}

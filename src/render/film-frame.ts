/**
 * A film: pictures of one size, each shown for some time, written one after the other. Types alone: the
 * writers of GIF, WebP (`render`) and MP4 (`cli/files/ffmpeg.ts`) implement them. A `Raster` is any picture.
 */
import type { Raster } from './text.js';

export interface FilmFrame {
  /** Never changed after it was passed on. */
  raster: Raster;
  delayMs: number;
}

/** Takes pictures in order; the file is complete once `end` has resolved. */
export interface FilmWriter {
  add(frame: FilmFrame): Promise<void>;
  end(): Promise<void>;
}

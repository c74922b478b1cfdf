/**
 * A film: pictures of one size, each shown for a time, written one after the other by the file format's
 * writer.
 */
import type { Raster } from './text.js';

export interface FilmFrame {
  /** Never changed once it was handed on. */
  readonly raster: Raster;
  readonly delayMs: number;
}

/** Takes pictures in order; the file is whole once `end` is done. */
export interface FilmWriter {
  add(frame: FilmFrame): Promise<void>;
  end(): Promise<void>;
}

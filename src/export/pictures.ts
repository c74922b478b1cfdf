/**
 * Pictures as an export writes them: the sent PNG, byte for byte, or the same pixels larger, smaller or as a
 * lossless WebP. Nothing is redrawn, and no new colours appear: pixels are repeated or dropped.
 */
import sharp from 'sharp';
import { StorageError } from '../base/errors.js';
import { checkedPng } from '../render/png-input.js';
import { pngSize } from '../render/png.js';
import type { SampleImage } from './prompt-turn.js';

export const IMAGE_TYPES = ['png', 'webp'] as const;
export type ImageType = (typeof IMAGE_TYPES)[number];

export interface ImageSpec {
  type: ImageType;
  /** The scale of pictures; below 1 it is 1/2, 1/3 … */
  scale: number;
}

export interface ImageSize {
  width: number;
  height: number;
}

/** The number of encoded pictures that are kept: a history that is sent again has the same ones. */
const CACHED_PICTURES_MAX = 64;
/** The lowest effort: higher ones save a few percent and take many times as long. */
const WEBP_EFFORT = 0;

export class PictureEncoder {
  readonly #spec: ImageSpec;
  readonly #recent = new Map<string, Uint8Array>();

  constructor(spec: ImageSpec) {
    this.#spec = spec;
  }

  /** The ending of file names. */
  get extension(): string {
    return this.#spec.type;
  }

  async bytes(picture: SampleImage): Promise<Uint8Array> {
    const { type, scale } = this.#spec;
    if (type === 'png' && scale === 1) return picture.png;
    const known = this.#recent.get(picture.hash);
    if (known !== undefined) return known;
    const bytes = await encode(picture, this.size(picture), this.#spec);
    this.#recent.set(picture.hash, bytes);
    for (const oldest of this.#recent.keys()) {
      if (this.#recent.size <= CACHED_PICTURES_MAX) break;
      this.#recent.delete(oldest);
    }
    return bytes;
  }

  size({ png }: SampleImage): ImageSize {
    const { scale } = this.#spec;
    const { width, height } = pngSize(png);
    return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
  }
}

/** Throws StorageError for a picture that can't be decoded: a log may come from anyone. */
async function encode(
  { png, hash }: SampleImage,
  { width, height }: ImageSize,
  { type, scale }: ImageSpec,
): Promise<Uint8Array> {
  try {
    const decoded = sharp(checkedPng(png, 'of the log').file, { failOn: 'warning' });
    const resized = scale === 1 ? decoded : decoded.resize({ width, height, fit: 'fill', kernel: 'nearest' });
    const encoded = type === 'webp' ? resized.webp({ lossless: true, effort: WEBP_EFFORT }) : resized.png();
    return await encoded.toBuffer();
  } catch (error) {
    const why = error instanceof Error ? error.message.split('\n')[0] : String(error);
    throw new StorageError(`the picture ${hash} of the log can't be drawn: ${why}`, [], { cause: error });
  }
}

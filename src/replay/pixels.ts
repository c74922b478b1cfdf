/** Compares pictures by their pixels: two files with different bytes may have the same pixels. */
import { UsageError } from '../base/errors.js';
import { decodePng } from '../render/png-input.js';
import type { RgbaImage } from '../render/png-input.js';
import { DifferenceFound } from './difference.js';

interface LoggedImage {
  png: Uint8Array;
  frameHash: string;
}

/** Rejects with DifferenceFound at the first picture whose pixels differ. */
export async function requireSamePixels(
  moment: { step: number; agent: string },
  pairs: readonly (readonly [logged: LoggedImage, made: LoggedImage])[],
): Promise<void> {
  for (const [logged, made] of pairs) {
    const [loggedImage, replayedImage] = [await decoded(logged.png), await decoded(made.png)];
    const found = pixelDifference(loggedImage, replayedImage);
    if (found === null) continue;
    const note = 'the stored picture differs from the drawn one';
    throw new DifferenceFound({ ...moment, ...found, part: 'frame', path: ['frames', made.frameHash], note });
  }
}

/** Its pixels, or the reason why it has none. */
async function decoded(png: Uint8Array): Promise<RgbaImage | string> {
  try {
    return await decodePng(png, 'the stored picture');
  } catch (error) {
    if (error instanceof UsageError) return error.message;
    throw error;
  }
}

function pixelDifference(
  logged: RgbaImage | string,
  made: RgbaImage | string,
): { logged: unknown; made: unknown } | null {
  if (typeof logged === 'string' || typeof made === 'string')
    return { logged: typeof logged === 'string' ? logged : 'a picture', made: 'a picture' };
  const [loggedSize, replayedSize] = [sizeOf(logged), sizeOf(made)];
  if (loggedSize !== replayedSize) return { logged: loggedSize, made: replayedSize };
  const byte = logged.data.findIndex((value, i) => value !== made.data[i]);
  if (byte < 0) return null;
  const pixel = Math.floor(byte / 4);
  const [x, y] = [pixel % logged.width, Math.floor(pixel / logged.width)];
  const colour = ({ data }: RgbaImage) => ({ x, y, rgba: [...data.subarray(pixel * 4, pixel * 4 + 4)] });
  return { logged: colour(logged), made: colour(made) };
}

function sizeOf({ width, height }: RgbaImage): string {
  return `${width}×${height}`;
}

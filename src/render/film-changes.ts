/** Where a picture differs from the previous one, so that a film contains only changes. */
import type { TextBox, Raster } from './text.js';

/**
 * The smallest box around every changed pixel; the whole picture if there is no previous one, one pixel if
 * nothing changed.
 */
export function changedBox(before: Raster | null, now: Raster): TextBox {
  const { width, height } = now;
  if (before === null) return { x: 0, y: 0, width, height };
  const isSame = (y: number) => {
    for (let i = y * width; i < (y + 1) * width; i++) if (before.indices[i] !== now.indices[i]) return false;
    return true;
  };
  let top = 0;
  while (top < height && isSame(top)) top++;
  if (top === height) return { x: 0, y: 0, width: 1, height: 1 };
  let bottom = height - 1;
  while (isSame(bottom)) bottom--;
  let [left, right] = [width - 1, 0];
  for (let y = top; y <= bottom; y++) {
    const row = y * width;
    let x = 0;
    while (x < left && before.indices[row + x] === now.indices[row + x]) x++;
    left = x;
    x = width - 1;
    while (x > right && before.indices[row + x] === now.indices[row + x]) x--;
    right = x;
  }
  return { x: left, y: top, width: right - left + 1, height: bottom - top + 1 };
}

export function isSameRaster(one: Raster, other: Raster): boolean {
  return one.width === other.width && Buffer.compare(bytesOf(one), bytesOf(other)) === 0;
}

function bytesOf({ indices }: Raster): Uint8Array {
  return new Uint8Array(indices.buffer, indices.byteOffset, indices.byteLength);
}

/** A frame's pixels as red, green and blue: what its hash covers and what its file holds where a palette has more than 256 colours. In: indices; out: bytes. */
import type { Frame } from './frame.js';

type Indexed = Pick<Frame, 'indices' | 'palette'>;

/** A frame is hashed, then encoded: the second one finds it here. */
let last: { readonly indices: Frame['indices']; readonly rgb: Uint8Array } | null = null;

/** At the art's resolution, 3 bytes a pixel. Never to be changed. */
export function frameRgb({ indices, palette }: Indexed): Uint8Array {
  if (last?.indices === indices) return last.rgb;
  const colours = palette.rgb;
  const rgb = new Uint8Array(indices.length * 3);
  for (let i = 0, to = 0; i < indices.length; i++) {
    const from = (indices[i] ?? 0) * 3;
    rgb[to++] = colours[from] ?? 0;
    rgb[to++] = colours[from + 1] ?? 0;
    rgb[to++] = colours[from + 2] ?? 0;
  }
  last = { indices, rgb };
  return rgb;
}

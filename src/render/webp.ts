/**
 * An animated WebP, written picture by picture: sharp encodes the rectangle that changed, losslessly, and
 * this file puts the encoded pictures into the container (RIFF: VP8X, ANIM, then one ANMF per picture). So a
 * film of any length needs the memory of two pictures.
 */
import sharp from 'sharp';
import { assert } from '../base/assert.js';
import { changedBox } from './film-changes.js';
import type { FilmWriter } from './film-frame.js';
import type { Palette } from './palette.js';
import type { TextBox, Raster } from './text.js';

export interface WebpFile {
  write(bytes: Uint8Array): void;
  /** Overwrites earlier bytes. */
  patch(offset: number, bytes: Uint8Array): void;
}

const LONGEST_MS = 0xffffff;
/** Without alpha: overwrites the earlier picture and stays for the next one. */
const NO_BLENDING = 2;
const ANIMATED = 2;

export function webpWriter(
  { width, height }: { width: number; height: number },
  palette: Palette,
  file: WebpFile,
): FilmWriter {
  const head = Buffer.concat([
    Buffer.from('RIFF\0\0\0\0WEBP', 'latin1'),
    chunk('VP8X', Buffer.concat([Buffer.of(ANIMATED, 0, 0, 0), uint24(width - 1), uint24(height - 1)])),
    // A black background, repeated forever.
    chunk('ANIM', Buffer.of(0, 0, 0, 255, 0, 0)),
  ]);
  file.write(head);
  let length = head.length;
  let last: Raster | null = null;
  return {
    add: async ({ raster, delayMs }) => {
      assert(raster.width === width && raster.height === height, 'all pictures must have the same size');
      const box = withEvenOrigin(changedBox(last, raster));
      last = raster;
      const geometry = [box.x / 2, box.y / 2, box.width - 1, box.height - 1];
      const duration = uint24(Math.min(LONGEST_MS, Math.round(delayMs)));
      const encoded = await encodePicture(raster, box, palette);
      const picture = chunk(
        'ANMF',
        Buffer.concat([...geometry.map(uint24), duration, Buffer.of(NO_BLENDING), encoded]),
      );
      file.write(picture);
      length += picture.length;
    },
    end: async () => {
      const size = Buffer.alloc(4);
      size.writeUInt32LE(length - 8);
      file.patch(4, size);
    },
  };
}

/** Positions are counted in pairs of pixels. */
function withEvenOrigin({ x, y, width, height }: TextBox): TextBox {
  return { x: x - (x % 2), y: y - (y % 2), width: width + (x % 2), height: height + (y % 2) };
}

/** Its picture as chunks, without the container that sharp adds to a still picture. */
async function encodePicture(raster: Raster, box: TextBox, palette: Palette): Promise<Buffer> {
  const rgb = boxRgb(raster, box, palette);
  const { width, height } = box;
  const file = await sharp(rgb, { raw: { width, height, channels: 3 } })
    .webp({ lossless: true, effort: 2 })
    .toBuffer();
  const chunks: Buffer[] = [];
  for (let at = 12; at + 8 <= file.length;) {
    const size = file.readUInt32LE(at + 4);
    const end = at + 8 + size + (size % 2);
    const type = file.toString('latin1', at, at + 4);
    if (type === 'VP8L' || type === 'VP8 ' || type === 'ALPH') chunks.push(file.subarray(at, end));
    at = end;
  }
  assert(chunks.length > 0, 'a coded picture');
  return Buffer.concat(chunks);
}

/** Three bytes a pixel. */
export function boxRgb({ indices, width }: Raster, box: TextBox, { rgb }: Palette): Uint8Array {
  const out = new Uint8Array(box.width * box.height * 3);
  let to = 0;
  for (let y = box.y; y < box.y + box.height; y++)
    for (let x = box.x; x < box.x + box.width; x++) {
      const from = (indices[y * width + x] ?? 0) * 3;
      out[to++] = rgb[from] ?? 0;
      out[to++] = rgb[from + 1] ?? 0;
      out[to++] = rgb[from + 2] ?? 0;
    }
  return out;
}

function chunk(type: string, data: Uint8Array): Buffer {
  const head = Buffer.alloc(8);
  head.write(type, 'latin1');
  head.writeUInt32LE(data.length, 4);
  return Buffer.concat([head, data, Buffer.alloc(data.length % 2)]);
}

function uint24(value: number): Buffer {
  return Buffer.of(value & 0xff, (value >> 8) & 0xff, (value >> 16) & 0xff);
}

import { crc32, deflateSync } from 'node:zlib';
import * as fc from 'fast-check';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { UsageError } from '../../src/base/errors.js';
import { LIMITS } from '../../src/base/limits.js';
import { decodePng } from '../../src/render/png-input.js';
import { rgbaPng } from './tilesets.js';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

function chunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const out = Buffer.alloc(body.length + 8);
  out.writeUInt32BE(data.length, 0);
  out.set(body, 4);
  out.writeUInt32BE(crc32(body), body.length + 4);
  return out;
}

interface Header {
  width: number;
  height: number;
  bits?: number;
  type?: number;
  interlace?: number;
}

function header({ width, height, bits = 8, type = 6, interlace = 0 }: Header): Buffer {
  const data = Buffer.alloc(13);
  data.writeUInt32BE(width, 0);
  data.writeUInt32BE(height, 4);
  data.set([bits, type, 0, 0, interlace], 8);
  return chunk('IHDR', data);
}

const END = chunk('IEND', Buffer.alloc(0));
const png = (...chunks: readonly Buffer[]) => Buffer.concat([SIGNATURE, ...chunks]);
const pixels = (bytes: number) => chunk('IDAT', deflateSync(Buffer.alloc(bytes)));

const PATTERN = Buffer.from(Array.from({ length: 4 * 4 * 4 }, (_, i) => (i * 37) % 256));

async function decodes(data: Uint8Array): Promise<Uint8Array> {
  const image = await decodePng(data, 'some.png');
  expect(image.data).toHaveLength(image.width * image.height * 4);
  return image.data;
}

describe('well-formed PNGs keep their exact colours', () => {
  test('also under translucent alpha', async () => {
    expect(await decodes(await rgbaPng(4, 4, PATTERN))).toEqual(new Uint8Array(PATTERN));
  });

  test.each([0, 1, 2, 3, 4])('in rows of filter %i, as sharp decodes them', async (filter) => {
    const [width, height] = [7, 5];
    const bytes = Buffer.from(
      Array.from({ length: 4 * width * height }, (_, i) => (i * i * 31 + i * 7) % 256),
    );
    const rows = Array.from({ length: height }, (_, y) =>
      Buffer.concat([Buffer.from([filter]), bytes.subarray(4 * width * y, 4 * width * (y + 1))]),
    );
    const data = png(header({ width, height }), chunk('IDAT', deflateSync(Buffer.concat(rows))), END);
    const { data: expected } = await sharp(data).raw().toBuffer({ resolveWithObject: true });
    expect(await decodes(data)).toEqual(new Uint8Array(expected));
  });

  test('as a library writes them, with a filter of its choice for each row', async () => {
    const shape = fc.tuple(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: 20 }), fc.nat(255));
    const size = { minLength: 1600, maxLength: 1600 };
    await fc.assert(
      fc.asyncProperty(shape, fc.uint8Array(size), async ([width, height, smooth], noise) => {
        // Smooth pictures get other filters than noisy ones.
        const bytes = Buffer.from(noise.subarray(0, 4 * width * height)).map((byte, i) =>
          byte > smooth ? i % 251 : byte,
        );
        const raw = { width, height, channels: 4 } as const;
        const data = await sharp(bytes, { raw }).png({ adaptiveFiltering: true }).toBuffer();
        expect(await decodes(data)).toEqual(new Uint8Array(bytes));
      }),
    );
  });

  test('an unknown filter is refused', async () => {
    const rows = deflateSync(Buffer.from([5, 1, 2, 3, 4]));
    const data = png(header({ width: 1, height: 1 }), chunk('IDAT', rows), END);
    await expect(decodePng(data, 'some.png')).rejects.toThrow(UsageError);
  });

  test('interlaced', async () => {
    const data = await sharp(PATTERN, { raw: { width: 4, height: 4, channels: 4 } })
      .png({ progressive: true })
      .toBuffer();
    expect(await decodes(data)).toEqual(new Uint8Array(PATTERN));
  });

  test('with a palette', async () => {
    const rgb = chunk('PLTE', Buffer.from([1, 2, 3, 200, 100, 50]));
    const rows = chunk('IDAT', deflateSync(Buffer.from([0, 0b01000000])));
    expect([
      ...(await decodes(png(header({ width: 2, height: 1, bits: 1, type: 3 }), rgb, rows, END))),
    ]).toEqual([1, 2, 3, 255, 200, 100, 50, 255]);
  });

  test('in 16 bits, by their upper byte', async () => {
    const row = Buffer.from([0, 0x12, 0x34, 0x56, 0x78, 0x9a, 0xbc, 0xff, 0xff]);
    const data = png(header({ width: 1, height: 1, bits: 16 }), chunk('IDAT', deflateSync(row)), END);
    expect([...(await decodes(data))]).toEqual([0x12, 0x56, 0x9a, 255]);
  });

  test('in grey', async () => {
    const data = png(
      header({ width: 1, height: 1, type: 0 }),
      chunk('IDAT', deflateSync(Buffer.from([0, 77]))),
      END,
    );
    expect([...(await decodes(data))]).toEqual([77, 77, 77, 255]);
  });

  test('whatever gamma, profile or text they carry', async () => {
    const plain = await rgbaPng(4, 4, PATTERN);
    const bomb = Buffer.concat([Buffer.from('x\0\0', 'latin1'), deflateSync(Buffer.alloc(20_000_000))]);
    const extras = [
      chunk('gAMA', Buffer.from([0, 0, 0x11, 0x11])),
      chunk('iCCP', bomb),
      chunk('zTXt', bomb),
      chunk('eXIf', Buffer.from('not exif')),
    ];
    const data = Buffer.concat([plain.subarray(0, 33), ...extras, plain.subarray(33)]);
    expect(await decodes(data)).toEqual(new Uint8Array(PATTERN));
  });
});

describe('hostile ones are refused in words', () => {
  test.each<readonly [string, () => Uint8Array, RegExp]>([
    ['empty', () => Buffer.alloc(0), /not a PNG/],
    [
      'SVG renamed',
      () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'),
      /not a PNG/,
    ],
    ['an address', () => Buffer.from('https://example.org/tiles.png'), /not a PNG/],
    ['a path', () => Buffer.from('../../secret.png'), /not a PNG/],
    ['signature alone', () => SIGNATURE, /cut off/],
    [
      '30000 × 30000',
      () => png(header({ width: 30_000, height: 30_000 }), pixels(100), END),
      /30000×30000.*4096×4096/,
    ],
    ['one pixel too wide', () => png(header({ width: 4097, height: 1 }), pixels(100), END), /4097×1/],
    ['zero width', () => png(header({ width: 0, height: 8 }), pixels(8), END), /no pixels/],
    ['zero height', () => png(header({ width: 8, height: 0 }), pixels(8), END), /no pixels/],
    [
      'animated',
      () => png(header({ width: 1, height: 1 }), chunk('acTL', Buffer.alloc(8)), pixels(5), END),
      /animated/,
    ],
    [
      'unknown colour type',
      () => png(header({ width: 1, height: 1, type: 5 }), pixels(5), END),
      /colour type/,
    ],
    [
      'unknown interlace',
      () => png(header({ width: 1, height: 1, interlace: 2 }), pixels(5), END),
      /interlace/,
    ],
    [
      'impossible depth',
      () => png(header({ width: 1, height: 1, bits: 3 }), pixels(3), END),
      /can't be used/,
    ],
    ['no header', () => png(pixels(5), END), /header/],
    ['no pixels', () => png(header({ width: 1, height: 1 }), END), /missing/],
    [
      'two headers',
      () => png(header({ width: 1, height: 1 }), header({ width: 9, height: 9 }), pixels(5), END),
      /order/,
    ],
    ['no end', () => png(header({ width: 1, height: 1 }), pixels(5)), /cut off/],
    ['too few pixels', () => png(header({ width: 9, height: 9 }), pixels(5), END), /fewer pixels/],
    ['one byte too many', () => png(header({ width: 1, height: 1 }), pixels(6), END), /more pixels/],
    ['zlib bomb', () => png(header({ width: 1, height: 1 }), pixels(200_000_000), END), /more pixels/],
    [
      'interlaced zlib bomb',
      () => png(header({ width: 9, height: 9, interlace: 1 }), pixels(200_000_000), END),
      /more pixels/,
    ],
    [
      'interlaced, too few pixels',
      () => png(header({ width: 9, height: 9, interlace: 1 }), pixels(5), END),
      /can't be decoded/,
    ],
    [
      'wrong length',
      () =>
        Buffer.concat([
          png(header({ width: 1, height: 1 })),
          Buffer.from([0x7f, 255, 255, 255, 73, 68, 65, 84, 0, 0, 0, 0]),
        ]),
      /wrong length/,
    ],
    [
      'not zlib',
      () => png(header({ width: 1, height: 1 }), chunk('IDAT', Buffer.from('hello')), END),
      /damaged/,
    ],
    [
      'a palette image without a palette',
      () => png(header({ width: 1, height: 1, type: 3 }), pixels(2), END),
      /can't be used/,
    ],
    [
      'chunk with a strange name',
      () => png(header({ width: 1, height: 1 }), chunk('a\u0000b!', Buffer.alloc(0)), END),
      /invalid name/,
    ],
    [
      'too many chunks',
      () =>
        png(
          header({ width: 1, height: 1 }),
          ...Array.from({ length: 10_001 }, () => chunk('tEXt', Buffer.alloc(0))),
          pixels(5),
          END,
        ),
      /chunks/,
    ],
    ['too many bytes', () => Buffer.alloc(LIMITS.tilesetBytes + 1), /8000001 bytes/],
  ])('%s', async (_, make, message) => {
    const refused = await decodePng(make(), 'some.png').catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(UsageError);
    expect(String(refused)).toMatch(/some\.png/);
    expect(String(refused)).toMatch(message);
  });

  test('the edge of the limits is taken', async () => {
    const side = LIMITS.tilesetSidePixels;
    const row = png(header({ width: side, height: 1, bits: 1, type: 0 }), pixels(side / 8 + 1), END);
    expect((await decodePng(row, 'some.png')).width).toBe(side);
  });

  test('a flipped bit is noticed', async () => {
    const data = await rgbaPng(4, 4, PATTERN);
    data[45] = (data[45] ?? 0) ^ 1;
    await expect(decodePng(data, 'some.png')).rejects.toThrow(/damaged/);
  });
});

/** A small generator of its own, so that a failure can be repeated. */
function numbers(seed: number) {
  let state = seed;
  return (below: number) => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) % below;
}

/** Makes all checksums right again, so that the damage reaches what lies behind them. */
function withChecksums(data: Buffer): Buffer {
  for (let at = 8; at + 12 <= data.length;) {
    const end = at + 12 + data.readUInt32BE(at);
    if (end > data.length) break;
    data.writeUInt32BE(crc32(data.subarray(at + 4, end - 4)), end - 4);
    at = end;
  }
  return data;
}

test('500 damaged files are read or refused, never worse', async () => {
  const next = numbers(7);
  const raw = Buffer.from(Array.from({ length: 24 * 24 * 4 }, () => next(256)));
  const image = sharp(raw, { raw: { width: 24, height: 24, channels: 4 } });
  const originals = await Promise.all([
    image.clone().png().toBuffer(),
    image.clone().png({ progressive: true }).toBuffer(),
    image.clone().png({ palette: true, colours: 16 }).toBuffer(),
  ]);
  let refused = 0;
  for (let i = 0; i < 500; i++) {
    const data = Buffer.from(originals[i % 3] ?? raw);
    for (let flips = 1 + next(4); flips > 0; flips--) data[8 + next(data.length - 8)] = next(256);
    const cut = next(10) === 0 ? data.subarray(0, next(data.length)) : data;
    const damaged = i % 2 === 0 ? withChecksums(cut) : cut;
    const outcome: unknown = await decodePng(damaged, 'some.png').catch((error: unknown) => error);
    if (outcome instanceof Error) {
      expect(outcome).toBeInstanceOf(UsageError);
      refused++;
    }
  }
  expect(refused).toBeGreaterThan(300);
});

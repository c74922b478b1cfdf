/** Pictures in terminals: the bytes of each protocol are read back to pixels, and which one is taken is asked without ever hanging. */
import { PassThrough } from 'node:stream';
import { beforeAll, describe, expect, it } from 'vitest';
import sharp from 'sharp';
import { itermImage, kittyImage } from '../../src/cli/terminal/inline-images.js';
import { terminalText } from '../../src/cli/terminal/text-output.js';
import type { Io } from '../../src/cli/terminal/io.js';
import { fittedBox, pictureMethod, scaled, shownPicture } from '../../src/cli/terminal/pictures.js';
import { sixels } from '../../src/cli/terminal/sixel.js';
import { queryTerminal } from '../../src/cli/terminal/terminal-query.js';
import type { RgbaImage } from '../../src/render/png-input.js';
import { capturedIo } from '../support/captured-io.js';

function image(width: number, height: number, rgb: (x: number, y: number) => readonly number[]): RgbaImage {
  const data = Uint8Array.from({ length: width * height * 4 }, (_, i) => {
    const pixel = Math.floor(i / 4);
    return [...rgb(pixel % width, Math.floor(pixel / width)), 255][i % 4] ?? 0;
  });
  return { width, height, data };
}

/** A decoder of sixels of its own: colours as 0 … 100, row by row; -1 where nothing was drawn. */
function decodeSixels(text: string) {
  const [, width = '', height = '', body = ''] =
    /^\u001bP0;1;0q"1;1;(\d+);(\d+)([^\u001b]*)\u001b\\$/.exec(text) ?? [];
  const size = { width: Number(width), height: Number(height) };
  const pixels: string[] = Array.from({ length: size.width * size.height }, () => '-');
  const registers = new Map<number, string>();
  let [colour, x, top] = [0, 0, 0];
  for (const token of body.matchAll(/#(\d+);2;(\d+;\d+;\d+)|#(\d+)|!(\d+)([?-~])|([?-~])|(\$)|(-)/g)) {
    const [, define, rgb, choose, count, repeated, single, back, down] = token;
    if (define !== undefined) registers.set(Number(define), rgb ?? '');
    else if (choose !== undefined) colour = Number(choose);
    else if (back !== undefined) x = 0;
    else if (down !== undefined) [x, top] = [0, top + 6];
    else
      for (let n = Number(count ?? 1); n > 0; n--, x++) {
        const bits = (repeated ?? single ?? '?').charCodeAt(0) - 63;
        for (let y = 0; y < 6; y++)
          if ((bits >> y) & 1) pixels[(top + y) * size.width + x] = registers.get(colour) ?? 'undefined';
      }
  }
  return { ...size, pixels };
}

const meant = ({ width, height, data }: RgbaImage) =>
  Array.from({ length: width * height }, (_, i) =>
    [...data.subarray(i * 4, i * 4 + 3)].map((one) => Math.round((one * 100) / 255)).join(';'),
  );

describe('sixels', () => {
  it.each([
    ['a height that is no whole number of bands', image(9, 13, (x, y) => [x * 20, y * 10, 7])],
    ['long runs', image(200, 6, (x) => (x < 150 ? [1, 2, 3] : [255, 255, 255]))],
    ['one pixel', image(1, 1, () => [128, 64, 32])],
  ])('say exactly the picture: %s', (_, one) => {
    expect(decodeSixels(sixels(one))).toEqual({ width: one.width, height: one.height, pixels: meant(one) });
  });

  it('of more than 256 colours keep six levels a channel', { tags: ['long'] }, () => {
    const many = image(40, 40, (x, y) => [x * 6, y * 6, (x * y) % 256]);
    const { pixels } = decodeSixels(sixels(many));
    expect(new Set(pixels).size).toBeLessThanOrEqual(216);
    const far = (a: string, b: string) =>
      a.split(';').some((one, i) => Math.abs(Number(one) - Number(b.split(';')[i])) > 11);
    expect(pixels.filter((one, i) => far(one, meant(many)[i] ?? ''))).toEqual([]);
  });
});

describe('a PNG inline', () => {
  const png = Uint8Array.from({ length: 10_000 }, (_, i) => (i * 31) % 256);

  it("in kitty's protocol comes in chunks that join to the file, silently and with the cursor left alone", () => {
    const chunks = [
      ...kittyImage(png, { columns: 20, rows: 10 }).matchAll(/\u001b_G([^;]*);([^\u001b]*)\u001b\\/g),
    ];
    expect(chunks.length).toBeGreaterThan(2);
    expect(chunks[0]?.[1]).toBe('a=T,f=100,i=7,p=1,q=2,C=1,c=20,r=10,m=1');
    expect(chunks.slice(1).map(([, control]) => control)).toEqual([
      ...chunks.slice(2).map(() => 'q=2,m=1'),
      'q=2,m=0',
    ]);
    expect(chunks.every(([, , data]) => (data ?? '').length <= 4096)).toBe(true);
    expect(Buffer.from(chunks.map(([, , data]) => data).join(''), 'base64').equals(png)).toBe(true);
  });

  it("in iTerm2's says its size and holds the file", () => {
    const [, facts, data] =
      /^\u001b\]1337;File=([^:]*):([^\u0007]*)\u0007$/.exec(itermImage(png, { columns: 20, rows: 10 })) ?? [];
    expect(facts).toBe('size=10000;width=20;height=10;preserveAspectRatio=1;inline=1');
    expect(Buffer.from(data ?? '', 'base64').equals(png)).toBe(true);
  });
});

/** A terminal: keys come from `keys`, and it answers to what it is asked. */
function terminal(answer: string, env: Readonly<Record<string, string>> = {}) {
  const captured = capturedIo({ isTerminal: true, env: { TERM: 'xterm-256color', ...env } });
  const keys = new PassThrough();
  const modes: boolean[] = [];
  const stdin: Io['stdin'] = Object.assign(keys, {
    isTTY: true,
    setRawMode: (raw: boolean) => modes.push(raw),
  });
  const out = {
    ...captured.io.out,
    write: (text: string) => {
      captured.io.out.write(text);
      if (answer !== '') keys.write(answer);
    },
  };
  return { io: { ...captured.io, stdin, out }, modes, keys, asked: captured.out };
}

const KITTY = '\u001b_Gi=31;OK\u001b\\\u001b[6;18;9t\u001b[?62;c';

describe('which way is taken', () => {
  it.each([
    ['kitty', KITTY, {}, { kind: 'kitty', cell: { width: 9, height: 18 } }],
    ['sixels', '\u001b[?62;4;22c', {}, { kind: 'sixel', cell: { width: 10, height: 20 } }],
    [
      'iTerm2, by name',
      '\u001b[?62;c',
      { TERM_PROGRAM: 'iTerm.app' },
      { kind: 'iterm2', cell: { width: 10, height: 20 } },
    ],
    [
      'blocks within tmux',
      '\u001b[?62;c',
      { TERM_PROGRAM: 'iTerm.app', TMUX: '1' },
      { kind: 'blocks', depth: '256' },
    ],
    ['blocks', '\u001b[?1;2c', {}, { kind: 'blocks', depth: '256' }],
    [
      'as it was said',
      '',
      { ORCHESTRATE_PICTURES: 'sixel' },
      { kind: 'sixel', cell: { width: 10, height: 20 } },
    ],
    ['as it was said: none', '', { ORCHESTRATE_PICTURES: 'none' }, null],
    ['none without colours', '', { NO_COLOR: '1' }, null],
  ] as const)('%s', async (_, answer, env, way) => {
    const { io, modes } = terminal(answer, env);
    expect(await pictureMethod(io, io.out)).toEqual(way);
    expect(modes.at(-1) ?? false).toBe(false);
  });

  it('a terminal that never answers is waited for only so long', async () => {
    const { io, modes } = terminal('');
    expect(await queryTerminal(io, io.out, 1)).toEqual({ hasKitty: false, hasSixels: false, cell: null });
    expect(modes).toEqual([true, false]);
  });

  it('nothing is asked where keys come from no terminal', async () => {
    const { io, out } = capturedIo({ isTerminal: true, env: { TERM: 'xterm-256color' } });
    expect(await pictureMethod(io, io.out)).toEqual({ kind: 'blocks', depth: '256' });
    expect(out()).toBe('');
  });

  it('gives back what was typed meanwhile', async () => {
    const { io, keys } = terminal(`ab${KITTY}`);
    await queryTerminal(io, io.out);
    expect(String(keys.read())).toBe('ab');
  });
});

describe('a picture in a box', () => {
  let png: Buffer;
  beforeAll(async () => {
    const raw = { width: 120, height: 60, channels: 4 } as const;
    const { data } = image(120, 60, (x) => (x < 60 ? [200, 0, 0] : [0, 0, 200]));
    png = await sharp(Buffer.from(data), { raw }).png().toBuffer();
  });

  it('keeps its shape and stays within, in every way', async () => {
    const box = { columns: 30, rows: 30 };
    const cell = { width: 10, height: 20 };
    const blocks = await shownPicture(png, { kind: 'blocks', depth: 'true' }, box);
    expect(blocks).toMatchObject({ columns: 30, rows: 8 });
    expect(await shownPicture(png, { kind: 'kitty', cell }, box)).toMatchObject({ columns: 30, rows: 8 });
    const { lines } = await shownPicture(png, { kind: 'sixel', cell }, box);
    expect(decodeSixels(terminalText(lines[0] ?? ''))).toMatchObject({ width: 300, height: 150 });
    const low = await shownPicture(png, { kind: 'blocks', depth: 'true' }, { columns: 80, rows: 5 });
    expect(low.lines).toHaveLength(5);
  });

  it('is at least one character, and scaled by picking pixels', () => {
    const one = image(2, 2, (x, y) => [x * 255, y * 255, 0]);
    expect(fittedBox(one, { width: 10, height: 20 }, { columns: 1, rows: 1 })).toEqual({
      columns: 1,
      rows: 1,
    });
    expect([...scaled(one, 4, 4).data.subarray(0, 16)].filter((_, i) => i % 4 === 0)).toEqual([
      0, 0, 255, 255,
    ]);
  });
});

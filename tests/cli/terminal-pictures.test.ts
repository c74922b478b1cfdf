/** Pictures in terminals: the bytes of kitty's protocol are read back, and which way is taken is asked without ever hanging. */
import { PassThrough } from 'node:stream';
import { beforeAll, describe, expect, it } from 'vitest';
import sharp from 'sharp';
import { kittyImage } from '../../src/cli/terminal/kitty-image.js';
import type { Io } from '../../src/cli/terminal/io.js';
import { fittedBox, pictureMethod, shownPicture } from '../../src/cli/terminal/pictures.js';
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
    ['blocks in a terminal with sixels', '\u001b[?62;4;22c', {}, { kind: 'blocks', depth: '256' }],
    ['blocks', '\u001b[?1;2c', {}, { kind: 'blocks', depth: '256' }],
    [
      'as it was said',
      '',
      { ORCHESTRATE_PICTURES: 'kitty' },
      { kind: 'kitty', cell: { width: 10, height: 20 } },
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
    expect(await queryTerminal(io, io.out, 1)).toEqual({ hasKitty: false, cell: null });
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
    const low = await shownPicture(png, { kind: 'blocks', depth: 'true' }, { columns: 80, rows: 5 });
    expect(low.lines).toHaveLength(5);
  });

  it('is at least one character', () => {
    const one = image(2, 2, (x, y) => [x * 255, y * 255, 0]);
    expect(fittedBox(one, { width: 10, height: 20 }, { columns: 1, rows: 1 })).toEqual({
      columns: 1,
      rows: 1,
    });
  });
});

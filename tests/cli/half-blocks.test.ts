/** Pictures as characters: which colours stand where, when there are none, and how they are shrunk. */
import { describe, expect, it } from 'vitest';
import { colourDepth, halfBlocks } from '../../src/cli/terminal/half-blocks.js';
import { capturedIo } from '../support/captured-io.js';

/** An image of grey pixels, row by row. */
function greys(width: number, values: readonly number[]) {
  const data = Uint8Array.from(values.flatMap((one) => [one, one, one, 255]));
  return { width, height: values.length / width, data };
}

const depth = (env: Readonly<Record<string, string>>, isTerminal = true) => {
  const { io } = capturedIo({ env, isTerminal });
  return colourDepth(io, io.out);
};

describe('half blocks', () => {
  it('show two rows of pixels in one line, the upper as foreground', () => {
    expect(halfBlocks(greys(1, [10, 20]), 80, 'true')).toEqual([
      '\u001b[38;2;10;10;10;48;2;20;20;20m▀\u001b[0m',
    ]);
  });

  it('tell a colour once for neighbours that share it, and fill the last half line with black', () => {
    expect(halfBlocks(greys(2, [10, 10]), 80, 'true')).toEqual([
      '\u001b[38;2;10;10;10;48;2;0;0;0m▀▀\u001b[0m',
    ]);
  });

  it('shrink by whole squares to what fits, averaging', () => {
    expect(halfBlocks(greys(2, [0, 100, 100, 200, 40, 40, 40, 40]), 1, 'true')).toEqual([
      '\u001b[38;2;100;100;100;48;2;40;40;40m▀\u001b[0m',
    ]);
  });

  it('take the nearest of 216 colours where the terminal has no more', () => {
    expect(halfBlocks(greys(1, [0, 255]), 80, '256')).toEqual(['\u001b[38;5;16;48;5;231m▀\u001b[0m']);
  });

  it.each([
    [{ COLORTERM: 'truecolor' }, true, 'true'],
    [{ TERM: 'xterm-256color' }, true, '256'],
    [{ TERM: 'xterm' }, true, null],
    [{ TERM: 'dumb', COLORTERM: 'truecolor' }, true, null],
    [{ COLORTERM: 'truecolor', NO_COLOR: '1' }, true, null],
    [{ COLORTERM: 'truecolor' }, false, null],
  ] as const)('with %j in a terminal (%s): %s', (env, isTerminal, expected) => {
    expect(depth(env, isTerminal)).toBe(expected);
  });
});

/** The picture that a model is asked about: its number can be read, follows from chance alone, and is accepted as models write it. */
import { expect, it } from 'vitest';
import { verdict } from '../../src/model/doctor.js';
import { decodePng } from '../../src/render/png-input.js';
import { numberPicture } from '../../src/render/test-picture.js';
import { ownTileset } from './tilesets.js';

const drawn = (...digits: readonly number[]) => {
  const left = digits.map((digit) => digit - 1);
  return async () => numberPicture(await ownTileset(), () => left.shift() ?? 0);
};

it.each(['418', '**418**', 'The number is 418.', '4, 1, 8', '4-1-8', 'Four one eight.'])(
  'the answer %j shows that 418 was seen',
  async (answer) => {
    const { accepted } = await drawn(4, 1, 8)();
    expect(verdict(answer, accepted)).toBe(true);
  },
);

it.each(['7', '4', '8', '41', '814', '4180', 'I see a number.', 'four', ''])(
  'the answer %j does not',
  async (answer) => {
    const { accepted } = await drawn(4, 1, 8)();
    expect(verdict(answer, accepted)).not.toBe(true);
  },
);

it('every number is another picture, whole within its edges', async () => {
  const tileset = await ownTileset();
  const hashes = new Set<string>();
  for (let number = 0; number < 729; number++) {
    const digits = [Math.floor(number / 81), Math.floor(number / 9) % 9, number % 9];
    const { hash, accepted } = numberPicture(tileset, (end) => {
      expect(end).toBe(9);
      return digits.shift() ?? 0;
    });
    expect(accepted[0]).toMatch(/^[1-9]{3}$/);
    hashes.add(hash);
  }
  expect(hashes.size).toBe(729);
  const { width, height, data } = await decodePng((await drawn(8, 8, 8)()).png, 'number');
  const edge = (x: number, y: number): boolean => x === 0 || y === 0 || x === width - 1 || y === height - 1;
  const paper = data.slice(0, 4).join(' ');
  const onEdge = Array.from({ length: width * height }, (_, i) => i).filter((i) =>
    edge(i % width, Math.floor(i / width)),
  );
  expect(new Set(onEdge.map((i) => data.slice(i * 4, i * 4 + 4).join(' ')))).toEqual(new Set([paper]));
});

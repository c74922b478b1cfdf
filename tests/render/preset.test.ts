import { describe, expect, test } from 'vitest';
import { LIMITS } from '../../src/base/limits.js';
import { FAMILIES, frameTokens, PRESETS, presetSize } from '../../src/render/preset.js';

describe('image tokens per family', () => {
  // Width, height, then Qwen2.5-VL, Qwen3-VL, Gemma 3, Gemma 4, Pixtral, Mistral Small 3.1, InternVL.
  const families = [
    'qwen2.5-vl',
    'qwen3-vl',
    'gemma3',
    'gemma4',
    'pixtral',
    'mistral-small-3.1',
    'internvl',
  ] as const;
  test.each([
    [448, 448, 256, 196, 256, 256, 812, 272, 256],
    [512, 512, 324, 256, 256, 256, 1056, 380, 256],
    [560, 420, 300, 234, 256, 266, 972, 315, 3328],
    [640, 480, 391, 300, 256, 266, 1230, 432, 3328],
    [768, 768, 729, 576, 256, 256, 2352, 812, 1280],
    [896, 896, 1024, 784, 256, 256, 3192, 1056, 1280],
    [960, 720, 884, 660, 256, 266, 2745, 936, 3328],
    [1014, 760, 972, 768, 256, 266, 3120, 1064, 3328],
    [1024, 1024, 1369, 1024, 256, 256, 4160, 1406, 2560],
    [1280, 960, 1564, 1200, 256, 266, 3120, 1645, 3328],
  ])('%i × %i', (width, height, ...tokens) => {
    expect(families.map((family) => frameTokens(family, width, height))).toEqual(tokens);
  });

  test('SmolVLM pays for crops of the enlarged picture, whatever is sent', () => {
    expect(frameTokens('smolvlm', 512, 512)).toBe(1088);
    expect(frameTokens('smolvlm', 240, 240)).toBe(1088);
    expect(frameTokens('smolvlm', 640, 480)).toBe(832);
  });

  test('Qwen enlarges what is too small and shrinks what is too large', () => {
    expect(frameTokens('qwen3-vl', 64, 64)).toBe(64);
    expect(frameTokens('qwen2.5-vl', 10_000, 10_000)).toBeLessThanOrEqual(12_845_056 / 784);
  });

  test('nothing is claimed of an unknown family', () => {
    expect(frameTokens('unknown', 480, 480)).toBeNull();
  });
});

describe('presets', () => {
  test.each(FAMILIES)('%s: an odd window within the limits', (family) => {
    const { columns, rows, tilePixels } = PRESETS[family];
    expect([columns % 2, rows % 2]).toEqual([1, 1]);
    expect(tilePixels).toBeGreaterThanOrEqual(8);
    expect(tilePixels).toBeLessThanOrEqual(LIMITS.frameTilePixels);
  });

  test.each([
    ['qwen2.5-vl', 28],
    ['qwen3-vl', 32],
    ['pixtral', 16],
    ['mistral-small-3.1', 28],
  ] as const)('%s: a tile is a whole multiple of the %i pixels of a cell', (family, cell) => {
    expect(PRESETS[family].tilePixels % cell).toBe(0);
  });

  test('families that stretch to a square get exactly that square', () => {
    expect(presetSize(PRESETS.gemma3)).toEqual({ width: 896, height: 896 });
    expect(presetSize(PRESETS.gemma4)).toEqual({ width: 768, height: 768 });
    expect(presetSize(PRESETS.internvl)).toEqual({ width: 448, height: 448 });
    expect(presetSize(PRESETS.smolvlm)).toEqual({ width: 512, height: 512 });
  });

  test('one token a tile where the family allows it', () => {
    const tokens = (family: (typeof FAMILIES)[number]) => {
      const { width, height } = presetSize(PRESETS[family]);
      return frameTokens(family, width, height);
    };
    expect([tokens('qwen2.5-vl'), tokens('qwen3-vl')]).toEqual([225, 225]);
    expect([tokens('gemma3'), tokens('gemma4'), tokens('internvl')]).toEqual([256, 256, 256]);
  });
});

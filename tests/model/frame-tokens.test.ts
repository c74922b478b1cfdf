import { describe, expect, test } from 'vitest';
import { FAMILIES, frameTokens } from '../../src/model/frame-tokens.js';

describe('image tokens per family', () => {
  // Width, height, then Qwen2.5-VL, Qwen3-VL, Gemma 3, Gemma 4, Pixtral, Mistral Small 3.1, InternVL.
  const families = [
    'qwen2.5-vl',
    'qwen3-vl',
    'gemma-3',
    'gemma-4',
    'pixtral',
    'mistral-small',
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
});

describe('sizes that fit', () => {
  // A tile of the window, or of window and ruler, falls on whole cells of the model.
  test.each([
    ['qwen2.5-vl', 15 * 28, 15 * 15],
    ['qwen3-vl', 15 * 32, 15 * 15],
    ['mistral-small', 15 * 28, 15 * 16],
    ['gemma-3', 16 * 56, 16 * 16],
    ['gemma-4', 16 * 48, 16 * 16],
    ['internvl', 16 * 28, 16 * 16],
  ] as const)('%s takes %i pixels a side for %i tokens', (family, side, tokens) => {
    expect(frameTokens(family, side, side)).toBe(tokens);
  });

  test('every family charges something, and never less for more', () => {
    for (const family of FAMILIES) {
      const [small, large] = [frameTokens(family, 448, 448), frameTokens(family, 1344, 1344)];
      expect(small).toBeGreaterThan(0);
      expect(large).toBeGreaterThanOrEqual(small);
    }
  });
});

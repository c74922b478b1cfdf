/** What a frame costs in words: a server's count before a guess, a guess told as one, and the preset that makes a tile one token. */
import { describe, expect, it } from 'vitest';
import { familyNamed, describeFrameCost, tilePreset } from '../../src/model/frame-words.js';
import { FAMILIES } from '../../src/model/frame-tokens.js';

describe('the family that a name speaks of', () => {
  it.each([
    ['Qwen/Qwen2.5-VL-7B-Instruct', 'qwen2.5-vl'],
    ['Qwen/Qwen2-VL-2B-Instruct', 'qwen2.5-vl'],
    ['qwen2.5vl:7b', 'qwen2.5-vl'],
    ['models/Qwen2_5-VL', 'qwen2.5-vl'],
    ['Qwen/Qwen3-VL-8B-Instruct', 'qwen3-vl'],
    ['qwen3-vl:8b', 'qwen3-vl'],
    ['Qwen/Qwen3-8B', null],
    ['google/gemma-3-12b-it', 'gemma-3'],
    ['gemma3:4b', 'gemma-3'],
    ['google/gemma-3n-E4B-it', null],
    ['google/gemma-4-E4B-it', 'gemma-4'],
    ['mistralai/Pixtral-12B-2409', 'pixtral'],
    ['mistralai/Mistral-Small-3.1-24B-Instruct-2503', 'mistral-small'],
    ['mistral-small3.2', 'mistral-small'],
    ['mistralai/Mistral-7B-Instruct-v0.3', null],
    ['OpenGVLab/InternVL3_5-8B', 'internvl'],
    ['HuggingFaceTB/SmolVLM2-500M-Video-Instruct', 'smolvlm'],
    ['HuggingFaceTB/SmolVLM2-2.2B-Instruct', null],
    ['HuggingFaceTB/SmolVLM-Instruct', null],
    ['llava:7b', null],
    ['fake-vlm', null],
  ])('%s: %s', (name, family) => {
    expect(familyNamed(name)).toBe(family);
  });
});

describe('the preset that makes a tile one token', () => {
  it('is that of its own name, or there is none', () => {
    const found = FAMILIES.map((family) => [family, tilePreset(family)]);
    expect(Object.fromEntries(found)).toEqual({
      'qwen2.5-vl': { name: 'qwen2.5-vl', tokens: 225 },
      'qwen3-vl': { name: 'qwen3-vl', tokens: 225 },
      // One more at the end of each row.
      'mistral-small': { name: 'mistral-small', tokens: 240 },
      pixtral: { name: 'pixtral', tokens: 240 },
      // With a ruler the frame is 16 × 16 tiles.
      'gemma-3': { name: 'gemma-3', tokens: 256 },
      'gemma-4': { name: 'gemma-4', tokens: 256 },
      internvl: { name: 'internvl', tokens: 256 },
      // Sees a picture in pieces, and once more whole.
      smolvlm: null,
    });
  });
});

describe('a frame of 15 × 15 tiles of 32 pixels', () => {
  const frame = { width: 480, height: 480, tilePixels: 32 };
  const UNKNOWN = "belongs to no known model family, so tokens can't be estimated";

  it.each([
    [
      'qwen2.5vl:7b',
      null,
      "about 289 tokens of qwen2.5-vl (guessed from the model's name); render.preset=qwen2.5-vl makes a tile one vision token and a frame 225",
    ],
    [
      'Qwen3-VL-8B',
      225,
      "225 tokens as counted by the server, as expected for qwen3-vl (guessed from the model's name); a tile is one vision token",
    ],
    [
      'gemma-3-4b-it',
      512,
      "512 tokens as counted by the server, but gemma-3 (guessed from the model's name) would need 256; render.preset=gemma-3 makes a tile one vision token and a frame 256",
    ],
    ['llava:7b', 576, `576 tokens as counted by the server; "llava:7b" ${UNKNOWN}`],
    ['llava:7b', null, `image tokens unknown: not reported by the server; "llava:7b" ${UNKNOWN}`],
  ])('of %s, told %s', (model, told, words) => {
    expect(describeFrameCost(model, frame, told)).toBe(`480 × 480 pixels: ${words}`);
  });

  it('is not one token a tile where the cells only number as many, or lie elsewhere', () => {
    const words = (width: number, height: number, tilePixels: number) =>
      describeFrameCost('gemma-3', { width, height, tilePixels }, null);
    expect(words(512, 512, 32)).toContain('a tile is one vision token');
    expect(words(1024, 256, 32)).toContain('render.preset=gemma-3 makes');
  });

  it('keeps a name from the server harmless', () => {
    expect(describeFrameCost('a\u001b[31m\nb', frame, null)).toMatch(/"a[^\u001b\n]*b"/);
  });
});

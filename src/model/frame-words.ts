/**
 * What a frame costs, in words for people: by the server's own count where it tells one, else by the model's family, which is guessed from its name and
 * told as a guess; and which preset of the scenario's makes a tile one token for that family. In: a model's name, a frame, a count; out: a sentence or two.
 */
import { counted } from '../base/counted.js';
import { oneLine } from '../base/text.js';
import { PRESETS } from '../scenario/presets.js';
import { frameCost } from './frame-tokens.js';
import type { ModelFamily, PixelSize } from './frame-tokens.js';

/** A frame as it is sent. */
export interface FrameSize extends PixelSize {
  /** Of a tile's side. */
  readonly tilePixels: number;
}

/** Names as their makers, Ollama and others spell them. Where two sizes of a model reckon otherwise, the size is part of the name. */
const NAMES: readonly (readonly [RegExp, ModelFamily])[] = [
  [/qwen-?2(?:[.-]5)?-?vl/, 'qwen2.5-vl'],
  [/qwen-?3-?vl|qwen-?3\.5/, 'qwen3-vl'],
  [/gemma-?3(?!n)/, 'gemma-3'],
  [/gemma-?4/, 'gemma-4'],
  [/pixtral/, 'pixtral'],
  [/mistral-?small-?3\.[12]/, 'mistral-small'],
  [/intern-?vl/, 'internvl'],
  [/smolvlm2?-(?:256|500)m/, 'smolvlm'],
];

/** The family that a model's name speaks of: a guess. Null where it speaks of none whose pictures can be reckoned. */
export function familyNamed(model: string): ModelFamily | null {
  const name = model.toLowerCase().replace(/[_\s]/g, '-');
  return NAMES.find(([pattern]) => pattern.test(name))?.[1] ?? null;
}

/** `told` is the server's own count of such a frame's tokens, null where it tells none. */
export function frameCostWords(model: string, frame: FrameSize, told: number | null): string {
  const size = `${frame.width} × ${frame.height} pixels`;
  const family = familyNamed(model);
  if (family === null) {
    const name = JSON.stringify(oneLine(model, 100));
    const cost = told === null ? 'tokens unknown, as the server tells none' : toldWords(told);
    return `${size}: ${cost}; ${name} names no family whose tokens can be reckoned`;
  }
  const reckoned = frameCost(family, frame).tokens;
  const guess = `${family} (guessed from the model's name)`;
  const preset = presetWords(family, frame);
  if (told === null) return `${size}: about ${counted(reckoned, 'token')} of ${guess}; ${preset}`;
  const other =
    told === reckoned ? `as it would be of ${guess}` : `though of ${guess} it would be ${reckoned}`;
  return `${size}: ${toldWords(told)}, ${other}; ${preset}`;
}

function toldWords(told: number): string {
  return `${counted(told, 'token')} by the server's count`;
}

/** A tile is one token where the family's cells lie on the tiles, one on each. */
function isCellATile(family: ModelFamily, { width, height, tilePixels }: FrameSize): boolean {
  const { cells } = frameCost(family, { width, height });
  return cells !== null && cells.columns * tilePixels === width && cells.rows * tilePixels === height;
}

function presetWords(family: ModelFamily, frame: FrameSize): string {
  if (isCellATile(family, frame)) return 'a tile is one vision token';
  const found = tilePreset(family);
  if (found === null) return 'no render.preset makes a tile one vision token of it';
  return `render.preset=${found.name} makes a tile one vision token, a frame ${found.tokens}`;
}

/** The preset by which a tile is one token, that of the family's own name first; null where none does. */
export function tilePreset(family: ModelFamily): { readonly name: string; readonly tokens: number } | null {
  const frames = Object.entries(PRESETS).map(([name, { tilePixels, columns, rows }]) => ({
    name,
    frame: { width: columns * tilePixels, height: rows * tilePixels, tilePixels },
  }));
  const fitting = frames.filter(({ frame }) => isCellATile(family, frame));
  const best = fitting.find(({ name }) => name === family) ?? fitting[0];
  return best === undefined ? null : { name: best.name, tokens: frameCost(family, best.frame).tokens };
}

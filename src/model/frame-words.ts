/**
 * The cost of a frame, as text: by the server's own count if it reports one, otherwise by the model's family,
 * which is guessed from its name and marked as a guess; and the scenario's preset that makes a tile one token
 * for that family.
 */
import { counted } from '../base/counted.js';
import { oneLine } from '../base/text.js';
import { PRESETS, presetFrame } from '../scenario/presets.js';
import { frameCost } from './frame-tokens.js';
import type { ModelFamily, PixelSize } from './frame-tokens.js';

/** A frame as it is sent. */
export interface FrameSize extends PixelSize {
  /** Of a tile's side. */
  tilePixels: number;
}

/**
 * Names as spelled by the makers, Ollama and others. If two sizes of a model count differently, the size is
 * part of the name.
 */
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

/**
 * The family that a model's name suggests: a guess. Null if it suggests none whose tokens can be computed.
 */
export function familyNamed(model: string): ModelFamily | null {
  const name = model.toLowerCase().replace(/[_\s]/g, '-');
  return NAMES.find(([pattern]) => pattern.test(name))?.[1] ?? null;
}

/** The cost of a frame in image tokens. */
export interface FrameCost {
  /** Guessed from the model's name; null if it suggests none whose tokens can be computed. */
  family: ModelFamily | null;
  /** The server's own count of its tokens; null if it reports none. */
  told: number | null;
  /** Computed by the family's rules; null without a family. */
  reckoned: number | null;
  /** Whether a tile is one vision token of the family. */
  isTileAToken: boolean;
  /** The preset that would make it one, if it is not; null if there is no such preset. */
  preset: { name: string; tokens: number } | null;
}

export function costOfFrame(model: string, frame: FrameSize, told: number | null): FrameCost {
  const family = familyNamed(model);
  if (family === null) return { family, told, reckoned: null, isTileAToken: false, preset: null };
  const isTileAToken = isCellATile(family, frame);
  const reckoned = frameCost(family, frame).tokens;
  return { family, told, reckoned, isTileAToken, preset: isTileAToken ? null : tilePreset(family) };
}

/** The same in a sentence or two. */
export function describeFrameCost(model: string, frame: FrameSize, reportedTokens: number | null): string {
  const size = `${frame.width} × ${frame.height} pixels`;
  const cost = costOfFrame(model, frame, reportedTokens);
  const { family, reckoned } = cost;
  if (family === null || reckoned === null) {
    const name = JSON.stringify(oneLine(model, 100));
    const count =
      reportedTokens === null
        ? 'image tokens unknown: not reported by the server'
        : describeReported(reportedTokens);
    return `${size}: ${count}; ${name} belongs to no known model family, so tokens can't be estimated`;
  }
  const guess = `${family} (guessed from the model's name)`;
  const preset = describePreset(cost);
  if (reportedTokens === null) return `${size}: about ${counted(reckoned, 'token')} of ${guess}; ${preset}`;
  const comparison =
    reportedTokens === reckoned ? `as expected for ${guess}` : `but ${guess} would need ${reckoned}`;
  return `${size}: ${describeReported(reportedTokens)}, ${comparison}; ${preset}`;
}

function describeReported(tokens: number): string {
  return `${counted(tokens, 'token')} as counted by the server`;
}

/** A tile is one token if the family's cells match the tiles one to one. */
function isCellATile(family: ModelFamily, { width, height, tilePixels }: FrameSize): boolean {
  const { cells } = frameCost(family, { width, height });
  return cells !== null && cells.columns * tilePixels === width && cells.rows * tilePixels === height;
}

function describePreset({ isTileAToken, preset }: FrameCost): string {
  if (isTileAToken) return 'a tile is one vision token';
  if (preset === null) return 'for this family, no render.preset makes a tile one vision token';
  return `render.preset=${preset.name} makes a tile one vision token and a frame ${preset.tokens}`;
}

/**
 * The preset that makes a tile one token, the one with the family's own name first; null if there is none.
 */
export function tilePreset(family: ModelFamily): { name: string; tokens: number } | null {
  const frames = Object.entries(PRESETS).map(([name, preset]) => ({ name, frame: presetFrame(preset) }));
  const fitting = frames.filter(({ frame }) => isCellATile(family, frame));
  const best = fitting.find(({ name }) => name === family) ?? fitting[0];
  return best === undefined ? null : { name: best.name, tokens: frameCost(family, best.frame).tokens };
}

/** The options of `replay`. */
import { MODULES } from './modules.js';
import { single, whole, word } from './option.js';
import type { Chosen } from './option.js';
import { FORCE, STEP_NUMBERS } from './shared-options.js';
import type { LOG } from './shared-options.js';

export const REPLAY_OPTIONS = {
  ...MODULES,
  step: whole('Begin at this step; with --out: draw this step', ...STEP_NUMBERS),
  agent: single("Only this agent's steps"),
  view: single('What to draw: map, agent:<id>, or all side by side'),
  out: word('File to write: a .png with --step, otherwise a film (.gif, .webp or .mp4)'),
  from: whole('First step of the film', ...STEP_NUMBERS),
  to: whole('Last step of the film', ...STEP_NUMBERS),
  ...FORCE,
};

export type ReplayOptions = Chosen<typeof LOG & typeof REPLAY_OPTIONS>;

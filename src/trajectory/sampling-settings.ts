/** The settings of a model that shape its answers, under the names that scenarios use. */
import type { ModelSpec } from '../scenario/scenario.js';

/** A server's address and time limits are not settings of the run; the model's name is among the players. */
export function samplingSettings({ temperature, topP, maxTokens, seed, guided, extra }: ModelSpec) {
  return { temperature, top_p: topP, max_tokens: maxTokens, seed, guided, extra };
}

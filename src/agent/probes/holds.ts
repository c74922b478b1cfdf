/**
 * Whether the agent holds something: what it holds, and what it could name but doesn't hold. Worlds with
 * hands list what is in them under `self.holds`.
 */
import type { Json } from '../../base/json.js';
import type { ProbeMaker } from './probe.js';
import { plainName, yesOrNo } from './probe.js';

export const holdsProbes: ProbeMaker = ({ observation }) => {
  const held = heldNames(observation.facts['self'] ?? null);
  if (held === null) return [];
  const otherNames = observation.nouns
    .filter(({ kinds }) => kinds.includes('thing'))
    .map(({ name }) => name)
    .filter((name) => !held.includes(name));
  return [...new Set([...held, ...otherNames])].map((name) =>
    yesOrNo('holds', `Do you hold "${plainName(name)}" now?`, held.includes(name)),
  );
};

/** Null if the world has no hands. */
export function heldNames(self: Json): readonly string[] | null {
  const { holds } = (self ?? {}) as { holds?: Json };
  if (!Array.isArray(holds)) return null;
  return holds.flatMap((thing: Json) => {
    const { name } = (thing ?? {}) as { name?: Json };
    return typeof name === 'string' ? [name] : [];
  });
}

/**
 * What of an observation a picture's labels are made of: the scene that was drawn, what may be named, and the doors, which scenes show as ground. In: an
 * observation as the log holds it, of which this alone is parsed, or a whole one; out: plain readonly data.
 */
import type { Json } from '../base/json.js';
import type { Noun, Observation } from '../environment/observation.js';
import type { Scene } from '../environment/scene.js';
import type { ObservedMembers } from '../log/records.js';

export interface Sighting {
  readonly agent: string;
  readonly nouns: readonly Noun[];
  /** Null where the world has no picture. */
  readonly scene: Scene | null;
  /** Facts of the same names; undefined where the world tells none. */
  readonly doors: Json | undefined;
  readonly remembered: Json | undefined;
}

export function sightingOf({ agent, nouns, scene, facts }: Observation): Sighting {
  return { agent, nouns, scene, doors: facts['doors'], remembered: facts['remembered'] };
}

/** The same of one in the log. */
export function sightingIn(observed: ObservedMembers): Sighting {
  const part = <Name extends keyof Observation>(name: Name) => observed(name) as Observation[Name];
  const [doors, remembered] = [observed('facts', 'doors'), observed('facts', 'remembered')];
  return { agent: part('agent'), nouns: part('nouns'), scene: part('scene'), doors, remembered };
}

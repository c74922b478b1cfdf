/** What is on a clear tile some way off: a thing, a person or the ground. Dark ones are asked for in the same words (`unknowable.ts`). */
import { VISIBLE } from '../../environment/scene.js';
import type { Probe, ProbeMaker } from './probe.js';
import { hereOf, optionsFor, tileQuestion, visibilityAt, wordAt } from './tiles.js';

/** Tiles from the agent: nearer ones are `beside`, farther ones can't be counted at a glance. */
const NEAREST = 2;
const FARTHEST = 6;

export const tileProbes: ProbeMaker = (moment) => {
  const here = hereOf(moment);
  if (here === null) return [];
  const { scene, self } = here;
  return scene.visibility.flatMap((_, cell): readonly Probe[] => {
    const [x, y] = [cell % scene.width, Math.floor(cell / scene.width)];
    const far = Math.abs(x - self.x) + Math.abs(y - self.y);
    if (far < NEAREST || far > FARTHEST || visibilityAt(scene, x, y) !== VISIBLE) return [];
    const expected = wordAt(here, x, y);
    if (expected === null) return [];
    const question = tileQuestion(x - self.x, y - self.y);
    return [{ kind: 'tile', question, options: optionsFor(here, expected), expected }];
  });
};

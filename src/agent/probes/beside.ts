/** What is on the tile beside the agent: a thing, a person, the ground, or something that can't be known. */
import type { KnowledgeProbe, ProbeMaker } from './probe.js';
import { positionOf, optionsFor, labelAt } from './tiles.js';

export const SIDES = [
  ['north', 0, -1],
  ['east', 1, 0],
  ['south', 0, 1],
  ['west', -1, 0],
] as const;

export const besideProbes: ProbeMaker = (context) => {
  const position = positionOf(context);
  if (position === null) return [];
  const { scene, self } = position;
  return SIDES.flatMap(([side, dx, dy]): readonly KnowledgeProbe[] => {
    const [x, y] = [self.x + dx, self.y + dy];
    const isInside = x >= 0 && y >= 0 && x < scene.width && y < scene.height;
    const expected = isInside ? labelAt(position, x, y) : null;
    if (expected === null) return [];
    return [
      { kind: 'beside', question: besideQuestion(side), options: optionsFor(position, expected), expected },
    ];
  });
};

export function besideQuestion(side: string): string {
  return `What is on the tile directly to the ${side} of you?`;
}

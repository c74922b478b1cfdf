/**
 * What is on a clear tile some distance away: a thing, a person or the ground. Questions about dark tiles
 * have the same wording (`unknowable.ts`).
 */
import { VISIBLE } from '../../environment/scene.js';
import type { KnowledgeProbe, ProbeMaker } from './probe.js';
import { FARTHEST, positionOf, optionsFor, tileQuestion, visibilityAt, labelAt } from './tiles.js';
import type { ProbePosition } from './tiles.js';

/** The minimum distance in tiles; nearer tiles belong to `beside`. */
const NEAREST = 2;

export const tileProbes: ProbeMaker = (context) => {
  const position = positionOf(context);
  if (position === null) return [];
  const optionsByAnswer = new Map<string, readonly string[]>();
  const probes: KnowledgeProbe[] = [];
  for (const { x, y, dx, dy } of tilesAround(position)) {
    const expected = labelAt(position, x, y);
    if (expected === null) continue;
    const options = optionsByAnswer.get(expected) ?? optionsFor(position, expected);
    optionsByAnswer.set(expected, options);
    probes.push({ kind: 'tile', question: tileQuestion(dx, dy), options, expected });
  }
  return probes;
};

/** The clear tiles to ask about, row by row. */
function tilesAround({ scene, self }: ProbePosition) {
  const tiles: { x: number; y: number; dx: number; dy: number }[] = [];
  for (let dy = -FARTHEST; dy <= FARTHEST; dy++)
    for (let dx = -FARTHEST; dx <= FARTHEST; dx++) {
      const distance = Math.abs(dx) + Math.abs(dy);
      const [x, y] = [self.x + dx, self.y + dy];
      if (distance < NEAREST || distance > FARTHEST || visibilityAt(scene, x, y) !== VISIBLE) continue;
      tiles.push({ x, y, dx, dy });
    }
  return tiles;
}

/**
 * On which side of the agent something in sight is: further north, further south or level, and the same from
 * west to east.
 */
import type { KnowledgeProbe, ProbeMaker } from './probe.js';
import { plainName, uniqueNames } from './probe.js';
import { positionOf, visibleThings } from './tiles.js';

export const sideProbes: ProbeMaker = (context) => {
  const position = positionOf(context);
  if (position === null) return [];
  const things = visibleThings(position);
  return uniqueNames(things.map(({ name }) => name)).flatMap((name) => {
    const thing = things.find((candidate) => candidate.name === name);
    if (thing === undefined) return [];
    return SIDE_AXES.map(([sides, axis]) => sideProbe(name, sides, thing[axis] - position.self[axis]));
  });
};

export const SIDE_AXES = [
  [['north', 'south'], 'y'],
  [['west', 'east'], 'x'],
] as const;

type Sides = readonly [string, string];

function sideProbe(name: string, sides: Sides, offset: number): KnowledgeProbe {
  return { kind: 'side', ...sideQuestion(`"${plainName(name)}"`, sides), expected: sideAt(sides, offset) };
}

export function sideQuestion(
  what: string,
  [before, behind]: Sides,
): { question: string; options: readonly string[] } {
  return {
    question: `Is ${what} further ${before} than you, further ${behind}, or level with you?`,
    options: [before, behind, 'level'],
  };
}

export function sideAt([before, behind]: Sides, offset: number): string {
  return offset < 0 ? before : offset > 0 ? behind : 'level';
}

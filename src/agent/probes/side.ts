/**
 * On which side of the agent something in sight is: further north, further south or level, and the same from
 * west to east.
 */
import type { KnowledgeProbe, ProbeMaker } from './probe.js';
import { plain, uniqueNames } from './probe.js';
import { hereOf, visibleThings } from './tiles.js';

export const sideProbes: ProbeMaker = (moment) => {
  const here = hereOf(moment);
  if (here === null) return [];
  const things = visibleThings(here);
  return uniqueNames(things.map(({ name }) => name)).flatMap((name) => {
    const thing = things.find((one) => one.name === name);
    if (thing === undefined) return [];
    return [
      sideProbe(name, ['north', 'south'], thing.y - here.self.y),
      sideProbe(name, ['west', 'east'], thing.x - here.self.x),
    ];
  });
};

function sideProbe(
  name: string,
  [before, behind]: readonly [string, string],
  offset: number,
): KnowledgeProbe {
  return {
    kind: 'side',
    question: `Is "${plain(name)}" further ${before} than you, further ${behind}, or level with you?`,
    options: [before, behind, 'level'],
    expected: offset < 0 ? before : offset > 0 ? behind : 'level',
  };
}

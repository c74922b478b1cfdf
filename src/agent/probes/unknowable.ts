/**
 * What an agent with this view could not know: a dark tile of the picture, the state of a door out of sight,
 * or the position of something never mentioned.
 */
import { UNKNOWN } from '../../environment/scene.js';
import { doorProbe, hiddenDoors } from './door.js';
import { absentNames } from './named.js';
import type { KnowledgeProbe, ProbeMaker } from './probe.js';
import { plainName, UNKNOWN_WORD } from './probe.js';
import type { ProbePosition } from './tiles.js';
import { FARTHEST, positionOf, optionsFor, tileQuestion } from './tiles.js';

/** The dark tiles to ask about, the nearest first. */
const TILES_MAX = 8;

export const unknowableProbes: ProbeMaker = (context) => {
  const position = positionOf(context);
  return [
    ...(position === null ? [] : darkTiles(position)),
    ...hiddenDoors(context.observation).map((name) => doorProbe('unknowable', name, UNKNOWN_WORD)),
    ...absentNames(context).map((name) => whereIs('unknowable', name, UNKNOWN_WORD)),
  ];
};

export function whereIs(kind: KnowledgeProbe['kind'], name: string, expected: string): KnowledgeProbe {
  const options = ['here', 'elsewhere', UNKNOWN_WORD];
  return { kind, question: `Where is "${plainName(name)}"?`, options, expected };
}

function darkTiles(position: ProbePosition): readonly KnowledgeProbe[] {
  const { scene, self } = position;
  const options = optionsFor(position, UNKNOWN_WORD);
  const dark: TileOffset[] = [];
  for (let cell = 0; cell < scene.visibility.length; cell++)
    if (scene.visibility[cell] === UNKNOWN)
      dark.push({ dx: (cell % scene.width) - self.x, dy: Math.floor(cell / scene.width) - self.y });
  return dark
    .filter((tile) => distanceOf(tile) <= FARTHEST)
    .toSorted((a, b) => distanceOf(a) - distanceOf(b))
    .slice(0, TILES_MAX)
    .map(({ dx, dy }) => ({
      kind: 'unknowable',
      question: tileQuestion(dx, dy),
      options,
      expected: UNKNOWN_WORD,
    }));
}

interface TileOffset {
  dx: number;
  dy: number;
}

function distanceOf({ dx, dy }: TileOffset): number {
  return Math.abs(dx) + Math.abs(dy);
}

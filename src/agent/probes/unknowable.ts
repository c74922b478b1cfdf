/** What nobody who was shown this could know: a dark tile of the picture, or where something is of which nothing was told. */
import { counted } from '../../base/counted.js';
import { UNKNOWN } from '../../environment/scene.js';
import { absentNames } from './named.js';
import type { Probe, ProbeMaker } from './probe.js';
import { UNKNOWN_WORD } from './probe.js';
import type { Here } from './tiles.js';
import { hereOf, optionsFor, visibilityAt } from './tiles.js';

/** Dark tiles that are asked for, the nearest first. */
const TILES_MAX = 8;

export const unknowableProbes: ProbeMaker = (moment) => {
  const here = hereOf(moment);
  return [...(here === null ? [] : darkTiles(here)), ...absentNames(moment).map(whereIs)];
};

function whereIs(name: string): Probe {
  const options = ['here', 'elsewhere', UNKNOWN_WORD];
  return { kind: 'unknowable', question: `Where is "${name}"?`, options, expected: UNKNOWN_WORD };
}

function darkTiles(here: Here): readonly Probe[] {
  const { scene, self } = here;
  const options = optionsFor(here, UNKNOWN_WORD);
  const cells = scene.visibility.map((_, cell) => ({
    dx: (cell % scene.width) - self.x,
    dy: Math.floor(cell / scene.width) - self.y,
  }));
  return cells
    .filter(({ dx, dy }) => visibilityAt(scene, self.x + dx, self.y + dy) === UNKNOWN)
    .toSorted((a, b) => far(a) - far(b))
    .slice(0, TILES_MAX)
    .map(({ dx, dy }) => ({
      kind: 'unknowable',
      question: `What is on the tile ${offsetWords(dx, dy)} of you?`,
      options,
      expected: UNKNOWN_WORD,
    }));
}

function far({ dx, dy }: { readonly dx: number; readonly dy: number }): number {
  return Math.abs(dx) + Math.abs(dy);
}

function offsetWords(dx: number, dy: number): string {
  const tiles = (count: number, side: string) => `${counted(count, 'tile')} ${side}`;
  const parts = [
    ...(dy === 0 ? [] : [tiles(Math.abs(dy), dy < 0 ? 'north' : 'south')]),
    ...(dx === 0 ? [] : [tiles(Math.abs(dx), dx < 0 ? 'west' : 'east')]),
  ];
  return parts.join(' and ');
}

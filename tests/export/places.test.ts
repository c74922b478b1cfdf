/**
 * Where in its tile a thing of a picture is told to be, by the renderer that drew it: up to version 1 everything on a tile was drawn whole, one over the
 * other, so that of what lay below nobody knows how much still showed.
 */
import { describe, expect, it } from 'vitest';
import { visibleParts } from '../../src/export/places.js';
import { sceneOf, thing } from '../render/scenes.js';

const WHOLE = { left: 0, top: 0, halves: 2 };
const CORNER = { left: 1, top: 1, halves: 1 };

/** A key and a knight on one tile, another key beside them, in the order in which they were drawn. */
const things = [
  { ...thing('item/key', 0, 0), id: 'below' },
  { ...thing('figure/knight', 0, 0), id: 'above' },
  { ...thing('item/key', 1, 0), id: 'beside' },
];
const scene = sceneOf(['..'], undefined, { things });
const seen = (version: number) =>
  visibleParts(
    scene,
    version,
    things.map(({ id, x, y }) => ({ id, x, y, isDoor: false })),
  );

describe('what shares its tile with another thing', () => {
  it('in pictures of the first renderer lies whole below it, and may not be made out', () => {
    expect(seen(1)).toEqual([
      { part: WHOLE, covered: true, occluded: true },
      { part: WHOLE, covered: false, occluded: false },
      { part: WHOLE, covered: false, occluded: false },
    ]);
  });

  it('in pictures of later ones is small in a corner, in front of it', () => {
    expect(seen(2)).toEqual([
      { part: CORNER, covered: false, occluded: false },
      { part: WHOLE, covered: true, occluded: false },
      { part: WHOLE, covered: false, occluded: false },
    ]);
  });
});

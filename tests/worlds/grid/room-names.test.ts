/** Names of rooms in a preview lie on free floor, so that they cover nothing. */
import { expect, it } from 'vitest';
import { readFileSync } from 'node:fs';
import { openScenario } from '../../../src/assembly/open.js';
import { known } from '../../../src/base/assert.js';

it.each(['crypt', 'brass-key', 'two-keepers', 'watchman'])('in %s no name covers a thing', async (name) => {
  const path = `scenarios/${name}.yaml`;
  const content = readFileSync(path);
  const readFile = (): never => {
    throw new Error('no file is read');
  };
  const { environment, scenario } = await openScenario({ path, content, readFile });
  const scene = known(environment.scene(environment.create(scenario.seed), null) ?? undefined, 'a scene');
  const covered = scene.marks.flatMap((mark) =>
    scene.things
      // Six pixels to each side of the middle for a character, tiles of 32 pixels.
      .filter(({ x, y }) => y === mark.y && Math.abs(x - mark.x) * 32 < mark.text.length * 6 + 16)
      .map(({ id }) => `${mark.text} over ${id}`),
  );
  expect(covered).toEqual([]);
});

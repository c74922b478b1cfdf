/**
 * Optional aids over an observation, each a switch of the scenario: what a model is given besides. They change the observation itself, so
 * text and picture still come from one source and the log holds what was really shown.
 */
import type { Observation, Section } from '../environment/observation.js';
import type { Scene, SceneMark, SceneThing } from '../environment/scene.js';
import type { RenderSpec } from '../scenario/scenario.js';

export function withAids(
  observation: Observation,
  render: Pick<RenderSpec, 'marks' | 'channel'>,
): Observation {
  const { scene } = observation;
  if (!render.marks || scene === null || render.channel === 'text') return observation;
  const marked = scene.things.filter((thing) => thing.id !== observation.agent);
  if (marked.length === 0) return observation;
  return {
    ...observation,
    scene: { ...scene, marks: marksOn(scene, marked) },
    sections: [...observation.sections, legend(marked)],
  };
}

/** One number a tile: what lies on one tile shares the number of the first. */
function marksOn(scene: Scene, things: readonly SceneThing[]): readonly SceneMark[] {
  const numbers = numbersOf(things);
  const marks = things.map(({ x, y }) => ({ x, y, text: String(numbers.get(`${x},${y}`)) }));
  const first = new Map(marks.map((mark) => [`${mark.x},${mark.y}`, mark]));
  return [...scene.marks, ...first.values()];
}

function legend(things: readonly SceneThing[]): Section {
  const numbers = numbersOf(things);
  const lines = things.map(({ x, y, name }) => `${numbers.get(`${x},${y}`) ?? 0}: ${name}`);
  return { id: 'numbers', lines: [`Numbers in the picture: ${lines.join('; ')}.`] };
}

function numbersOf(things: readonly SceneThing[]): ReadonlyMap<string, number> {
  const tiles = [...new Set(things.map(({ x, y }) => `${x},${y}`))];
  return new Map(tiles.map((tile, i) => [tile, i + 1]));
}

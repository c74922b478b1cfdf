/** Kinds of ground in the text and the facts: told where there are several, in sight apart from remembered, and not where the picture alone tells. */
import { describe, expect, it } from 'vitest';
import type { SpatialFacts } from '../../../src/environment/spatial-facts.js';
import { setBody } from '../../../src/worlds/grid/change.js';
import type { GridRules } from '../../../src/worlds/grid/definition.js';
import { learn } from '../../../src/worlds/grid/learning.js';
import { observe } from '../../../src/worlds/grid/observe.js';
import { gridRegistry } from '../../../src/worlds/grid/registry.js';
import type { Played } from './random-world.js';
import { RULES, aDoor, aWorld, anAgent, played } from './random-world.js';

const ROWS = ['#######', '#..~~.#', '#..~~.#', '#.....#', '#######'];
const TERRAIN = [
  { id: 'floor', name: 'moss', walkable: true, opaque: false, sprite: 'grass' },
  { id: 'wall', name: 'wall', walkable: false, opaque: true, sprite: 'wall' },
  { id: 'water', name: 'black water', walkable: false, opaque: false, sprite: 'water' },
];

function pond(rules: Partial<GridRules> = {}, sightRadius = 8): Played {
  const agents = [anAgent('ada', { x: 1, y: 3 }, { sightRadius })];
  const world = aWorld(ROWS, { terrain: TERRAIN, terrainKeys: '.#~', agents, rules: { ...RULES, ...rules } });
  return played(world);
}

function seen({ world, state }: Played) {
  const registry = gridRegistry(world);
  const observation = observe(world, state, 'ada', registry);
  const lines = observation.sections.find(({ id }) => id === 'see')?.lines ?? [];
  const { window } = observation.facts as unknown as SpatialFacts;
  return { lines, window, ground: lines.filter((line) => line.startsWith('Ground')) };
}

describe('kinds of ground', () => {
  it('are told by the scenario’s names, with how far and how much', () => {
    expect(seen(pond()).ground).toEqual([
      'Ground in sight, with the nearest tile: moss (here, 11 tiles); black water (2 east, 1 north, 4 tiles, not walkable).',
    ]);
    expect(seen(pond({ coordinates: true })).ground[0]).toContain('(2 east, 1 north, at x 3, y 2, 4 tiles, ');
  });

  it('are told apart as seen and as remembered', () => {
    const { world, state } = pond({}, 1);
    const near = setBody(learn(world, setBody(state, 'ada', { x: 2, y: 2 }), 'ada'), 'ada', { x: 1, y: 3 });
    const { ground, window } = seen({ world, state: near });
    expect(ground.map((line) => line.split(':')[0])).toEqual([
      'Ground in sight, with the nearest tile',
      'Ground out of sight, as remembered',
    ]);
    expect(ground[1]).toContain('black water');
    const at = (rows: readonly string[], x: number, y: number) => rows[y - window.y]?.[x - window.x];
    const water = at(window.ground, 3, 1) ?? '';
    expect(window.terrain[water]).toEqual({ name: 'black water', walkable: false, opaque: false });
    expect([at(window.sight, 3, 1), at(window.sight, 1, 2)]).toEqual(['0', '1']);
    expect(at(window.ground, 5, 1)).toBe('?');
  });

  it('are not told where there is only one, and a doorway or a wall is none', () => {
    const rows = ['#####', '#.~.#', '#####'];
    const doors = [aDoor('oak', { x: 2, y: 1 })];
    const agents = [anAgent('ada', { x: 1, y: 1 })];
    const world = played(aWorld(rows, { terrain: TERRAIN, terrainKeys: '.#~', agents, doors }));
    expect(seen(world).ground).toEqual([]);
  });

  it('are told by LOOK alone where an agent must look', () => {
    const { world, state } = pond({ observe: 'ask' });
    expect(seen({ world, state }).ground).toEqual([]);
    const look = gridRegistry(world).get('LOOK');
    expect(look?.apply(state, 'ada', {}).message).toContain('black water (2 east');
  });

  it('are in no text where the picture alone tells', () => {
    const { world, state } = pond({ refusals: 'plain' });
    const look = gridRegistry(world).get('LOOK');
    expect(look?.apply(state, 'ada', {}).message).toBe('You look around.');
    const observation = observe(world, state, 'ada', gridRegistry(world));
    const told = observation.sections.filter(({ isPictured }) => isPictured !== true);
    expect(JSON.stringify([told, observation.offered, observation.nouns])).not.toMatch(/water|moss/);
  });
});

/** The built-in terrains and map characters, which every scenario may use. */
import type { TerrainKind } from '../definition.js';
import type { GridInput } from './schema-grid.js';

function terrain(id: string, name: string, options: { walkable: boolean; opaque: boolean }): TerrainKind {
  return { id, name, ...options, sprite: id };
}

const OPEN = { walkable: true, opaque: false };
const BARRIER = { walkable: false, opaque: false };
const SOLID = { walkable: false, opaque: true };

/** By id; the sprite is the tileset's ground class of the same name. */
export const BUILT_IN_TERRAIN: readonly TerrainKind[] = [
  terrain('floor', 'stone floor', OPEN),
  terrain('wood-floor', 'wooden floor', OPEN),
  terrain('carpet', 'carpet', OPEN),
  terrain('dirt', 'dirt', OPEN),
  terrain('grass', 'grass', OPEN),
  terrain('sand', 'sand', OPEN),
  terrain('farmland', 'field', OPEN),
  terrain('ice', 'ice', OPEN),
  terrain('rubble', 'rubble', OPEN),
  terrain('bridge', 'bridge', OPEN),
  terrain('chasm-bridge', 'bridge', OPEN),
  terrain('water', 'water', BARRIER),
  terrain('lava', 'lava', BARRIER),
  terrain('chasm', 'chasm', BARRIER),
  terrain('wall', 'wall', SOLID),
  terrain('cave', 'rock', SOLID),
  terrain('wood-wall', 'wooden wall', SOLID),
  terrain('hedge', 'hedge', SOLID),
];

/** The meaning of a character if the legend does not define it. */
export const BUILT_IN_LEGEND: Readonly<Record<string, string>> = {
  '#': 'wall',
  '.': 'floor',
  '~': 'water',
  ',': 'grass',
  _: 'wood-floor',
  ':': 'dirt',
};

/** Every terrain of a scenario; its own ones override built-in ones of the same id. */
export function terrainTable(own: GridInput['terrain']): ReadonlyMap<string, TerrainKind> {
  const table = new Map(BUILT_IN_TERRAIN.map((kind) => [kind.id, kind]));
  for (const [id, kind] of Object.entries(own)) table.set(id, { id, ...kind });
  return table;
}

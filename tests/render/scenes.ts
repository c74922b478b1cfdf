/** Scenes for tests, written as maps: one row of characters for what is there, one for how well it is known. */
import { REMEMBERED, UNKNOWN, VISIBLE, type Scene, type SceneThing } from '../../src/environment/scene.js';

const LEGEND: Readonly<Record<string, string>> = {
  '.': 'floor',
  '#': 'wall',
  '~': 'water',
  D: 'door/wood-closed',
  O: 'door/wood-open',
  L: 'door/iron-locked',
};

/** `fog`: v visible, r remembered, anything else unknown. Without it all is visible but spaces. */
export function sceneOf(map: readonly string[], fog?: readonly string[], more: Partial<Scene> = {}): Scene {
  const width = map[0]?.length ?? 0;
  const names = Object.values(LEGEND);
  const cells = map.flatMap((row, y) => Array.from(row, (c, x) => ({ c, f: fog?.[y]?.[x] ?? 'v' })));
  const visibility = cells.map(({ c, f }) =>
    c === ' ' || !'vr'.includes(f) ? UNKNOWN : f === 'v' ? VISIBLE : REMEMBERED,
  );
  return {
    width,
    height: map.length,
    origin: { x: 1, y: 0 },
    legend: names,
    ground: cells.map(({ c }, i) => (visibility[i] === UNKNOWN ? -1 : names.indexOf(LEGEND[c] ?? ''))),
    visibility,
    things: [],
    marks: [],
    ...more,
  };
}

export function thing(sprite: string, x: number, y: number): SceneThing {
  return {
    id: `${sprite.replace('/', '-')}-${x}-${y}`,
    name: sprite,
    sprite,
    x,
    y,
    layer: sprite.startsWith('figure/') ? 1 : 0,
  };
}

/**
 * The kinds of ground that an agent knows within its frame: grass, water, a floor of stone. Tiles in sight
 * and remembered ones are counted apart. Walls are left out, because exits and the map tell them, and so are
 * doorways, which are drawn as their doors.
 */
import { at } from '../../base/assert.js';
import { compareText } from '../../base/ids.js';
import type { Point } from '../../environment/space.js';
import { distance } from '../../environment/space.js';
import type { GridRules, TerrainKind } from './definition.js';
import { knownTiles } from './knowledge.js';
import type { GridState } from './state.js';
import type { AgentView } from './view.js';
import { nameText } from '../../environment/wording.js';
import { tiles, tileText, whereabouts } from './wording.js';
import type { GridWorld } from './world.js';
import { cutToMap, DOORWAY, windowRect } from './world.js';

interface GroundPatch {
  kind: TerrainKind;
  tiles: number;
  nearest: Point;
}

/** The lines about the ground; none if the agent knows only one kind, which tells it nothing. */
export function groundLines(
  world: GridWorld,
  state: GridState,
  view: AgentView,
): { visible: readonly string[]; remembered: readonly string[] } {
  const { visible, remembered } = knownGround(world, state, view);
  if (visible.length + remembered.length < 2) return { visible: [], remembered: [] };
  const { rules } = world.definition;
  const line = (beginning: string, patches: readonly GroundPatch[]): readonly string[] =>
    patches.length === 0
      ? []
      : [`${beginning}: ${patches.map((patch) => patchText(view.self, patch, rules)).join('; ')}.`];
  return {
    visible: line('Ground in sight, with the nearest tile', visible),
    remembered: line('Ground out of sight, as remembered', remembered),
  };
}

/** "water (2 north, 9 tiles, not walkable)" */
function patchText(self: Point, { kind, tiles: count, nearest }: GroundPatch, rules: GridRules): string {
  const notes = [
    whereabouts(self, nearest),
    ...(rules.coordinates === true ? [`at ${tileText(nearest)}`] : []),
    tiles(count),
    ...(kind.walkable ? [] : ['not walkable']),
  ];
  return `${nameText(kind.name)} (${notes.join(', ')})`;
}

/** `remembered` has only kinds of which no tile is in sight. */
function knownGround(
  world: GridWorld,
  state: GridState,
  { self, sight }: AgentView,
): { visible: readonly GroundPatch[]; remembered: readonly GroundPatch[] } {
  const kinds = world.definition.terrain;
  if (kinds.filter(isFloor).length < 2) return { visible: [], remembered: [] };
  const rect = cutToMap(world.definition, windowRect(world.definition.window, self));
  const isKnown = knownTiles(state, self.id);
  const visible = new Map<string, GroundPatch>();
  const remembered = new Map<string, GroundPatch>();
  for (let y = rect.y; y < rect.y + rect.height; y++) {
    for (let x = rect.x; x < rect.x + rect.width; x++) {
      const tile = y * world.definition.size.width + x;
      const kind = at(kinds, world.terrain[tile] ?? 0);
      if (!isFloor(kind) || world.light[tile] === DOORWAY) continue;
      if (sight.has(x, y)) extend(visible, kind, self, { x, y });
      else if (isKnown(x, y)) extend(remembered, kind, self, { x, y });
    }
  }
  for (const key of visible.keys()) remembered.delete(key);
  const nearestFirst = (a: GroundPatch, b: GroundPatch): number =>
    distance(self, a.nearest) - distance(self, b.nearest) || compareText(a.kind.name, b.kind.name);
  return {
    visible: [...visible.values()].toSorted(nearestFirst),
    remembered: [...remembered.values()].toSorted(nearestFirst),
  };
}

/** Kinds of one name are one to a reader, unless only one of them can be walked on. */
function extend(patches: Map<string, GroundPatch>, kind: TerrainKind, self: Point, tile: Point): void {
  const key = `${String(kind.walkable)} ${kind.name}`;
  const patch = patches.get(key);
  const isNearer = patch === undefined || distance(self, tile) < distance(self, patch.nearest);
  patches.set(key, { kind, tiles: (patch?.tiles ?? 0) + 1, nearest: isNearer ? tile : patch.nearest });
}

function isFloor({ walkable, opaque }: TerrainKind): boolean {
  return walkable || !opaque;
}

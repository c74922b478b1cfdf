/**
 * What a picture shows tile by tile, for questions about positions: labels for the contents of a tile, seen
 * from the agent's position.
 */
import { compareText } from '../../base/ids.js';
import { once } from '../../base/once.js';
import type { Scene, SceneThing } from '../../environment/scene.js';
import { UNKNOWN, VISIBLE } from '../../environment/scene.js';
import { isDoor } from '../../environment/shared-tiles.js';
import { offsetWords } from '../../environment/space.js';
import { OPTIONS_MAX, UNKNOWN_WORD, plainName } from './probe.js';
import type { ProbeContext } from './probe.js';

export interface ProbePosition {
  scene: Scene;
  self: SceneThing;
  /** Ids of what the agent may name; anything else in a scene is a drawing of something not known yet. */
  nameableIds: ReadonlySet<string>;
  /** Computed only if a question is about positions. */
  tileLabels: () => TileLabels;
}

interface TileLabels {
  /** The name of each class of the scene's legend; null if it has none. */
  grounds: readonly (string | null)[];
  /** Everything that the picture shows, without duplicates. */
  shown: readonly string[];
}

/**
 * The largest distance to ask about, in tiles, for known and dark tiles: more can't be counted at a glance.
 */
export const FARTHEST = 6;

/** Null if no picture is sent or the agent is not in it. */
export function positionOf({ observation, hasPicture }: ProbeContext): ProbePosition | null {
  const { scene, agent } = observation;
  const self = scene?.things.find(({ id }) => id === agent);
  if (scene === null || self === undefined || !hasPicture) return null;
  const nameableIds = new Set(observation.nouns.map(({ id }) => id));
  return {
    scene,
    self,
    nameableIds,
    tileLabels: once(() => {
      const grounds = scene.legend.map(groundLabel);
      const things = visibleThings({ scene, self, nameableIds }).map(({ name }) => plainName(name));
      return { grounds, shown: [...new Set([...grounds.filter((word) => word !== null), ...things])] };
    }),
  };
}

type ProbedView = Pick<ProbePosition, 'scene' | 'self' | 'nameableIds'>;

/** Things and bodies on clear tiles, except the agent itself. */
export function visibleThings({ scene, self, nameableIds }: ProbedView): readonly SceneThing[] {
  return scene.things.filter(
    (thing) =>
      thing !== self && visibilityAt(scene, thing.x, thing.y) === VISIBLE && nameableIds.has(thing.id),
  );
}

/**
 * What a tile shows, as one word or name: `unknown` if it is dark; null if it shows several things, or is
 * only remembered.
 */
export function labelAt(position: ProbePosition, x: number, y: number): string | null {
  const { scene } = position;
  const visibility = visibilityAt(scene, x, y);
  if (visibility === UNKNOWN) return UNKNOWN_WORD;
  if (visibility !== VISIBLE) return null;
  const thingsOnTile = scene.things.filter((thing) => thing.x === x && thing.y === y);
  if (thingsOnTile.some((thing) => thing !== position.self && !position.nameableIds.has(thing.id)))
    return null;
  const names = new Set(thingsOnTile.map(({ name }) => plainName(name)));
  const [name] = names;
  // An agent in a doorway isn't the only thing there.
  if (names.size > 0 && isDoor(scene.legend[scene.ground[y * scene.width + x] ?? -1] ?? '')) return null;
  if (names.size > 0) return names.size === 1 && name !== undefined ? name : null;
  return position.tileLabels().grounds[scene.ground[y * scene.width + x] ?? -1] ?? null;
}

/**
 * The possible answers to "what is there": the expected word, what the picture shows elsewhere, and that it
 * can't be known.
 */
export function optionsFor(position: ProbePosition, expected: string): readonly string[] {
  const fixed = new Set([expected, UNKNOWN_WORD]);
  const otherLabels = position
    .tileLabels()
    .shown.filter((word) => !fixed.has(word))
    .slice(0, OPTIONS_MAX - fixed.size);
  return [...fixed, ...otherLabels].toSorted(compareText);
}

/** UNKNOWN outside the window. */
export function visibilityAt({ width, height, visibility }: Scene, x: number, y: number): number {
  if (x < 0 || y < 0 || x >= width || y >= height) return UNKNOWN;
  return visibility[y * width + x] ?? UNKNOWN;
}

/** `door/wood-open` is a door; a class is called by its name. Null for none. */
function groundLabel(name: string): string | null {
  const label = plainName((name.split('/')[0] ?? '').replaceAll('-', ' '));
  return label === '' ? null : label;
}

/**
 * About a tile at this offset to the east and south of the agent; the same words whether or not it is known,
 * so that they don't reveal the answer.
 */
export function tileQuestion(dx: number, dy: number): string {
  return `What is on the tile that lies ${offsetWords({ x: 0, y: 0 }, { x: dx, y: dy })} of you?`;
}
